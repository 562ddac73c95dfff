/*
 * A host that a document describes: it is judged as the host itself would be, and nothing of the
 * machine that judges is read.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_CAPTURED_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_CAPTURED_H

#include "../../../policy/document/ready_checks.h"
#include "../../../policy/job/job_port.h"
#include "../dcbx_owner.h"
#include "../observe.h"
#include "../other_writers.h"

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
	/* As a probe's read() (ready_probe.h). `port` is NULL for the host. */
	void (*read_ready)(const struct captured *c, enum ready_id id, const struct port *port,
			   struct ready_reading *ret);
	const void *document; /* for both */
};

/* Returns the port of that name, or NULL. */
const struct captured_port *captured_find(const struct captured *c, const char *name);

#endif
