/* Tests of the format of a page of metrics, with any names on it. */
#include <stdlib.h>
#include <string.h>

#include "agent/daemon/metrics/metrics.h"
#include "agent/host/links.h"
#include "tests/support/metrics_page.h"
#include "tests/support/unit.h"

static void a_page_is_well_formed_and_its_families_stand_together(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 2);
	write_page(&g);
	each_line_is_well_formed();
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

/* The kernel permits quotes in the names of ports and of RDMA devices. */
static void ports_and_devices_are_escaped_everywhere(void **s)
{
	static struct stage g;

	(void)s;
	set_stage(&g, 1);
	g.ports[0].port = "a\"\\b";
	g.ports[0].pci = "";
	g.ports[0].rdma = "c\"\\\nd";
	write_page(&g);
	each_line_is_well_formed();
	assert_non_null(
		strstr(page, "{netdev=\"a\\\"\\\\b\",pci=\"\",rdma=\"c\\\"\\\\\\\\x0ad\"}"));
}

/* Fill the page with the longest names and largest numbers of a kernel and a policy. */
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
		g.ports[i].pci = g.ports[i].rdma = device;
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

/* Try every buffer that is too small: the page is refused, and the byte behind it is kept. The
 * short run tries every seventh size: each writes a page. */
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
	SUITE_ADD_ROWS(&s, names, hostile_name);
	SUITE_ADD(&s, ports_and_devices_are_escaped_everywhere);
	SUITE_ADD(&s, there_is_room_for_the_longest_page);
	SUITE_ADD(&s, a_page_that_does_not_fit_is_refused);
	return suite_run(&s, "metrics_format");
}
