#include "losslessctl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../agent/host/namespace.h"
#include "backends.h"
#include "captured/captured_bundle.h"
#include "interrupt.h"
#include "output/print.h"
#include "sandbox/enter.h"

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
	c->h->interrupted = interrupt_caught;
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
		interrupt_catch(c->h, c->opt.verb->name);
	if ((may_write || is_agent(c)) && geteuid() != 0) {
		err_record(err, ERR_DENIED, EPERM, "`%s` needs root: it %s", c->opt.verb->name,
			   may_write ? "changes ports" : "writes to /run/losslessctl");
		return err_fix(err, "run the same command with sudo");
	}
	return !may_write || namespace_may_change(c->h, err);
}

const struct platform platform_linux = { .enter = sandbox_enter, .open_host = open_host };
