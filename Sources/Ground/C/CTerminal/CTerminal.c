#include "CTerminal.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// The state that is put back. Written before `silenced_fd` is set, and read only while it is set, also by the signal
// handler.
static struct termios before;
static volatile sig_atomic_t silenced_fd = -1;
// Quiet mode, and the terminal's state in it.
static struct termios quieted;
static volatile sig_atomic_t quiet = 0;
// Whether pending input is dropped when the terminal is put back. It was typed without echo and may be a PIN or a
// password, so the shell must not get it.
static volatile sig_atomic_t drops = 0;
static volatile sig_atomic_t question_fd = -1;
static volatile sig_atomic_t held = 0;
static volatile sig_atomic_t waiting = 0;
static volatile sig_atomic_t interrupt_code = 130;
// Whether standard error is a terminal, on which ctrl-c leaves an unfinished line.
static volatile sig_atomic_t has_screen = 0;
static volatile sig_atomic_t ends_well = 0;
static volatile sig_atomic_t resize_fd = -1;

int countersign_terminal_keep(int fd) {
    struct termios state;
    if (tcgetattr(fd, &state) != 0) return -1;
    if (silenced_fd < 0) {
        before = state;
        silenced_fd = fd;
    }
    return 0;
}

// Whether the terminal marks pasted text.
static volatile sig_atomic_t marks_pastes = 0;

void countersign_terminal_mark_pastes(void) {
    static const char on[] = "\033[?2004h";
    if (marks_pastes || !isatty(STDERR_FILENO)) return;
    marks_pastes = 1;
    ssize_t count = write(STDERR_FILENO, on, sizeof on - 1);
    (void)count;
}

// Also for the signal handler: write is async-signal-safe.
void countersign_terminal_end_pastes(void) {
    static const char off[] = "\033[?2004l";
    if (!marks_pastes) return;
    marks_pastes = 0;
    ssize_t count = write(STDERR_FILENO, off, sizeof off - 1);
    (void)count;
}

// Sets the terminal. Where that fails and `is_kept` says that this call kept the descriptor, forgets it: its caller closes it.
static int set(int fd, int when, const struct termios *state, int is_kept) {
    if (tcsetattr(fd, when, state) == 0) return 0;
    if (is_kept) {
        silenced_fd = -1;
        drops = 0;
    }
    return -1;
}

int countersign_terminal_silence(int fd) {
    int is_kept = silenced_fd < 0;
    struct termios state;
    if (countersign_terminal_keep(fd) != 0 || tcgetattr(fd, &state) != 0) return -1;
    state.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG);
    state.c_cc[VMIN] = 1;
    state.c_cc[VTIME] = 0;
    drops = 1;
    // Drops input from before the prompt was shown, since that is no answer to it.
    return set(fd, TCSAFLUSH, &state, is_kept);
}

int countersign_terminal_hide(int fd) {
    int is_kept = silenced_fd < 0;
    struct termios state;
    if (countersign_terminal_keep(fd) != 0 || tcgetattr(fd, &state) != 0) return -1;
    // The line is edited as usual, also in quiet mode.
    if (quiet) state = before;
    state.c_lflag &= ~(tcflag_t)ECHO;
    state.c_lflag |= ECHONL;
    // Keeps earlier input, since no prompt has to be seen first.
    return set(fd, TCSADRAIN, &state, is_kept);
}

int countersign_terminal_hush(int fd) {
    struct termios state;
    if (quiet) return 0;
    // A question is open and has set the terminal as it needs it.
    if (silenced_fd >= 0) return -1;
    if (countersign_terminal_keep(fd) != 0) return -1;
    drops = 1;
    state = before;
    state.c_lflag &= ~(tcflag_t)(ECHO | ICANON);
    state.c_cc[VMIN] = 1;
    state.c_cc[VTIME] = 0;
    return set(fd, TCSADRAIN, &state, 1);
}

void countersign_terminal_end_hush(int fd) {
    if (quiet) {
        tcflush(fd, TCIFLUSH);
    } else {
        countersign_terminal_restore();
    }
}

