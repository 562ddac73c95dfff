/* What a `set` says: settings that it lays over others, and settings that it un-mentions with null.
 */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_OVERLAY_H
#define LOSSLESSCTL_POLICY_DOCUMENT_OVERLAY_H

#include "config_json.h"

struct layer {
	struct config over;
	settingset dropped;
};

/* Reads a `set`, or the `config` of a show document. */
bool layer_take(struct layer *ret, json_t *set, const struct at *at, struct err *err) must_check;
bool layer_take_seen(struct layer *ret, json_t *config, const struct at *at,
		     struct err *err) must_check;

/* Lays it over, leaf by leaf: a list or a map is one leaf. */
void layer_put(struct config *c, const struct layer *l);

#endif
