/* Tests of a host's ports, and of the error for a word that names none of them. */
#include <errno.h>

#include "agent/engine/target/inventory.h"
#include "agent/host/host.h"
#include "tests/support/unit.h"

/* Two members of a bond, one of which has the bond's RDMA device, and links of other kinds. */
static const struct link links_of_host[] = {
	{ .ifindex = 1, .name = "ens1f1np1", .master = 6, .mac = "AA:00:00:00:00:01" },
	{ .ifindex = 2,
	  .name = "ens1f0np0",
	  .master = 6,
	  .port_name = "p0",
	  .mac = "AA:00:00:00:00:01" },
	{ .ifindex = 3, .name = "ens2f0np0", .master = 8 },
	{ .ifindex = 4, .name = "eth0", .alt_names = { "mgmt" } },
	{ .ifindex = 5, .name = "pf0vf1", .port_name = "pf0vf1" },
	{ .ifindex = 6, .name = "bond0", .is_bond = true },
	{ .ifindex = 7, .name = "bond1", .is_bond = true },
	{ .ifindex = 8, .name = "br0" },
	/* Members of one adapter that did not merge, and of two adapters. */
	{ .ifindex = 9, .name = "ens4f0np0", .master = 11 },
	{ .ifindex = 10, .name = "ens4f1np1", .master = 11 },
	{ .ifindex = 11, .name = "bond2", .is_bond = true, .alt_names = { "rails" } },
	{ .ifindex = 12, .name = "ens5f0np0", .master = 14, .switch_id = { 5 } },
	{ .ifindex = 13, .name = "ens6f0np0", .master = 14, .switch_id = { 6 } },
	{ .ifindex = 14, .name = "bond3", .is_bond = true },
	{ .ifindex = 15, .name = "ens4f1np2" }, /* a second port of ens4f1np1's function */
	/* One card with two PCI devices, as of Socket Direct, and InfiniBand. */
	{ .ifindex = 16, .name = "ens7f0np0", .master = 18, .switch_id = { 7 } },
	{ .ifindex = 17, .name = "ens8f0np0", .master = 18, .switch_id = { 7 } },
	{ .ifindex = 18, .name = "bond4", .is_bond = true },
	{ .ifindex = 19, .name = "ib0", .is_infiniband = true },
	{ .ifindex = 20, .name = "bond5", .is_bond = true, .is_infiniband = true },
	{ .ifindex = 21, .name = "veth0" }, /* the last, which goes away */
};

/* The step that fails; 0: none. */
enum step { NOTHING, LINKS, RDMA };

enum move { STAYS, RENAMED, SWAPPED, REMOVED, VETH_REMOVED };

static struct {
	struct host host;
	enum step fails;
	enum move move;	 /* the event after a list */
	unsigned moves;	 /* how often */
	unsigned listed; /* lists given */
	bool may_write;
} kernel;

static bool fails(enum step which, struct err *err)
{
	return kernel.fails == which && !err_set(err, ERR_SYSTEM, EIO, "no answer");
}

static void move(struct link_list *list)
{
	struct link *a = &list->links[0], *b = &list->links[1];
	struct link was = *a;

	if (kernel.move == REMOVED)
		*a = list->links[list->count - 1];
	if (kernel.move == REMOVED || kernel.move == VETH_REMOVED)
		list->count--;
	if (kernel.move == SWAPPED)
		snprintf(b->name, sizeof(b->name), "%s", was.name);
	if (kernel.move == SWAPPED)
		snprintf(a->name, sizeof(a->name), "%s", links_of_host[1].name);
	if (kernel.move == RENAMED)
		snprintf(a->name, sizeof(a->name), "ens9f0np0");
}

static bool links(struct host *h, struct link_list *ret, struct err *err)
{
	(void)h;
	if (fails(LINKS, err))
		return false;
	*ret = (struct link_list){ .links = malloc(sizeof(links_of_host)),
				   .count = COUNT(links_of_host) };
	memcpy(ret->links, links_of_host, sizeof(links_of_host));
	if (kernel.listed++ % 2 && kernel.listed / 2 <= kernel.moves)
		move(ret);
	return true;
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	static const char *const files[][2] = {
		{ "/sys/class/infiniband/mlx5_4/device/physfn/vendor", "0x15b3" },
		{ "/sys/class/infiniband/mlx5_5/device/sfnum", "88" },
		{ "/sys/class/net/ens1f0np0/bonding_slave/perm_hwaddr", "AA:00:00:00:00:02" },
	};

	(void)h;
	for (size_t i = 0; i < COUNT(files); i++)
		if (strcmp(path, files[i][0]) == 0) {
			snprintf(buf, size, "%s", files[i][1]);
			return true;
		}
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
}

