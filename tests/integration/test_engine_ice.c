/* Tests of ports of ice, whose DSCP entries reset ETS, and PFC with the last one. */
#include <stdio.h>
#include <string.h>

#include "policy/model/setting.h"
#include "tests/integration/plans.h"
#include "tests/integration/port_state.h"
#include "tests/support/unit.h"

static const char classes[] =
	"{\"ets\": {\"prio_tc\": [0,0,0,1,0,0,0,0], \"bandwidth\": [50,50,0,0,0,0,0,0], \"tsa\": "
	"[\"ets\",\"ets\",\"strict\",\"strict\",\"strict\",\"strict\",\"strict\",\"strict\"]},"
	" \"pfc\": {\"priorities\": [3]}, \"pause\": {\"rx\": false, \"tx\": false}}";
static const char only_pfc[] =
	"{\"pfc\": {\"priorities\": [3]}, \"pause\": {\"rx\": false, \"tx\": false}}";
static const char entries[] =
	"{\"trust\": \"dscp\", \"dscp\": {\"prio\": {\"26\": 3, \"48\": 6}, \"rest\": 0}}";
static const char entries_and_classes[] =
	"{\"trust\": \"dscp\", \"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}, \"ets\": "
	"{\"prio_tc\": [0,1,2,3,4,5,6,7], \"bandwidth\": [50,0,0,50,0,0,0,0], \"tsa\": "
	"[\"ets\",\"strict\",\"strict\",\"ets\",\"strict\",\"strict\",\"strict\",\"strict\"]}}";

static struct fake ice_port(void)
{
	struct fake f = fresh_port();

	snprintf(f.port.id.driver, sizeof(f.port.id.driver), "ice");
	f.port.traffic_classes = 8;
	return f;
}

static void set_up(struct fake *f, const char *text)
{
	struct config desired = parsed(text);
	struct result r;

	assert_true(go(f, &desired, &r));
	assert_true(hardware_has(&f->hw, &desired));
}

static const struct way {
	const char *sentence, *from, *to;
} ways[] = {
	{ "DSCP entries reset ETS that was set", classes, entries },
	{ "DSCP entries reset ETS beside PFC alone", only_pfc, entries },
	{ "DSCP entries with classes of their own", classes, entries_and_classes },
	{ "deleting all DSCP entries resets ETS and PFC", entries, "{\"trust\": \"pcp\"}" },
	{ "deleting all DSCP entries and keeping PFC", entries,
	  "{\"trust\": \"pcp\", \"pfc\": {\"priorities\": [3]}}" },
};

static void are_as_planned_and_taken_back(void **s)
{
	const struct way *way = *s;
	struct fake f = ice_port();
	struct config desired = parsed(way->to);
	struct hardware before;
	struct plan p;
	struct result r;

	set_up(&f, way->from);
	before = f.hw;
	p = plan_for(&f, &desired);
	assert_true(p.back.has & SETTING(SETTING_ETS_PRIO_TC));
	assert_true(go(&f, &desired, &r));
	assert_true(hardware_has(&f.hw, &desired));
	assert_true(go(&f, &p.back, &r));
	assert_true(hardware_is(&f.hw, &before));
}

/* One failing write, of each kind, at each place. */
static void are_as_before_if_a_write_fails(void **s)
{
	static const enum fault faults[] = { FAULT_REFUSED, FAULT_LOST };
	const struct way *way = *s;
	struct config desired = parsed(way->to);

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		for (unsigned n = 1, failed = 1; failed; n++) {
			struct fake f = ice_port();
			struct hardware before;
			struct result r;

			set_up(&f, way->from);
			before = f.hw;
			f.fault = faults[i];
			f.only_writes = true;
			f.fail_at = f.writes + n;
			failed = !go(&f, &desired, &r);
			if (failed && !hardware_is(&f.hw, &before))
				fail_msg("%s: not as before when write %u fails", way->sentence, n);
		}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, ways, are_as_planned_and_taken_back);
	SUITE_ADD_ROWS(&s, ways, are_as_before_if_a_write_fails);

	return suite_run(&s, "engine_ice");
}
