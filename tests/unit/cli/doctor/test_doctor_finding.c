/* The findings of doctor as one list: ports together, the worst first, bounded. */
#include <string.h>

#include "cli/doctor/doctor_finding.h"
#include "tests/support/unit.h"

static struct doctor_findings all;

static int clear(void **s)
{
	(void)s;
	memset(&all, 0, sizeof(all));
	return 0;
}

static void add(enum doctor_level level, const char *subject, const char *port)
{
	doctor_findings_add(&all, &(const struct doctor_remark){ level, "verify", subject, port,
								 "it is off", "run it" });
}

static void ports_with_the_same_finding_stand_together(void **s)
{
	(void)s;
	add(DOCTOR_CRITICAL, "mtu", "ens1");
	add(DOCTOR_CRITICAL, "mtu", "ens2");
	add(DOCTOR_WARNING, "mtu", "ens3");
	doctor_findings_add(&all, &(const struct doctor_remark){ DOCTOR_CRITICAL, "verify", "mtu",
								 "ens4", "it is on", "run it" });
	doctor_findings_add(&all, &(const struct doctor_remark){ DOCTOR_CRITICAL, "verify", "mtu",
								 "ens5", "it is off", NULL });
	assert_int_equal(all.count, 4);
	assert_string_equal(all.list[0].ports, "ens1, ens2");
	assert_int_equal(all.list[0].ports_count, 2);
	assert_string_equal(all.list[3].fix, "");
}

static void findings_of_the_host_stay_apart(void **s)
{
	(void)s;
	add(DOCTOR_CRITICAL, "gid", NULL);
	add(DOCTOR_CRITICAL, "gid", NULL);
	add(DOCTOR_CRITICAL, "gid", "ens1");
	assert_int_equal(all.count, 3);
	assert_string_equal(all.list[0].ports, "");
}

static void the_worst_comes_first_and_the_rest_keeps_its_order(void **s)
{
	(void)s;
	add(DOCTOR_WARNING, "a", NULL);
	add(DOCTOR_UNKNOWN, "b", NULL);
	add(DOCTOR_WARNING, "c", NULL);
	add(DOCTOR_CRITICAL, "d", NULL);
	add(DOCTOR_UNKNOWN, "e", NULL);
	doctor_findings_sort(&all);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(all.list[i].subject[0], "dbeac"[i]);
	assert_int_equal(all.totals[DOCTOR_UNKNOWN], 2);
}

static void more_than_there_is_room_for_are_counted(void **s)
{
	char subject[16], port[64];

	(void)s;
	for (int i = 0; i < DOCTOR_FINDINGS_MAX + 3; i++) {
		snprintf(subject, sizeof(subject), "s%d", i);
		add(DOCTOR_CRITICAL, subject, "ens1");
	}
	assert_int_equal(all.count, DOCTOR_FINDINGS_MAX);
	assert_int_equal(all.omitted, 3);
	for (int i = 0; i < 100; i++) {
		snprintf(port, sizeof(port), "a-port-with-a-long-name-%d", i);
		add(DOCTOR_CRITICAL, "s0", port);
	}
	assert_int_equal(all.list[0].ports_count, 101);
	assert_true(strlen(all.list[0].ports) < DOCTOR_PORTS_TEXT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(ports_with_the_same_finding_stand_together, clear),
		cmocka_unit_test_setup(findings_of_the_host_stay_apart, clear),
		cmocka_unit_test_setup(the_worst_comes_first_and_the_rest_keeps_its_order, clear),
		cmocka_unit_test_setup(more_than_there_is_room_for_are_counted, clear),
	};

	return cmocka_run_group_tests_name("doctor_finding", tests, NULL, NULL);
}
