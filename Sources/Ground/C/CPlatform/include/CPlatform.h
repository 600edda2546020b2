#pragma once

// Functions of Linux that do not import into Swift: variadic ones, those behind feature-test macros, and a wipe that
// the optimiser must not remove.

#include "FreedMemory.h"
#include "KernelFiles.h"
#include "LockedHeap.h"
#include "Routes.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The text that `--version` prints behind the version: "-dev"; for a release " (COMMIT)", or nothing when it was built
/// without git. The text is never freed.
const char *countersign_build(void);

/// Overwrites `count` bytes at `start` with zeros; the compiler cannot optimise this away.
void countersign_wipe(void *start, size_t count);

/// Sets PR_SET_DUMPABLE: 0 forbids core dumps, and ptrace by other processes of the same user. Returns 0, or -1 with
/// errno.
int countersign_set_dumpable(int dumpable);

/// Returns PR_GET_DUMPABLE: 0, 1 or 2.
int countersign_dumpable(void);

/// Removes the handlers that Swift's runtime installed for the signals of a crash (SIGSEGV, SIGABRT and so on), so that
/// these end the process at once and no other program reads its memory before. A signal that is ignored stays ignored.
void countersign_crash_plainly(void);

/// Reads SO_PEERCRED of a connected unix socket. Returns 0; or -1 with errno, and then nothing was written.
int countersign_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid);

/// Opens a descriptor of a process of any user (pidfd_open(2)); close-on-exec. It becomes readable when the process has
/// ended. Returns -1 with errno: ESRCH when there is no such process.
int countersign_open_process(pid_t pid);

/// Returns CLOCK_BOOTTIME, which also runs during sleep, in whole seconds, or -1 with errno.
int64_t countersign_boot_seconds(void);

/// Returns the descriptor of a file in memory that holds these bytes and is read from its beginning; close-on-exec. Returns
/// -1 with errno.
int countersign_memory_file(const void *bytes, size_t count);

/// Starts another program, which is looked for in PATH when its name has no slash. Returns 0 or an error number.
///
/// `descriptors` become the descriptors 0 to `count` - 1 of the program, with /dev/null in place of a negative one; it
/// has no others. A descriptor below `count` must already stand at its own place. The program blocks no signal and does
/// not ignore SIGPIPE. With a session of its own it has no terminal and ignores no signal.
int countersign_spawn(pid_t *pid, const char *program, char *const arguments[], char *const variables[],
                      const int descriptors[], int count, int has_own_session);

/// Overwrites an argument of this process, where `index` 0 is the program's name, in the memory that every user reads as
/// /proc/PID/cmdline. As much of `word` as fits takes its place.
void countersign_overwrite_argument(size_t index, const char *word);

/// Gives memory that is not in use back to the system: free memory of malloc (malloc_trim(3)), and the code of the
/// program and its libraries that has run so far. Code that is needed again is read from its file again.
void countersign_trim_memory(void);
