#include "classes.h"

#include <stdio.h>
#include <string.h>

#define FIELD(member) offsetof(struct traffic_class, member)
#define NAME_LETTERS  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

static bool name_from_json(const struct key *k, void *field, json_t *j, const struct json_path *at,
			   struct err *err)
{
	const char *name = json_string_value(j);

	if (!name || !name[0] || strlen(name) >= k->size || name[strspn(name, NAME_LETTERS)])
		return err_expected(err, at, j, "a name of 1 to %zu letters, digits, - and _",
				    k->size - 1);
	snprintf(field, k->size, "%s", name);
	return true;
}

static json_t *name_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:s, s:s}", "type", "string", "pattern", "^[A-Za-z0-9_-]{1,31}$");
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

/* Reads the DSCPs of the class `field`. */
static bool dscps_from_json(const struct key *k, void *field, json_t *list,
			    const struct json_path *at, struct err *err)
{
	json_t *item;
	bool ok = true;

	(void)k;
	if (json_array_size(list) == 0) {
		err_record_expected(err, at, list, "a list of one or more DSCPs, such as [26]");
		if (json_is_integer(list))
			return err_fix(err, "write [%lld]", json_integer_value(list));
		return json_is_array(list) &&
		       err_fix(err, "leave \"dscp\" out of the class of all other DSCPs");
	}
	json_item_foreach (list, at, here, item)
		ok = err_part(err, dscp_from_json(field, item, &here, err)) && ok;
	return ok;
}

static json_t *dscps_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:s, s:b, s:i, s:{s:s, s:i, s:i}}", "type", "array", "uniqueItems", 1,
			 "minItems", 1, "items", "type", "integer", "minimum", 0, "maximum",
			 DSCPS - 1);
}

#define CLASS(member) KEY_FIELD(struct traffic_class, member)

/* clang-format off */
const struct key class_keys[] = {
	{ "name", NULL, KEY_OTHER, CLASS(name), .from_json = name_from_json,
	  .schema = name_schema, .missing = "the class has no \"name\"",
	  .doc = "Name of the class, for messages." },
	{ "priority", NULL, KEY_NUMBER, CLASS(priority), 0, PRIOS - 1,
	  .missing = "the class has no \"priority\"",
	  .doc = "802.1Q priority; the class gets the traffic class of the same number." },
	{ "dscp", NULL, KEY_OTHER, .from_json = dscps_from_json, .schema = dscps_schema,
	  .doc = "DSCPs of its packets, the first of which this host marks RoCE data or CNPs "
		 "with; the one class without gets all that no class names." },
	{ "lossless", NULL, KEY_BOOL, CLASS(lossless),
	  .doc = "Paused by PFC instead of dropped." },
	{ "bandwidth", NULL, KEY_NUMBER, CLASS(bandwidth), 0, 100,
	  .doc = "Guaranteed share in percent; those of all classes add up to 100." },
	{ "strict", NULL, KEY_BOOL, CLASS(strict),
	  .doc = "Served before all others, instead of a share." },
	{ "ecn", NULL, KEY_BOOL, CLASS(ecn),
	  .doc = "Its senders slow down when congestion is marked (DCQCN)." },
	{ "cnp", NULL, KEY_BOOL, CLASS(cnp),
	  .doc = "The congestion notifications of this port travel in it." },
	{ .name = NULL },
};
/* clang-format on */

const struct key_object class_object = {
	.keys = class_keys,
	.expected = "an object with \"name\" and \"priority\"",
};

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
	json_t *class;
	bool ok = true;

	if (c.count < 1 || c.count > PRIOS)
		return err_expected(err, at, list, "a list of 1 to %d classes", PRIOS);
	json_item_foreach (list, at, here, class) {
		struct traffic_class *one = &c.list[here.index];

		ok = err_part(err, object_from_json(&class_object, one, class, &here, err)) && ok;
		one->shares = json_object_get(class, "bandwidth");
	}
	if (!ok || !classes_check(&c, at, err))
		return false;
	choose_marking(&c);
	*ret = c;
	return true;
}

/* ---- checks ---- */

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

/* ---- settings ---- */

#define ECT0 2 /* RFC 3168: ECN capable */

/* Bit per priority of the classes whose flag at offset `flag` is set. */
static uint8_t priorities(const struct classes *c, size_t flag)
{
	unsigned mask = 0;

	for (size_t i = 0; i < c->count; i++)
		if (((const char *)&c->list[i])[flag])
			mask |= 1u << c->list[i].priority;
	return (uint8_t)mask;
}

static void derive_pfc(const struct classes *c, struct config *out)
{
	out->pfc.priorities = priorities(c, FIELD(lossless));
}

static void derive_pause(const struct classes *c, struct config *out)
{
	(void)c;
	out->pause.rx = out->pause.tx = false;
}

/* The priority of the default class, which loading has demanded. */
static uint8_t rest_priority(const struct classes *c)
{
	const struct traffic_class *rest = classes_rest(c);

	return rest ? rest->priority : 0;
}

/*
 * Each class has the traffic class of its own number; priorities without a class share that of the
 * default class.
 */
static void derive_prio_tc(const struct classes *c, struct config *out)
{
	memset(out->ets.prio_tc, rest_priority(c), PRIOS);
	for (size_t i = 0; i < c->count; i++)
		out->ets.prio_tc[c->list[i].priority] = c->list[i].priority;
}

