/* For LD_PRELOAD: a file system without locks, as some network file systems are. Each attempt to lock a file fails with ENOLCK. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>

static int refuse(void) {
    errno = ENOLCK;
    return -1;
}

int flock(int file, int operation) {
    (void)file;
    return operation & LOCK_UN ? 0 : refuse();
}

static int answer(const char *name, int file, int command, void *argument) {
    if (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW) {
        struct flock *lock = argument;
        return lock->l_type == F_UNLCK ? 0 : refuse();
    }
    int (*real)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, name);
    return real(file, command, argument);
}

int fcntl(int file, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return answer("fcntl", file, command, argument);
}

int fcntl64(int file, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return answer("fcntl64", file, command, argument);
}
