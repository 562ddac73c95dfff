/* Tests of printing harmful text: each output spells it out, and keeps the text beside it. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/daemon/metrics/metrics.h"
#include "agent/engine/journal/journal.h"
#include "agent/host/log.h"
#include "cli/output/print.h"
#include "cli/watch/screen.h"
#include "policy/util/json_dump.h"
#include "tests/support/harms.h"
#include "tests/support/unit.h"

#define OUT_MAX (1u << 18)

/* Join all harmful texts, with a letter after each. */
static const char *all_harm(char buf[512])
{
	size_t used = 0;

	for (size_t i = 0; i < COUNT(harms); i++)
		used += (size_t)snprintf(buf + used, 512 - used, "%sz", harms[i].bytes);
	return buf;
}

/* Join the harmful texts that are UTF-8, with a letter after each. */
static const char *all_text(char buf[512])
{
	size_t used = 0;

	for (size_t i = 0; i < COUNT(harms); i++) {
		json_t *j = json_string(harms[i].bytes);

		if (j)
			used += (size_t)snprintf(buf + used, 512 - used, "%sz", harms[i].bytes);
		json_decref(j);
	}
	return buf;
}

/* Expect `lines` newlines of our own, and nothing harmful besides. */
static void has_no_harm(const char *out, unsigned lines)
{
	unsigned newlines = 0;

	assert_non_null(strchr(out, 'z'));
	for (size_t i = 0; i < COUNT(harms); i++)
		if (harms[i].bytes[0] != '\n' && strstr(out, harms[i].bytes))
			fail_msg("not so: %s", harms[i].sentence);
	for (; *out; out++)
		newlines += *out == '\n';
	assert_int_equal(newlines, lines);
}

/* Return the text that a function writes to standard error. */
static char *heard(void (*speak)(const char *text), const char *text)
{
	FILE *real = stderr;
	char *out = NULL;
	size_t size;

	stderr = open_memstream(&out, &size);
	assert_non_null(stderr);
	speak(text);
	fclose(stderr);
	stderr = real;
	return out;
}

static void fail_with(const char *text)
{
	static const struct cli c = { .err = { "", "", "", "", "", "", "->", true } };
	struct err err = { .kind = ERR_SYSTEM };

	snprintf(err.text, sizeof(err.text), "%s", text);
	snprintf(err.where, sizeof(err.where), "%s", text);
	snprintf(err.fix, sizeof(err.fix), "%s", text);
	snprintf(err.at.pointer, sizeof(err.at.pointer), "%s", text);
	print_failure(&c, &err);
}

static void warn_of(const char *text)
{
	static const struct cli c = { .err = { "", "", "", "", "", "", "->", true } };

	print_warning(&c, "%s", text);
}

static void print_line_of(const char *text)
{
	print_outside(stderr, "%s: %s", text, text);
}

static void log_plainly(const char *text)
{
	const struct log l = { .journal = -1 };

	log_event(&l, LOG_AGENT_ERROR, (struct topic){ .port = text, .setting = text }, "%s", text);
}

static const struct way_row {
	const char *sentence;
	void (*speak)(const char *text);
	unsigned lines;
} ways[] = {
	{ "a failure harms no terminal", fail_with, 3 },
	{ "a warning harms no terminal", warn_of, 1 },
	{ "a line about a port harms no terminal", print_line_of, 0 },
	{ "a line of the log is harmless", log_plainly, 1 },
};

static void harms_nobody(void **s)
{
	const struct way_row *row = *s;
	char text[512], *out = heard(row->speak, all_harm(text));

	has_no_harm(out, row->lines);
	free(out);
}

static void an_entry_of_the_journal_has_no_fields_but_ours(void **s)
{
	char text[512], out[4096] = "";
	struct log l = { .journal = -1 };
	int pair[2];

	(void)s;
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), 0);
	l.journal = pair[0];
	log_event(&l, LOG_AGENT_ERROR, (struct topic){ .port = "a\nz", .setting = "b\033\nz" },
		  "%s", all_harm(text));
	assert_true(recv(pair[1], out, sizeof(out) - 1, 0) > 0);
	has_no_harm(out, 7);
	close(pair[0]);
	close(pair[1]);
}