/*
 * Unused traffic classes are ets with a share of 0. If no class has a share they are strict: the
 * kernel refuses ets classes without any bandwidth.
 */
static void derive_tsa(const struct classes *c, struct config *out)
{
	memset(out->ets.tsa, priorities(c, FIELD(shares)) ? TSA_ETS : TSA_STRICT, PRIOS);
	for (size_t i = 0; i < c->count; i++)
		out->ets.tsa[c->list[i].priority] = c->list[i].strict ? TSA_STRICT : TSA_ETS;
}

static void derive_bandwidth(const struct classes *c, struct config *out)
{
	for (size_t i = 0; i < c->count; i++)
		out->ets.bandwidth[c->list[i].priority] = c->list[i].bandwidth;
}

static void derive_dscp(const struct classes *c, struct config *out)
{
	memset(out->dscp.prio, DSCP_KEEP, DSCPS);
	for (size_t i = 0; i < c->count; i++)
		for (int d = 0; d < DSCPS; d++)
			if (c->list[i].dscps >> d & 1)
				out->dscp.prio[d] = (int8_t)c->list[i].priority;
	out->dscp.rest = rest_priority(c);
	out->trust = TRUST_DSCP;
}

static void derive_ecn(const struct classes *c, struct config *out)
{
	out->ecn.np = true;
	out->ecn.rp_priorities = priorities(c, FIELD(ecn));
}

static void derive_cnp(const struct classes *c, struct config *out)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->list[i].cnp) {
			out->cnp.dscp = c->list[i].first_dscp;
			out->cnp.priority = c->list[i].priority;
		}
}

static void derive_roce_mark(const struct classes *c, struct config *out)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->list[i].marks)
			out->roce.traffic_class = out->roce.tos =
				(uint8_t)(c->list[i].first_dscp << 2 | ECT0);
}

/*
 * The derived settings, the classes that they follow from, and whether they are set if there is no
 * such class.
 */
static const struct derivation {
	setting_set settings;
	size_t source; /* offset of the flag that selects the classes; FIELD(name): all classes */
	bool always;
	void (*derive)(const struct classes *c, struct config *out);
} derivations[] = {
	{ SETTING(SETTING_PFC_PRIORITIES), FIELD(lossless), true, derive_pfc },
	{ SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX), FIELD(lossless), false,
	  derive_pause },
	{ SETTING(SETTING_ETS_PRIO_TC), FIELD(name), true, derive_prio_tc },
	{ SETTING(SETTING_ETS_TSA), FIELD(name), true, derive_tsa },
	{ SETTING(SETTING_ETS_BANDWIDTH), FIELD(shares), true, derive_bandwidth },
	{ SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_DSCP_REST),
	  FIELD(name), true, derive_dscp },
	{ SETTING(SETTING_ECN_NP) | SETTING(SETTING_ECN_RP_PRIORITIES), FIELD(ecn), false,
	  derive_ecn },
	{ SETTING(SETTING_CNP_DSCP) | SETTING(SETTING_CNP_PRIORITY), FIELD(cnp), false,
	  derive_cnp },
	{ SETTING(SETTING_ROCE_TOS) | SETTING(SETTING_ROCE_TRAFFIC_CLASS), FIELD(marks), false,
	  derive_roce_mark },
};

#define DERIVATIONS (sizeof(derivations) / sizeof(derivations[0]))

struct config classes_derive(const struct classes *c)
{
	struct config out = { 0 };

	for (size_t i = 0; c->count && i < DERIVATIONS; i++) {
		const struct derivation *d = &derivations[i];

		if (!d->always && !priorities(c, d->source))
			continue;
		d->derive(c, &out);
		out.has |= d->settings;
	}
	return out;
}

static const struct derivation *derivation_of(unsigned setting)
{
	for (size_t i = 0; i < DERIVATIONS; i++)
		if (derivations[i].settings & SETTING(setting))
			return &derivations[i];
	return NULL;
}

/* Bit per priority of the classes that a setting follows from; 0: of all of them. */
static uint8_t contributing_to(const struct classes *c, unsigned setting)
{
	const struct derivation *d = derivation_of(setting);
	uint8_t contributing = d ? priorities(c, d->source) : 0;

	return contributing == priorities(c, FIELD(name)) ? 0 : contributing;
}

bool classes_first(const struct classes *c, unsigned setting, size_t *ret)
{
	uint8_t contributing = contributing_to(c, setting);

	for (*ret = 0; *ret < c->count; (*ret)++)
		if (contributing >> c->list[*ret].priority & 1)
			return true;
	return false;
}

const char *classes_source(const struct classes *c, unsigned setting, char buf[SOURCE_TEXT_MAX])
{
	uint8_t contributing = contributing_to(c, setting);
	const char *sep = "";
	size_t used;

	if (!contributing) {
		snprintf(buf, SOURCE_TEXT_MAX, "the classes");
		return buf;
	}
	used = (size_t)snprintf(buf, SOURCE_TEXT_MAX, "class%s",
				contributing & (contributing - 1) ? "es" : "");
	for (size_t i = 0; i < c->count; i++) {
		if (!(contributing >> c->list[i].priority & 1))
			continue;
		used += (size_t)snprintf(buf + used, SOURCE_TEXT_MAX - used, "%s \"%s\"", sep,
					 c->list[i].name);
		sep = ",";
	}
	return buf;
}
