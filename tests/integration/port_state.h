/* Desired settings for the engine's tests, and comparisons of ports. */
#ifndef LOSSLESSCTL_TESTS_INTEGRATION_PORT_STATE_H
#define LOSSLESSCTL_TESTS_INTEGRATION_PORT_STATE_H

#include "agent/engine/write/apply_port.h"
#include "tests/integration/fake.h"

/* Parses the settings of a policy; the text must be valid. */
struct config parsed(const char *settings);

/* A lossless setup that touches every setting. */
extern const char lossless[];

/* Reads the port, plans and applies; fills *ret. */
bool go(struct fake *f, const struct config *desired, struct result *ret);

/*
 * Returns the settings that differ, as far as a rollback can restore them. It cannot restore the
 * hardware priority of a DSCP without an entry, and the DCBX byte's spelling.
 */
setting_set hardware_differs(const struct hardware *now, const struct hardware *then);
bool hardware_is(const struct hardware *now, const struct hardware *before);

/* True if the hardware has the desired settings, read directly and not through the product. */
bool hardware_has(const struct hardware *hw, const struct config *desired);

/* A port that has every setting of a setup. */
struct hardware hardware_of(const struct config *desired);

/* Returns, as a sentence, a statement of the result that is false; NULL: all are true. */
const char *false_claim(const struct hardware *now, const struct hardware *before,
			const struct config *desired, const struct result *r);

#endif
