#include "interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../agent/host/host.h"

/*
 * The exit code of a partially configured port (losslessctl(8), EXIT STATUS). A signal handler
 * cannot look it up.
 */
#define ROLLBACK_FAILED 4

#define ASKED 0x100

/* Texts for each verb that writes to ports; another one just ends. */
static const struct words {
	const char *verb, *first, *again;
} all_words[] = {
	{ "apply",
	  "losslessctl: interrupted: the current step is finished, then the port gets its settings "
	  "from before this run. Interrupt again to stop at once.\n",
	  "losslessctl: stopped at once: a port may be partially configured. Run `losslessctl "
	  "rollback` to roll it back, or the same `losslessctl apply` again to complete it.\n" },
	{ "rollback",
	  "losslessctl: interrupted: the current step is finished, then this rollback is undone; "
	  "that of an incomplete run goes on. Interrupt again to stop at once.\n",
	  "losslessctl: stopped at once: a port may be partially configured. Run `losslessctl "
	  "rollback`, which completes it.\n" },
};

static struct {
	volatile sig_atomic_t first; /* the first signal; ASKED: there was a Ctrl-C or SIGTERM */
	const struct words *words;   /* those of the verb, or NULL */
	const struct host *host;     /* NULL: the run has reached its end */
} caught;

static void write_to_stderr(const char *text)
{
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));

	(void)ignored; /* no way to report an error from a signal handler */
}

/* True while a run that stops at once may leave a port behind. */
static bool has_changed(void)
{
	return caught.words && caught.host && caught.host->at_ports;
}

/*
 * The first signal requests a stop. Somebody who asks twice wants it at once; the next run recovers
 * from the journal. A hang-up never does that: a terminal that goes away sends several, by the
 * shell and by the kernel, and systemd ends a session by SIGTERM and then SIGHUP.
 */
static void on_signal(int number)
{
	int asks = number == SIGHUP ? 0 : ASKED;

	if (asks & caught.first) {
		if (!has_changed())
			_exit(128 + number);
		write_to_stderr(caught.words->again);
		_exit(ROLLBACK_FAILED);
	}
	if (caught.first) {
		caught.first |= asks;
		return;
	}
	caught.first = number | asks;
	write_to_stderr(has_changed() ? caught.words->first
				      : "losslessctl: interrupted. Interrupt again to stop at "
					"once.\n");
}

int interrupt_caught(struct host *h)
{
	(void)h;
	return caught.first & ~ASKED;
}

void interrupt_catch(const struct host *h, const char *verb)
{
	struct sigaction action = { .sa_handler = on_signal }, before;

	caught.host = h;
	for (size_t i = 0; i < sizeof(all_words) / sizeof(all_words[0]); i++)
		if (strcmp(all_words[i].verb, verb) == 0)
			caught.words = &all_words[i];
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup(1) */
		sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

void interrupt_end(void)
{
	caught.host = NULL;
}
