/* Metrics of a host and its ports. */
#include <string.h>

#include "tests/support/metrics_page.h"
#include "tests/support/unit.h"

/* True if the page has this line. */
static bool has_line(const char *line)
{
	size_t length = strlen(line);

	for (const char *at = page; (at = strstr(at, line)); at++)
		if ((at == page || at[-1] == '\n') && at[length] == '\n')
			return true;
	return false;
}

static void a_host_without_ports_has_a_page_too(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 0);
	g.host.verified_at_s = 0;
	write_page(&g);
	each_line_is_well_formed();
	assert_true(has_line("losslessctl_build_info{version=\"0.1.0\"} 1"));
	assert_null(strstr(page, "last_verify_timestamp"));
}

static void the_host_says_what_it_holds_its_ports_to(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	g.host.reloaded = false;
	write_page(&g);
	assert_true(
		has_line("losslessctl_policy_info{policy=\"gpu-backend\",sha256=\"0123abcd\"} 1"));
	assert_true(has_line("losslessctl_policy_last_reload_successful 0"));
	assert_true(has_line("losslessctl_last_verify_timestamp_seconds 1700000000"));
	assert_true(has_line("losslessctl_run_unfinished 0"));
	assert_true(has_line("losslessctl_policy_rules_unmet 0"));
	g.host.generation = UINT64_MAX;
	g.host.unmet = 2;
	g.host.unfinished = true;
	write_page(&g);
	assert_true(has_line("losslessctl_policy_info{policy=\"gpu-backend\",sha256=\"0123abcd\","
			     "generation=\"18446744073709551615\"} 1"));
	assert_true(has_line("losslessctl_run_unfinished 1"));
	assert_true(has_line("losslessctl_policy_rules_unmet 2"));
}

static void a_port_says_how_it_stands(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	g.ports[0].drifted = 2;
	g.ports[0].drifts = 7;
	g.ports[0].repairs = 3;
	g.ports[0].rolled_back = 4;
	g.ports[0].rollback_failed = 5;
	write_page(&g);
	assert_true(has_line("losslessctl_compliant{netdev=\"ens0f0np0\"} 0"));
	assert_true(has_line("losslessctl_items{netdev=\"ens0f0np0\",status=\"ok\"} 5"));
	assert_true(has_line("losslessctl_items{netdev=\"ens0f0np0\",status=\"drift\"} 2"));
	assert_true(has_line("losslessctl_drifts_total{netdev=\"ens0f0np0\"} 7"));
	assert_true(has_line("losslessctl_repairs_total{netdev=\"ens0f0np0\"} 3"));
	assert_true(has_line("losslessctl_repair_failures_total{netdev=\"ens0f0np0\","
			     "outcome=\"rolled_back\"} 4"));
	assert_true(has_line("losslessctl_repair_failures_total{netdev=\"ens0f0np0\","
			     "outcome=\"stranded\"} 5"));
}

static void a_setting_has_a_line_while_it_drifts(void **s)
{
	static struct stage g;
	struct drift d = { .differ = SETTING(SETTING_MTU) };

	(void)s;
	set_stage(&g, 1);
	g.ports[0].drift = &d;
	write_page(&g);
	each_line_is_well_formed();
	assert_true(has_line("losslessctl_drift{netdev=\"ens0f0np0\",knob=\"mtu\","
			     "state=\"drifted\"} 1"));
	d.contested = d.differ;
	write_page(&g);
	assert_true(has_line("losslessctl_drift{netdev=\"ens0f0np0\",knob=\"mtu\","
			     "state=\"contested\"} 1"));
	d = (struct drift){ .repaired = SETTING(SETTING_MTU) };
	write_page(&g);
	assert_null(strstr(page, "losslessctl_drift{"));
}

static void what_cannot_be_told_is_not_compliant(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	write_page(&g);
	assert_true(has_line("losslessctl_compliant{netdev=\"ens0f0np0\"} 1"));
	g.ports[0].unknown = 1;
	write_page(&g);
	assert_true(has_line("losslessctl_compliant{netdev=\"ens0f0np0\"} 0"));
}