static bool describe(struct host *h, struct port *p)
{
	(void)h;
	if (strncmp(p->id.name, "e", 1) != 0)
		return false;
	snprintf(p->id.pci, sizeof(p->id.pci), "0000:0%c:00.%c", p->id.name[3], p->id.name[5]);
	return true;
}

static bool answers_dcb(struct host *h, const char *port)
{
	(void)h;
	return strcmp(port, "eth0") != 0;
}

/* The bond's device is on ens1f0np0; a VF, an SF and a PF have their interfaces elsewhere. */
static bool find_rdma(struct host *h, struct port *ports, size_t count, struct port_list *others,
		      struct rdma_names *infiniband, struct err *err)
{
	static const char *const names[] = { "mlx5_4", "mlx5_5", "mlx5_6" };

	(void)h;
	if (fails(RDMA, err))
		return false;
	*infiniband = (struct rdma_names){ .names = { "mlx5_9" }, .count = 1 };
	for (size_t i = 0; i < count; i++) {
		ports[i].rdma_port =
			ports[i].ifindex == 2 ||
			(ports[i].ifindex >= 9 && strcmp(ports[i].id.name, "ens8f0np0") != 0);
		if (ports[i].ifindex == 2)
			snprintf(ports[i].id.rdma, ID_MAX, "mlx5_0");
	}
	*others = (struct port_list){ calloc(COUNT(names), sizeof(*others->list)), COUNT(names) };
	for (size_t i = 0; i < COUNT(names); i++) {
		others->list[i] = (struct port){ .rdma_port = 1, .no_interface = true };
		snprintf(others->list[i].id.name, ID_MAX, "%s", names[i]);
	}
	return true;
}

static enum eswitch_mode eswitch_mode(struct host *h, const struct link_list *links,
				      const struct port *p)
{
	(void)h;
	(void)links;
	return p->ifindex == 3 ? ESWITCH_SWITCHDEV : ESWITCH_LEGACY;
}

static const struct backends backends = {
	.ports = { describe, answers_dcb, find_rdma, eswitch_mode },
};

static bool read_inventory(const char *word, struct inventory *ret, struct err *err)
{
	const char *const words[] = { word };
	const struct selection s = { words, word != NULL };
	const struct engine e = { .h = &kernel.host, .backends = &backends };

	kernel.host = (struct host){ .links = links,
				     .read_file = read_file,
				     .may_write = kernel.may_write };
	return inventory_read(&e, &s, ret, err);
}

static const struct port *port_of(const struct inventory *inv, const char *name)
{
	for (size_t i = 0; i < inv->count; i++)
		if (strcmp(inv->ports[i].id.name, name) == 0)
			return &inv->ports[i];
	return NULL;
}

static void every_port_with_dcb_or_rdma_is_listed(void **s)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	const struct port *member, *device, *uplink;
	struct err err = { 0 };

	(void)s;
	assert_true(read_inventory(NULL, &inv, &err));
	assert_int_equal(inv.count, 12);
	member = port_of(&inv, "ens1f1np1");
	device = port_of(&inv, "ens1f0np0");
	uplink = port_of(&inv, "ens2f0np0");
	assert_true(member->shares_rdma && member->in_lag && device->in_lag &&
		    !device->shares_rdma);
	assert_string_equal(member->id.bond, "bond0");
	assert_string_equal(member->id.bond_rdma, "mlx5_0");
	assert_string_equal(device->id.bond_rdma, "");
	assert_string_equal(member->id.mac, "aa:00:00:00:00:01");
	assert_string_equal(device->id.mac, "aa:00:00:00:00:02"); /* not the bond's */
	assert_string_equal(uplink->id.bond, "");		  /* a bridge is no bond */
	assert_int_equal(uplink->eswitch_mode, ESWITCH_SWITCHDEV);
	assert_int_equal(device->eswitch_mode, ESWITCH_LEGACY);
	assert_int_equal(port_of(&inv, "mlx5_4")->eswitch_mode, ESWITCH_NONE); /* a VF */
	assert_true(port_of(&inv, "mlx5_4")->is_vf && port_of(&inv, "mlx5_5")->is_vf);
	assert_null(port_of(&inv, "mlx5_6")); /* a PF without its interface */
}

