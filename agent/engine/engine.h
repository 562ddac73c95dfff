/*
 * The engine's context: a host, its back ends, and the caller's options. The command line and the
 * agent each fill in their own.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_ENGINE_H
#define LOSSLESSCTL_AGENT_ENGINE_ENGINE_H

#include "../../policy/document/ready_check_table.h"
#include "../../policy/job/job_port.h"
#include "backends.h"
#include "observe.h"
#include "other_writers.h"
#include "selection.h"

/*
 * A host that a document describes: it is judged as the host itself would be, and nothing of the
 * machine that judges is read.
 */

struct captured_port {
	struct port port;
	struct observation seen;
	struct capabilities capabilities; /* without switch_map */
	struct gids_v2 gids;
	struct owner owner;
};

/* A network device that was passed over, and why. */
struct ignored_port {
	char name[ID_MAX];
	const char *why;
};

struct peer;
struct ready_reading;
struct targets;

/* Borrowed by the engine; the caller owns it. */
struct captured {
	const struct captured_port *ports;
	size_t count;
	const struct ignored_port *others;
	size_t others_count;
	struct other_writers writers;
	/* As read_peers() of backends.h. */
	bool (*read_peers)(const struct captured *c, const struct targets *all, struct peer **ret,
			   struct err *err);
	/* As read() of ready_reader.h. `port` is NULL for the host. */
	void (*read_ready)(const struct captured *c, enum ready_id id, const struct port *port,
			   struct ready_reading *ret);
	const void *document; /* for both */
};

/* Returns the port of that name, or NULL. */
const struct captured_port *captured_find(const struct captured *c, const char *name);

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
