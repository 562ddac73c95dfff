#include "draft.h"

#include <string.h>

#include "../model/dscp_map.h"
#include "../model/setting.h"
#include "classes.h"
#include "settings_json.h"

#define HAS(c, id) (((c)->has & SETTING(id)) != 0)

#define BY_DSCP \
	(SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_ETS_TSA) | \
	 SETTING(SETTING_ETS_BANDWIDTH) | SETTING(SETTING_PFC_PRIORITIES))
#define BUFFERS (SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER))

/* ---- classes ---- */

/* The DSCPs of a priority: bits by DSCP. */
static uint64_t dscps_of(const struct config *c, int prio)
{
	uint64_t set = 0;

	for (int d = 0; d < DSCPS; d++)
		if (c->dscp.prio[d] == prio)
			set |= UINT64_C(1) << d;
	return set;
}

static bool is_lossless(const struct config *c, int prio)
{
	return c->pfc.priorities >> prio & 1;
}

/* The lossy priority with the most DSCPs takes all other traffic; -1: there is none. */
static int rest_of(const struct config *c)
{
	int most = -1, best = 0;

	for (int prio = 0; prio < PRIOS; prio++) {
		int count = __builtin_popcountll(dscps_of(c, prio));

		if (!is_lossless(c, prio) && count > best) {
			most = prio;
			best = count;
		}
	}
	return most;
}

static bool is_cnp(const struct config *c, int prio)
{
	return HAS(c, SETTING_CNP_DSCP) && HAS(c, SETTING_CNP_PRIORITY) &&
	       c->cnp.priority == prio && !is_lossless(c, prio) &&
	       dscps_of(c, prio) == UINT64_C(1) << (c->cnp.dscp & 63);
}

/* The DSCP that marks RoCE data comes first: the class's first one is what applications send. */
static json_t *dscps_to_json(const struct config *c, uint64_t set)
{
	int first = HAS(c, SETTING_ROCE_TOS)		 ? c->roce.tos >> 2
		    : HAS(c, SETTING_ROCE_TRAFFIC_CLASS) ? (c->roce.traffic_class & 255) >> 2
							 : -1;
	json_t *list = json_array();

	if (first >= 0 && (set >> first & 1))
		json_array_append_new(list, json_integer(first));
	else
		first = -1;
	for (int d = 0; d < DSCPS; d++)
		if (d != first && (set >> d & 1))
			json_array_append_new(list, json_integer(d));
	return list;
}

static json_t *name_of(const struct config *c, int prio, bool is_rest)
{
	bool is_only = __builtin_popcount(c->pfc.priorities) == 1;

	if (is_rest || is_cnp(c, prio))
		return json_string(is_rest ? "rest" : "cnp");
	if (is_lossless(c, prio))
		return is_only ? json_string("roce") : json_sprintf("roce-%d", prio);
	return json_sprintf("class-%d", prio);
}

static json_t *class_to_json(const struct config *c, int prio, bool is_rest)
{
	json_t *j = json_object();

	json_object_set_new(j, "name", name_of(c, prio, is_rest));
	json_object_set_new(j, "priority", json_integer(prio));
	if (!is_rest)
		json_object_set_new(j, "dscp", dscps_to_json(c, dscps_of(c, prio)));
	if (is_lossless(c, prio))
		json_object_set_new(j, "lossless", json_true());
	if (c->ets.tsa[prio] == TSA_STRICT)
		json_object_set_new(j, "strict", json_true());
	else
		json_object_set_new(j, "bandwidth", json_integer(c->ets.bandwidth[prio]));
	if (HAS(c, SETTING_ECN_RP_PRIORITIES) && (c->ecn.rp_priorities >> prio & 1))
		json_object_set_new(j, "ecn", json_true());
	if (!is_rest && is_cnp(c, prio))
		json_object_set_new(j, "cnp", json_true());
	return j;
}

