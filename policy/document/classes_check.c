/* Checks classes for contradictions and reports each at its location. */

#include <string.h>

#include "classes.h"

/* The path of a key of the i-th class. */
#define PLACE(at, i, key) (&(struct json_path){ &(struct json_path){ at, NULL, i }, key, 0 })

static bool share_or_strict(const struct classes *c, size_t i, const struct json_path *at,
			    struct err *err)
{
	const struct traffic_class *one = &c->list[i];

	if (one->shares && one->strict) {
		err_policy(err, PLACE(at, i, "bandwidth"),
			   "class \"%s\" is strict, and has a bandwidth", one->name);
		return err_fix(err, "a strict class has no share: remove one of the two");
	}
	if (one->shares || one->strict)
		return true;
	err_policy(err, &(struct json_path){ at, NULL, i },
		   "class \"%s\" has neither a bandwidth nor \"strict\": true", one->name);
	return err_fix(err, "the bandwidths of the classes add up to 100");
}

static bool rest_is_lossy(const struct classes *c, size_t i, const struct json_path *at,
			  struct err *err)
{
	if (c->list[i].dscps || !c->list[i].lossless)
		return true;
	err_policy(err, PLACE(at, i, "lossless"),
		   "class \"%s\" has no DSCPs, so it gets all other traffic, and is lossless",
		   c->list[i].name);
	return err_fix(err, "name its DSCPs in \"dscp\", and give other traffic a class without");
}

static bool check_cnp_path(const struct classes *c, size_t i, const struct json_path *at,
			   struct err *err)
{
	const struct traffic_class *one = &c->list[i];

	if (one->cnp && one->lossless) {
		err_policy(err, PLACE(at, i, "lossless"),
			   "class \"%s\" has \"cnp\": true and is lossless", one->name);
		return err_fix(err, "a CNP must not wait for a pause: remove \"lossless\"");
	}
	if (!one->cnp || __builtin_popcountll(one->dscps) == 1)
		return true;
	err_policy(err, PLACE(at, i, one->dscps ? "dscp" : "cnp"),
		   "class \"%s\" has \"cnp\": true and %d DSCPs, expected 1 DSCP", one->name,
		   __builtin_popcountll(one->dscps));
	return err_fix(err, "48 is the usual one: \"dscp\": [48]");
}

/* The first earlier class for which `same` holds, or NULL. */
static const struct traffic_class *earlier_class(const struct classes *c, size_t i,
						 bool (*same)(const struct traffic_class *,
							      const struct traffic_class *))
{
	for (size_t n = 0; n < i; n++)
		if (same(&c->list[n], &c->list[i]))
			return &c->list[n];
	return NULL;
}

static bool same_name(const struct traffic_class *a, const struct traffic_class *b)
{
	return strcmp(a->name, b->name) == 0;
}

static bool same_priority(const struct traffic_class *a, const struct traffic_class *b)
{
	return a->priority == b->priority;
}

static bool same_dscp(const struct traffic_class *a, const struct traffic_class *b)
{
	return a->dscps & b->dscps;
}

static bool both_rest(const struct traffic_class *a, const struct traffic_class *b)
{
	return !a->dscps && !b->dscps;
}

static bool both_cnp(const struct traffic_class *a, const struct traffic_class *b)
{
	return a->cnp && b->cnp;
}

static bool check_unique_name(const struct classes *c, size_t i, const struct json_path *at,
			      struct err *err)
{
	if (!earlier_class(c, i, same_name))
		return true;
	err_policy(err, PLACE(at, i, "name"), "two classes are named \"%s\"", c->list[i].name);
	return err_fix(err, "give each class a name of its own");
}

static bool priority_is_its_own(const struct classes *c, size_t i, const struct json_path *at,
				struct err *err)
{
	const struct traffic_class *other = earlier_class(c, i, same_priority);

	if (!other)
		return true;
	err_policy(err, PLACE(at, i, "priority"), "classes \"%s\" and \"%s\" both have priority %u",
		   other->name, c->list[i].name, c->list[i].priority);
	return err_fix(err, "give each class a priority of its own");
}

static bool check_unique_dscps(const struct classes *c, size_t i, const struct json_path *at,
			       struct err *err)
{
	const struct traffic_class *other = earlier_class(c, i, same_dscp);

	if (!other)
		return true;
	err_policy(err, PLACE(at, i, "dscp"), "classes \"%s\" and \"%s\" both name DSCP %d",
		   other->name, c->list[i].name, __builtin_ctzll(other->dscps & c->list[i].dscps));
	return err_fix(err, "a DSCP belongs to one class");
}

static bool check_single_default(const struct classes *c, size_t i, const struct json_path *at,
				 struct err *err)
{
	const struct traffic_class *other = earlier_class(c, i, both_rest);

	if (!other)
		return true;
	err_policy(err, &(struct json_path){ at, NULL, i },
		   "classes \"%s\" and \"%s\" both have no DSCPs", other->name, c->list[i].name);
	return err_fix(err, "only one can get all other traffic: name the DSCPs of the other");
}

static bool cnp_is_one(const struct classes *c, size_t i, const struct json_path *at,
		       struct err *err)
{
	const struct traffic_class *other = earlier_class(c, i, both_cnp);

	if (!other)
		return true;
	err_policy(err, PLACE(at, i, "cnp"), "classes \"%s\" and \"%s\" both have \"cnp\": true",
		   other->name, c->list[i].name);
	return err_fix(err, "a port sends its CNPs in one class: remove one of the two");
}

/* In reading order of the document. */
static bool (*const checks[])(const struct classes *, size_t, const struct json_path *,
			      struct err *) = {
	check_unique_name, priority_is_its_own, check_unique_dscps, check_single_default,
	rest_is_lossy,	   cnp_is_one,		check_cnp_path,	    share_or_strict,
};

const struct traffic_class *classes_rest(const struct classes *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (!c->list[i].dscps)
			return &c->list[i];
	return NULL;
}

static bool shares_add_up(const struct classes *c, const struct json_path *at, struct err *err)
{
	unsigned sum = 0, sharing = 0;

	for (size_t i = 0; i < c->count; i++) {
		sum += c->list[i].bandwidth;
		sharing += c->list[i].shares;
	}
	if (!sharing || sum == 100)
		return true;
	err_policy(err, at, "the bandwidths of the classes add up to %u", sum);
	return err_fix(err, "make them add up to 100 over the classes that are not strict");
}

/* The first mistake of a class: a second one often follows from it. */
static bool class_check(const struct classes *c, size_t i, const struct json_path *at,
			struct err *err)
{
	for (size_t n = 0; n < sizeof(checks) / sizeof(checks[0]); n++)
		if (!checks[n](c, i, at, err))
			return false;
	return true;
}

bool classes_check(const struct classes *c, const struct json_path *at, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; i < c->count; i++)
		ok = err_part(err, class_check(c, i, at, err)) && ok;
	if (!ok)
		return false;
	if (classes_rest(c))
		return shares_add_up(c, at, err);
	err_policy(err, at, "every class names DSCPs, and none gets all other traffic");
	return err_fix(err, "add {\"name\": \"rest\", \"priority\": 0, \"bandwidth\": …}");
}
