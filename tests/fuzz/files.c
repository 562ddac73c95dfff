/* Fuzz target: files of sysfs, debugfs, configfs, /proc, and the settings of other daemons. */
#include <string.h>

#include "../../agent/host/namespace.h"
#include "../../dcb/lldpad/detect.h"
#include "../../dcb/owner/dcbx_owner.h"
#include "../../dcb/owner/network_manager.h"
#include "../../dcb/registry.h"
#include "../../roce/gid.h"
#include "../../roce/registry.h"
#include "fuzz.h"
#include "outside.h"

static const struct feature *const features[] = {
	&feature_ecn,		&feature_cnp_debugfs, &feature_cnp_ofed,  &feature_dcqcn_debugfs,
	&feature_dcqcn_ofed,	&feature_roce_gid,    &feature_roce_mode, &feature_roce_tos,
	&feature_traffic_class, &feature_tcp_ecn,     &feature_advertise,
};

static const struct guard *const guards[] = {
	&guard_lldpad,
	&guard_network_manager,
	&guard_follower,
};

static void find_manager(struct outside *o)
{
	struct network_manager found;

	network_manager_sets_dcb(&o->host, &o->port, &found);
	MUST(strnlen(found.profile, sizeof(found.profile)) < sizeof(found.profile));
}

static void find_owner(struct outside *o)
{
	char why[OWNER_WHAT_MAX] = "";
	struct owner owner;
	struct err err = { 0 };

	if (owner_find(&o->host, &o->port, &owner, &err)) {
		MUST(owner_name(owner.who));
		MUST(strnlen(owner.what, sizeof(owner.what)) < sizeof(owner.what));
	}
	if (owner_at_next_boot(&o->host, why))
		MUST(strnlen(why, sizeof(why)) < sizeof(why) && why[0]);
}

static void find_lldpad(struct outside *o)
{
	struct lldpad_process found;

	if (lldpad_find(&o->host, &found))
		MUST(strnlen(found.conf, sizeof(found.conf)) < sizeof(found.conf));
	lldpad_socket_is_held(&o->host);
	lldpad_is_enabled(&o->host);
}

static void list_gids(struct outside *o)
{
	struct gid_list list = { .count = 0 };
	struct err err = { 0 };

	if (!gid_list(&o->host, &o->port, &list, &err))
		return;
	MUST(list.count <= GIDS_MAX);
	for (size_t i = 0; i < list.count; i++)
		MUST(strnlen(list.gids[i].text, sizeof(list.gids[i].text)) <
		     sizeof(list.gids[i].text));
}

static void ask_guard(struct outside *o)
{
	const struct guard *g = guards[outside_byte(o) % (sizeof(guards) / sizeof(guards[0]))];
	char why[GUARD_WHY_MAX] = "";

	if (g->objects(&o->host, &o->port, why))
		MUST(strnlen(why, sizeof(why)) < sizeof(why) && why[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct outside o;

	outside_begin(&o, data, size);
	switch (outside_byte(&o)) {
	case 0:
		find_manager(&o);
		break;
	case 1:
		find_owner(&o);
		break;
	case 2:
		find_lldpad(&o);
		break;
	case 3:
		list_gids(&o);
		break;
	case 4:
		ask_guard(&o);
		break;
	default:
		outside_converse(&o, features, sizeof(features) / sizeof(features[0]));
	}
	outside_end(&o);
	return 0;
}
