/* Tests of a port in a document of show: reading and refusing it. */
#include <stdlib.h>
#include <string.h>

#include "cli/captured/captured_host.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

static const struct feature by_lldpad = { .name = "pfc",
					  .source = "dcbnl, written by lldpad",
					  .owns = SETTING(SETTING_PFC_PRIORITIES) };
static const struct feature by_kernel = { .name = "pfc",
					  .source = "dcbnl",
					  .owns = SETTING(SETTING_PFC_PRIORITIES) };
static const struct feature *const all[] = { &by_lldpad, &by_kernel };

#define DEVICE \
	"'driver': 'mlx5_core', 'pci': '0000:3b:00.0', 'firmware': '28.41', 'rdma': null, " \
	"'bond': null, 'speed_mbps': 100000, 'best_speed_mbps': 400000, 'carrier': true, " \
	"'admin_up': true, 'eswitch_mode': 'legacy', 'vf': false, 'interface': true, 'fec': 'rs'"
#define LIMITS \
	"'max_mtu': 9978, 'cell_bytes': 144, 'pfc_cap': 8, 'driver_maker': 'nvidia', 'mqprio': " \
	"[0,1,5,3,4,2,6,15], " \
	"'vf_vlans': [{'vf': 2, 'vlan': 3000, 'qos': 0}]"
#define PORT(device, limits, config, rest) \
	"{'port': 'p0', 'device': {" device "}, 'capabilities': {" limits "}, 'config': {" config \
	"}" rest "}"

static bool read_text(const char *text, struct captured_port *ret, struct err *err)
{
	char *json = strdup(text);
	json_t *port;
	bool ok;

	for (char *at = json; *at; at++)
		*at = *at == '\'' ? '"' : *at;
	port = json_loads(json, 0, NULL);
	assert_non_null(port);
	memset(ret, 0, sizeof(*ret));
	ok = captured_port_from_json(port, (struct features){ all, 2 }, NULL, ret, err);
	json_decref(port);
	free(json);
	return ok;
}

static void a_port_is_as_the_document_has_it(void **s)
{
	struct captured_port p;
	struct err err = { 0 };

	(void)s;
	assert_true(read_text(PORT(DEVICE, LIMITS, "'mtu': 4200", ""), &p, &err));
	assert_string_equal(p.port.id.pci, "0000:3b:00.0");
	assert_string_equal(p.port.id.firmware, "28.41");
	assert_string_equal(p.port.id.rdma, "");
	assert_int_equal(p.port.id.speed_mbps, 100000);
	assert_int_equal(p.port.eswitch_mode, ESWITCH_LEGACY);
	assert_false(p.port.no_interface);
	assert_int_equal(p.capabilities.max_mtu, 9978);
	assert_int_equal(p.capabilities.cell_bytes, 144);
	assert_int_equal(p.capabilities.maker, MAKER_NVIDIA);
	assert_true(p.capabilities.mqprio.there);
	assert_int_equal(p.capabilities.mqprio.class[2], 5);
	assert_int_equal(p.capabilities.mqprio.class[7], 15);
	assert_int_equal(p.capabilities.vf_vlans[0].vf, 2);
	assert_int_equal(p.capabilities.vf_vlans[0].vlan, 3000);
	assert_int_equal(p.seen.actual.mtu, 4200);
	assert_int_equal(p.seen.actual.link.fec, FEC_RS);
	assert_true(p.seen.actual.link.up);
}

static void without_a_carrier_a_port_has_its_best_speed(void **s)
{
	struct captured_port p;
	struct err err = { 0 };

	(void)s;
	assert_true(read_text(PORT("'carrier': false, 'best_speed_mbps': 400000", "", "", ""), &p,
			      &err));
	assert_int_equal(p.port.id.speed_mbps, 400000);
	assert_false(p.seen.actual.has & SETTING(SETTING_LINK_MIN_SPEED_MBPS));
}

