/*
 * Prints random policies for one port, one per line: the setups of tests/support/draw.h.
 *
 *   random_policy PORT FIRST_SEED LAST_SEED debugfs|debugfs-6.1|ofed [VLAN_DEVICE…]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/model/dscp_map.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/document/policy.h"
#include "../support/draw.h"

/* Writes the number drawn for DSCPs not named: dscp_compact may find a shorter rule. */
static void spell_rest(const struct draw *d, json_t *config)
{
	json_t *dscp = json_object_get(config, "dscp"), *prio;

	if (!dscp || d->rest < 0)
		return;
	prio = json_object();
	for (int i = 0; i < DSCPS; i++) {
		char key[8];

		snprintf(key, sizeof(key), "%d", i);
		if (d->c.dscp.prio[i] != d->rest)
			json_object_set_new(prio, key, json_integer(d->c.dscp.prio[i]));
	}
	json_object_set_new(dscp, "prio", prio);
	json_object_set_new(dscp, "rest", json_integer(d->rest));
}

static json_t *document(const struct draw *d, const char *port, uint64_t seed)
{
	struct config spelled = dscp_compact(&d->c, REST_KEEP);
	json_t *config = config_to_json(&spelled, EVERY_SETTING);
	char name[32];

	spell_rest(d, config);
	snprintf(name, sizeof(name), "seed %" PRIu64, seed);
	return json_pack("{s:i, s:s, s:{s:o}, s:[{s:{s:s}, s:s}]}", "version", 1, "name", name,
			 "profiles", "p", config, "rules", "match", "name", port, "profile", "p");
}

/* Prints a policy, which must be valid. */
static bool print(const struct draw *d, const char *port, uint64_t seed)
{
	json_t *doc = document(d, port, seed);
	char *text = json_dumps(doc, JSON_COMPACT);
	struct policy *p = NULL;
	struct err err = { 0 };
	bool ok = policy_parse(&p, text, strlen(text), "random", &err);

	puts(text);
	if (!ok)
		fprintf(stderr, "random_policy: seed %" PRIu64 ": %s\n", seed, err.text);
	free(p);
	free(text);
	json_decref(doc);
	return ok;
}

static bool draw(struct draw *d, const char *port, uint64_t seed)
{
	if (draw_setup(d, seed))
		return print(d, port, seed);
	fprintf(stderr, "random_policy: seed %" PRIu64 ": nothing valid came up\n", seed);
	return false;
}

int main(int argc, char **argv)
{
	struct draw d = { .state = 0 };
	uint64_t last;

	if (argc < 5) {
		fprintf(stderr, "usage: random_policy PORT FIRST_SEED LAST_SEED "
				"debugfs|debugfs-6.1|ofed [VLAN_DEVICE...]\n");
		return 64;
	}
	d.ofed = strcmp(argv[4], "ofed") == 0;
	d.old = strcmp(argv[4], "debugfs-6.1") == 0;
	d.vlans = (const char *const *)argv + 5;
	last = strtoull(argv[3], NULL, 10);
	for (uint64_t seed = strtoull(argv[2], NULL, 10); seed <= last; seed++)
		if (!draw(&d, argv[1], seed))
			return 1;
	return 0;
}
