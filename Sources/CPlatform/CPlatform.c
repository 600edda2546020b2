#define _GNU_SOURCE
#include "CPlatform.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

void countersign_wipe(void *start, size_t count) {
    if (count > 0) explicit_bzero(start, count);
}

int countersign_set_dumpable(int dumpable) {
    return prctl(PR_SET_DUMPABLE, (unsigned long)dumpable, 0UL, 0UL, 0UL);
}

int countersign_dumpable(void) {
    return prctl(PR_GET_DUMPABLE, 0UL, 0UL, 0UL, 0UL);
}

int countersign_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}

int64_t countersign_boot_seconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
    return now.tv_sec;
}
