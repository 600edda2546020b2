#define _GNU_SOURCE
#include "KernelFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

static int is_procfs(int fd) {
    struct statfs found;
    // Only the kernel's procfs has this number. A user's own file system (FUSE) cannot claim it.
    return fstatfs(fd, &found) == 0 && found.f_type == PROC_SUPER_MAGIC;
}

int countersign_open_kernel_file(const char *directory, const char *path) {
    int base = open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (base < 0) return -1;
    int fd = -1;
    if (!is_procfs(base)) {
        errno = EXDEV;
    } else {
        // Refuses mounts on the way, and procfs's magic links, which jump to a file without following a path.
        struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS};
        fd = (int)syscall(SYS_openat2, base, path, &how, sizeof how);
    }
    int cause = errno;
    close(base);
    if (fd >= 0 && !is_procfs(fd)) {
        close(fd);
        fd = -1;
        cause = EXDEV;
    }
    errno = cause;
    return fd;
}
