/*
 * What the engine works with: a host, the back ends that speak to it, and what the caller asks for
 * and allows. The command line and the agent each fill in their own.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_ENGINE_H
#define LOSSLESSCTL_AGENT_ENGINE_ENGINE_H

#include "backends.h"
#include "target/selection.h"

struct engine {
	struct host *h;
	const struct backends *backends;
	struct selection selection; /* the ports that the caller names */
	const char *user;	    /* who runs it; NULL: unknown */
	bool disruptive;	    /* guards that may be overridden are silent */
	bool no_link_flap;	    /* a step that takes a link down is refused */
	unsigned lock_wait_s;	    /* how long to wait for another run to end */
	unsigned listen_s;	    /* how long to listen for peers; 0: until each is heard */
	bool keep_going;	    /* a port that went away is refused, and the others go on */

	/* Takes a warning, a sentence without its end. NULL: warnings are dropped. */
	void (*warn)(void *arg, const char *text);
	void *arg; /* borrowed */
};

/* Warns of something that stops nothing. Text from outside may be in it, as it came. */
void engine_warn(const struct engine *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
