/*
 * An overlay: the content of a "set". It replaces some settings, and removes those that are null.
 */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_OVERLAY_H
#define LOSSLESSCTL_POLICY_DOCUMENT_OVERLAY_H

#include "config_json.h"

struct overlay {
	struct config replaced;
	setting_set removed;
};

/*
 * Read a "set", or the "config" of a show document, whose values may exceed the ranges of a policy.
 */
bool overlay_from_json(struct overlay *ret, json_t *set, const struct json_path *at,
		       struct err *err) must_check;
bool overlay_from_observed(struct overlay *ret, json_t *config, const struct json_path *at,
			   struct err *err) must_check;

/* Applies the overlay. A list or a map replaces the whole value. */
void overlay_apply(struct config *c, const struct overlay *l);

#endif
