/* Tests of reports: settings that no run writes, refusals, and skipped settings. */
#include <string.h>

#include "tests/support/unit.h"
#include "whole.h"

#define POLICY(profile) \
	"{\"version\": 1, \"profiles\": {\"p\": {" profile "}}," \
	" \"rules\": [{\"match\": {\"name\": \"ens*\"}, \"profile\": \"p\"}]}"

static struct end end; /* too large for a stack */

static void run(const char *policy, const char *a, const char *b, const char *c)
{
	struct call call = { .input = policy, .words = { (char *)a, (char *)b, (char *)c } };

	whole_run(&call, &end);
}

static void assert_says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s%s", part, end.out, end.err);
}

static void a_link_that_differs_is_not_in_sync(void **s)
{
	static const char policy[] = POLICY("\"link\": {\"up\": true}");

	(void)s;
	whole->fake.back_at = 1;
	whole->fake.carrier_stuck = true;
	run(policy, "apply", "-", NULL);
	whole->fake.back_at = 0;
	whole->fake.carrier_stuck = false;
	assert_int_equal(end.code, 0);
	assert_says(end.out, "  nothing to write; link.up differs\n");
	assert_says(end.err, ": link.up is off, expected on: check the cable");
	assert_says(end.err, "run `ip link set dev ens1f0np0 up`");
	run(policy, "apply", "-", NULL);
	assert_says(end.out, "  already in sync\n");
}

static void advice_is_no_setting(void **s)
{
	static const char policy[] = POLICY("\"mtu\": 1500, \"host\": {\"tcp_ecn\": 1}");
	struct fake_file *file = fake_file(&whole->fake, "/proc/sys/net/ipv4/tcp_ecn", true);

	(void)s;
	strcpy(file->text, "2");
	run(policy, "verify", "-", NULL);
	assert_int_equal(end.code, 0);
	assert_says(end.out, "\n1 of 1 setting on 1 port in sync; 1 host setting advised\n");
	assert_says(end.out, "run `sysctl -w net.ipv4.tcp_ecn=1` to set it for the whole host\n");
	run(policy, "verify", "--strict", "-");
	assert_int_equal(end.code, 2);
	assert_says(end.out, "\nfails because of --strict: 1 host setting advised\n");
	run(policy, "verify", "--nagios", "-");
	assert_says(end.out, "OK - 1 of 1 setting on 1 port in sync, 1 host setting advised|");
	run(policy, "plan", "-", NULL);
	assert_says(end.err, "advice: this host: host.tcp_ecn is 2, expected 1\n"
			     "  run `sysctl -w net.ipv4.tcp_ecn=1`");
}

#define ETS \
	"\"ets\": {\"prio_tc\": [0,1,2,3,4,5,6,7], \"tsa\": [\"ets\",\"ets\",\"ets\",\"ets\"," \
	"\"ets\",\"ets\",\"ets\",\"ets\"], \"bandwidth\": [100,0,0,0,0,0,0,0]}"

static void a_rate_object_of_devlink_is_named_beside_ets(void **s)
{
	static const char policy[] = POLICY(ETS), other[] = POLICY("\"mtu\": 1500");
	static const char named[] = "devlink rate object pci/0000:01:00.0/group1 divides bandwidth";

	(void)s;
	strcpy(whole->rate_object, "group1");
	run(policy, "plan", "-", NULL);
	assert_says(end.err, named);
	run(policy, "verify", "-", NULL);
	assert_says(end.out, named);
	run(other, "verify", "-", NULL);
	assert_null(strstr(end.out, "devlink"));
	whole->rate_object[0] = '\0';
	run(policy, "plan", "-", NULL);
	assert_null(strstr(end.err, "devlink"));
}