static void only_devices_of_one_adapter_merge(void **s)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	struct err err = { 0 };

	(void)s;
	assert_true(read_inventory(NULL, &inv, &err));
	assert_int_equal(port_of(&inv, "ens1f0np0")->no_lag, LAG_IS_NO_MATTER);
	assert_int_equal(port_of(&inv, "ens1f1np1")->no_lag, LAG_IS_NO_MATTER);
	assert_int_equal(port_of(&inv, "ens2f0np0")->no_lag, LAG_IS_NO_MATTER);
	assert_int_equal(port_of(&inv, "ens4f0np0")->no_lag, LAG_DID_NOT_MERGE);
	assert_int_equal(port_of(&inv, "ens4f1np1")->no_lag, LAG_DID_NOT_MERGE);
	assert_int_equal(port_of(&inv, "ens5f0np0")->no_lag, LAG_OF_SEVERAL_ADAPTERS);
	assert_int_equal(port_of(&inv, "ens6f0np0")->no_lag, LAG_OF_SEVERAL_ADAPTERS);
	assert_int_equal(port_of(&inv, "ens7f0np0")->no_lag, LAG_IS_NO_MATTER);
	assert_true(port_of(&inv, "ens8f0np0")->shares_rdma);
}

/* A captured port has no switch id. */
static void captured_ports_that_merged_share_an_adapter(void **s)
{
	struct captured_port ports[] = {
		{ .port = { .id = { .name = "a", .pci = "0000:05:00.0", .bond = "bond0" },
			    .rdma_port = 1,
			    .in_lag = true } },
		{ .port = { .id = { .name = "b", .pci = "0000:06:00.0", .bond = "bond0" },
			    .in_lag = true } },
	};
	const struct captured c = { .ports = ports, .count = COUNT(ports) };
	const struct engine e = { .captured = &c };
	_inventory_ struct inventory inv = { .ports = NULL };
	struct err err = { 0 };

	(void)s;
	assert_true(inventory_read(&e, EVERY_PORT, &inv, &err));
	assert_int_equal(inv.ports[0].no_lag, LAG_IS_NO_MATTER);
	assert_true(inv.ports[1].shares_rdma);
}

static void ports_of_one_function_are_known(void **s)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	struct err err = { 0 };

	(void)s;
	assert_true(read_inventory(NULL, &inv, &err));
	for (size_t i = 0; i < inv.count; i++)
		assert_int_equal(inv.ports[i].shares_function,
				 strncmp(inv.ports[i].id.name, "ens4f1", 6) == 0);
}

