/* Tests of the metrics of a host and its ports. */
#include <string.h>

#include "agent/daemon/metrics/metrics.h"
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
	assert_true(has_line("losslessctl_transaction_incomplete 0"));
	assert_true(has_line("losslessctl_policy_rules_unmet 0"));
	g.host.generation = UINT64_MAX;
	g.host.unmet = 2;
	g.host.unfinished = true;
	write_page(&g);
	assert_true(has_line("losslessctl_policy_info{policy=\"gpu-backend\",sha256=\"0123abcd\","
			     "generation=\"18446744073709551615\"} 1"));
	assert_true(has_line("losslessctl_transaction_incomplete 1"));
	assert_true(has_line("losslessctl_policy_rules_unmet 2"));
}

static void a_check_that_is_unknown_has_no_line(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 2);
	write_page(&g);
	assert_null(strstr(page, "losslessctl_ready{"));
	g.host.readiness =
		(struct readiness){ .met = READY(READY_FIRMWARE), .not_met = READY(READY_GID) };
	g.ports[1].readiness.not_met = READY(READY_PCI_LINK);
	write_page(&g);
	each_line_is_well_formed();
	assert_true(has_line("losslessctl_ready{check=\"gid\"} 0"));
	assert_true(has_line("losslessctl_ready{check=\"firmware\"} 1"));
	assert_true(has_line("losslessctl_ready{netdev=\"ens1f0np0\",check=\"pci-link\"} 0"));
	assert_null(strstr(page, "check=\"memlock\""));
	assert_null(strstr(page, "losslessctl_ready{netdev=\"ens0f0np0\""));
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
	assert_true(has_line("losslessctl_port_in_sync{netdev=\"ens0f0np0\"} 0"));
	assert_true(has_line("losslessctl_settings{netdev=\"ens0f0np0\",status=\"in_sync\"} 5"));
	assert_true(has_line("losslessctl_settings{netdev=\"ens0f0np0\",status=\"drift\"} 2"));
	assert_true(has_line("losslessctl_drift_events_total{netdev=\"ens0f0np0\"} 7"));
	assert_true(has_line("losslessctl_settings_repaired_total{netdev=\"ens0f0np0\"} 3"));
	assert_true(has_line("losslessctl_repair_failures_total{netdev=\"ens0f0np0\","
			     "outcome=\"failed\"} 4"));
	assert_true(has_line("losslessctl_repair_failures_total{netdev=\"ens0f0np0\","
			     "outcome=\"rollback_failed\"} 5"));
}

static void recordings_are_counted_and_the_newest_has_a_time(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 2);
	g.ports[0].recordings = 2;
	g.ports[0].recorded_at_s = 1700000001;
	g.ports[0].speed_mbps = 100000;
	write_page(&g);
	each_line_is_well_formed();
	assert_true(has_line("losslessctl_recordings_total{netdev=\"ens0f0np0\"} 2"));
	assert_true(has_line("losslessctl_recordings_total{netdev=\"ens1f0np0\"} 0"));
	assert_true(has_line("losslessctl_last_recording_timestamp_seconds{netdev=\"ens0f0np0\"} "
			     "1700000001"));
	assert_null(strstr(page, "last_recording_timestamp_seconds{netdev=\"ens1f0np0\""));
	assert_true(has_line(
		"losslessctl_port_speed_bytes_per_second{netdev=\"ens0f0np0\"} 12500000000"));
	assert_null(strstr(page, "port_speed_bytes_per_second{netdev=\"ens1f0np0\""));
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
	assert_true(
		has_line("losslessctl_setting_drifted{netdev=\"ens0f0np0\",setting=\"mtu\"} 1"));
	assert_null(strstr(page, "losslessctl_setting_contested{"));
	d.contested = d.differ;
	write_page(&g);
	each_line_is_well_formed();
	assert_true(
		has_line("losslessctl_setting_drifted{netdev=\"ens0f0np0\",setting=\"mtu\"} 1"));
	assert_true(
		has_line("losslessctl_setting_contested{netdev=\"ens0f0np0\",setting=\"mtu\"} 1"));
	d.differ = 0; /* repaired, and still contested */
	write_page(&g);
	assert_null(strstr(page, "losslessctl_setting_drifted{"));
	assert_non_null(strstr(page, "losslessctl_setting_contested{"));
	d = (struct drift){ .repaired = SETTING(SETTING_MTU) };
	write_page(&g);
	assert_null(strstr(page, "losslessctl_setting_drifted{"));
	assert_null(strstr(page, "losslessctl_setting_contested{"));
}

static void a_port_with_an_unknown_setting_is_not_in_sync(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	write_page(&g);
	assert_true(has_line("losslessctl_port_in_sync{netdev=\"ens0f0np0\"} 1"));
	g.ports[0].unknown = 1;
	write_page(&g);
	assert_true(has_line("losslessctl_port_in_sync{netdev=\"ens0f0np0\"} 0"));
}

