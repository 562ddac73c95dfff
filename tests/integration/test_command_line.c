/* Tests of the command line as a person sees it: help, explanations, and reports. */
#include <stdlib.h>
#include <string.h>

#include "cli/explain/topics.h"
#include "cli/verbs/verbs.h"
#include "policy/document/match.h"
#include "tests/support/unit.h"
#include "whole.h"

static const char policy[] =
	"{\"version\": 1, \"profiles\": {\"p\": {\"mtu\": 9000, \"pfc\": {\"priorities\": [3]}}},"
	" \"rules\": [{\"match\": {\"name\": \"ens*\"}, \"profile\": \"p\"}]}";

static struct end first, second; /* too large for a stack */

static void run(struct end *ret, const char *a, const char *b, const char *c, const char *d)
{
	struct call call = { .input = policy,
			     .words = { (char *)a, (char *)b, (char *)c, (char *)d } };

	whole_run(&call, ret);
}

static void assert_same_answer(int code)
{
	assert_int_equal(first.code, code);
	assert_int_equal(second.code, code);
	assert_string_equal(first.out, second.out);
	assert_string_equal(first.err, second.err);
}

static void help_of_a_verb_is_its_option(void **s)
{
	(void)s;
	for (size_t i = 0; i < verbs_count; i++) {
		run(&first, "help", verbs[i].name, NULL, NULL);
		run(&second, verbs[i].name, "--help", NULL, NULL);
		assert_same_answer(0);
	}
	run(&first, "help", NULL, NULL, NULL);
	run(&second, "--help", NULL, NULL, NULL);
	assert_same_answer(0);
}

static void help_of_another_word_suggests_a_verb(void **s)
{
	(void)s;
	run(&first, "help", "paln", NULL, NULL);
	assert_int_equal(first.code, 64);
	assert_non_null(strstr(first.err, "did you mean plan?"));
	run(&first, "help", "plan", "verify", NULL);
	assert_int_equal(first.code, 64);
}

static void assert_end_of_help(const char *verb)
{
	static const char end[] = "\n\nmanual: losslessctl(8)\n";
	char example[64];
	size_t length = strlen(first.out);

	snprintf(example, sizeof(example), "\n\nexample:\n  losslessctl %s", verb);
	assert_true(length > strlen(end));
	assert_string_equal(first.out + length - strlen(end), end);
	assert_non_null(strstr(first.out, example));
}

static void help_ends_with_an_example_and_the_manual(void **s)
{
	(void)s;
	run(&first, "help", NULL, NULL, NULL);
	assert_end_of_help("");
	for (size_t i = 0; i < verbs_count; i++) {
		run(&first, "help", verbs[i].name, NULL, NULL);
		assert_end_of_help(verbs[i].name);
	}
}

/* Counts code points, not bytes. */
static size_t longest_line(const char *text)
{
	size_t longest = 0, n = 0;

	for (; *text; text++) {
		n = *text == '\n' ? 0 : n + ((*text & 0xc0) != 0x80);
		longest = n > longest ? n : longest;
	}
	return longest;
}

static void assert_width(size_t width)
{
	if (longest_line(first.out) > width)
		fail_msg("%zu columns instead of %zu:\n%s", longest_line(first.out), width,
			 first.out);
}

static void help_fits_the_width(void **s)
{
	static const unsigned widths[] = { 72, 80, 132 };

	(void)s;
	for (size_t w = 0; w < COUNT(widths); w++) {
		char columns[8];

		snprintf(columns, sizeof(columns), "%u", widths[w]);
		setenv("COLUMNS", columns, 1);
		run(&first, "help", NULL, NULL, NULL);
		assert_width(widths[w]);
		for (size_t i = 0; i < verbs_count; i++) {
			run(&first, "help", verbs[i].name, NULL, NULL);
			assert_width(widths[w]);
		}
		run(&first, "explain", NULL, NULL, NULL);
		assert_width(widths[w]);
	}
	unsetenv("COLUMNS");
}

static void explanations_fit_80_columns_without_a_terminal(void **s)
{
	struct entry e;

	(void)s;
	for (size_t t = 0; t < topics_count; t++)
		for (size_t i = 0; topics[t].entry(i, &e); i++) {
			run(&first, "explain", e.name, NULL, NULL);
			assert_int_equal(first.code, 0);
			assert_width(80);
		}
}

static void every_key_of_a_match_is_explained(void **s)
{
	(void)s;
	for (size_t i = 0; i < MATCH_COUNT; i++) {
		run(&first, "explain", match_keys[i].name, NULL, NULL);
		assert_int_equal(first.code, 0);
		assert_non_null(strstr(first.out, "match"));
	}
}

