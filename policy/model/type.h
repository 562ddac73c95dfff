/*
 * Operations of a setting type: conversion from and to JSON, description as text, comparison and
 * overlay. A setting selects its type by enum setting_type.
 */
#ifndef LOSSLESSCTL_POLICY_MODEL_TYPE_H
#define LOSSLESSCTL_POLICY_MODEL_TYPE_H

#include <jansson.h>

#include "../util/json_location.h"
#include "setting_table.h"

/* A text that grows in a buffer of SETTING_TEXT_MAX bytes and is cut at its end. */
struct text {
	char *buf;
	size_t used;
};

/* Appends to the text, with a format like printf's. */
void text_add(struct text *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

struct type_ops {
	/* Reads a JSON value into *c, or fails with ERR_POLICY and its location. */
	bool (*from_json)(const struct setting *k, struct config *c, json_t *j,
			  const struct json_path *at, struct err *err);
	json_t *(*to_json)(const struct setting *k, const struct config *c);
	json_t *(*schema)(const struct setting *k);

	/* The valid values ("1 to 999 metres"), and the current value, as text. */
	void (*range)(const struct setting *k, struct text *out);
	void (*text)(const struct setting *k, const struct config *c, struct text *out);

	/* Optional, for types that are more than an array of numbers. */
	bool (*equal)(const struct setting *k, const struct config *desired,
		      const struct config *actual);
	void (*overlay)(const struct setting *k, struct config *to, const struct config *from);
	void (*drop_equal)(const struct setting *k, struct config *a, struct config *b);
};

extern const struct type_ops type_scalar, type_prioset, type_dscp_map, type_vlan_map, type_app_list,
	type_order, type_words, type_parameters;

/* Read one number or word of a list or map; it must be within the range of its setting. */
bool scalar_from_json(const struct setting *k, const json_t *j, int64_t *ret,
		      const struct json_path *at, struct err *err) must_check;
bool int_from_json(const struct setting *k, const json_t *j, int64_t *ret,
		   const struct json_path *at, struct err *err) must_check;
json_t *int_schema(const struct setting *k);

/* Reads one of the setting's names; *ret is `first` + its index. */
bool word_from_text(const struct setting *k, const char *s, int64_t first, int64_t *ret,
		    const struct json_path *at, struct err *err) must_check;

#endif
