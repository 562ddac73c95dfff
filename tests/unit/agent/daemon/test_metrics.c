/* The page of metrics: each line is well-formed, whatever ports and policies are called. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "agent/daemon/metrics.h"
#include "agent/host/links.h"
#include "tests/support/unit.h"

#define PAGE_MAX  (1u << 20)
#define PORTS_MAX 16

static char page[PAGE_MAX];

/* Ports that have counted everything, and what their host says. */
struct stage {
	struct metered_host host;
	struct metered ports[PORTS_MAX];
	struct sample samples[PORTS_MAX];
	char names[PORTS_MAX][LINK_NAME_MAX];
	size_t count;
};

static void set_stage(struct stage *g, size_t ports)
{
	*g = (struct stage){
		.host = { .version = "0.1.0",
			  .policy = "gpu-backend",
			  .sha256 = "0123abcd",
			  .verified_at_s = 1700000000,
			  .reloaded = true },
		.count = ports,
	};
	for (size_t i = 0; i < ports; i++) {
		snprintf(g->names[i], LINK_NAME_MAX, "ens%zuf0np0", i);
		for (size_t k = 0; k < COUNTER_SLOTS; k++) {
			g->samples[i].has[k] = true;
			g->samples[i].value[k] = 1000 * i + k;
		}
		g->ports[i] = (struct metered){ .port = g->names[i],
						.device = "mlx5_0",
						.compared = true,
						.in_sync = 5,
						.sample = &g->samples[i] };
	}
}

static void write_page(const struct stage *g)
{
	assert_true(metrics_write(page, sizeof(page), &g->host, g->ports, g->count));
}

/* Is there this line? */
static bool has_line(const char *line)
{
	size_t length = strlen(line);

	for (const char *at = page; (at = strstr(at, line)); at++)
		if ((at == page || at[-1] == '\n') && at[length] == '\n')
			return true;
	return false;
}

static bool name_char(char c)
{
	return islower(c) || isdigit(c) || c == '_';
}

/* NAME="VALUE": what stands behind it, or NULL. */
static const char *after_label(const char *at)
{
	while (name_char(*at))
		at++;
	if (*at++ != '=' || *at++ != '"')
		return NULL;
	for (; *at && *at != '"' && *at != '\n'; at++)
		if (*at == '\\' && !strchr("\\\"n", *++at))
			return NULL;
	return *at == '"' ? at + 1 : NULL;
}

static const char *after_labels(const char *at)
{
	do
		at = after_label(at + 1);
	while (at && *at == ',');
	return at && *at == '}' ? at + 1 : NULL;
}

/* NAME{LABELS} NUMBER, of the family that was announced last. */
static bool is_sample(const char *line, const char *family)
{
	const char *at = line;
	char *end;

	while (name_char(*at))
		at++;
	if ((size_t)(at - line) != strlen(family) || strncmp(line, family, strlen(family)) != 0)
		return false;
	if (*at == '{')
		at = after_labels(at);
	if (!at || *at++ != ' ' || !isdigit(*at))
		return false;
	strtod(at, &end);
	return *end == '\n';
}

static void each_line_is_well_formed(void)
{
	char family[128] = "", seen[16384] = "", mark[160];

	for (const char *line = page; *line; line = strchr(line, '\n') + 1) {
		char name[128], help[128], type[16];

		assert_non_null(strchr(line, '\n'));
		if (sscanf(line, "# HELP %127s %127[^\n]", name, help) == 2) {
			snprintf(mark, sizeof(mark), " %s ", name);
			if (strstr(seen, mark))
				fail_msg("%s is told twice", name);
			strcat(seen, mark);
			snprintf(family, sizeof(family), "%s", name);
		} else if (sscanf(line, "# TYPE %127s %15s", name, type) == 2) {
			assert_string_equal(name, family);
			assert_true(!strcmp(type, "gauge") || !strcmp(type, "counter"));
			assert_int_equal(!strcmp(type, "counter"),
					 strlen(name) > 6 &&
						 !strcmp(name + strlen(name) - 6, "_total"));
		} else if (!is_sample(line, family)) {
			fail_msg("of %s: %.*s", family, (int)strcspn(line, "\n"), line);
		}
	}
}

