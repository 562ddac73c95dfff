/*
 * Compares a policy, or show's output, with values that other programs read: dcb's JSON, files of
 * the kernel and of the adapter, two ioctls. Of losslessctl it knows only the policy's words.
 *
 *   port_agrees PORT FOLDER debugfs|ofed <POLICY
 *
 * FOLDER holds pfc, ets, buffer, maxrate, app and dcbx: `dcb -N -j … show dev PORT`.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oracle.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A word of the policy: the value that the port has, and the rounded desired value. */
struct row {
	const char *group, *key;
	json_t *(*actual)(const struct port *p, json_t *desired);
	json_t *(*rounded)(json_t *desired);
};

/* A file of congestion control in debugfs, or MLNX_OFED's. */
struct parameter {
	const char *debugfs, *ofed, *setting;
};

static const struct parameter parameters[] = {
#define PARAM(id, name, width, initial, ofed, setting) { name, ofed, setting },
#include "../integration/params.def"
#undef PARAM
};

static const struct row rows[] = {
	{ NULL, "mtu", oracle_mtu, NULL },
	{ "dcbx", "mode", oracle_dcbx, NULL },
	{ "pause", "rx", oracle_pause_rx, NULL },
	{ "pause", "tx", oracle_pause_tx, NULL },
	{ "pfc", "priorities", oracle_pfc, NULL },
	{ "pfc", "cable_m", oracle_cable, NULL },
	{ "pfc", "storm_timeout_ms", oracle_storm, oracle_storm_becomes },
	{ "buffer", "size_bytes", oracle_sizes, oracle_sizes_become },
	{ "buffer", "prio_buffer", oracle_buffers, NULL },
	{ "ets", "prio_tc", oracle_classes, NULL },
	{ "ets", "tsa", oracle_algorithms, NULL },
	{ "ets", "bandwidth", oracle_shares, NULL },
	{ "maxrate", "tc_mbps", oracle_rates, oracle_rates_become },
	{ NULL, "trust", oracle_trust, NULL },
	{ NULL, "dscp", oracle_dscps, oracle_dscps_become },
	{ "vlan", "egress", oracle_egress, oracle_egress_becomes },
	{ "ecn", "np", oracle_notifies, NULL },
	{ "ecn", "rp_priorities", oracle_reacts, NULL },
	{ "cnp", "rtt_resp_dscp", oracle_rtt_resp_dscp, NULL },
	{ "roce", "mode", oracle_roce_mode, NULL },
	{ "roce", "tos", oracle_tos, NULL },
	{ "roce", "traffic_class", oracle_traffic_class, NULL },
};

/* Prints a difference; takes ownership of both values. */
static bool same(const char *group, const char *key, json_t *desired, json_t *actual)
{
	bool ok = json_equal(desired, actual);
	char *w = json_dumps(desired, JSON_COMPACT | JSON_ENCODE_ANY),
	     *h = json_dumps(actual, JSON_COMPACT | JSON_ENCODE_ANY);

	if (!ok)
		printf("%s%s%s should be %s, others read %s\n", group ? group : "",
		       group ? "." : "", key, w, h);
	free(w);
	free(h);
	json_decref(desired);
	json_decref(actual);
	return ok;
}

static json_t *word_of(json_t *config, const char *group, const char *key)
{
	return json_object_get(group ? json_object_get(config, group) : config, key);
}

static bool row_holds(const struct port *p, const struct row *r, json_t *config)
{
	json_t *desired = word_of(config, r->group, r->key);

	return !desired ||
	       same(r->group, r->key, r->rounded ? r->rounded(desired) : json_incref(desired),
		    r->actual(p, desired));
}

static bool parameter_holds(const struct port *p, const struct parameter *k, json_t *config)
{
	const char *key = strchr(k->setting, '.') + 1;
	char group[TEXT], path[TEXT];
	json_t *desired, *actual;

	snprintf(group, sizeof(group), "%.*s", (int)(key - 1 - k->setting), k->setting);
	desired = word_of(config, group, key);
	if (!desired)
		return true;
	if (p->ofed)
		snprintf(path, sizeof(path), "/sys/class/net/%s/ecn/%s", p->name, k->ofed);
	else
		snprintf(path, sizeof(path), "/sys/kernel/debug/mlx5/%s/cc_params/%s", p->pci,
			 k->debugfs);
	actual = oracle_number_in(path);
	if (json_is_boolean(desired) && json_is_integer(actual)) {
		bool on = json_integer_value(actual) != 0;

		json_decref(actual);
		actual = json_boolean(on);
	}
	return same(group, key, json_incref(desired), actual);
}

/* The one profile of a random policy, or this port in show's output. */
static json_t *config_in(json_t *doc, const char *port)
{
	json_t *profile = json_object_get(json_object_get(doc, "profiles"), "p"), *item;
	size_t i;

	json_array_foreach (json_object_get(doc, "ports"), i, item) {
		const char *name = json_string_value(json_object_get(item, "port"));

		if (name && strcmp(name, port) == 0)
			return json_object_get(item, "config");
	}
	return profile;
}

static void find_devices(struct port *p)
{
	char path[TEXT], target[TEXT] = "";
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/sys/class/net/%s/device", p->name);
	if (readlink(path, target, sizeof(target) - 1) > 0)
		snprintf(p->pci, sizeof(p->pci), "%.60s", strrchr(target, '/') + 1);
	snprintf(path, sizeof(path), "/sys/class/net/%s/device/infiniband", p->name);
	d = opendir(path);
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.')
			snprintf(p->rdma, sizeof(p->rdma), "%.60s", e->d_name);
	if (d)
		closedir(d);
}

int main(int argc, char **argv)
{
	struct port p = { .pci = "", .rdma = "" };
	json_t *doc = json_loadf(stdin, 0, NULL), *config;
	bool ok = true;

	if (argc != 4) {
		fprintf(stderr, "usage: port_agrees PORT FOLDER debugfs|ofed <POLICY\n");
		return 64;
	}
	p.name = argv[1];
	p.folder = argv[2];
	p.ofed = strcmp(argv[3], "ofed") == 0;
	find_devices(&p);
	config = config_in(doc, p.name);
	if (!config) {
		printf("no setup of %s on standard input\n", p.name);
		return 1;
	}
	for (size_t i = 0; i < COUNT(rows); i++)
		ok = row_holds(&p, &rows[i], config) && ok;
	for (size_t i = 0; i < COUNT(parameters); i++)
		ok = parameter_holds(&p, &parameters[i], config) && ok;
	json_decref(doc);
	return ok ? 0 : 1;
}
