#include "losslessctl.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../agent/host/namespace.h"
#include "backends.h"
#include "captured/captured_bundle.h"
#include "output/print.h"
#include "sandbox/enter.h"

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

static int interrupted(struct host *h)
{
	(void)h;
	return caught;
}

static void print_progress(struct host *h, enum progress n, const char *port, const char *what)
{
	(void)h;
	(void)n;
	print_outside(stderr, "%s: %s", port, what);
	fputc('\n', stderr);
}

static void print_wait(struct host *h, enum progress n, const char *port, const char *what)
{
	if (n == PROGRESS_WAIT)
		print_progress(h, n, port, what);
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* The agent opens the host for reading first, but needs its files from the start. */
static bool is_agent(const struct cli *c)
{
	return strcmp(c->opt.verb->name, "agent") == 0;
}

static bool open_host(struct cli *c, bool may_write, struct err *err)
{
	if (c->opt.state)
		return captured_host_open(c, err);
	if (!host_linux_open(&c->outside, c->opt.root, may_write, err))
		return false;
	c->h = &c->outside.host;
	c->h->interrupted = interrupted;
	if (!c->opt.quiet)
		c->h->report = c->opt.verbose ? print_progress : print_wait;
	c->h->session = c->session;
	c->h->eswitches = c->eswitches;
	if (!c->opt.verb->writes)
		c->outside.lldpad = &c->lldpad;
	c->outside.firmware_helper = c->helpers[HELPER_FIRMWARE];
	c->outside.modprobe_helper = c->helpers[HELPER_LOADER];
	c->engine = cli_engine(c);
	if (may_write)
		catch_signals();
	if ((may_write || is_agent(c)) && geteuid() != 0) {
		err_record(err, ERR_DENIED, EPERM, "`%s` needs root: it %s", c->opt.verb->name,
			   may_write ? "changes ports" : "writes to /run/losslessctl");
		return err_fix(err, "run the same command with sudo");
	}
	return !may_write || namespace_may_change(c->h, err);
}

const struct platform platform_linux = { .enter = sandbox_enter, .open_host = open_host };
