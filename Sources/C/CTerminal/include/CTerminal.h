#pragma once
// What a terminal prompt needs and Swift cannot do in a signal handler: the terminal is put back on every way out.

/// Remembers the state of the terminal `fd`, once. 0, or -1 with errno.
int countersign_terminal_keep(int fd);

/// Switches `fd` to reading key by key without echo. 0, or -1 with errno. Remembers the state before, once.
int countersign_terminal_silence(int fd);

/// Has `fd` echo nothing but the end of a line. 0, or -1 with errno. Remembers the state before, once.
int countersign_terminal_hide(int fd);

/// Until `countersign_terminal_end_hush` nothing that is typed at `fd` is echoed; signals still come. 0, or -1 with errno, also
/// while a question is open there. Remembers the state before, once.
int countersign_terminal_hush(int fd);

/// Ends that: drops what was typed meanwhile, and puts the terminal back.
void countersign_terminal_end_hush(int fd);

/// From now on nothing that is typed at `fd` is echoed between questions, and keys count one by one; signals still come. 0, or
/// -1 with errno. Remembers the state before, once.
int countersign_terminal_quiet(int fd);

/// Ends that: drops what was typed ahead, and puts the terminal back.
void countersign_terminal_end_quiet(void);

/// Puts the terminal back as the first of the calls above found it, also while it is quiet otherwise: for questions whose answer
/// is seen, and for programs. `countersign_terminal_restore` ends it.
void countersign_terminal_show(void);

/// Puts the terminal back as the first of the calls above found it, or quiet; nothing when there was none.
void countersign_terminal_restore(void);

/// From now on SIGINT, SIGTERM and SIGHUP put the terminal back and end the process: SIGINT with exit code `code`, the
/// others as their default does.
int countersign_terminal_guard(int code);

/// A question stands on the terminal `fd`, its line open: a signal that ends the process ends the line first. -1: it was answered.
void countersign_terminal_asks(int fd);

/// While held, SIGINT is kept waiting: a request that has left must not be abandoned. Released, it ends a command that runs
/// until it is interrupted; others tell what became of the request, and then do nothing more.
void countersign_interrupts_hold(int hold);

/// Whether SIGINT came while it was held.
int countersign_interrupted(void);

/// From now on SIGINT and SIGTERM are the proper end of a command that runs until it is interrupted: exit code 0, and both
/// can be held.
void countersign_interrupts_end_well(void);

/// Columns of the terminal behind `fd`; 0 when it has none.
int countersign_terminal_columns(int fd);

/// Rows of the terminal behind `fd`; 0 when it has none.
int countersign_terminal_rows(int fd);

/// From now on each SIGWINCH writes one byte to `fd`, a pipe that does not block and stays open.
int countersign_terminal_tell_resizes(int fd);
