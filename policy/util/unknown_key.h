/* Keys and names that nobody knows, and the nearest one that is known. */
#ifndef LOSSLESSCTL_POLICY_UTIL_UNKNOWN_KEY_H
#define LOSSLESSCTL_POLICY_UTIL_UNKNOWN_KEY_H

#include "fix_text.h"
#include "json_location.h"

/*
 * Record "unknown key", or "no WHAT is named NAME", with the nearest candidate offered so far; the
 * last one adds that candidate to an error. NULL: the caller adds a fix of its own. Always false.
 */
bool err_unknown_key(struct err *err, const struct json_path *at, const struct suggestion *near);
bool err_unknown_name(struct err *err, const struct json_path *at, const char *what,
		      const struct suggestion *near);
bool err_did_you_mean(struct err *err, const struct suggestion *near);

#endif
