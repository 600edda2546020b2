#pragma once

// What of Linux does not import into Swift (variadic, feature-tested or easily optimised away).

#include "FreedMemory.h"
#include "KernelFiles.h"
#include "LockedHeap.h"
#include "Routes.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What `--version` says behind the version: "-dev"; of a release " (COMMIT)", or nothing where it was built outside git. The
/// text is never freed.
const char *countersign_build(void);

/// Overwrites `count` bytes at `start` with zeros; the compiler cannot leave it out.
void countersign_wipe(void *start, size_t count);

/// PR_SET_DUMPABLE: 0 forbids core dumps and ptrace by other processes of the same user. Returns 0, or -1 with errno.
int countersign_set_dumpable(int dumpable);

/// PR_GET_DUMPABLE: 0, 1 or 2.
int countersign_dumpable(void);

/// Takes back what a runtime installed for signals of a crash (SIGSEGV, SIGABRT and the like): the process ends by them, and
/// nobody looks at it before. One that is ignored stays ignored.
void countersign_crash_plainly(void);

/// SO_PEERCRED of a connected unix socket. Returns 0, or -1 with errno; then nothing was written.
int countersign_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid);

/// A descriptor of a process (pidfd_open(2)), of whichever user; close-on-exec. It can be read from when the process has ended.
/// -1 with errno: ESRCH where there is no such process.
int countersign_open_process(pid_t pid);

/// CLOCK_BOOTTIME in whole seconds (it runs on during sleep), or -1 with errno.
int64_t countersign_boot_seconds(void);

/// Starts another program, which is looked for in PATH when its name has no slash. Returns 0 or an error number.
///
/// Its descriptors from 0 on are these `count` of ours, or /dev/null for a negative one; it has no others. None of ours may be
/// below `count`, unless it is to stay where it is. It blocks no signal and does not ignore SIGPIPE; with a session of its own it
/// has no terminal and ignores none.
int countersign_spawn(pid_t *pid, const char *program, char *const arguments[], char *const variables[],
                      const int descriptors[], int count, int has_own_session);

/// Gives memory that nobody uses now back to the system: what malloc holds free (malloc_trim(3)), and the parts of the program
/// and its libraries that were needed to get here. What is needed again is read again.
void countersign_trim_memory(void);
