/* Tests that reports of 16 ports with long names and values fit 100 columns, or COLUMNS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/unit.h"
#include "whole.h"

#define PORTS 16

/* A policy with the longest names, and values that all differ from the port's. */
static const char policy[] =
	"{\"version\": 1, \"name\": \"gpu-backend-production-fabric-a-2026-11\", \"profiles\": {"
	"\"gpu-backend-of-the-new-rack\": {\"mtu\": 9000, \"dcbx\": {\"mode\": \"host\"}, "
	"\"pause\": {\"rx\": false, \"tx\": false}, "
	"\"pfc\": {\"priorities\": [3, 5], \"cable_m\": 40, \"storm_timeout_ms\": 100}, "
	"\"ets\": {\"prio_tc\": [0,0,0,3,0,5,6,0], \"tsa\": "
	"[\"ets\",\"ets\",\"ets\",\"ets\",\"ets\","
	"\"ets\",\"strict\",\"ets\"], \"bandwidth\": [40,0,0,40,0,20,0,0]}, "
	"\"buffer\": {\"size_bytes\": [50176,0,0,100352,0,100352,0,0], "
	"\"prio_buffer\": [0,0,0,3,0,5,0,0]}, "
	"\"maxrate\": {\"tc_mbps\": [100000,100000,100000,0,100000,0,100000,100000]}, "
	"\"dscp\": {\"prio\": {\"26\": 3, \"27\": 3, \"34\": 5, \"35\": 5, \"48\": 6}, \"rest\": "
	"0}, "
	"\"roce\": {\"mode\": \"v2\", \"tos\": 106, \"traffic_class\": 106}, "
	"\"dcqcn\": {\"rpg_ai_rate_mbps\": 50, \"rpg_hai_rate_mbps\": 500, "
	"\"initial_alpha_value\": 512, \"rpg_min_dec_fac\": 40}, "
	"\"link\": {\"up\": true, \"fec\": \"rs\"}, \"host\": {\"tcp_ecn\": 1}, "
	"\"optional\": [\"roce.traffic_class\", \"link.fec\"]}}, "
	"\"rules\": [{\"match\": {\"name\": \"enp*\"}, "
	"\"profile\": \"gpu-backend-of-the-new-rack\"}]}";

static struct end end; /* too large for a stack */
static struct call call = { .input = policy };

static bool (*link_of_fake)(struct host *h, unsigned ifindex, struct link *ret, struct err *err);

static void name_of(unsigned ifindex, char ret[LINK_NAME_MAX])
{
	snprintf(ret, LINK_NAME_MAX, "enp194s0f%unp%u", ifindex % 100, ifindex % 100);
}

static bool link_of(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	if (!link_of_fake(h, ifindex, ret, err))
		return false;
	name_of(ifindex, ret->name);
	return true;
}

static bool all_links(struct host *h, struct link_list *ret, struct err *err)
{
	*ret = (struct link_list){ .links = calloc(PORTS, sizeof(*ret->links)), .count = PORTS };
	for (unsigned i = 0; i < PORTS; i++)
		if (!link_of(h, 10 + i, &ret->links[i], err))
			return false;
	return true;
}

/* Counts code points; the text has no escapes. */
static size_t width_of(const char *line, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += (line[i] & 0xc0) != 0x80;
	return n;
}

static void assert_fits(const char *text, size_t width)
{
	assert_string_not_equal(text, "");
	while (*text) {
		size_t bytes = strcspn(text, "\n");

		if (width_of(text, bytes) > width)
			fail_msg("%zu columns: %.*s", width_of(text, bytes), (int)bytes, text);
		if (bytes && text[bytes - 1] == ' ')
			fail_msg("blanks at the end: %.*s", (int)bytes, text);
		text += bytes + (text[bytes] != '\0');
	}
}

static void run(char *a, char *b, char *c, char *d)
{
	memcpy(call.words, (char *[4]){ a, b, c, d }, sizeof(char *[4]));
	whole_run(&call, &end);
	if (end.code > 3)
		fail_msg("exit code %d: %s", end.code, end.err);
}

static const struct row {
	const char *sentence;
	char *words[4];
} rows[] = {
	{ "plan", { "plan", "-" } },
	{ "plan of one port", { "plan", "-", "enp194s0f10np10" } },
	{ "verify", { "verify", "-" } },
	{ "verify with rates", { "verify", "--sample-for", "1", "-" } },
	{ "show", { "show" } },
	{ "show with reasons", { "show", "enp194s0f10np10" } },
	{ "watch", { "watch", "--count", "1" } },
	{ "history", { "history" } },
};

/* Writes a record of drift for each port, as the agent does. */
static void write_history(void)
{
	struct fake_file *f = fake_file(&whole->fake, "/var/lib/losslessctl/drift.jsonl", true);
	size_t used = 0;

	for (unsigned i = 0; i < PORTS; i++) {
		char name[LINK_NAME_MAX];

		name_of(10 + i, name);
		used += (size_t)snprintf(
			f->text + used, sizeof(f->text) - used,
			"{\"schema\":\"losslessctl/drift-record/1\","
			"\"recorded_at\":\"2026-05-01T12:00:03Z\",\"port\":\"%s\","
			"\"pci\":\"0000:c2:00.0\",\"setting\":\"ets.tsa\","
			"\"event\":\"contested\",\"from\":[\"ets\",\"strict\",\"ets\",\"strict\","
			"\"ets\",\"ets\",\"strict\",\"ets\"],\"to\":[\"strict\",\"strict\","
			"\"strict\",\"ets\",\"strict\",\"strict\",\"vendor\",\"strict\"],"
			"\"likely_writer\":\"a program on this host, through the kernel's DCB "
			"interface\",\"first_seen_at\":\"2026-05-01T12:00:00Z\","
			"\"duration_s\":86400}\n",
			name);
	}
}

static void as_on_a_large_host(void)
{
	if (!link_of_fake)
		link_of_fake = whole->fake.host.link;
	whole->fake.host.link = link_of;
	whole->fake.host.links = all_links;
	strcpy(fake_file(&whole->fake, "/proc/sys/net/ipv4/tcp_ecn", true)->text, "2");
	write_history();
}

static void fits_100_columns(void **s)
{
	const struct row *row = *s;
	const struct fake before = whole->fake;

	as_on_a_large_host();
	run(row->words[0], row->words[1], row->words[2], row->words[3]);
	assert_fits(end.out, 100);
	setenv("COLUMNS", "132", 1);
	run(row->words[0], row->words[1], row->words[2], row->words[3]);
	unsetenv("COLUMNS");
	assert_fits(end.out, 132);
	whole->fake = before;
}

/* One port is enough for a long line: its state has many words. */
static void the_list_of_applies_fits_100_columns(void **s)
{
	static const char one[] =
		"{\"version\": 1, \"name\": \"gpu-backend-production-fabric-a-2026-11\", "
		"\"profiles\": {\"p\": {\"mtu\": 9000}}, "
		"\"rules\": [{\"match\": {\"name\": \"*\"}, \"profile\": \"p\"}]}";

	(void)s;
	snprintf(whole->fake.port.id.name, ID_MAX, "enp194s0f10np10");
	call.input = one;
	run("apply", "-", NULL, NULL);
	assert_int_equal(end.code, 0);
	run("rollback", "--list", NULL, NULL);
	assert_int_equal(end.code, 0);
	assert_non_null(strstr(end.out, "enp194s0f10np10\n"));
	assert_fits(end.out, 100);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, fits_100_columns);
	SUITE_ADD(&s, the_list_of_applies_fits_100_columns);
	return whole_tests("widths", &s, NULL);
}
