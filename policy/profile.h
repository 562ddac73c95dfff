/* Profiles: named sets of knobs, and which of them a port may lack. */
#ifndef LOSSLESSCTL_POLICY_PROFILE_H
#define LOSSLESSCTL_POLICY_PROFILE_H

#include <jansson.h>

#include "config.h"
#include "position.h"

/* Puts a profile's knobs over *want and adds those of its "optional" to *optional. */
bool profile_take(struct config *want, knobset *optional, const json_t *profile,
		  const struct at *at, struct err *err) must_check;

/* Settles what a policy may leave unsaid; `at` is where the config was written. */
bool profile_complete(struct config *want, const struct at *at, struct err *err) must_check;

/* Checks every profile, used or not. */
bool profiles_check(json_t *profiles, const struct at *at, struct err *err) must_check;

#endif
