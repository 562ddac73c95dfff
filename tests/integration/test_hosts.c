/*
 * Tests of the bundles of hosts (tests/hosts): this build reads their files with the same result as
 * then, and still understands the documents.
 */
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "agent/engine/observe.h"
#include "agent/host/cleanup.h"
#include "agent/monitor/counter.h"
#include "dcb/registry.h"
#include "policy/document/policy.h"
#include "policy/document/resolve.h"
#include "policy/document/settings_json.h"
#include "policy/model/dscp_map.h"
#include "roce/registry.h"
#include "tests/support/unit.h"

/* Features that read only files, in the order of the program's list. */
static const struct feature *const readers[] = {
	&feature_dcqcn_debugfs, &feature_dcqcn_ofed, &feature_cnp_debugfs, &feature_cnp_ofed,
	&feature_ecn,		&feature_roce_gid,   &feature_roce_mode,   &feature_roce_tos,
	&feature_traffic_class, &feature_tcp_ecn,
};

/* A host whose kernel is the files of a bundle. */
struct recorded {
	struct host host; /* first: the host's calls cast it to this struct */
	json_t *bundle;
	const char *port; /* under test */
};

static const json_t *member(const json_t *j, const char *key)
{
	const json_t *value = json_object_get(j, key);

	if (!value)
		fail_msg("the bundle has no \"%s\"", key);
	return value;
}

static const char *text_of(const json_t *j, const char *key)
{
	const char *text = json_string_value(json_object_get(j, key));

	return text ? text : "";
}

static bool read_recorded(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const json_t *files = member(((struct recorded *)h)->bundle, "files");
	const char *text = json_string_value(json_object_get(files, path));

	if (!text)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "read %s: not recorded", path);
	return (size_t)snprintf(buf, size, "%s", text) < size;
}

static bool no_list(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		    void *arg, struct err *err)
{
	(void)h;
	(void)each;
	(void)arg;
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "list %s: not recorded", path);
}

static bool link_is_there(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	(void)err;
	*ret = (struct link){ .ifindex = ifindex };
	snprintf(ret->name, sizeof(ret->name), "%s", ((struct recorded *)h)->port);
	return true;
}

/* The settings of a port as the bundle has them. */
static struct config config_of(const struct recorded *r, size_t at)
{
	_free_ char *text = json_dumps(member(r->bundle, "show"), 0);
	_free_ struct policy *p = NULL;
	struct config c = { 0 };
	struct err err = { 0 };

	if (!policy_parse(&p, text, strlen(text), "bundle", &err) ||
	    !rule_desired_of(&p->rules[at], 0, &c, NULL, &err))
		fail_msg("%s: %s", err.where, err.text);
	return c;
}

static struct port port_of(const json_t *shown)
{
	const json_t *device = member(shown, "device");
	struct port port = { .rdma_port = 1 };

	snprintf(port.id.name, ID_MAX, "%s", text_of(shown, "port"));
	snprintf(port.id.pci, ID_MAX, "%s", text_of(device, "pci"));
	snprintf(port.id.rdma, ID_MAX, "%s", text_of(device, "rdma"));
	if (!port.id.rdma[0])
		port.rdma_port = 0;
	port.eswitch_mode = strcmp(text_of(device, "eswitch_mode"), "switchdev") == 0
				    ? ESWITCH_SWITCHDEV
				    : ESWITCH_LEGACY;
	port.is_vf = json_is_true(json_object_get(device, "vf"));
	port.in_lag = json_is_true(json_object_get(device, "lag"));
	return port;
}

/* The settings that the writer of the bundle knew, but could not read. */
static setting_set unavailable_of(const json_t *shown)
{
	setting_set all = 0;
	const json_t *one;
	size_t i;

	json_array_foreach (member(shown, "unavailable_settings"), i, one) {
		const struct setting *k = setting_find(text_of(one, "setting"));

		all |= k ? SETTING(k - settings) : 0;
	}
	return all;
}

static setting_set readers_own(void)
{
	setting_set all = 0;

	for (size_t i = 0; i < COUNT(readers); i++)
		all |= readers[i]->owns;
	return all;
}

static void its_files_are_read_as_they_were(void **s)
{
	struct recorded *r = *s;
	_free_ struct observation *seen = calloc(1, sizeof(*seen));
	const json_t *shown;
	struct err err = { 0 };
	size_t i;

	json_array_foreach (member(member(r->bundle, "show"), "ports"), i, shown) {
		struct config then = config_of(r, i);
		struct port port = port_of(shown);
		setting_set differ;

		r->port = port.id.name;
		then.has &= readers_own();
		if (!observe(&r->host, (struct features){ readers, COUNT(readers) }, &port, seen,
			     &err))
			fail_msg("%s: %s", err.where, err.text);
		differ = config_diff(&then, &seen->actual) |
			 (seen->actual.has & unavailable_of(shown));
		for (unsigned k = 0; k < SETTING_COUNT; k++)
			if (differ & SETTING(k))
				fail_msg("%s: %s differs", port.id.name, settings[k].path);
	}
}

