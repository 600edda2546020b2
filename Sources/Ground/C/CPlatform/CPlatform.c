#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void countersign_wipe(void *start, size_t count) {
    if (count > 0) explicit_bzero(start, count);
}

int countersign_set_dumpable(int dumpable) {
    return prctl(PR_SET_DUMPABLE, (unsigned long)dumpable, 0UL, 0UL, 0UL);
}

int countersign_dumpable(void) {
    return prctl(PR_GET_DUMPABLE, 0UL, 0UL, 0UL, 0UL);
}

void countersign_crash_plainly(void) {
    static const int signals[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) {
        struct sigaction found;
        if (sigaction(signals[index], NULL, &found) == 0 && found.sa_handler != SIG_IGN)
            signal(signals[index], SIG_DFL);
    }
}

int countersign_open_process(pid_t pid) {
    // No flags, since PIDFD_THREAD and others need later kernels. The kernel always sets close-on-exec.
    return (int)syscall(SYS_pidfd_open, pid, 0);
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
    // Asks the kernel itself, since a preloaded library that shifts the clock replaces only libc's function.
    struct timespec now;
    if (syscall(SYS_clock_gettime, CLOCK_BOOTTIME, &now) != 0) return -1;
    return now.tv_sec;
}

int countersign_memory_file(const void *bytes, size_t count) {
    int file = memfd_create("countersign", MFD_CLOEXEC);
    if (file < 0) return -1;
    for (size_t written = 0; written < count;) {
        ssize_t more = write(file, (const char *)bytes + written, count - written);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) {
            close(file);
            return -1;
        }
        written += (size_t)more;
    }
    lseek(file, 0, SEEK_SET);
    return file;
}

int countersign_spawn(pid_t *pid, const char *program, char *const arguments[], char *const variables[],
                      const int descriptors[], int count, int has_own_session) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    // In glibc both only set fields and cannot fail.
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int fault = 0;
    for (int place = 0; fault == 0 && place < count; place++)
        fault = descriptors[place] < 0
                    ? posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_RDWR, 0)
                    : posix_spawn_file_actions_adddup2(&actions, descriptors[place], place);
    if (fault == 0) fault = posix_spawn_file_actions_addclosefrom_np(&actions, count);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    if (has_own_session) sigfillset(&signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(
        &attributes, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (has_own_session ? POSIX_SPAWN_SETSID : 0)));
    if (fault == 0) fault = posix_spawnp(pid, program, &actions, &attributes, arguments, variables);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return fault;
}

static size_t given_count;
static char **given;

// glibc passes the arguments of main to each constructor.
__attribute__((constructor)) static void keep_arguments(int count, char **arguments) {
    given_count = (size_t)count;
    given = arguments;
}

void countersign_overwrite_argument(size_t index, const char *word) {
    if (index >= given_count) return;
    size_t room = strlen(given[index]), length = strlen(word);
    explicit_bzero(given[index], room);
    memcpy(given[index], word, length < room ? length : room);
}

// Whether the loader changed segments that are read-only afterwards (text relocations). No library of Debian needs
// that.
static int has_text_relocations(const struct dl_phdr_info *object) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        // The table ends with DT_NULL (gABI).
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0))
                return 1;
    }
    return 0;
}

// Drops the pages of an object that are unchanged copies of its file. The kernel reads them from the file when they are
// needed again.
static int unmap_clean_pages(struct dl_phdr_info *object, size_t size, void *nothing) {
    (void)size, (void)nothing;
    if (has_text_relocations(object)) return 0;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        // Keeps writable segments, which include relocated tables: their content differs from the file.
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void countersign_trim_memory(void) {
    malloc_trim(0);
    dl_iterate_phdr(unmap_clean_pages, NULL);
}
