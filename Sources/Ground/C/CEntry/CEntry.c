#define _GNU_SOURCE
#include "CEntry.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>

static char **given;

// glibc hands each constructor the arguments of main.
__attribute__((constructor)) static void keep_arguments(int count, char **arguments) {
    (void)count;
    given = arguments;
}

char **countersign_entry_arguments(void) { return given; }

ssize_t countersign_entry_own_file(char *room, size_t count) {
    ssize_t length = readlink("/proc/self/exe", room, count);
    if (length < 0 || (size_t)length >= count) return -1;
    room[length] = 0;
    return length;
}

int countersign_entry_harden(void) {
    // `open` takes the lowest free number. A closed standard output takes no results, and says so.
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR) != fd) return -1;
    // By this name the agent knows the command, whose file it cannot see. It can be set only as long as the process is dumpable.
    int comm = open("/proc/self/comm", O_WRONLY | O_CLOEXEC);
    if (comm >= 0) {
        ssize_t ignored = write(comm, "countersign", 11);
        (void)ignored;
        close(comm);
    }
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0 || prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL) != 0) return -1;
    return prctl(PR_GET_DUMPABLE, 0UL, 0UL, 0UL, 0UL) == 0 ? 0 : -1;
}

int countersign_entry_open(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

int countersign_entry_is_locked(int fd) {
    // Shared, so that several commands can look at the same time. Closing the file releases it.
    while (flock(fd, LOCK_SH | LOCK_NB) != 0)
        if (errno != EINTR) return errno == EWOULDBLOCK;
    return 0;
}

int64_t countersign_entry_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int countersign_entry_connect(const char *path, int seconds) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) return -1;
    memcpy(address.sun_path, path, length);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    struct timeval limit = {.tv_sec = seconds};
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0 &&
        connect(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid())
        return fd;
    close(fd);
    return -1;
}

// Whether the socket is ready before the deadline. An interruption only makes it look again.
static int is_ready(int fd, short events, int64_t deadline) {
    for (;;) {
        int64_t left = deadline - countersign_entry_milliseconds();
        struct pollfd entry = {.fd = fd, .events = events};
        if (left <= 0) return 0;
        int found = poll(&entry, 1, (int)left);
        if (found > 0) return 1;
        if (found < 0 && errno != EINTR) return 0;
    }
}

ssize_t countersign_entry_send(int fd, const void *bytes, size_t count, int64_t deadline) {
    return is_ready(fd, POLLOUT, deadline) ? send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT) : -1;
}

ssize_t countersign_entry_receive(int fd, void *bytes, size_t count, int64_t deadline) {
    return is_ready(fd, POLLIN, deadline) ? recv(fd, bytes, count, MSG_DONTWAIT) : -1;
}

void countersign_entry_ignore_pipe(void) { signal(SIGPIPE, SIG_IGN); }
