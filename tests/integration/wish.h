/* What the engine's tests wish for, and when two ports are the same. */
#ifndef LOSSLESSCTL_TESTS_INTEGRATION_WISH_H
#define LOSSLESSCTL_TESTS_INTEGRATION_WISH_H

#include "agent/engine/apply.h"
#include "tests/integration/fake.h"

/* Parses the settings of a policy; the text must be right. */
struct config wish(const char *settings);

/* A lossless setup that touches every setting. */
extern const char lossless[];

/* Reads the port, plans and applies; fills *ret. */
bool go(struct fake *f, const struct config *desired, struct result *ret);

/*
 * What of the port is not as it was, as far as anything can be put back? What cannot: the
 * hardware priority of a DSCP without an entry, and the DCBX byte's spelling.
 */
setting_set hardware_differs(const struct hardware *now, const struct hardware *then);
bool hardware_is(const struct hardware *now, const struct hardware *before);

/* Has the hardware what is wanted, looked at directly and not through the product? */
bool hardware_has(const struct hardware *hw, const struct config *desired);

/* A port that has all of a setup, however it came by it. */
struct hardware hardware_of(const struct config *desired);

/* What a result says that is not so, as a sentence; NULL: it is all true. */
const char *false_word(const struct hardware *now, const struct hardware *before,
		       const struct config *desired, const struct result *r);

#endif
