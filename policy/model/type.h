/*
 * A shape is how one type of setting looks from outside: read from JSON and
 * written to it, described, told to people, compared and laid over another.
 * One file a shape; settings name theirs by type.
 */
#ifndef LOSSLESSCTL_POLICY_MODEL_TYPE_H
#define LOSSLESSCTL_POLICY_MODEL_TYPE_H

#include <jansson.h>

#include "../util/json_location.h"
#include "setting.h"

/* A text that grows in a buffer of SETTING_TEXT_MAX bytes and is cut at its end. */
struct text {
	char *buf;
	size_t used;
};

/* Adds to the text, as printf does. */
void text_add(struct text *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

struct type_ops {
	/* Puts a JSON value into *c, or fails with ERR_POLICY and the place. */
	bool (*take)(const struct setting *k, struct config *c, json_t *j, const struct at *at,
		     struct err *err);
	json_t *(*give)(const struct setting *k, const struct config *c);
	json_t *(*schema)(const struct setting *k);

	/* "1 to 999 metres": what it may be, and what it is, for people. */
	void (*range)(const struct setting *k, struct text *out);
	void (*text)(const struct setting *k, const struct config *c, struct text *out);

	/* The rest is for shapes that are more than their elements. */
	bool (*equal)(const struct setting *k, const struct config *desired,
		      const struct config *actual);
	void (*overlay)(const struct setting *k, struct config *to, const struct config *from);
	void (*narrow)(const struct setting *k, struct config *a, struct config *b);
};

extern const struct type_ops type_scalar, type_prioset, type_dscp_map, type_vlan_map, type_app_list,
	type_order, type_words;

/* The shape of a setting, by its type. */
const struct type_ops *type_of(const struct setting *k);

/* One number or word of a list or map: within the bounds of its setting. */
bool scalar_take(const struct setting *k, const json_t *j, int64_t *ret, const struct at *at,
		 struct err *err) must_check;
bool int_take(const struct setting *k, const json_t *j, int64_t *ret, const struct at *at,
	      struct err *err) must_check;
json_t *int_schema(const struct setting *k);

/* One of the setting's words: `first` and its place. */
bool word_take(const struct setting *k, const char *s, int64_t first, int64_t *ret,
	       const struct at *at, struct err *err) must_check;

/* A whole number min..max that belongs to no setting by itself. */
bool number_take(const json_t *j, int64_t min, int64_t max, int64_t *ret, const struct at *at,
		 struct err *err) must_check;

#endif
