/*
 * Tests of MLNX_OFED's driver, recognised by its module's version: the adapter keeps the cable's
 * length, which is 0 until somebody sets it, and a change of PFC may be left half done.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "policy/model/setting.h"
#include "agent/host/host_facts.h"
#include "tests/integration/plans.h"
#include "tests/integration/port_state.h"
#include "tests/support/unit.h"

static const char only_pfc[] =
	"{\"pfc\": {\"priorities\": [3]}, \"pause\": {\"rx\": false, \"tx\": false}}";

static struct fake nvidia_port(void)
{
	struct fake f = fresh_port();

	snprintf(fake_file(&f, "/sys/module/mlx5_core/version", true)->text, FAKE_TEXT,
		 "25.07-0.9.7");
	f.takes_any_cable = true;
	f.hw.cable_m = 0;
	return f;
}

/* The kernel's driver had a version until Linux 5.10. */
static void an_old_inbox_driver_is_none_of_nvidias(void **s)
{
	static const struct {
		const char *version;
		bool is_nvidias;
	} rows[] = { { "25.07-0.9.7", true },
		     { "5.0-2.1.8", true },
		     { "5.0-0", false },
		     { "3.0-1 (January 2015)", false } };

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = fresh_port();

		snprintf(fake_file(&f, "/sys/module/mlx5_core/version", true)->text, FAKE_TEXT,
			 "%s", rows[i].version);
		assert_int_equal(host_has_nvidia_driver(&f.host), rows[i].is_nvidias);
	}
}

/* The cable is set, then a later step fails. */
static void a_length_of_0_comes_back(void **s)
{
	struct fake f = nvidia_port();
	struct config desired = parsed("{\"pfc\": {\"cable_m\": 30}, \"roce\": {\"tos\": 106}}");
	struct hardware before = f.hw;
	struct result r;
	unsigned writes;

	(void)s;
	assert_true(go(&f, &desired, &r));
	assert_int_equal(f.hw.cable_m, 30);
	writes = f.writes;

	f = nvidia_port();
	f.only_writes = true;
	f.fail_at = writes;
	f.code = EIO;
	assert_false(go(&f, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_FAILED);
	assert_int_equal(f.hw.cable_m, 0);
	assert_true(hardware_is(&f.hw, &before));
}

/* When software owns the buffers, the driver asks for the link that its own change took down. */
static void PFC_that_is_left_half_done_is_explained_and_taken_back(void **s)
{
	struct fake f = nvidia_port();
	struct config desired = parsed(only_pfc);
	struct hardware before;
	struct result r;

	(void)s;
	f.hw.pause_rx = f.hw.pause_tx = false;
	before = f.hw;
	f.only_writes = true;
	f.fail_at = 1;
	f.fault = FAULT_LOST;
	f.code = EINVAL;
	assert_false(go(&f, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_FAILED);
	assert_non_null(strstr(r.err.fix, "could not size the buffers without a link"));
	assert_true(hardware_is(&f.hw, &before));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, an_old_inbox_driver_is_none_of_nvidias);
	SUITE_ADD(&s, a_length_of_0_comes_back);
	SUITE_ADD(&s, PFC_that_is_left_half_done_is_explained_and_taken_back);
	return suite_run(&s, "engine_nvidia");
}
