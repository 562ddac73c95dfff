/*
 * The engine's context: a host, its back ends, and the caller's options. The command line and the
 * agent each fill in their own.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_ENGINE_H
#define LOSSLESSCTL_AGENT_ENGINE_ENGINE_H

#include "backends.h"
#include "target/captured.h"
#include "target/selection.h"

struct engine {
	struct host *h;			 /* NULL with `captured` */
	const struct captured *captured; /* the host that is judged; NULL: `h` is */
	const struct backends *backends;
	struct selection selection; /* the ports to work on */
	const char *user;	    /* the user who runs it; NULL: unknown */
	unsigned overrides;	    /* options that silence guards: enum override */
	bool no_link_flap;	    /* refuse steps that flap the link */
	unsigned lock_timeout_s;    /* maximum wait for the lock */
	unsigned listen_s;	    /* time to listen for peers; 0: until each is heard */
	bool query_firmware;	    /* read FIRMWARE_SETTINGS of policies that name them */
	bool keep_going; /* refuse a port that disappears, and continue with the others */

	/* Receives a warning, without a final full stop. NULL: drop warnings. */
	void (*warn)(void *arg, const char *text);
	void *arg; /* borrowed */
};

/* Reports a warning. Text from outside is not sanitized yet. */
void engine_warn(const struct engine *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
