#include "host_identity.h"

#include <string.h>

#include "../../agent/host/host_facts.h"
#include "../../agent/host/host_identity.h"
#include "../../agent/host/timestamp.h"
#include "../../dcb/owner/find_writers.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/json_util.h"
#include "../../roce/rdma_netns.h"
#include "print.h"

void identity_add(json_t *doc, struct host *h)
{
	struct host_identity id;
	char now[TIMESTAMP_MAX];

	if (!h)
		return;
	host_identify(h, &id);
	json_object_set_new(doc, "host", json_from_text(id.name));
	json_object_set_new(doc, "host_id", json_text_or_null(id.host_id));
	json_object_set_new(doc, "boot_id", json_text_or_null(id.boot_id));
	json_object_set_new(doc, "losslessctl_version", json_string(LOSSLESSCTL_VERSION));
	json_object_set_new(doc, "observed_at", json_string(timestamp_now(now)));
}

void identity_add_state(json_t *doc, const struct setup *setups, size_t count)
{
	char hex[SHA256_HEX];
	bool known = setups && setups_digest(setups, count, hex);

	json_object_set_new(doc, "state_hash", known ? json_string(hex) : json_null());
}

static const char *const driver_texts[] = {
	[MLX5_INBOX] = "inbox mlx5 driver",
	[MLX5_RHEL] = "Red Hat's mlx5 driver",
	[MLX5_NVIDIA] = "NVIDIA's mlx5 driver",
};

static bool has_mlx5(const struct inventory *inv)
{
	for (size_t i = 0; i < inv->count; i++)
		if (strcmp(inv->ports[i].id.driver, "mlx5_core") == 0)
			return true;
	return false;
}

static void print_other_writers(const struct cli *c)
{
	struct other_writers all;
	char names[SETTING_NAMES_MAX];

	other_writers_find(c->h, &all);
	for (size_t i = 0; i < all.count; i++) {
		setting_names(all.list[i].writer->writes, names);
		printf("other writer: %s (pid %u): %s\n", all.list[i].writer->name, all.list[i].pid,
		       names);
	}
}

static json_t *other_writers_to_json(struct host *h)
{
	json_t *list = json_array();
	struct other_writers all;

	other_writers_find(h, &all);
	for (size_t i = 0; i < all.count; i++) {
		const struct other_writer *w = all.list[i].writer;
		json_t *paths = json_array();

		for (unsigned k = 0; k < SETTING_COUNT; k++)
			if (w->writes & SETTING(k))
				json_array_append_new(paths, json_string(settings[k].path));
		json_array_append_new(list, json_pack("{s:s, s:i, s:o, s:s}", "name", w->name,
						      "pid", (int)all.list[i].pid, "settings",
						      paths, "fix", w->fix));
	}
	return list;
}

bool print_host_facts(const struct cli *c, const struct inventory *inv, struct err *err)
{
	const char *netns;
	struct host_facts p;

	if (!rdma_netns_mode(c->h, &netns, err))
		return false;
	host_facts_read(c->h, &p);
	print_outside(stdout, "host: Linux %s", p.kernel);
	if (has_mlx5(inv))
		print_outside(stdout, ", %s%s%s", driver_texts[p.mlx5],
			      p.mlx5_version[0] ? " " : "", p.mlx5_version);
	if (p.lockdown[0])
		print_outside(stdout, ", kernel lockdown: %s", p.lockdown);
	if (netns)
		printf(", RDMA namespaces: %s", netns);
	putchar('\n');
	if (p.slows_mlx5 && has_mlx5(inv))
		printf("%sthis kernel's mlx5 driver slows most traffic to a trickle "
		       "(mlx5-xoff-regression)%s\n",
		       c->out.yellow, c->out.reset);
	print_other_writers(c);
	return true;
}

/* Names of lints, for `explain`. */
static json_t *known_faults(const struct host_facts *p, const struct inventory *inv)
{
	json_t *list = json_array();

	if (p->slows_mlx5 && has_mlx5(inv))
		json_array_append_new(list, json_string("mlx5-xoff-regression"));
	return list;
}

json_t *host_facts_to_json(const struct cli *c, const struct inventory *inv)
{
	struct err quiet = { 0 };
	const char *netns;
	struct host_facts p;

	host_facts_read(c->h, &p);
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kernel",
			 json_text_or_null(p.kernel), "mlx5",
			 json_text_or_null(has_mlx5(inv) ? mlx5_source_name(p.mlx5) : NULL),
			 "mlx5_version", json_text_or_null(p.mlx5_version), "lockdown",
			 json_text_or_null(p.lockdown), "rdma_netns",
			 json_text_or_null(rdma_netns_mode(c->h, &netns, &quiet) ? netns : NULL),
			 "known_faults", known_faults(&p, inv), "other_writers",
			 other_writers_to_json(c->h));
}

void print_port_role(const struct cli *c, const struct port *p, int width)
{
	const struct {
		bool is;
		const char *text;
	} roles[] = {
		{ p->is_bluefield && !p->is_vf, "BlueField: in DPU mode its Arm side configures "
						"this port, and apply is refused" },
		{ p->is_switchdev, "uplink of a switch (switchdev): RoCE is on its VFs and SFs" },
		{ p->in_lag, "LAG: one RDMA device for the bond's members" },
		{ p->is_vf, "VF or SF: its PF has the DCB settings" },
		{ p->no_interface,
		  "its interface is in another network namespace: roce.* alone can "
		  "be set here" },
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (roles[i].is) {
			print_name("role", width);
			printf("%s%s%s\n", c->out.dim, roles[i].text, c->out.reset);
		}
}
