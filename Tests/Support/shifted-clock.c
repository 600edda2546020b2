/* For LD_PRELOAD: shows a program clocks that are ahead by as many seconds as the file CLOCK_SHIFT_FILE says (eight bytes,
   native order), which may change at any time, as if the machine had slept. So CLOCK_MONOTONIC, which stands still in a sleep,
   is not shifted: what waits for an answer goes on waiting. Who asks the kernel by syscall is not fooled.

   libfaketime cannot be had for this: with it, timers at a moment of CLOCK_MONOTONIC or CLOCK_BOOTTIME never ring. Here a
   timer is set for the real moment, and rings then whatever the clocks show meanwhile. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile long long *seconds;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CLOCK_SHIFT_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *shared = mmap(NULL, sizeof *seconds, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (shared != MAP_FAILED) seconds = shared;
}

static long long shift(void) { return seconds ? *seconds : 0; }

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    switch (clock) {
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_BOOTTIME:
        if (result == 0) now->tv_sec += shift();
    }
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    int result = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return result;
}

time_t time(time_t *now) {
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    if (now) *now = precise.tv_sec;
    return precise.tv_sec;
}

/* Whether a timer, by its descriptor, is of CLOCK_MONOTONIC. */
static char is_steady[65536];

int timerfd_create(clockid_t clock, int flags) {
    int timer = syscall(SYS_timerfd_create, clock, flags);
    if (timer >= 0 && timer < (int)sizeof is_steady) is_steady[timer] = clock == CLOCK_MONOTONIC;
    return timer;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *at, struct itimerspec *before) {
    struct itimerspec real = *at;
    int is_shifted = timer < 0 || timer >= (int)sizeof is_steady || !is_steady[timer];
    if (is_shifted && (flags & TFD_TIMER_ABSTIME) && (real.it_value.tv_sec || real.it_value.tv_nsec)) {
        real.it_value.tv_sec -= shift();
        /* Zero would stop the timer, and less than zero is refused: one that is over rings at once. */
        if (real.it_value.tv_sec < 0) real.it_value = (struct timespec){0, 1};
    }
    return syscall(SYS_timerfd_settime, timer, flags, &real, before);
}