/* `explain` does not know most verbs; some, such as probe, begin policy keys. */
static void a_verb_leads_to_its_help(void **s)
{
	(void)s;
	run(&first, "explain", "doctor", NULL, NULL);
	assert_int_equal(first.code, 64);
	assert_non_null(strstr(first.err, "run `losslessctl help doctor`"));
}

static void a_symptom_names_its_counter(void **s)
{
	(void)s;
	run(&first, "explain", "host-congestion", NULL, NULL);
	assert_non_null(strstr(first.out, "outbound_pci_stalled_wr_events"));
}

static void assert_nothing_written(const struct hardware *before)
{
	char text[SAYS_MAX];

	assert_memory_equal(&whole->fake.hw, before, sizeof(*before));
	assert_false(whole_document("run/losslessctl/lock", text));
	assert_false(whole_document("var/lib/losslessctl/journal/pending.json", text));
}

static void forget_time(char *document)
{
	static const char key[] = "\"observed_at\":\"";
	char *at = strstr(document, key);

	assert_non_null(at);
	memset(at + sizeof(key) - 1, '0', sizeof("2026-05-01T12:00:03Z") - 1);
}

static void a_dry_run_is_a_plan(void **s)
{
	struct hardware before = whole->fake.hw;

	(void)s;
	run(&first, "apply", "--dry-run", "-", "--confirm-within=9");
	run(&second, "plan", "-", NULL, NULL);
	assert_same_answer(2);
	run(&first, "--json", "apply", "--dry-run", "-");
	run(&second, "--json", "plan", "-", NULL);
	forget_time(first.out);
	forget_time(second.out);
	assert_same_answer(2);
	assert_nothing_written(&before);
}

static size_t lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void success_is_one_line(void **s)
{
	(void)s;
	run(&first, "apply", "-", NULL, NULL);
	assert_int_equal(first.code, 0);
	assert_int_equal(lines(first.out), 1);
	assert_non_null(strstr(first.out, "  applied and verified (4 settings, 2 steps)\n"));
	run(&first, "apply", "-", NULL, NULL);
	assert_int_equal(first.code, 0);
	assert_int_equal(lines(first.out), 1);
	assert_non_null(strstr(first.out, "  already in sync\n"));
}

static void verify_has_a_table_and_the_command_that_repairs(void **s)
{
	(void)s;
	whole->fake.hw.mtu = 1500;
	run(&first, "verify", "-", NULL, NULL);
	assert_int_equal(first.code, 2);
	assert_non_null(
		strstr(first.out,
		       "  status      setting               desired  actual  origin\n"
		       "  drift       mtu                   9000     1500    standard input:1\n"));
	assert_non_null(strstr(first.out, "1 of 2 settings on 1 port in sync; 1 drifted\n"
					  "run `losslessctl apply -` to repair the drift\n"));
	run(&first, "verify", "-v", "-", NULL);
	assert_non_null(strstr(first.out, "headroom is sized from it"));
}

/* The column where the value of a line "  NAME  VALUE" begins. */
static size_t value_column(const char *line)
{
	size_t name = 2 + strcspn(line + 2, " ");

	return name + strspn(line + name, " ");
}

static void every_value_of_show_begins_in_one_column(void **s)
{
	size_t column = 0, rows = 0;

	(void)s;
	whole->fake.hw.mtu = 9000;
	run(&first, "show", "-v", NULL, NULL);
	assert_int_equal(first.code, 0);
	for (const char *line = strstr(first.out, "\n  mtu ") + 1; strncmp(line, "  ", 2) == 0;
	     line = strchr(line, '\n') + 1) {
		if (rows++ == 0)
			column = value_column(line);
		if (value_column(line) != column)
			fail_msg("a value in column %zu:\n%s", value_column(line), first.out);
	}
	assert_true(rows > 30);
	assert_non_null(strstr(first.out, " 1 microsecond\n"));
	assert_non_null(strstr(first.out, " 4 microseconds\n"));
}

static void watch_prints_the_columns_that_fit_into_a_pipe(void **s)
{
	(void)s;
	run(&first, "watch", "--count", "1", NULL);
	assert_int_equal(first.code, 0);
	assert_int_equal(lines(first.out), 2);
	assert_width(100);
	assert_non_null(strstr(first.out, "  symptoms\n"));
	setenv("COLUMNS", "300", 1);
	run(&first, "watch", "--count", "1", NULL);
	unsetenv("COLUMNS");
	assert_non_null(strstr(first.out, "  pci-stalled-%  symptoms\n"));
}