static void its_settings_are_written_as_they_were(void **s)
{
	const struct recorded *r = *s;
	const json_t *shown;
	size_t i;

	json_array_foreach (member(member(r->bundle, "show"), "ports"), i, shown) {
		struct config c = config_of(r, i), spelled = dscp_compact(&c, REST_KEEP);
		json_t *again = config_to_json(&spelled, SETUP_SETTINGS);

		if (!json_equal(again, member(shown, "config")))
			fail_msg("%s: %s", text_of(shown, "port"), json_dumps(again, 0));
		json_decref(again);
	}
}

static void each_setting_is_known_or_has_its_reason(void **s)
{
	const struct recorded *r = *s;
	/* Ports do not have these: a notation for DSCPs, and a demand of the policy. */
	setting_set needed =
		SETUP_SETTINGS & ~(SETTING(SETTING_DSCP_REST) | SETTING(SETTING_PEER_MUST_AGREE));
	const json_t *shown;
	size_t i;

	json_array_foreach (member(member(r->bundle, "show"), "ports"), i, shown) {
		setting_set told = config_of(r, i).has | unavailable_of(shown);

		for (unsigned n = 0; n < SETTING_COUNT; n++)
			if (needed & ~told & SETTING(n))
				fail_msg("%s: no %s", text_of(shown, "port"), settings[n].path);
	}
}

/* mlx5 has these counters of a priority while its PFC is on (en_stats.c). */
static void pause_is_counted_where_pfc_is_on(void **s)
{
	const struct recorded *r = *s;
	const json_t *samples = member(r->bundle, "samples"),
		     *ports = member(json_array_get(samples, 0), "ports"), *shown;
	size_t i;

	json_array_foreach (member(member(r->bundle, "show"), "ports"), i, shown) {
		const json_t *moved = member(json_array_get(ports, i), "counters");
		struct config c = config_of(r, i);
		bool mlx5 = strcmp(text_of(member(shown, "device"), "driver"), "mlx5_core") == 0;
		char name[COUNTER_NAME_MAX];

		for (unsigned prio = 0; mlx5 && prio < PRIOS; prio++)
			if (c.pfc.priorities >> prio & 1)
				member(moved,
				       counter_slot_name(counter_slot(COUNT_RX_PAUSE_US, prio),
							 name));
	}
}

static void add(struct suite *s, struct recorded *r, const char *name, const char *sentence,
		CMUnitTestFunction f)
{
	char spelled[SENTENCE_MAX];

	snprintf(spelled, sizeof(spelled), "%.40s: %s", name, sentence);
	suite_add(s, spelled, f, r);
}

/* The environment may name the directory of a bundle to import. */
static const char *folder(void)
{
	const char *other = getenv("LOSSLESSCTL_HOSTS");

	return other ? other : HOSTS;
}

static bool load(struct recorded *ret, const char *name)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s/bundle.json", folder(), name);
	ret->bundle = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
	ret->host = (struct host){
		.root = -1, .read_file = read_recorded, .list_dir = no_list, .link = link_is_there
	};
	return ret->bundle;
}

int main(void)
{
	struct suite s = { 0 };
	struct dirent **hosts;
	int failed, count = scandir(folder(), &hosts, NULL, alphasort);
	struct recorded *all = calloc((size_t)count + 1, sizeof(*all));

	for (int i = 0; i < count; i++) {
		const char *name = hosts[i]->d_name;
		struct recorded *r = &all[i];

		if (name[0] == '.' || !load(r, name))
			continue;
		add(&s, r, name, "its files are read as they were",
		    its_files_are_read_as_they_were);
		add(&s, r, name, "its settings are written as they were",
		    its_settings_are_written_as_they_were);
		add(&s, r, name, "each setting is known or has its reason",
		    each_setting_is_known_or_has_its_reason);
		add(&s, r, name, "pause is counted where PFC is on",
		    pause_is_counted_where_pfc_is_on);
	}
	failed = suite_run(&s, "hosts");
	for (int i = 0; i < count; i++) {
		json_decref(all[i].bundle);
		free(hosts[i]);
	}
	free(hosts);
	free(all);
	return failed;
}
