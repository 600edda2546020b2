/* For LD_PRELOAD: makes a program, before its own main, connect to the unix socket OWN_REQUEST_SOCKET, send what stands in
   OWN_REQUEST, print all that is answered, and end. So a test asks an agent as the agent's own command would. */

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

__attribute__((constructor)) static void ask(void) {
    const char *path = getenv("OWN_REQUEST_SOCKET"), *request = getenv("OWN_REQUEST");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!path || !request) return;
    if (strlen(path) >= sizeof address.sun_path) _exit(2);
    strcpy(address.sun_path, path);
    int line = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (line < 0 || connect(line, (struct sockaddr *)&address, sizeof address) < 0) _exit(3);
    for (size_t sent = 0, length = strlen(request); sent < length;) {
        ssize_t count = write(line, request + sent, length - sent);
        if (count < 0) _exit(4);
        sent += count;
    }
    char bytes[4096];
    for (ssize_t count; (count = read(line, bytes, sizeof bytes)) > 0;)
        for (ssize_t done = 0, more; done < count; done += more)
            if ((more = write(1, bytes + done, count - done)) < 0) _exit(5);
    _exit(0);
}