static void the_back_end_that_was_read_is_found_by_its_interface(void **s)
{
	struct captured_port p;
	struct err err = { 0 };

	(void)s;
	assert_true(
		read_text(PORT(DEVICE, LIMITS, "'pfc': {'priorities': [3]}",
			       ", 'features': [{'feature': 'pfc', 'kernel_interface': 'dcbnl'}, "
			       "{'feature': 'of-a-later-version', 'kernel_interface': 'x'}, 7]"),
			  &p, &err));
	assert_int_equal(p.seen.active_count, 1);
	assert_ptr_equal(p.seen.active[0], &by_kernel);
}

static void a_document_of_an_earlier_version_names_no_back_end(void **s)
{
	struct captured_port p;
	struct err err = { 0 };

	(void)s;
	assert_true(read_text(PORT("'rdma': 'mlx5_0'", "", "'pfc': {'priorities': [3]}", ""), &p,
			      &err));
	assert_int_equal(p.seen.active_count, 1);
	assert_ptr_equal(p.seen.active[0], &by_lldpad);
	assert_int_equal(p.port.rdma_port, 1);
	assert_true(read_text(PORT("'rdma': 'mlx5_0', 'rdma_port': null", "",
				   "'pfc': {'priorities': [3]}", ", 'features': []"),
			      &p, &err));
	assert_int_equal(p.seen.active_count, 0);
	assert_int_equal(p.port.rdma_port, 0);
}

static void gids_that_can_be_routed_are_kept(void **s)
{
	struct captured_port p;
	struct err err = { 0 };

	(void)s;
	assert_true(read_text(
		PORT("'gids': [{'index': 1, 'gid': 'fe80:0000::1', 'type': 'v2'},"
		     "{'index': 3, 'gid': '0000:0000:0000:0000:0000:ffff:0a00:0001', 'type': 'v2'},"
		     "{'index': 4, 'gid': '2001:0db8::1', 'type': 'v1'},"
		     "{'index': 64, 'gid': '2001:0db8::1', 'type': 'v2'},"
		     "{'index': -1, 'gid': '2001:0db8::1', 'type': 'v2'}, 7,"
		     "{'index': 5, 'gid': '2001:0db8::1', 'type': 'v2'}]",
		     "", "", ""),
		&p, &err));
	assert_true(p.gids.ipv4 == UINT64_C(1) << 3);
	assert_true(p.gids.ipv6 == UINT64_C(1) << 5);
}

static const struct status_row {
	const char *sentence, *status;
	enum err_kind kind;
	bool elsewhere, not_asked;
} statuses[] = {
	{ "unsupported", "unsupported", ERR_UNSUPPORTED, false, false },
	{ "of another port", "on_another_port", ERR_UNSUPPORTED, true, false },
	{ "read on request only", "not_queried", ERR_UNSUPPORTED, false, true },
	{ "not created yet", "missing", ERR_MISSING, false, false },
	{ "unreadable", "unknown", ERR_UNKNOWN, false, false },
	{ "of a later version", "mislaid", ERR_UNKNOWN, false, false },
};

static void a_setting_is_unavailable_for_its_reason(void **s)
{
	const struct status_row *row = *s;
	const setting_set of = SETTING(SETTING_PFC_PRIORITIES);
	struct captured_port p;
	struct err err = { 0 };
	char rest[256];

	snprintf(rest, sizeof(rest),
		 "{'port': 'p0', 'device': {}, 'capabilities': {}, 'config': {}, "
		 "'unavailable_settings': [{'setting': 'pfc.priorities', 'status': '%s', "
		 "'message': 'it is so'}, {'setting': 'pfc.nothing', 'status': 'missing'}, 7]}",
		 row->status);
	assert_true(read_text(rest, &p, &err));
	assert_int_equal(p.seen.reasons_count, 1);
	assert_int_equal(p.seen.reasons[0].kind, row->kind);
	assert_string_equal(p.seen.reasons[0].text, "it is so");
	assert_ptr_equal(p.seen.reasons[0].from, &by_kernel);
	assert_true(p.seen.unsupported == (row->kind == ERR_UNSUPPORTED ? of : 0));
	assert_true(p.seen.missing == (row->kind == ERR_MISSING ? of : 0));
	assert_true(p.seen.unknown == (row->kind == ERR_UNKNOWN ? of : 0));
	assert_true(p.seen.elsewhere == (row->elsewhere ? of : 0));
	assert_true(p.seen.not_asked == (row->not_asked ? of : 0));
}

