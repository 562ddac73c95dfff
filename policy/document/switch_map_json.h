/* The key "fabric" of a policy: the name of a known switch map, or a custom map. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_SWITCH_MAP_JSON_H
#define LOSSLESSCTL_POLICY_DOCUMENT_SWITCH_MAP_JSON_H

#include "../model/switch_map.h"
#include "settings_json.h"

/*
 * Reads a name or {"custom": {…}}. *ret becomes a row of switch_maps[], or `own`, which must
 * outlive it. A NULL `j` leaves *ret unchanged.
 */
bool switch_map_from_json(const struct switch_map **ret, struct switch_map *own, json_t *j,
			  const struct json_path *at, struct err *err) must_check;

/* The JSON Schema of "fabric". The caller owns it. */
json_t *switch_map_schema(const struct key *k);

/* {trust, lossless, dscp_tc, pcp_tc, watchdog_ms?}, as in "custom". The caller owns the result. */
json_t *switch_map_to_json(const struct switch_map *f);

#endif