static void a_finding_has_a_line_while_it_lasts(void **s)
{
	static struct stage g;
	const char *line = "losslessctl_finding_active{netdev=\"ens0f0np0\","
			   "lint=\"pfc-with-global-pause\",severity=\"critical\"} 1";

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
	assert_true(has_line("losslessctl_port_in_sync{netdev=\"ens0f0np0\"} 0"));
	g.ports[0].errors = 0; /* a warning does not count */
	write_page(&g);
	assert_true(has_line("losslessctl_port_in_sync{netdev=\"ens0f0np0\"} 1"));
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
	assert_true(has_line("losslessctl_pfc_pause_frames_total{netdev=\"ens0f0np0\","
			     "direction=\"rx\",priority=\"3\"} 0"));
	assert_null(strstr(page, "losslessctl_pfc_pause_frames_total{netdev=\"ens0f0np0\","
				 "direction=\"rx\",priority=\"4\""));
}

static void times_are_in_seconds(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	g.samples[0].value[counter_slot(COUNT_TX_PAUSE_US, 3)] = 1500001;
	write_page(&g);
	assert_true(has_line("losslessctl_pfc_pause_seconds_total{netdev=\"ens0f0np0\","
			     "direction=\"tx\",priority=\"3\"} 1.500001"));
}

static void only_port_info_names_the_pci_and_the_rdma_device(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	write_page(&g);
	assert_true(has_line("losslessctl_port_info{netdev=\"ens0f0np0\",pci=\"0000:01:00.0\","
			     "rdma=\"mlx5_0\"} 1"));
	assert_non_null(strstr(page, "\nlosslessctl_cnp_sent_total{netdev=\"ens0f0np0\"} "));
	assert_null(strstr(strstr(page, "mlx5_0") + 1, "mlx5_0"));
}

static void every_counter_is_of_a_family_of_its_type(void **s)
{
	(void)s;
	for (unsigned id = 0; id < COUNTER_COUNT; id++) {
		const struct counter *c = &counters[id];
		const struct metric_family *f = c->family ? metric_family_by_name(c->family) : NULL;

		if (!c->family)
			continue;
		if (!f)
			fail_msg("%s is of no family", c->name);
		assert_string_equal(f->type, c->is_gauge ? "gauge" : "counter");
	}
	assert_null(metric_family_by_name("warp"));
}

static void each_family_is_on_the_page_once_with_a_help_of_its_own(void **s)
{
	static struct stage g;
	char head[256];

	(void)s;
	set_stage(&g, 1);
	write_page(&g);
	each_line_is_well_formed();
	for (size_t i = 0; i < metric_families_count; i++) {
		const struct metric_family *f = &metric_families[i];

		snprintf(head, sizeof(head), "# HELP losslessctl_%s %s", f->name, f->help);
		assert_true(has_line(head));
		for (size_t k = 0; k < i; k++)
			if (strcmp(metric_families[k].help, f->help) == 0)
				fail_msg("%s has the help of %s", f->name, metric_families[k].name);
	}
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
			 "losslessctl_symptom_active{netdev=\"ens%df0np0\",symptom=\"%s\","
			 "severity=\"%s\"} %d",
			 i, symptoms[0].name, severity_name(symptoms[0].severity), i);
		assert_true(has_line(line));
	}
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, a_host_without_ports_has_a_page_too);
	SUITE_ADD(&s, the_host_says_what_it_holds_its_ports_to);
	SUITE_ADD(&s, a_check_that_is_unknown_has_no_line);
	SUITE_ADD(&s, a_port_says_how_it_stands);
	SUITE_ADD(&s, recordings_are_counted_and_the_newest_has_a_time);
	SUITE_ADD(&s, a_setting_has_a_line_while_it_drifts);
	SUITE_ADD(&s, a_port_with_an_unknown_setting_is_not_in_sync);
	SUITE_ADD(&s, a_finding_has_a_line_while_it_lasts);
	SUITE_ADD(&s, a_port_that_was_not_looked_at_says_nothing);
	SUITE_ADD(&s, what_is_absent_is_left_out_and_never_zero);
	SUITE_ADD(&s, times_are_in_seconds);
	SUITE_ADD(&s, only_port_info_names_the_pci_and_the_rdma_device);
	SUITE_ADD(&s, every_counter_is_of_a_family_of_its_type);
	SUITE_ADD(&s, each_family_is_on_the_page_once_with_a_help_of_its_own);
	SUITE_ADD(&s, a_symptom_is_1_where_it_shows_and_0_where_it_does_not);
	return suite_run(&s, "metrics");
}