static void a_finding_has_a_line_while_it_lasts(void **s)
{
	static struct stage g;
	const char *line = "losslessctl_finding_active{netdev=\"ens0f0np0\","
			   "lint=\"pfc-with-global-pause\",severity=\"error\"} 1";

	(void)s;
	set_stage(&g, 1);
	write_page(&g);
	assert_null(strstr(page, "losslessctl_finding_active{"));
	assert_string_equal(lint_at(0)->name, "pfc-with-global-pause");
	g.ports[0].findings = LINT(0);
	g.ports[0].errors = 1;
	write_page(&g);
	each_line_is_well_formed();
	assert_true(has_line(line));
	assert_true(has_line("losslessctl_compliant{netdev=\"ens0f0np0\"} 0"));
	g.ports[0].errors = 0; /* a warning is none of compliance's business */
	write_page(&g);
	assert_true(has_line("losslessctl_compliant{netdev=\"ens0f0np0\"} 1"));
}

static void a_port_that_was_not_looked_at_says_nothing(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 2);
	g.ports[0].compared = false;
	g.ports[0].sample = NULL;
	write_page(&g);
	each_line_is_well_formed();
	assert_null(strstr(page, "ens0f0np0"));
	assert_non_null(strstr(page, "ens1f0np0"));
}

static void what_is_absent_is_left_out_and_never_zero(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	g.samples[0].value[counter_slot(COUNT_RX_PAUSE, 3)] = 0;
	g.samples[0].has[counter_slot(COUNT_RX_PAUSE, 4)] = false;
	write_page(&g);
	assert_true(has_line("losslessctl_pause_frames_total{netdev=\"ens0f0np0\","
			     "direction=\"rx\",priority=\"3\"} 0"));
	assert_null(strstr(page, "losslessctl_pause_frames_total{netdev=\"ens0f0np0\","
				 "direction=\"rx\",priority=\"4\""));
}

static void times_are_in_seconds(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	g.samples[0].value[counter_slot(COUNT_TX_PAUSE_US, 3)] = 1500001;
	write_page(&g);
	assert_true(has_line("losslessctl_pause_seconds_total{netdev=\"ens0f0np0\","
			     "direction=\"tx\",priority=\"3\"} 1.500001"));
}

static void rdma_counters_name_the_device(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	write_page(&g);
	assert_non_null(strstr(page, "\nlosslessctl_cnp_sent_total{netdev=\"ens0f0np0\","
				     "device=\"mlx5_0\"} "));
}

static void a_symptom_is_1_where_it_shows_and_0_where_it_does_not(void **s)
{
	static struct stage g;
	struct active_symptom c = { .symptom = &symptoms[0] };
	char line[256];

	(void)s;
	set_stage(&g, 2);
	g.ports[1].active_symptoms = &c;
	g.ports[1].active_symptoms_count = 1;
	write_page(&g);
	for (int i = 0; i < 2; i++) {
		snprintf(line, sizeof(line),
			 "losslessctl_symptom{netdev=\"ens%df0np0\",symptom=\"%s\","
			 "severity=\"%s\"} %d",
			 i, symptoms[0].name, symptom_severity_name(symptoms[0].severity), i);
		assert_true(has_line(line));
	}
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, a_host_without_ports_has_a_page_too);
	SUITE_ADD(&s, the_host_says_what_it_holds_its_ports_to);
	SUITE_ADD(&s, a_port_says_how_it_stands);
	SUITE_ADD(&s, a_setting_has_a_line_while_it_drifts);
	SUITE_ADD(&s, what_cannot_be_told_is_not_compliant);
	SUITE_ADD(&s, a_finding_has_a_line_while_it_lasts);
	SUITE_ADD(&s, a_port_that_was_not_looked_at_says_nothing);
	SUITE_ADD(&s, what_is_absent_is_left_out_and_never_zero);
	SUITE_ADD(&s, times_are_in_seconds);
	SUITE_ADD(&s, rdma_counters_name_the_device);
	SUITE_ADD(&s, a_symptom_is_1_where_it_shows_and_0_where_it_does_not);
	return suite_run(&s, "metrics");
}
