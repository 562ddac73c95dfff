#include "classes.h"

#include <stdio.h>
#include <string.h>

#include "../model/type.h"

#define FIELD(member) offsetof(struct traffic_class, member)
#define NAME_LETTERS  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

/* clang-format off: one row per key */
const struct class_key class_keys[CLASS_KEYS] = {
	{ "name", CLASS_NAME, FIELD(name), 0, true, "Name of the class, for messages." },
	{ "priority", CLASS_NUMBER, FIELD(priority), PRIOS - 1, true,
	  "802.1Q priority; the class gets the traffic class of the same number." },
	{ "dscp", CLASS_DSCPS, FIELD(dscps), DSCPS - 1, false,
	  "DSCPs of its packets, the first of which this host marks RoCE data or CNPs with; the "
	  "one "
	  "class without gets all that no class names." },
	{ "lossless", CLASS_BOOL, FIELD(lossless), 0, false, "Paused by PFC instead of dropped." },
	{ "bandwidth", CLASS_NUMBER, FIELD(bandwidth), 100, false,
	  "Guaranteed share in percent; those of all classes add up to 100." },
	{ "strict", CLASS_BOOL, FIELD(strict), 0, false,
	  "Served before all others, instead of a share." },
	{ "ecn", CLASS_BOOL, FIELD(ecn), 0, false,
	  "Its senders slow down when congestion is marked (DCQCN)." },
	{ "cnp", CLASS_BOOL, FIELD(cnp), 0, false,
	  "The congestion notifications of this port travel in it." },
};
/* clang-format on */

static bool name_from_json(struct traffic_class *c, const json_t *j, const struct json_path *at,
			   struct err *err)
{
	const char *name = json_string_value(j);

	if (!name || !name[0] || strlen(name) >= sizeof(c->name) ||
	    name[strspn(name, NAME_LETTERS)])
		return err_expected(err, at, j, "a name of 1 to %zu letters, digits, - and _",
				    sizeof(c->name) - 1);
	snprintf(c->name, sizeof(c->name), "%s", name);
	return true;
}

static bool dscp_from_json(struct traffic_class *c, const json_t *j, const struct json_path *at,
			   struct err *err)
{
	int64_t dscp;

	if (!number_from_json(j, 0, DSCPS - 1, &dscp, at, err))
		return false;
	if (c->dscps >> dscp & 1)
		return err_policy(err, at, "DSCP %d is named twice", (int)dscp);
	if (at->index == 0)
		c->first_dscp = (uint8_t)dscp;
	c->dscps |= (uint64_t)1 << dscp;
	return true;
}

static bool dscps_from_json(struct traffic_class *c, const json_t *list, const struct json_path *at,
			    struct err *err)
{
	size_t i;
	json_t *item;
	bool ok = true;

	if (json_array_size(list) == 0) {
		err_record_expected(err, at, list, "a list of one or more DSCPs, such as [26]");
		if (json_is_integer(list))
			return err_fix(err, "write [%lld]", json_integer_value(list));
		return json_is_array(list) &&
		       err_fix(err, "leave \"dscp\" out of the class of all other DSCPs");
	}
	json_array_foreach (list, i, item) {
		struct json_path here = { at, NULL, i };

		ok = err_part(err, dscp_from_json(c, item, &here, err)) && ok;
	}
	return ok;
}

static bool uint8_from_json(uint8_t *ret, unsigned max, const json_t *j, const struct json_path *at,
			    struct err *err)
{
	int64_t n;

	if (!number_from_json(j, 0, max, &n, at, err))
		return false;
	*ret = (uint8_t)n;
	return true;
}

static bool class_key_from_json(struct traffic_class *c, const struct class_key *k, json_t *class,
				const struct json_path *at, struct err *err)
{
	const json_t *j = json_object_get(class, k->name);
	struct json_path here = { at, k->name, 0 };
	char *field = (char *)c + k->offset;

	if (!j && k->required)
		return err_policy(err, at, "the class has no \"%s\"", k->name);
	if (!j)
		return true;
	switch (k->type) {
	case CLASS_NAME:
		return name_from_json(c, j, &here, err);
	case CLASS_NUMBER:
		return uint8_from_json((uint8_t *)field, k->max, j, &here, err);
	case CLASS_BOOL:
		return json_read_bool(class, k->name, (bool *)field, at, err);
	case CLASS_DSCPS:
		return dscps_from_json(c, j, &here, err);
	}
	return false;
}

static bool class_from_json(struct traffic_class *c, json_t *class, const struct json_path *at,
			    struct err *err)
{
	const char *known[CLASS_KEYS + 2] = { NULL };
	bool ok;

	for (size_t i = 0; i < CLASS_KEYS; i++)
		known[i] = class_keys[i].name;
	known[CLASS_KEYS] = "comment";
	if (!json_is_object(class))
		return err_expected(err, at, class, "an object with \"name\" and \"priority\"");
	ok = err_part(err, json_only_keys(class, known, at, err));
	ok = err_part(err, json_check_comment(class, at, err)) && ok;
	for (size_t i = 0; i < CLASS_KEYS; i++)
		ok = err_part(err, class_key_from_json(c, &class_keys[i], class, at, err)) && ok;
	c->shares = json_object_get(class, "bandwidth");
	return ok;
}

static bool carries_data(const struct traffic_class *c)
{
	return c->lossless || (c->ecn && !c->cnp && c->dscps);
}

/*
 * Marks the single class for RoCE data: the lossless one, or without lossless classes the one with
 * ECN. With several candidates none is marked.
 */
static void choose_marking(struct classes *c)
{
	struct traffic_class *found[2] = { NULL, NULL };
	unsigned many[2] = { 0, 0 };

	for (size_t i = 0; i < c->count; i++) {
		bool lossless = c->list[i].lossless;

		if (carries_data(&c->list[i])) {
			found[lossless] = &c->list[i];
			many[lossless]++;
		}
	}
	if (many[many[true] > 0] == 1)
		found[many[true] > 0]->marks = true;
}

bool classes_from_json(struct classes *ret, json_t *list, const struct json_path *at,
		       struct err *err)
{
	struct classes c = { .count = json_array_size(list) };
	bool ok = true;

	if (c.count < 1 || c.count > PRIOS)
		return err_expected(err, at, list, "a list of 1 to %d classes", PRIOS);
	for (size_t i = 0; i < c.count; i++) {
		struct json_path here = { at, NULL, i };

		ok = err_part(err,
			      class_from_json(&c.list[i], json_array_get(list, i), &here, err)) &&
		     ok;
	}
	if (!ok || !classes_check(&c, at, err))
		return false;
	choose_marking(&c);
	*ret = c;
	return true;
}