int countersign_terminal_quiet(int fd) {
    if (countersign_terminal_keep(fd) != 0) return -1;
    quieted = before;
    quieted.c_lflag &= ~(tcflag_t)(ECHO | ICANON);
    quieted.c_cc[VMIN] = 1;
    quieted.c_cc[VTIME] = 0;
    quiet = 1;
    return tcsetattr(fd, TCSADRAIN, &quieted);
}

void countersign_terminal_end_quiet(void) {
    int fd = silenced_fd;
    countersign_terminal_end_pastes();
    if (!quiet) return;
    quiet = 0;
    silenced_fd = -1;
    // Drops input typed ahead: it may be a PIN, and the shell must not get it.
    tcsetattr(fd, TCSAFLUSH, &before);
}

void countersign_terminal_show(void) {
    int fd = silenced_fd;
    if (fd < 0) return;
    if (!quiet) silenced_fd = -1;
    // Drops input typed without echo, since it is no answer to a later question.
    tcsetattr(fd, quiet || drops ? TCSAFLUSH : TCSADRAIN, &before);
    drops = 0;
}

void countersign_terminal_restore(void) {
    int fd = silenced_fd;
    countersign_terminal_end_pastes();
    if (fd < 0) return;
    if (!quiet) silenced_fd = -1;
    tcsetattr(fd, drops ? TCSAFLUSH : TCSADRAIN, quiet ? &quieted : &before);
    drops = 0;
}

void countersign_terminal_stop(void) {
    countersign_terminal_show();
    // A job that nobody can resume is started with SIGTSTP ignored, and stays so.
    void (*earlier)(int) = signal(SIGTSTP, SIG_IGN);
    if (earlier == SIG_IGN || earlier == SIG_ERR) return;
    // First the others of the job, which this process ignores, then this process: raise returns only when it goes on.
    kill(0, SIGTSTP);
    signal(SIGTSTP, earlier);
    raise(SIGTSTP);
}

void countersign_terminal_asks(int fd) {
    question_fd = fd;
}

// The signal handler. tcsetattr, write, _exit, signal and raise are async-signal-safe (POSIX 2.4.3).
static void leave(int number) {
    int interrupts = number == SIGINT || (number == SIGTERM && ends_well);
    if (held == 2 || (held == 3 && waiting == 0) || (interrupts && held != 0 && held != 3)) {
        waiting = number;
        return;
    }
    countersign_terminal_end_quiet();
    drops = 1;
    countersign_terminal_restore();
    if (question_fd >= 0 || (number == SIGINT && has_screen)) {
        ssize_t count = write(question_fd >= 0 ? question_fd : STDERR_FILENO, "\n", 1);
        (void)count;
    }
    if (interrupts) {
        static const char words[] = "error: cancelled\n";
        if (interrupt_code != 0) {
            ssize_t count = write(STDERR_FILENO, words, sizeof words - 1);
            (void)count;
        }
        _exit(interrupt_code);
    }
    signal(number, SIG_DFL);
    raise(number);
}

int countersign_terminal_guard(int code) {
    struct sigaction action = {0};
    interrupt_code = code;
    has_screen = isatty(STDERR_FILENO);
    action.sa_handler = leave;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, &action, NULL) != 0) return -1;
    if (sigaction(SIGTERM, &action, NULL) != 0) return -1;
    return sigaction(SIGHUP, &action, NULL);
}

void countersign_interrupts_end_well(void) {
    interrupt_code = 0;
    ends_well = 1;
}

void countersign_interrupts_hold(int hold) {
    held = hold;
}

void countersign_interrupts_forget(void) {
    waiting = 0;
}

void countersign_interrupts_deliver(void) {
    held = 0;
    if (waiting != 0) kill(getpid(), waiting);
}

int countersign_interrupted(void) {
    return waiting;
}

int countersign_terminal_columns(int fd) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

int countersign_terminal_rows(int fd) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_row;
}

// The signal handler of SIGWINCH. write is async-signal-safe. Its failure on a full pipe does not matter: the reader
// wakes anyway.
static void resized(int number) {
    int before = errno;
    (void)number;
    ssize_t count = write(resize_fd, "r", 1);
    (void)count;
    errno = before;
}

int countersign_terminal_tell_resizes(int fd) {
    struct sigaction action = {0};
    int earlier = resize_fd;
    resize_fd = fd;
    action.sa_handler = resized;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGWINCH, &action, NULL);
    return earlier;
}
