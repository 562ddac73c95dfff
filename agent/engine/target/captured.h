/*
 * A host that a document describes: it is judged as the host itself would be, and nothing of the
 * machine that judges is read.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_CAPTURED_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_CAPTURED_H

#include "../observe.h"

struct captured_port {
	struct port port;
	struct observation seen;
	struct capabilities capabilities; /* without switch_map */
};

/* Borrowed by the engine; the caller owns it. */
struct captured {
	const struct captured_port *ports;
	size_t count;
};

/* Returns the port of that name, or NULL. */
const struct captured_port *captured_find(const struct captured *c, const char *name);

#endif
