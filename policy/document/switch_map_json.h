/* The fabric of a policy: the name of a known switch, or a description of one. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_SWITCH_MAP_JSON_H
#define LOSSLESSCTL_POLICY_DOCUMENT_SWITCH_MAP_JSON_H

#include "../model/switch_map.h"
#include "config_json.h"

/*
 * Reads a name or {"custom": {…}}. *ret is then a row of fabrics[], or `own`,
 * which the caller keeps; a NULL `j` leaves it as it is.
 */
bool fabric_take(const struct fabric **ret, struct fabric *own, json_t *j, const struct at *at,
		 struct err *err) must_check;

/* The schema of that value. The caller owns the result. */
json_t *fabric_schema(void);

/* {trust, lossless, dscp_tc, pcp_tc}, as in "custom". The caller owns the result. */
json_t *fabric_to_json(const struct fabric *f);

#endif
