/* Patterns of "match" keys that no port can have: an error in the policy, not a rule without ports.
 */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_PATTERN_CHECK_H
#define LOSSLESSCTL_POLICY_DOCUMENT_PATTERN_CHECK_H

#include "../util/json_location.h"

/* Checks the glob of a key, such as "name" or "mac". */
bool pattern_can_match(const char *key, const char *pattern, const struct json_path *at,
		       struct err *err) must_check;

#endif
