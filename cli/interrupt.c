#include "interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/*
 * The exit code of a partially configured port (losslessctl(8), EXIT STATUS). A signal handler
 * cannot look it up.
 */
#define ROLLBACK_FAILED 4

/* The first signal, and ASKED once there was a Ctrl-C or SIGTERM. */
static volatile sig_atomic_t caught;

#define ASKED 0x100

static void write_to_stderr(const char *text)
{
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));

	(void)ignored; /* no way to report an error from a signal handler */
}

/*
 * The first signal requests a stop. Somebody who asks twice wants it at once; the next run recovers
 * from the journal. A hang-up never does that: a terminal that goes away sends several, by the
 * shell and by the kernel, and systemd ends a session by SIGTERM and then SIGHUP.
 */
static void on_signal(int number)
{
	int asks = number == SIGHUP ? 0 : ASKED;

	if (asks & caught) {
		write_to_stderr(
			"losslessctl: stopped at once: the port is partially configured. Run "
			"`losslessctl apply` to complete it, or `losslessctl rollback` to roll it "
			"back.\n");
		_exit(ROLLBACK_FAILED);
	}
	if (caught) {
		caught |= asks;
		return;
	}
	caught = number | asks;
	write_to_stderr("losslessctl: interrupted: the current step is finished, then the port is "
			"rolled back. Interrupt again to stop at once.\n");
}

int interrupt_caught(struct host *h)
{
	(void)h;
	return caught & ~ASKED;
}

void interrupt_catch(void)
{
	struct sigaction action = { .sa_handler = on_signal }, before;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup(1) */
		sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}