static void a_page_is_well_formed_and_its_families_stand_together(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 2);
	write_page(&g);
	each_line_is_well_formed();
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
			   "lint=\"pfc-excludes-pause\",severity=\"error\"} 1";

	(void)s;
	set_stage(&g, 1);
	write_page(&g);
	assert_null(strstr(page, "losslessctl_finding_active{"));
	assert_string_equal(lint_at(0)->name, "pfc-excludes-pause");
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

static const struct name {
	const char *sentence, *name, *label;
} names[] = {
	{ "a quote ends no label", "a\"} 1", "policy=\"a\\\"} 1\"" },
	{ "a backslash escapes nothing", "a\\", "policy=\"a\\\\\"" },
	{ "a newline begins no line", "a\nb 1", "policy=\"a\\\\x0ab 1\"" },
	{ "what controls a terminal is not let through", "\033[2J\177",
	  "policy=\"\\\\x1b[2J\\\\x7f\"" },
	{ "a format is only text", "%s%n", "policy=\"%s%n\"" },
	{ "an empty name is one", "", "policy=\"\"" },
	{ "UTF-8 stays", "Zürich", "policy=\"Zürich\"" },
};

static void hostile_name(void **s)
{
	const struct name *row = *s;
	static struct stage g;

	set_stage(&g, 1);
	g.host.policy = row->name;
	write_page(&g);
	each_line_is_well_formed();
	assert_non_null(strstr(page, row->label));
}

/* A port's name is the kernel's, and may hold quotes; an RDMA device's likewise. */
static void ports_and_devices_are_escaped_everywhere(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	g.ports[0].port = "a\"\\b";
	g.ports[0].device = "c\"\\\nd";
	write_page(&g);
	each_line_is_well_formed();
	assert_non_null(strstr(page, "{netdev=\"a\\\"\\\\b\",device=\"c\\\"\\\\\\\\x0ad\"}"));
}

/* The longest of everything that a kernel or a policy can say. */
static void there_is_room_for_the_longest_page(void **s)
{
	static struct stage g;
	static char policy[ID_MAX], device[ID_MAX];
	static const struct drift everything = { .differ = ~(setting_set)0,
						 .contested = ~(setting_set)0 };

	(void)s;
	memset(policy, '"', sizeof(policy) - 1);
	memset(device, '"', sizeof(device) - 1);
	set_stage(&g, PORTS_MAX);
	g.host.policy = policy;
	g.host.generation = UINT64_MAX;
	for (size_t i = 0; i < PORTS_MAX; i++) {
		g.ports[i].port = "\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"";
		g.ports[i].device = device;
		g.ports[i].drift = &everything;
		g.ports[i].drifts = g.ports[i].repairs = UINT64_MAX;
		for (size_t k = 0; k < COUNTER_SLOTS; k++)
			g.samples[i].value[k] = UINT64_MAX;
	}
	assert_true(metrics_room(PORTS_MAX) <= sizeof(page));
	assert_true(metrics_write(page, metrics_room(PORTS_MAX), &g.host, g.ports, PORTS_MAX));
	each_line_is_well_formed();
	assert_true(metrics_write(page, metrics_room(1), &g.host, g.ports, 1));
	assert_true(metrics_write(page, metrics_room(0), &g.host, g.ports, 0));
}

/* Of any size: the page fits, or that is said and nothing behind it is touched. The short run has
 * every seventh size: each is a page written. */
static void a_page_that_does_not_fit_is_refused(void **s)
{
	const char *length = getenv("LOSSLESSCTL_TEST_LONG");
	size_t step = length && strcmp(length, "1") == 0 ? 1 : 7, needed;
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	write_page(&g);
	needed = strlen(page) + 1;
	for (size_t size = needed - 1; size > step; size -= step) {
		page[size] = '~';
		assert_false(metrics_write(page, size, &g.host, g.ports, 1));
		assert_int_equal(page[size], '~');
	}
	assert_true(metrics_write(page, needed, &g.host, g.ports, 1));
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, a_page_is_well_formed_and_its_families_stand_together);
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
	SUITE_ADD_ROWS(&s, names, hostile_name);
	SUITE_ADD(&s, ports_and_devices_are_escaped_everywhere);
	SUITE_ADD(&s, there_is_room_for_the_longest_page);
	SUITE_ADD(&s, a_page_that_does_not_fit_is_refused);
	return suite_run(&s, "metrics");
}
