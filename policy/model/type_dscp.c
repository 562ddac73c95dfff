/*
 * A map of DSCPs to priorities: an object in JSON, 64 entries internally. Entries of DSCP_KEEP are
 * not compared, not written, and leave the existing value.
 */

#include <stdio.h>
#include <string.h>

#include "../util/json_util.h"
#include "type.h"

static bool dscp_entry_from_json(const struct setting *k, struct config *c, const json_t *item,
				 const struct json_path *at, struct err *err)
{
	unsigned dscp;
	int64_t prio;

	if (!json_number_of_key(at->key, DSCPS, &dscp))
		return err_expected_key(err, at, "a DSCP, 0 to 63");
	if (!int_from_json(k, item, &prio, at, err))
		return false;
	setting_set_element(k, c, dscp, prio);
	return true;
}

static bool dscp_map_from_json(const struct setting *k, struct config *c, json_t *j,
			       const struct json_path *at, struct err *err)
{
	json_t *item;
	bool ok = true;

	if (!json_is_object(j))
		return err_expected(err, at, j, "an object of DSCP: priority, such as {\"26\": 3}");
	for (size_t d = 0; d < DSCPS; d++)
		setting_set_element(k, c, d, DSCP_KEEP);
	json_member_foreach (j, at, here, item)
		ok = err_part(err, dscp_entry_from_json(k, c, item, &here, err)) && ok;
	return ok;
}

/* DSCP_KEEP entries are left out; missing entries become null. */
static json_t *dscp_map_to_json(const struct setting *k, const struct config *c)
{
	json_t *out = json_object();

	for (size_t d = 0; d < k->count; d++) {
		int64_t prio = setting_element(k, c, d);
		char key[24];

		if (prio == DSCP_KEEP)
			continue;
		snprintf(key, sizeof(key), "%zu", d);
		json_object_set_new(out, key, prio == DSCP_NONE ? json_null() : json_integer(prio));
	}
	return out;
}

static json_t *dscp_map_schema(const struct setting *k)
{
	return json_pack("{s:s, s:{s:o}, s:b}", "type", "object", "patternProperties",
			 "^([0-9]|[1-5][0-9]|6[0-3])$", int_schema(k), "additionalProperties", 0);
}

static void dscp_map_range(const struct setting *k, struct text *out)
{
	text_add(out, "an object; keys are DSCPs 0 to 63, values priorities %u to %u", k->min,
		 k->max);
}

/*
 * True if the rule for unlisted DSCPs already implies this entry. REST_KEEP implies only DSCP_KEEP.
 */
static bool follows_rule(const int8_t *prio, int d, enum dscp_rest rule)
{
	if (prio[d] == DSCP_KEEP)
		return true;
	return (rule == REST_CLASS_SELECTOR && prio[d] == d >> 3) ||
	       (rule == REST_NONE && prio[d] == DSCP_NONE);
}

static int count_exceptions(const int8_t *prio, enum dscp_rest rule)
{
	int n = 0;

	for (int d = 0; d < DSCPS; d++)
		n += !follows_rule(prio, d, rule);
	return n;
}

/* Writes runs of one priority as a range: "24-31:3". */
static void add_entries(struct text *out, const int8_t *prio, enum dscp_rest rule)
{
	const char *sep = "";

	for (int d = 0, end; d < DSCPS; d = end) {
		end = d + 1;
		if (follows_rule(prio, d, rule))
			continue;
		while (end < DSCPS && prio[end] == prio[d] && !follows_rule(prio, end, rule))
			end++;
		text_add(out, end - d > 1 ? "%s%d-%d:" : "%s%d:", sep, d, end - 1);
		text_add(out, prio[d] < 0 ? "none" : "%d", prio[d]);
		sep = " ";
	}
}

/* The priority of the most DSCPs; each has an entry. */
static int8_t usual_priority(const int8_t *prio)
{
	int count[PRIOS] = { 0 }, usual = 0;

	for (int d = 0; d < DSCPS; d++)
		count[prio[d]]++;
	for (int p = 1; p < PRIOS; p++)
		if (count[p] > count[usual])
			usual = p;
	return (int8_t)usual;
}

/* "26:3 48:6, others 0" */
static bool add_others(struct text *out, const int8_t *prio, int exceptions)
{
	int8_t special[DSCPS], usual;
	int n = 0;

	if (memchr(prio, (unsigned char)DSCP_NONE, DSCPS))
		return false;
	usual = usual_priority(prio);
	for (int d = 0; d < DSCPS; d++) {
		special[d] = prio[d] == usual ? DSCP_KEEP : prio[d];
		n += prio[d] != usual;
	}
	if (n >= exceptions)
		return false;
	add_entries(out, special, REST_KEEP);
	text_add(out, n ? ", others %d" : "all %d", usual);
	return true;
}

static void dscp_map_text(const struct setting *k, const struct config *c, struct text *out)
{
	const int8_t *prio = (const int8_t *)c + k->offset;
	int off_class = count_exceptions(prio, REST_CLASS_SELECTOR),
	    off_none = count_exceptions(prio, REST_NONE);

	if (memchr(prio, (unsigned char)DSCP_KEEP, DSCPS)) {
		add_entries(out, prio, REST_KEEP);
	} else if (off_none == 0) {
		text_add(out, "no entries");
	} else if (off_class == 0) {
		text_add(out, "DSCP >> 3");
	} else if (add_others(out, prio, off_class < off_none ? off_class : off_none)) {
		return;
	} else if (off_class < off_none) {
		text_add(out, "DSCP >> 3 but ");
		add_entries(out, prio, REST_CLASS_SELECTOR);
	} else {
		add_entries(out, prio, REST_NONE);
	}
}

static bool dscp_entries_equal(int64_t x, int64_t y)
{
	return x == y || x == DSCP_KEEP || y == DSCP_KEEP;
}

static bool dscp_map_equal(const struct setting *k, const struct config *desired,
			   const struct config *actual)
{
	for (size_t d = 0; d < k->count; d++)
		if (!dscp_entries_equal(setting_element(k, desired, d),
					setting_element(k, actual, d)))
			return false;
	return true;
}

static void dscp_map_overlay(const struct setting *k, struct config *to, const struct config *from)
{
	for (size_t d = 0; d < k->count; d++)
		if (setting_element(k, from, d) != DSCP_KEEP)
			setting_set_element(k, to, d, setting_element(k, from, d));
}

static void dscp_map_drop_equal(const struct setting *k, struct config *a, struct config *b)
{
	for (size_t d = 0; d < k->count; d++) {
		if (!dscp_entries_equal(setting_element(k, a, d), setting_element(k, b, d)))
			continue;
		setting_set_element(k, a, d, DSCP_KEEP);
		setting_set_element(k, b, d, DSCP_KEEP);
	}
}

const struct type_ops type_dscp_map = {
	.from_json = dscp_map_from_json,
	.to_json = dscp_map_to_json,
	.schema = dscp_map_schema,
	.range = dscp_map_range,
	.text = dscp_map_text,
	.equal = dscp_map_equal,
	.overlay = dscp_map_overlay,
	.drop_equal = dscp_map_drop_equal,
};
