#include "eswitch.h"

#include <string.h>

#include "devlink.h"
#include "gid.h"

static bool has_gid(struct host *h, const struct port *p)
{
	struct gid_list gids;
	struct err quiet = { 0 };

	return gid_list(h, p, &gids, &quiet) && gids.count > 0;
}

enum eswitch_mode eswitch_mode(struct host *h, const struct link_list *links, const struct port *p)
{
	static const uint8_t none[SWITCH_ID_MAX];
	enum eswitch_mode mode = devlink_eswitch(h, p->id.pci);
	const struct link *l = link_by_index(links, p->ifindex);

	/* The host of a BlueField in DPU mode has GIDs and no E-Switch, hence no switch ID. */
	if (mode != ESWITCH_UNKNOWN || !l || memcmp(l->switch_id, none, sizeof(none)) == 0)
		return mode;
	if (link_has_representor(links, l))
		return ESWITCH_SWITCHDEV;
	return has_gid(h, p) ? ESWITCH_LEGACY : ESWITCH_UNKNOWN;
}
