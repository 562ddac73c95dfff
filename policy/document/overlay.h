/*
 * An overlay: the content of a "set". It replaces some settings, and removes those that are null.
 */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_OVERLAY_H
#define LOSSLESSCTL_POLICY_DOCUMENT_OVERLAY_H

#include "config_json.h"

struct layer {
	struct config over;
	settingset dropped;
};

/*
 * Read a "set", or the "config" of a show document, whose values may exceed the ranges of a policy.
 */
bool layer_take(struct layer *ret, json_t *set, const struct at *at, struct err *err) must_check;
bool layer_take_seen(struct layer *ret, json_t *config, const struct at *at,
		     struct err *err) must_check;

/* Applies the overlay. A list or a map replaces the whole value. */
void layer_put(struct config *c, const struct layer *l);

#endif