static const struct bad_row {
	const char *sentence, *text, *pointer;
} bad[] = {
	{ "a port is a list", "[]", "" },
	{ "it has no name", "{'device': {}}", "" },
	{ "its name is a number", "{'port': 7, 'device': {}}", "/port" },
	{ "its name is too long",
	  "{'port': '0123456789012345678901234567890123456789012345678901234567890123456789'}",
	  "/port" },
	{ "it has no device", "{'port': 'p0'}", "/device" },
	{ "a flag is a number", PORT("'carrier': 7", "", "", ""), "/device/carrier" },
	{ "a number is negative", PORT("'speed_mbps': -1", "", "", ""), "/device/speed_mbps" },
	{ "a number is too large", PORT("", "'pfc_cap': 256", "", ""), "/capabilities/pfc_cap" },
	{ "a priority has no class", PORT("", "'mqprio': [0,1,2,3,4,5,6]", "", ""),
	  "/capabilities/mqprio" },
	{ "a class is too large", PORT("", "'mqprio': [0,1,2,3,4,5,6,16]", "", ""),
	  "/capabilities/mqprio" },
	{ "a class is a text", PORT("", "'mqprio': [0,1,2,3,4,5,6,'7']", "", ""),
	  "/capabilities/mqprio" },
	{ "a VF has a VLAN that cannot be",
	  PORT("", "'vf_vlans': [{'vf': 2, 'vlan': 4095, 'qos': 0}]", "", ""),
	  "/capabilities/vf_vlans" },
	{ "a VF has no qos", PORT("", "'vf_vlans': [{'vf': 2, 'vlan': 300}]", "", ""),
	  "/capabilities/vf_vlans" },
	{ "a qos is too large", PORT("", "'vf_vlans': [{'vf': 2, 'vlan': 300, 'qos': 8}]", "", ""),
	  "/capabilities/vf_vlans" },
	{ "VFs are a number", PORT("", "'vf_vlans': 2", "", ""), "/capabilities/vf_vlans" },
	{ "a mode is a flag", PORT("'eswitch_mode': true", "", "", ""), "/device/eswitch_mode" },
	{ "a mode has another name", PORT("'eswitch_mode': 'on'", "", "", ""),
	  "/device/eswitch_mode" },
	{ "a text is a list", PORT("'pci': []", "", "", ""), "/device/pci" },
	{ "a setting has another type", PORT("", "", "'mtu': 'much'", ""), "/config/mtu" },
	{ "an index is out of range", PORT("", "", "'ets': {'prio_tc': [9,0,0,0,0,0,0,0]}", ""),
	  "/config/ets/prio_tc/0" },
};

static void a_document_that_is_wrong_says_where(void **s)
{
	const struct bad_row *row = *s;
	struct captured_port p;
	struct err err = { 0 };

	assert_false(read_text(row->text, &p, &err));
	assert_int_equal(err.kind, ERR_POLICY);
	assert_string_equal(err.at.pointer, row->pointer);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, a_port_is_as_the_document_has_it);
	SUITE_ADD(&s, without_a_carrier_a_port_has_its_best_speed);
	SUITE_ADD(&s, the_back_end_that_was_read_is_found_by_its_interface);
	SUITE_ADD(&s, a_document_of_an_earlier_version_names_no_back_end);
	SUITE_ADD(&s, gids_that_can_be_routed_are_kept);
	SUITE_ADD_ROWS(&s, statuses, a_setting_is_unavailable_for_its_reason);
	SUITE_ADD_ROWS(&s, bad, a_document_that_is_wrong_says_where);
	return suite_run(&s, "captured port");
}
