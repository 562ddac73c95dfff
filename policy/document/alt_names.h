/*
 * Alternative names of an interface (IFLA_ALT_IFNAME): the kernel takes them wherever it takes the
 * name.
 */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_ALT_NAMES_H
#define LOSSLESSCTL_POLICY_DOCUMENT_ALT_NAMES_H

#include "../util/json_util.h"

#define ALT_NAME_MAX 128 /* ALTIFNAMSIZ of the kernel */

/* Texts, each with its NUL; an empty one ends them. There is room for four of the longest. */
struct alt_names {
	char text[4 * ALT_NAME_MAX + 1];
};

/* Adds a name; "" and one without room are left out. */
void alt_names_add(struct alt_names *to, const char *name);

/* True if one of them is exactly this name. */
bool alt_names_have(const struct alt_names *all, const char *name);

/* True if the glob matches one of them. */
bool alt_names_match(const struct alt_names *all, const char *pattern);

/* The caller owns the array. */
json_t *alt_names_to_json(const struct alt_names *all);

/* Reads an array of names; none if it is absent. */
bool alt_names_from_json(struct alt_names *ret, const json_t *array, const struct json_path *at,
			 struct err *err) must_check;

#endif