static void a_page_of_metrics_has_no_lines_but_ours(void **s)
{
	char text[512], *page = malloc(OUT_MAX), *plain = malloc(OUT_MAX);
	struct metered_host host = { .version = "z", .policy = "z", .sha256 = "z" };
	unsigned lines = 0;

	(void)s;
	assert_true(metrics_write(plain, OUT_MAX, &host, NULL, 0));
	for (const char *p = plain; *p; p++)
		lines += *p == '\n';
	host.version = host.policy = host.sha256 = all_harm(text);
	assert_true(metrics_write(page, OUT_MAX, &host, NULL, 0));
	has_no_harm(page, lines);
	free(plain);
	free(page);
}

static void json_says_the_same_without_harm(void **s)
{
	char text[512];
	json_t *j = json_pack("{s:s}", all_text(text), text), *again;
	char *out = json_dump_sanitized(j, JSON_COMPACT),
	     *indented = json_dump_sanitized(j, JSON_INDENT(2));

	(void)s;
	assert_non_null(out);
	has_no_harm(out, 0);
	has_no_harm(indented, 2);
	again = json_loads(out, 0, NULL);
	assert_true(json_equal(j, again));
	json_decref(again);
	json_decref(j);
	free(out);
	free(indented);
}

static void json_leaves_letters_as_they_are(void **s)
{
	json_t *j = json_pack("[s]", "gr\xc3\xb6\xc3\x9f\x65 \xf0\x9f\x98\x80");
	char *out = json_dump_sanitized(j, JSON_COMPACT);

	(void)s;
	assert_string_equal(out, "[\"gr\xc3\xb6\xc3\x9f\x65 \xf0\x9f\x98\x80\"]");
	json_decref(j);
	free(out);
}

static void the_name_of_a_device_harms_nobody(void **s)
{
	struct config c = { .has = SETTING(SETTING_VLAN_EGRESS) };
	char text[SETTING_TEXT_MAX];

	(void)s;
	snprintf(c.vlan.egress[0].name, VLAN_NAME_MAX, "z\033[2J\xe2\x80\xae\x9b");
	has_no_harm(setting_text(&settings[SETTING_VLAN_EGRESS], &c, text), 0);
}

static bool read_boot_id(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	(void)path;
	(void)err;
	snprintf(buf, size, "this-boot");
	return true;
}

static unsigned saves;

static bool count_save(struct host *h, const char *path, const char *text, struct err *err)
{
	(void)h;
	(void)path;
	(void)text;
	(void)err;
	saves++;
	return true;
}

static void a_port_whose_name_is_no_text_is_not_left_out_of_the_journal(void **s)
{
	struct host h = { .may_write = true, .read_file = read_boot_id, .save_file = count_save };
	struct journal_entry entry = { .name = "a\xff", .back.has = SETTING(SETTING_MTU) };
	struct journal j = { .entries = &entry, .count = 1 };
	struct err err = { 0 };

	(void)s;
	assert_false(journal_save(&h, JOURNAL_PENDING, &j, &err));
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_int_equal(saves, 0);
	entry.name[1] = '\0';
	err = (struct err){ 0 };
	assert_true(journal_save(&h, JOURNAL_PENDING, &j, &err));
	assert_int_equal(saves, 2); /* and its copy */
}

static void a_screen_takes_no_harm(void **s)
{
	char text[512], *bytes = malloc(CANVAS_BYTES);
	struct screen_buffer c;

	(void)s;
	screen_buffer_start(&c, bytes, 500, 2);
	c.used = 0; /* without the buffer's own beginning */
	screen_buffer_put_clean(&c, all_harm(text));
	bytes[c.used] = '\0';
	has_no_harm(bytes, 0);
	free(bytes);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, ways, harms_nobody);
	SUITE_ADD(&s, an_entry_of_the_journal_has_no_fields_but_ours);
	SUITE_ADD(&s, a_page_of_metrics_has_no_lines_but_ours);
	SUITE_ADD(&s, json_says_the_same_without_harm);
	SUITE_ADD(&s, json_leaves_letters_as_they_are);
	SUITE_ADD(&s, the_name_of_a_device_harms_nobody);
	SUITE_ADD(&s, a_port_whose_name_is_no_text_is_not_left_out_of_the_journal);
	SUITE_ADD(&s, a_screen_takes_no_harm);
	return suite_run(&s, "clean");
}
