/* Tests of the ECN switches of MLNX_OFED. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "policy/model/setting.h"
#include "roce/registry.h"
#include "tests/support/rdma_files.h"
#include "tests/support/unit.h"

static const struct read_row ecn_rows[] = {
	{ "a switch is on or off", &feature_ecn, "1", 0, ERR_NONE,
	  SETTING(SETTING_ECN_NP) | SETTING(SETTING_ECN_RP_PRIORITIES) },
	{ "a switch that reads as nothing is unknown", &feature_ecn, "", 0, ERR_UNKNOWN, 0 },
	{ "only MLNX_OFED has switches", &feature_ecn, "", ENOENT, ERR_UNSUPPORTED, 0 },
	{ "a switch may be denied", &feature_ecn, "", EACCES, ERR_DENIED, 0 },
};

/* The switches of an adapter: eight at each point, or one at the notification point. */
struct switches {
	struct host host;
	uint8_t np, rp;
	bool np_is_one;
	unsigned writes, fail_at;
};

static uint8_t *point_of(struct switches *w, const char *path)
{
	return strstr(path, "roce_np") ? &w->np : &w->rp;
}

static bool read_switch(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct switches *w = (struct switches *)h;

	(void)err;
	snprintf(buf, size, "%d", *point_of(w, path) >> (path[strlen(path) - 1] - '0') & 1);
	return true;
}

/* As MLNX_OFED's en_ecn.c: enabling what is enabled fails. */
static bool write_switch(struct host *h, const char *path, const char *value, struct err *err)
{
	struct switches *w = (struct switches *)h;
	uint8_t *point = point_of(w, path), bit = (uint8_t)(1 << (path[strlen(path) - 1] - '0'));
	bool on = value[0] == '1';

	if (++w->writes == w->fail_at || (on && *point & bit))
		return err_set(err, ERR_DENIED, EPERM, "%s", path);
	if (point == &w->np && w->np_is_one)
		bit = 0xff;
	*point = (uint8_t)(on ? *point | bit : *point & ~bit);
	return true;
}

static struct switches switches_with(uint8_t np, uint8_t rp)
{
	return (struct switches){
		.host = { .may_write = true, .read_file = read_switch, .write_file = write_switch },
		.np = np,
		.rp = rp
	};
}

static const struct np_row {
	const char *sentence;
	uint8_t before;
	bool is_one, on; /* on: as it reads before */
	bool to;
	unsigned writes;
} np_rows[] = {
	{ "one switch is turned on once", 0, true, false, true, 1 },
	{ "and off once", 0xff, true, true, false, 1 },
	{ "eight switches are turned on one by one", 0, false, false, true, 8 },
	{ "and off one by one", 0xff, false, true, false, 8 },
	{ "what is on for some priorities reads as off, and the others are turned on", 0x08, false,
	  false, true, 7 },
	{ "what reads as off stays", 0x08, false, false, false, 0 },
};

static void the_notification_point_turns_so(void **s)
{
	const struct np_row *row = *s;
	struct switches w = switches_with(row->before, 0x08);
	struct config from = { 0 }, to, now = { 0 };
	struct err err = { 0 };

	w.np_is_one = row->is_one;
	assert_true(feature_ecn.read(&w.host, &port_with_device, &from, &err));
	assert_int_equal(from.ecn.np, row->on);
	to = from;
	to.ecn.np = row->to;
	assert_true(feature_ecn.write(&w.host, &port_with_device, &from, &to, &err));
	assert_int_equal(w.writes, row->writes);
	assert_true(feature_ecn.read(&w.host, &port_with_device, &now, &err));
	assert_int_equal(now.ecn.np, row->to);
	assert_int_equal(now.ecn.rp_priorities, 0x08);
	assert_int_equal(feature_ecn.irreversible(&port_with_device, &from, &to) != NULL,
			 !row->on && row->to);
}

static void only_switches_that_differ_are_turned(void **s)
{
	struct switches w = switches_with(0x08, 0x09);
	struct config from = { .ecn.rp_priorities = 0x09 }, to = { .ecn.rp_priorities = 0x0a };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_ecn.write(&w.host, &port_with_device, &from, &to, &err));
	assert_int_equal(w.writes, 2);
	assert_int_equal(w.rp, 0x0a);
	assert_int_equal(w.np, 0x08);
}

static void a_switch_that_does_not_turn_is_reported(void **s)
{
	struct switches w = switches_with(0xff, 0);
	struct config from = { .ecn = { .np = true } }, no_np = { 0 };
	struct config other = { .ecn = { .np = true, .rp_priorities = 0x08 } };
	struct err err = { 0 }, more = { 0 };

	(void)s;
	w.fail_at = 1;
	assert_false(feature_ecn.write(&w.host, &port_with_device, &from, &no_np, &err));
	assert_int_equal(err.kind, ERR_DENIED);
	w.fail_at = 2;
	assert_false(feature_ecn.write(&w.host, &port_with_device, &from, &other, &more));
	assert_int_equal(more.kind, ERR_DENIED);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, ecn_rows, feature_reads_so);
	SUITE_ADD_ROWS(&s, np_rows, the_notification_point_turns_so);
	SUITE_ADD(&s, only_switches_that_differ_are_turned);
	SUITE_ADD(&s, a_switch_that_does_not_turn_is_reported);
	return suite_run(&s, "ecn");
}
