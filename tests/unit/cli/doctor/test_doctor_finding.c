/* Tests of doctor's list of findings: grouped by port, the worst first, bounded. */
#include <string.h>

#include "agent/monitor/symptom.h"
#include "cli/doctor/doctor.h"
#include "dcb/lldp/peer_compare.h"
#include "policy/job/environment_report.h"
#include "policy/lint/lint.h"
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
	struct identity id = { .name = "" };

	if (port)
		snprintf(id.name, sizeof(id.name), "%s", port);
	doctor_findings_add(&all, &(const struct doctor_remark){ level, "verify", subject,
								 port ? &id : NULL, "it is off",
								 "run it" });
}

static void ports_with_the_same_finding_stand_together(void **s)
{
	static const struct identity ens4 = { .name = "ens4" }, ens5 = { .name = "ens5" };

	(void)s;
	add(DOCTOR_CRITICAL, "mtu", "ens1");
	add(DOCTOR_CRITICAL, "mtu", "ens2");
	add(DOCTOR_WARNING, "mtu", "ens3");
	doctor_findings_add(&all, &(const struct doctor_remark){ DOCTOR_CRITICAL, "verify", "mtu",
								 &ens4, "it is on", "run it" });
	doctor_findings_add(&all, &(const struct doctor_remark){ DOCTOR_CRITICAL, "verify", "mtu",
								 &ens5, "it is off", NULL });
	assert_int_equal(all.count, 4);
	assert_string_equal(all.list[0].ports, "ens1, ens2");
	assert_int_equal(all.list[0].ports_count, 2);
	assert_string_equal(all.list[3].fix, "");
}

static const struct identity ports[] = {
	{ .name = "ens1", .pci = "0000:3b:00.0", .rdma = "mlx5_0" },
	{ .name = "ens2", .pci = "0000:3b:00.1", .rdma = "mlx5_1" },
};

static void remark(size_t port, const char *text, const char *fix)
{
	doctor_findings_add(&all,
			    &(const struct doctor_remark){ DOCTOR_UNKNOWN, "verify", "cnp.dscp",
							   &ports[port], text, fix });
}

static void a_text_may_name_its_port(void **s)
{
	(void)s;
	remark(0, "read mlx5/0000:3b:00.0/cnp of ens1: denied", "use sudo");
	remark(1, "read mlx5/0000:3b:00.1/cnp of ens2: denied", "use sudo");
	assert_int_equal(all.count, 1);
	assert_string_equal(all.list[0].ports, "ens1, ens2");
	remark(1, "read mlx5/0000:3b:00.7/cnp of ens2: denied", "use sudo");
	remark(1, "read mlx5/0000:3b:00.1/cnp of ens2: denied, and more", "use sudo");
	assert_int_equal(all.count, 3);
}

static void a_fix_names_the_port(void **s)
{
	(void)s;
	remark(0, "damaged", "`ethtool -m PORT`, then `ethtool PORT`");
	remark(1, "damaged", "`ethtool -m PORT`, then `ethtool PORT`");
	assert_int_equal(all.count, 2);
	assert_string_equal(all.list[1].fix, "`ethtool -m ens2`, then `ethtool ens2`");
}

static void is_of_the_port(const char *fix)
{
	clear(NULL);
	remark(0, "", fix);
	if (strstr(all.list[0].fix, "PORT") || strstr(all.list[0].fix, "(or"))
		fail_msg("\"%s\"", all.list[0].fix);
	if (strlen(all.list[0].fix) + 1 == sizeof(all.list[0].fix))
		fail_msg("cut: \"%s\"", all.list[0].fix);
	if (strstr(all.list[0].fix, "losslessctl headroom`"))
		fail_msg("needs options: \"%s\"", all.list[0].fix);
}

static void no_fix_of_a_table_has_an_open_word(void **s)
{
	(void)s;
	for (size_t i = 0; i < symptoms_count; i++)
		is_of_the_port(symptoms[i].next);
	for (size_t i = 0; lint_at(i); i++)
		is_of_the_port(lint_at(i)->fix);
	for (size_t i = 0; peer_reason_at(i); i++)
		if (peer_reason_at(i)->fix)
			is_of_the_port(peer_reason_at(i)->fix);
	for (size_t i = 1; i < TRAP_COUNT; i++)
		is_of_the_port(trap_texts[i].fix);
}

static void drift_of_all_ports_is_one_finding(void **s)
{
	static struct doctor_drift drift;
	char setting[64];

	(void)s;
	doctor_drift_report(&drift, "run apply", &all);
	assert_int_equal(all.count, 0);
	doctor_drift_add(&drift, &ports[0], "mtu 1500 (expected 9000)", "");
	doctor_drift_add(&drift, &ports[0], "trust pcp (expected dscp)", "by lldpad");
	doctor_drift_add(&drift, &ports[1], "mtu 1500 (expected 9000)", "by hand");
	doctor_drift_report(&drift, "run apply", &all);
	assert_int_equal(all.count, 1);
	assert_string_equal(all.list[0].text, "3 settings: mtu 1500 (expected 9000), trust pcp "
					      "(expected dscp); by lldpad");
	assert_string_equal(all.list[0].ports, "ens1, ens2");
	assert_string_equal(all.list[0].fix, "run apply");
	assert_int_equal(all.list[0].level, DOCTOR_CRITICAL);
	for (int i = 0; i < 40; i++) {
		snprintf(setting, sizeof(setting), "setting.%d 1500 (expected 9000)", i);
		doctor_drift_add(&drift, &ports[1], setting, "");
	}
	doctor_drift_report(&drift, "run apply", &all);
	assert_non_null(strstr(all.list[1].text, "43 settings: "));
	assert_non_null(strstr(all.list[1].text, ", and others; by lldpad"));
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
	doctor_findings_add(&all, &(const struct doctor_remark){ DOCTOR_WARNING, "journal", "f",
								 NULL, "", "confirm" });
	doctor_findings_sort(&all);
	assert_string_equal(all.list[0].subject, "f");
	assert_string_equal(all.list[1].subject, "d");
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
		cmocka_unit_test_setup(a_text_may_name_its_port, clear),
		cmocka_unit_test_setup(a_fix_names_the_port, clear),
		cmocka_unit_test_setup(no_fix_of_a_table_has_an_open_word, clear),
		cmocka_unit_test_setup(drift_of_all_ports_is_one_finding, clear),
		cmocka_unit_test_setup(the_worst_comes_first_and_the_rest_keeps_its_order, clear),
		cmocka_unit_test_setup(more_than_there_is_room_for_are_counted, clear),
	};

	return cmocka_run_group_tests_name("doctor_finding", tests, NULL, NULL);
}