/* No lldpad runs there: an apply would be refused, and repairs nothing. */
static void verify_advises_no_apply_that_lacks_an_lldpad(void **s)
{
	static const char policy[] =
		POLICY("\"mtu\": 9000, \"dcbx\": {\"mode\": \"host\", \"advertise\": true}");

	(void)s;
	run(policy, "verify", "-", NULL);
	assert_int_equal(end.code, 2);
	assert_says(end.out, "no lldpad runs on this host to advertise the settings");
	assert_says(end.out, "start lldpad with -R");
	assert_null(strstr(end.out, "`losslessctl apply`"));
	run(policy, "apply", "-", NULL);
	assert_int_equal(end.code, 1);
	assert_says(end.out, "no lldpad runs on this host to advertise the settings");
}

/* At boot lldpad starts after the network, which comes up after the ports are set up. */
static void an_lldpad_that_starts_later_keeps_no_port_from_its_settings(void **s)
{
#define WANTS "/etc/systemd/system/multi-user.target.wants"
	static const char *const unit[] = { "/usr/lib/systemd/system/lldpad.service", WANTS,
					    WANTS "/lldpad.service" };
	static const char policy[] =
		POLICY("\"mtu\": 2000, \"dcbx\": {\"mode\": \"switch\", \"advertise\": true, "
		       "\"willing\": true}");
	static const char left[] = "  skipped  dcbx.mode, dcbx.advertise, dcbx.willing: "
				   "left to lldpad, which starts later\n";

	(void)s;
	for (size_t i = 0; i < COUNT(unit); i++)
		assert_non_null(fake_file(&whole->fake, unit[i], true));
	run(policy, "plan", "-", NULL);
	assert_int_equal(end.code, 2);
	assert_says(end.out, left);
	run(policy, "apply", "-", NULL);
	assert_int_equal(end.code, 3);
	assert_says(end.out, "  applied and verified (1 setting, 1 step)\n");
	assert_says(end.out, left);
	assert_says(end.err, "ens1f0np0: lldpad does not run yet: dcbx.mode, ");
	run(policy, "apply", "--json", "-");
	assert_int_equal(end.code, 3);
	assert_says(end.out, "\"kind\":\"missing\"");
	run(policy, "apply", "-", NULL);
	assert_says(end.out, "  nothing to write\n");
	for (size_t i = 0; i < COUNT(unit); i++)
		fake_file(&whole->fake, unit[i], false)->path[0] = '\0';
	run(POLICY("\"mtu\": 1500"), "apply", "-", NULL);
}

static void nagios_counts_the_drift_and_names_one(void **s)
{
	static const char policy[] =
		POLICY("\"mtu\": 9000, \"pause\": {\"rx\": true}, "
		       "\"pfc\": {\"priorities\": []}, "
		       "\"maxrate\": {\"tc_mbps\": [100, 0, 0, 0, 0, 0, 0, 0]}");

	(void)s;
	run(policy, "verify", "--nagios", "-");
	assert_int_equal(end.code, 2);
	assert_says(end.out, "LOSSLESSCTL CRITICAL - 2 drifted (ens1f0np0 mtu, ...), "
			     "2 of 4 settings on 1 port in sync|");
}

/* Performance data begin at the first "|". */
static void a_name_does_not_begin_performance_data(void **s)
{
	static const char policy[] =
		"{\"version\": 1, \"profiles\": {\"p\": {\"mtu\": 9000}}, "
		"\"rules\": [{\"match\": {\"name\": \"*\"}, \"profile\": \"p\"}]}";
	char *name = whole->fake.port.id.name, was[ID_MAX];

	(void)s;
	strcpy(was, name);
	strcpy(name, "a|b=1");
	run(policy, "verify", "--nagios", "-");
	strcpy(name, was);
	assert_says(end.out, "LOSSLESSCTL CRITICAL - 1 drifted (a/b=1 mtu), ");
	assert_string_equal(strchr(end.out, '|') + 1,
			    "drift=1;;0 unknown=0 ports=1 critical=0;;0 warnings=0;0\n");
}

