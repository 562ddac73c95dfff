#include "terminal.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define ENTER	    "\033[?1049h\033[?25l\033[2J" /* alternate screen, hidden cursor, erased */
#define LEAVE	    "\033[?25h\033[?1049l"
#define COLS	    80
#define ROWS	    24
#define COLS_MAX    9999
#define REPORT_COLS 100

bool terminal_is_dumb(void)
{
	const char *kind = getenv("TERM");

	return kind && strcmp(kind, "dumb") == 0;
}

bool terminal_can_draw(void)
{
	const char *kind = getenv("TERM");

	return isatty(STDOUT_FILENO) && kind && kind[0] && !terminal_is_dumb();
}

bool terminal_show(const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(STDOUT_FILENO, bytes, size);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			bytes += n;
			size -= (size_t)n;
		}
	}
	return true;
}

/* Returns $COLUMNS, or 0 if it is no width. */
static unsigned columns_variable(void)
{
	const char *text = getenv("COLUMNS");
	unsigned long n = text ? strtoul(text, NULL, 10) : 0;

	return n <= COLS_MAX ? (unsigned)n : 0;
}

static unsigned columns_or(int fd, unsigned otherwise)
{
	struct winsize w = { 0 };
	unsigned given = columns_variable();

	if (given)
		return given;
	return ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : otherwise;
}

unsigned terminal_columns(void)
{
	return columns_or(STDOUT_FILENO, COLS);
}

unsigned terminal_report_columns(void)
{
	return columns_or(STDOUT_FILENO, REPORT_COLS);
}

unsigned terminal_error_columns(void)
{
	return isatty(STDERR_FILENO) ? columns_or(STDERR_FILENO, COLS) : UINT_MAX;
}

static void measure(struct terminal *t)
{
	struct winsize w = { 0 };

	t->cols = COLS;
	t->rows = ROWS;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col && w.ws_row) {
		t->cols = w.ws_col;
		t->rows = w.ws_row;
	}
}

/* Reads keys one by one without echo; Ctrl-C and Ctrl-Z still send signals. */
static void enter(struct terminal *t)
{
	struct termios raw = t->before;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (t->has_keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	measure(t);
	terminal_show(ENTER, strlen(ENTER));
}

static void leave(struct terminal *t)
{
	terminal_show(LEAVE, strlen(LEAVE));
	if (t->has_keys)
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &t->before);
}

static sigset_t ours(void)
{
	static const int numbers[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT
	};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&set, numbers[i]);
	return set;
}

bool terminal_open(struct terminal *t, struct err *err)
{
	sigset_t set = ours();

	t->has_keys = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &t->before) == 0;
	t->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (t->signals < 0)
		return err_set(err, ERR_SYSTEM, errno, "signals: %s", strerror(errno));
	sigprocmask(SIG_BLOCK, &set, &t->mask_before);
	t->open = true;
	enter(t);
	return true;
}

void terminal_close(struct terminal *t)
{
	if (!t->open)
		return;
	leave(t);
	close(t->signals);
	sigprocmask(SIG_SETMASK, &t->mask_before, NULL);
	t->open = false;
}

/* Restores the screen for the shell and stops; returns when the shell continues this process. */
static void stop(struct terminal *t)
{
	leave(t);
	kill(getpid(), SIGSTOP);
}

static enum terminal_event handle_signal(struct terminal *t)
{
	struct signalfd_siginfo info;

	if (read(t->signals, &info, sizeof(info)) != sizeof(info))
		return TERMINAL_REDRAW;
	switch (info.ssi_signo) {
	case SIGWINCH:
		measure(t);
		return TERMINAL_REDRAW;
	case SIGTSTP:
		stop(t);
		enter(t);
		return TERMINAL_REDRAW;
	case SIGCONT: /* also after a stop that cannot be caught, such as SIGSTOP */
		enter(t);
		return TERMINAL_REDRAW;
	default:
		t->quit_by = (int)info.ssi_signo;
		return TERMINAL_QUIT;
	}
}

/* A terminal that hangs up reads as end of file. */
static enum terminal_event handle_keys(void)
{
	char keys[32];
	ssize_t n = read(STDIN_FILENO, keys, sizeof(keys));

	if (n < 0 && errno == EINTR)
		return TERMINAL_REDRAW;
	if (n <= 0 || memchr(keys, 'q', (size_t)n) || memchr(keys, 'Q', (size_t)n))
		return TERMINAL_QUIT;
	return TERMINAL_REDRAW;
}

enum terminal_event terminal_wait(struct terminal *t, unsigned ms)
{
	struct pollfd from[] = {
		{ .fd = t->signals, .events = POLLIN },
		{ .fd = t->has_keys ? STDIN_FILENO : -1, .events = POLLIN },
	};

	if (poll(from, 2, (int)ms) <= 0)
		return TERMINAL_TIME;
	return from[0].revents ? handle_signal(t) : handle_keys();
}