static const struct row {
	const char *sentence, *word;
	enum err_kind kind;
	const char *text, *fix;
} rows[] = {
	{ "a pattern that matches nothing", "ens9*", ERR_GONE,
	  "no port with DCB or RDMA matches ens9*", "losslessctl show" },
	{ "a representor", "pf0vf1", ERR_UNSUPPORTED, "pf0vf1 is a representor", "" },
	{ "a device in InfiniBand mode", "mlx5_9", ERR_UNSUPPORTED, "in InfiniBand mode", "" },
	{ "an interface of such a device", "ib0", ERR_UNSUPPORTED, "ib0 is in InfiniBand mode",
	  "" },
	{ "a bond of them", "bond5", ERR_UNSUPPORTED, "bond5 is in InfiniBand mode", "" },
	{ "a device whose interface is elsewhere", "mlx5_6", ERR_UNSUPPORTED,
	  "without an interface in this network namespace", "" },
	{ "another adapter's port", "eth0", ERR_UNSUPPORTED, "port eth0 has neither DCB nor RDMA",
	  "" },
	{ "another adapter's port by an alternative name", "mgmt", ERR_UNSUPPORTED,
	  "port eth0 has neither DCB nor RDMA", "" },
	{ "a bond of others", "bond1", ERR_UNSUPPORTED, "bond bond1 has no member",
	  "ip link show master bond1" },
	{ "the beginning of one port's name", "ens1f0", ERR_GONE, "this host has no port ens1f0",
	  "did you mean ens1f0np0?" },
	{ "the beginning of two ports' names", "ens1", ERR_GONE, "no port ens1",
	  "losslessctl show" },
	{ "a slip in the letters", "enp1f0np0", ERR_GONE, "no port enp1f0np0",
	  "did you mean ens1f0np0?" },
	{ "other digits are never suggested", "ens3f0np0", ERR_GONE, "no port ens3f0np0",
	  "losslessctl show" },
	{ "the RDMA device of a port", "mlx5_0", ERR_GONE, "no port mlx5_0",
	  "did you mean ens1f0np0?" },
	{ "a PCI address without the domain", "01:00.1", ERR_GONE, "no port 01:00.1",
	  "did you mean ens1f1np1?" },
	{ "no word at all", "", ERR_GONE, "no port ", "losslessctl show" },
	{ "nothing like any port", "wlan", ERR_GONE, "no port wlan", "losslessctl show" },
};

static void a_word_for_no_port_is_explained(void **s)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	const struct row *r = *s;
	struct err err = { 0 };

	assert_false(read_inventory(r->word, &inv, &err));
	assert_int_equal(err.kind, r->kind);
	assert_non_null(strstr(err.text, r->text));
	assert_non_null(strstr(err.fix, r->fix));
}

static void a_bonds_name_selects_its_members(void **s)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	struct err err = { 0 };

	(void)s;
	assert_true(read_inventory("bond0", &inv, &err));
	assert_int_equal(inv.count, 2);
	inventory_free(&inv);
	assert_true(read_inventory("rails", &inv, &err));
	assert_int_equal(inv.count, 2);
}

static void a_list_that_cannot_be_read_is_no_empty_one(void **s)
{
	(void)s;
	for (kernel.fails = LINKS; kernel.fails <= RDMA; kernel.fails++) {
		_inventory_ struct inventory inv = { .ports = NULL };
		struct err err = { 0 };

		assert_false(read_inventory(NULL, &inv, &err));
		assert_int_equal(err.code, EIO);
	}
	kernel.fails = NOTHING;
}

/* The PCI address is asked by name: after a swap each port has the other's. */
static void who_writes_begins_only_if_the_names_hold(void **s)
{
	static const struct {
		bool may_write;
		enum move move;
		unsigned moves, lists;
		bool ok;
	} cases[] = {
		{ true, STAYS, 0, 2, true },	    { true, RENAMED, 1, 4, true },
		{ true, RENAMED, 99, 6, false },    { true, SWAPPED, 1, 2, false },
		{ false, SWAPPED, 1, 1, true },	    { true, REMOVED, 99, 6, false },
		{ true, VETH_REMOVED, 1, 2, true },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct inventory inv = { .ports = NULL };
		struct err err = { 0 };

		kernel.listed = 0;
		kernel.move = cases[i].move;
		kernel.moves = cases[i].moves;
		kernel.may_write = cases[i].may_write;
		assert_int_equal(read_inventory(NULL, &inv, &err), cases[i].ok);
		assert_int_equal(err.code, cases[i].ok ? 0 : ESTALE);
		assert_int_equal(kernel.listed, cases[i].lists);
		inventory_free(&inv);
	}
	kernel.move = STAYS;
	kernel.may_write = false;
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, every_port_with_dcb_or_rdma_is_listed);
	SUITE_ADD(&s, only_devices_of_one_adapter_merge);
	SUITE_ADD(&s, captured_ports_that_merged_share_an_adapter);
	SUITE_ADD(&s, ports_of_one_function_are_known);
	SUITE_ADD_ROWS(&s, rows, a_word_for_no_port_is_explained);
	SUITE_ADD(&s, a_bonds_name_selects_its_members);
	SUITE_ADD(&s, a_list_that_cannot_be_read_is_no_empty_one);
	SUITE_ADD(&s, who_writes_begins_only_if_the_names_hold);
	return suite_run(&s, "inventory");
}
