/* Tests of PFC: its message, and a port without headroom. */
#include <errno.h>
#include <string.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/dcb_kernel.h"
#include "tests/support/recorder.h"
#include "tests/support/unit.h"

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .speed_mbps = 100000 };

static const struct pfc_row {
	const char *sentence;
	int no_pfc;
	unsigned fail_at;
	int code; /* 0: PFC is written */
	const char *log;
} pfcs[] = {
	{ "PFC is written", 0, 0, 0, "pfc:8 " },
	{ "a refusal is reported", EINVAL, 0, EINVAL, "pfc:8 " },
	{ "what cannot be read is not written", 0, 1, EIO, "" },
};

static void pfc_is_written(void **s)
{
	const struct pfc_row *row = *s;
	struct dcb_kernel k = dcb_kernel();
	struct config to = { .has = SETTING(SETTING_PFC_PRIORITIES), .pfc.priorities = 8 };
	struct err err = { 0 };

	k.no_pfc = row->no_pfc;
	k.fail_at = row->fail_at;
	assert_int_equal(feature_pfc.write(&k.host, &port, &to, &to, &err), row->code == 0);
	assert_int_equal(err.code, row->code);
	assert_string_equal(k.log, row->log);
	assert_int_equal(k.pfc, row->code ? 0 : 8);
}

/* Only ENOMEM suggests checking the headroom. */
static void the_same_pfc_again_may_find_no_room(void **s)
{
	static const struct {
		uint8_t priorities;
		int no_pfc;
		const char *fix;
		const char *log;
	} rows[] = {
		{ 0, ENOMEM, "", "" },
		{ 8, 0, "", "pfc:8 " },
		{ 8, ENOMEM, "headroom", "pfc:8 " },
		{ 8, EBUSY, "", "pfc:8 " },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct dcb_kernel k = dcb_kernel();
		struct config to = { .pfc.priorities = rows[i].priorities };
		struct err err = { 0 };

		k.no_pfc = rows[i].no_pfc;
		assert_int_equal(feature_pfc.reapply(&k.host, &port, &to, &err),
				 !rows[i].no_pfc || !rows[i].priorities);
		assert_string_equal(k.log, rows[i].log);
		assert_true(rows[i].fix[0] ? strstr(err.fix, rows[i].fix) != NULL
					   : err.fix[0] == '\0');
	}
}

/* EINVAL with the new mask in force is explained; the other rows lack one condition each. */
static void a_change_that_is_half_done_is_explained(void **s)
{
	static const struct {
		const char *mlx5;
		bool half_done;
		int code;
		unsigned fail_at;
		bool explained;
	} rows[] = {
		{ "25.07", true, EINVAL, 0, true },   { NULL, true, EINVAL, 0, false },
		{ "25.07", false, EINVAL, 0, false }, { "25.07", true, ENOMEM, 0, false },
		{ "25.07", true, EINVAL, 3, false },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct dcb_kernel k = dcb_kernel();
		struct config to = { .pfc.priorities = 8 };
		struct err err = { 0 };

		k.ets.ets_cap = 8;
		k.ets.tc_tx_bw[0] = 100;
		k.mlx5 = rows[i].mlx5;
		k.half_done = rows[i].half_done;
		k.no_pfc = rows[i].code;
		k.fail_at = rows[i].fail_at;
		assert_false(feature_pfc.write(&k.host, &port, &to, &to, &err));
		assert_int_equal(err.code, rows[i].code);
		assert_int_equal(strstr(err.fix, "without a link") != NULL, rows[i].explained);
	}
}

static void a_mask_keeps_the_delay_that_is_there(void **s)
{
	struct recorder d = recorder_with_pfc(0, 77);
	struct config from = { 0 }, to = { .pfc = { .priorities = 0x08, .cable_m = 5 } };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_pfc.write(&d.host, &port, &from, &to, &err));
	assert_int_equal(d.sent_count, 1);
	assert_int_equal(d.sent[0].pfc.pfc_en, 0x08);
	assert_int_equal(d.sent[0].pfc.delay, 77);
}

static void settling_sends_the_mask_again_where_there_is_one(void **s)
{
	static const struct {
		uint8_t priorities;
		int code;
		bool ok;
		size_t sent;
	} rows[] = { { 0, 0, true, 0 },
		     { 0x08, 0, true, 1 },
		     { 0x08, EIO, false, 1 },
		     { 0x08, ENOMEM, false, 1 } };

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct recorder d = recorder_with_pfc(rows[i].priorities, 7);
		struct config c = { .pfc.priorities = rows[i].priorities };
		struct err err = { 0 };

		d.codes[0] = rows[i].code;
		assert_int_equal(feature_pfc.reapply(&d.host, &port, &c, &err), rows[i].ok);
		assert_int_equal(d.sent_count, rows[i].sent);
		assert_int_equal(strstr(err.fix, "headroom") != NULL, rows[i].code == ENOMEM);
	}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, pfcs, pfc_is_written);
	SUITE_ADD(&s, the_same_pfc_again_may_find_no_room);
	SUITE_ADD(&s, a_change_that_is_half_done_is_explained);
	SUITE_ADD(&s, a_mask_keeps_the_delay_that_is_there);
	SUITE_ADD(&s, settling_sends_the_mask_again_where_there_is_one);
	return suite_run(&s, "pfc");
}