static void numbers_in_sync_are_those_of_the_port(void **s)
{
	static const char policy[] =
		POLICY("\"maxrate\": {\"tc_mbps\": [25750, 0, 0, 0, 0, 0, 0, 0]}");

	(void)s;
	whole->fake.hw.maxrate[0] = 25000000;
	run(policy, "verify", "--all", "-");
	whole->fake.hw.maxrate[0] = 0;
	assert_int_equal(end.code, 0);
	assert_says(end.out, "actual:  25000 0 0 0 0 0 0 0\n");
}

/* Verify foresees each refusal of an apply: here that of a lint, about a setting in sync. */
static void drift_that_apply_refuses_has_no_false_advice(void **s)
{
	static const char policy[] = POLICY("\"pfc\": {\"priorities\": [3]}, \"trust\": \"pcp\", "
					    "\"pause\": {\"tx\": true}");

	(void)s;
	run(policy, "verify", "-", NULL);
	assert_int_equal(end.code, 2);
	assert_says(end.out, "PFC and 802.3x global pause are both on");
	assert_null(strstr(end.out, "to repair the drift"));
	run(policy, "--json", "verify", "-");
	assert_says(end.out, "\"lint\":\"pfc-with-global-pause\"");
}

/* The kernel would take IPv6 from the port, for good. */
static void an_mtu_that_takes_ipv6_is_refused(void **s)
{
	(void)s;
	run(POLICY("\"mtu\": 900"), "plan", "-", NULL);
	assert_int_equal(end.code, 1);
	assert_says(end.out, "set mtu to 1280 or more");
	run(POLICY("\"mtu\": 1280"), "plan", "-", NULL);
	assert_int_equal(end.code, 2);
}

static void a_skipped_setting_is_not_counted(void **s)
{
	static const char policy[] =
		POLICY("\"mtu\": 1500, \"link\": {\"fec\": \"rs\"}, \"optional\": [\"link.fec\"]");

	(void)s;
	run(policy, "verify", "--all", "-");
	assert_int_equal(end.code, 0);
	assert_says(end.out, "  skipped     link.fec ");
	assert_says(end.out, "\n1 of 1 setting on 1 port in sync\n");
}

/* The fake port has global pause on by default. */
static void the_refusal_of_a_lint_has_its_name(void **s)
{
	static const char policy[] = POLICY("\"pfc\": {\"priorities\": [3]}, "
					    "\"trust\": \"pcp\", \"pause\": {\"tx\": true}");

	(void)s;
	run(policy, "plan", "-", NULL);
	assert_int_equal(end.code, 1);
	assert_says(end.out, "(pfc-with-global-pause)\n");
	assert_says(end.out, "\n1 of 1 port refused: apply would write nothing\n");
	run(policy, "--json", "plan", "-");
	assert_says(end.out, "\"change_count\":0,\"link_flap_count\":0,");
	assert_says(end.out, "\"lint\":\"pfc-with-global-pause\"");
	run(policy, "apply", "-", NULL);
	assert_says(end.out, "  refused: no setting was written\n");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_link_that_differs_is_not_in_sync);
	SUITE_ADD(&s, advice_is_no_setting);
	SUITE_ADD(&s, a_rate_object_of_devlink_is_named_beside_ets);
	SUITE_ADD(&s, verify_advises_no_apply_that_lacks_an_lldpad);
	SUITE_ADD(&s, an_lldpad_that_starts_later_keeps_no_port_from_its_settings);
	SUITE_ADD(&s, nagios_counts_the_drift_and_names_one);
	SUITE_ADD(&s, a_name_does_not_begin_performance_data);
	SUITE_ADD(&s, numbers_in_sync_are_those_of_the_port);
	SUITE_ADD(&s, drift_that_apply_refuses_has_no_false_advice);
	SUITE_ADD(&s, an_mtu_that_takes_ipv6_is_refused);
	SUITE_ADD(&s, a_skipped_setting_is_not_counted);
	SUITE_ADD(&s, the_refusal_of_a_lint_has_its_name);
	return whole_tests("reports", &s, NULL);
}
