#pragma once

// Functions of Linux for the program that starts first. It is Embedded Swift, for which there is no module of libc.

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/// The arguments of this process, as `main` has them; the last is followed by NULL.
char **countersign_entry_arguments(void);

/// Writes the path of this program's file into `room`, with a zero at its end. Returns its length, or -1 if it does not fit.
ssize_t countersign_entry_own_file(char *room, size_t count);

/// Protects the process as ProcessHardening does: fills closed standard descriptors, takes the name `countersign`, and allows no core
/// dump and no tracing. Returns 0, or -1.
int countersign_entry_harden(void);

/// Opens a file to read; close-on-exec, and no symbolic link. Returns -1 with errno.
int countersign_entry_open(const char *path);

/// Whether another process holds the lock of this file (flock(2)).
int countersign_entry_is_locked(int fd);

/// CLOCK_MONOTONIC in milliseconds.
int64_t countersign_entry_milliseconds(void);

/// Connects to a unix socket whose listener is a process of this user, and waits at most so many seconds for a place in its queue.
/// Returns -1 if nobody listens there.
int countersign_entry_connect(const char *path, int seconds);

/// Sends bytes before the deadline, in `countersign_entry_milliseconds`; a connection that the other end has closed is an error and no
/// signal. Returns how many were sent, or -1.
ssize_t countersign_entry_send(int fd, const void *bytes, size_t count, int64_t deadline);

/// Receives bytes before the deadline. Returns how many came, 0 at the end, or -1.
ssize_t countersign_entry_receive(int fd, void *bytes, size_t count, int64_t deadline);

/// The number of the last error.
static inline int countersign_entry_errno(void) { return errno; }

/// Ignores SIGPIPE, so that writing to a closed pipe is an error.
void countersign_entry_ignore_pipe(void);
