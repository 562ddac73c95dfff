#include "interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/*
 * The exit code of a partially configured port (losslessctl(8), EXIT STATUS). A signal handler
 * cannot look it up.
 */
#define ROLLBACK_FAILED 4

static volatile sig_atomic_t caught;

static void write_to_stderr(const char *text)
{
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));

	(void)ignored; /* no way to report an error from a signal handler */
}

/*
 * The first signal requests a stop; the second exits at once. The next run recovers from the
 * journal.
 */
static void on_signal(int number)
{
	if (caught) {
		write_to_stderr(
			"losslessctl: stopped at once: the port is partially configured. Run "
			"`losslessctl apply` to complete it, or `losslessctl rollback` to roll it "
			"back.\n");
		_exit(ROLLBACK_FAILED);
	}
	caught = number;
	write_to_stderr("losslessctl: interrupted: the current step is finished, then the port is "
			"rolled back. Interrupt again to stop at once.\n");
}

int interrupt_caught(struct host *h)
{
	(void)h;
	return caught;
}

void interrupt_catch(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}
