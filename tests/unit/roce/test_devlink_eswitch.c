/* Tests of the mode of a port's E-Switch: devlink's answer, and signs of it for users. */
#include <errno.h>
#include <linux/devlink.h>
#include <string.h>

#include "roce/devlink.h"
#include "tests/support/rdma_kernel.h"
#include "tests/support/unit.h"

#define PORTS "/sys/class/infiniband/mlx5_0/ports/1/"

static const char *const gids[][2] = {
	{ PORTS "gids/0", "fe80:0000:0000:0000:bace:f6ff:fe00:0001" },
	{ PORTS "gid_attrs/types/0", "IB/RoCE v1" },
	{ NULL, NULL },
};

/* The port p0 of a card, whose two ports have one switch ID; -1: devlink's answer has no mode. */
static const struct row {
	const char *sentence;
	int mode, code;
	bool has_switch_id, has_gid;
	const char *other; /* the port name of another link with that switch ID */
	enum eswitch_mode found;
} rows[] = {
	{ "a switch ID is no sign of switchdev", DEVLINK_ESWITCH_MODE_LEGACY, 0, true, false, "p1",
	  ESWITCH_LEGACY },
	{ "devlink's answer outweighs all signs", DEVLINK_ESWITCH_MODE_LEGACY, 0, true, false,
	  "pf0vf1", ESWITCH_LEGACY },
	{ "a switch without functions is one", DEVLINK_ESWITCH_MODE_SWITCHDEV, 0, true, false, "p1",
	  ESWITCH_SWITCHDEV },
	{ "the host of a DPU manages none", -1, EOPNOTSUPP, false, true, "", ESWITCH_NONE },
	{ "a user sees legacy mode by a GID", -1, EPERM, true, true, "p1", ESWITCH_LEGACY },
	{ "a user sees a switch by a representor", -1, EPERM, true, false, "pf0vf1",
	  ESWITCH_SWITCHDEV },
	{ "a user sees a switch by the representor of another host's function", -1, EPERM, true,
	  false, "c1pf0vf1", ESWITCH_SWITCHDEV },
	{ "a representor of the other port proves nothing", -1, EPERM, true, false, "pf1vf1",
	  ESWITCH_UNKNOWN },
	{ "without a sign the mode is unknown to a user", -1, EPERM, true, false, "p1",
	  ESWITCH_UNKNOWN },
	{ "a GID without a switch ID proves nothing: that may be the host of a DPU", -1, EPERM,
	  false, true, "pf0vf1", ESWITCH_UNKNOWN },
};

static void the_mode_is_found(void **s)
{
	const struct row *row = *s;
	struct link links[] = { { .ifindex = 7, .port_name = "p0" }, { .ifindex = 8 } };
	const struct link_list all = { .links = links, .count = COUNT(links) };
	struct rdma_kernel k = rdma_kernel();
	struct port port = port_on(7);

	k.eswitch_mode = row->mode;
	k.eswitch_code = row->code;
	k.files = row->has_gid ? gids : NULL;
	port.rdma_port = 1;
	snprintf(port.id.rdma, ID_MAX, "mlx5_0");
	snprintf(links[1].port_name, LINK_NAME_MAX, "%s", row->other);
	for (size_t i = 0; i < COUNT(links); i++)
		links[i].switch_id[0] = row->has_switch_id;
	assert_int_equal(eswitch_mode(&k.host, &all, &port), row->found);
}

static void a_port_without_a_port_name_has_no_representor(void **s)
{
	struct link links[] = { { .ifindex = 7 }, { .ifindex = 8, .port_name = "pf0vf1" } };
	const struct link_list all = { .links = links, .count = COUNT(links) };

	(void)s;
	assert_false(link_has_representor(&all, &links[0]));
}

/* On a DPU's Arm side the functions of its host are representors, too: pf0, and c1pf0 of a second
 * one. */
static void representors_are_known_by_their_port_names(void **s)
{
	static const struct link links[] = {
		{ .ifindex = 1, .port_name = "pf0" },
		{ .ifindex = 1, .port_name = "c1pf0" },
		{ .ifindex = 1, .port_name = "pf0vf1" },
		{ .port_name = "p0" },
		{ .port_name = "" },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(links); i++)
		assert_int_equal(link_is_representor(&links[i]), links[i].ifindex);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, the_mode_is_found);
	SUITE_ADD(&s, a_port_without_a_port_name_has_no_representor);
	SUITE_ADD(&s, representors_are_known_by_their_port_names);
	return suite_run(&s, "eswitch");
}