#define RULE	 "\"match\":{\"name\":\"ens*\"},\"profile\":\"p\""
#define MTU	 "{\"mtu\":9000}"
#define NULL_MTU "{\"mtu\":null}"

/* A profile that is empty, and one whose only setting the rule removes. */
static const struct idle_policy {
	const char *sentence, *text;
} idle_policies[] = {
	{ "a port of an empty profile is not in sync",
	  "{\"version\":1,\"profiles\":{\"p\":{}},\"rules\":[{" RULE "}]}" },
	{ "a port whose rule removes its setting is not in sync",
	  "{\"version\":1,\"profiles\":{\"p\":" MTU "},\"rules\":[{" RULE ",\"set\":" NULL_MTU
	  "}]}" },
};

/* Silence about a port of which nothing is required would look like health. */
static void a_port_of_which_nothing_is_required_is_not_in_sync(void **s)
{
	static const char *const verbs_of_policies[] = { "verify", "plan", "apply" };
	const struct idle_policy *nothing = *s;

	for (size_t i = 0; i < 2 * COUNT(verbs_of_policies); i++) {
		const char *verb = verbs_of_policies[i / 2];
		struct call call = { .input = nothing->text,
				     .words = { (char *)verb, "-", i % 2 ? "ens1f0np0" : NULL } };

		whole_run(&call, &first);
		if (first.code != 3 || !strstr(first.err, "nothing was verified or changed") ||
		    !strstr(first.err, "ens1f0np0: nothing is required of this port"))
			fail_msg("%s: code %d: %s", verb, first.code, first.err);
	}
}

/* Nor of one of which each setting is skipped. */
static void a_port_whose_settings_are_skipped_is_not_in_sync(void **s)
{
	struct call call = {
		.input = "{\"version\":1,\"profiles\":{\"p\":{\"firmware\":{\"nvconfig\":"
			 "{\"CNP_DSCP\":48}}}},\"rules\":[{\"match\":{\"name\":\"*\"},\"profile\":"
			 "\"p\"}]}",
		.words = { "verify", "-", "ens1f0np0" }
	};

	(void)s;
	whole_run(&call, &first);
	if (first.code != 3 || !strstr(first.err, "is skipped: nothing was verified") ||
	    !strstr(first.out, "ens1f0np0  nothing verified"))
		fail_msg("code %d: %s%s", first.code, first.out, first.err);
}

/* An apply of all ports would change more than the user looked at, or nothing. */
static void the_advice_names_the_ports_of_the_command(void **s)
{
	static const struct {
		const char *rule, *word, *advice;
	} rows[] = {
		{ "", "ens1f0np0", "run `losslessctl apply - ens1f0np0` to repair the drift" },
		{ "", NULL, "run `losslessctl apply -` to repair the drift" },
		{ ",\"count\":9", NULL, "run `losslessctl apply - ens1f0np0` to repair the drift" },
	};
	char text[256];

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct call call = { .input = text,
				     .words = { "verify", "-", (char *)rows[i].word } };

		snprintf(text, sizeof(text),
			 "{\"version\":1,\"profiles\":{\"p\":{\"mtu\":4200}},\"rules\":[{"
			 "\"match\":{\"name\":\"*\"},\"profile\":\"p\"%s}]}",
			 rows[i].rule);
		whole_run(&call, &first);
		if (!strstr(first.out, rows[i].advice))
			fail_msg("row %zu: %s%s", i, first.out, first.err);
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, the_advice_names_the_ports_of_the_command);
	SUITE_ADD(&s, a_port_whose_settings_are_skipped_is_not_in_sync);
	SUITE_ADD(&s, help_of_a_verb_is_its_option);
	SUITE_ADD(&s, help_of_another_word_suggests_a_verb);
	SUITE_ADD(&s, help_ends_with_an_example_and_the_manual);
	SUITE_ADD(&s, help_fits_the_width);
	SUITE_ADD(&s, explanations_fit_80_columns_without_a_terminal);
	SUITE_ADD(&s, every_key_of_a_match_is_explained);
	SUITE_ADD(&s, a_verb_leads_to_its_help);
	SUITE_ADD(&s, a_symptom_names_its_counter);
	SUITE_ADD(&s, a_dry_run_is_a_plan);
	SUITE_ADD(&s, success_is_one_line);
	SUITE_ADD(&s, verify_has_a_table_and_the_command_that_repairs);
	SUITE_ADD(&s, every_value_of_show_begins_in_one_column);
	SUITE_ADD(&s, watch_prints_the_columns_that_fit_into_a_pipe);
	SUITE_ADD_ROWS(&s, idle_policies, a_port_of_which_nothing_is_required_is_not_in_sync);
	return whole_tests("command_line", &s, NULL);
}
