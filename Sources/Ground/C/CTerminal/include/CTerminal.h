#pragma once
// The terminal's modes for prompts. They are in C because a signal handler has to put the terminal back, and Swift code
// must not run in one. "Puts back" means: to the state in which the first of these calls found the terminal.

/// Remembers the state of the terminal `fd`, unless a state is remembered already. Returns 0, or -1 with errno.
int countersign_terminal_keep(int fd);

/// Switches `fd` to reading key by key without echo and without signals from keys. Remembers the state before. Returns
/// 0, or -1 with errno.
int countersign_terminal_silence(int fd);

/// Asks the terminal behind standard error to mark pasted text (`ESC [200~` before, `ESC [201~` behind), so that no piece of it
/// counts as a key. Every function that puts the terminal back ends this.
void countersign_terminal_mark_pastes(void);

/// Stops the marking of pastes.
void countersign_terminal_end_pastes(void);

/// Lets `fd` echo nothing but the end of a line. Remembers the state before. Returns 0, or -1 with errno.
int countersign_terminal_hide(int fd);

/// Switches off the echo of `fd` until `countersign_terminal_end_hush`, while the program waits for something else than
/// an answer. Keys still send signals. Remembers the state before. Returns 0, or -1 with errno, also while a question
/// is open there.
int countersign_terminal_hush(int fd);

/// Drops input typed during the hush, and puts the terminal back.
void countersign_terminal_end_hush(int fd);

/// Switches `fd` to quiet mode for a program that reads keys: between questions nothing is echoed, and keys are read
/// one by one. Keys still send signals. Remembers the state before. Returns 0, or -1 with errno.
int countersign_terminal_quiet(int fd);

/// Ends quiet mode: drops input typed ahead, and puts the terminal back.
void countersign_terminal_end_quiet(void);

/// Puts the terminal back for a while, also in quiet mode: for questions whose answer is shown, and for other programs.
/// `countersign_terminal_restore` ends this.
void countersign_terminal_show(void);

/// Puts the terminal back; in quiet mode, back to quiet mode. Drops input that was typed without echo. Does nothing
/// when no state is remembered.
void countersign_terminal_restore(void);

/// Puts the terminal back and stops this process and its job, as ctrl-z does where keys send signals. Returns when the job goes on; then
/// the caller sets the terminal anew. Returns at once when nobody could resume the job.
void countersign_terminal_stop(void);

/// From now on SIGINT, SIGTERM and SIGHUP put the terminal back and end the process: SIGINT with exit code `code`, the
/// others by the signal itself. SIGINT says `error: cancelled` on standard error, unless it is the ordinary end. Returns 0, or -1 with errno.
int countersign_terminal_guard(int code);

/// Notes that the terminal `fd` shows a question on an unfinished line: a signal that ends the process then ends the line first. -1
/// means that the question was answered.
void countersign_terminal_asks(int fd);

/// With 1, SIGINT waits: a request that was sent must not be abandoned. With 2, SIGTERM and SIGHUP wait, too: for a request whose
/// answer is needed afterwards. With 3 they wait, too, but the second signal ends the process at once. With 0, they no
/// longer wait. A signal that came meanwhile is not raised again: commands report the result of the request, and
/// then look at `countersign_interrupted`.
void countersign_interrupts_hold(int hold);

/// Whether a signal came while it had to wait.
int countersign_interrupted(void);

/// Forgets the signals that came meanwhile: they ended only a wait, which is over.
void countersign_interrupts_forget(void);

/// No signal waits any longer; one that had to wait ends the process now.
void countersign_interrupts_deliver(void);

/// For a command that runs until it is interrupted: from now on SIGINT and SIGTERM end it with exit code 0, and both
/// can be made to wait.
void countersign_interrupts_end_well(void);

/// Columns of the terminal behind `fd`; 0 when it has none.
int countersign_terminal_columns(int fd);

/// Rows of the terminal behind `fd`; 0 when it has none.
int countersign_terminal_rows(int fd);

/// From now on each SIGWINCH writes one byte to `fd`, a pipe that must be non-blocking and stay open; -1 for none. Returns the one
/// before, or -1.
int countersign_terminal_tell_resizes(int fd);