/* Returns the classes that come closest, which may contradict each other; NULL: none do. */
static json_t *classes_to_json(const struct config *c)
{
	json_t *list;
	int rest;

	if ((c->has & BY_DSCP) != BY_DSCP || c->trust != TRUST_DSCP)
		return NULL;
	rest = rest_of(c);
	if (rest < 0)
		return NULL;
	list = json_array();
	for (int prio = 0; prio < PRIOS; prio++)
		if (prio != rest && dscps_of(c, prio))
			json_array_append_new(list, class_to_json(c, prio, false));
	json_array_append_new(list, class_to_json(c, rest, true));
	return list;
}

/* ---- settings ---- */

static bool is_default(const struct setting *k, const struct config *c)
{
	json_auto_t *value = setting_to_json(k, c);
	json_auto_t *usual = json_loads(k->default_value, JSON_DECODE_ANY, NULL);

	if (json_is_object(value) && json_object_size(value) == 0)
		return true;
	if (json_is_string(value) && strcmp(json_string_value(value), k->default_value) == 0)
		return true;
	if (usual || strcmp(k->default_value, "none") != 0)
		return usual && json_equal(value, usual);
	for (size_t i = 0; i < k->count; i++)
		if (setting_element(k, c, i) != 0)
			return false;
	return true;
}

/* Adapters start with a priority of CNPs and a mode that no write can give them together. */
static bool cnp_pair_is_of_factory(const struct config *c)
{
	return HAS(c, SETTING_CNP_PRIORITY) && HAS(c, SETTING_CNP_PRIORITY_MODE) &&
	       c->cnp.priority && c->cnp.priority_mode;
}

setting_set draft_left_out(const struct config *actual)
{
	setting_set set = BUFFERS;

	if (cnp_pair_is_of_factory(actual))
		set |= SETTING(SETTING_CNP_PRIORITY_MODE);
	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if ((actual->has & SETTING(k)) && is_default(&settings[k], actual))
			set |= SETTING(k);
	return set & actual->has;
}

/* A map is said with its trust, and its rule for the rest. */
static struct config compact(const struct config *actual, setting_set *said)
{
	struct config c = dscp_compact(actual, REST_KEEP);

	if (*said & SETTING(SETTING_DSCP_PRIO))
		*said |= c.has & (SETTING(SETTING_DSCP_REST) | SETTING(SETTING_TRUST));
	return c;
}

/* The settings whose values a policy may have; a port can have others. */
static setting_set in_range(const struct config *c, setting_set of)
{
	setting_set ok = 0;

	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		json_auto_t *one = of & SETTING(k) ? config_to_json(c, SETTING(k)) : NULL;
		struct config read = { 0 };
		struct err refused = { 0 };

		if (one && config_amend(&read, one, NULL, &refused))
			ok |= SETTING(k);
	}
	return ok;
}

struct draft draft_port(const struct config *actual, setting_set unsupported)
{
	json_auto_t *list = classes_to_json(actual);
	struct classes classes = { .count = 0 };
	struct config derived, words;
	struct err contradict = { 0 };
	setting_set covered, said;
	struct draft d;

	if (!list || !classes_from_json(&classes, list, NULL, &contradict))
		classes.count = 0;
	derived = classes_derive(&classes);
	if (!dscp_complete(&derived, &contradict))
		derived.has = 0;
	covered = derived.has & actual->has & ~config_diff(&derived, actual);
	said = actual->has & SETUP_SETTINGS & ~covered & (derived.has | ~draft_left_out(actual));
	words = compact(actual, &said);
	d.outside = said & ~in_range(&words, said);
	d.profile = json_object();
	if (classes.count)
		json_object_set(d.profile, "classes", list);
	json_object_update_new(d.profile, config_to_json(&words, said & ~d.outside));
	if (derived.has & unsupported)
		json_object_set_new(d.profile, "optional",
				    setting_paths_to_json(derived.has & unsupported));
	d.unset = derived.has & ~unsupported & (~actual->has | d.outside);
	return d;
}
