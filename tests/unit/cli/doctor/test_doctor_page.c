/* Tests of doctor's page: five lines for a host without findings, and at most sixty. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/doctor/doctor.h"
#include "tests/support/unit.h"

#define LONG_TEXT \
	"the switch advertises priorities 0, 1, 2, 4, 5, 6 and 7, and this port has 3: frames of " \
	"RoCE are dropped under congestion instead of paused, and the job slows down or hangs"

static struct doctor_findings all;

static int clear(void **s)
{
	(void)s;
	memset(&all, 0, sizeof(all));
	return 0;
}

/* Add different findings, each with its fix. */
static void add(size_t count, enum doctor_level level, const char *text)
{
	for (size_t i = 0; i < count; i++) {
		struct identity port = { .name = "" };
		char subject[64];

		snprintf(subject, sizeof(subject), "finding-%zu", i);
		snprintf(port.name, sizeof(port.name), "ens%zu", i);
		doctor_findings_add(&all, &(const struct doctor_remark){
						  level, "peer", subject, &port, text,
						  "run `losslessctl peer PORT`" });
	}
}

/* Print the page; the caller frees it. */
static char *page(void)
{
	static const struct verify_run verify;
	static const struct ready_report ready;
	const struct doctor d = { &verify, NULL, &ready, &all, 10, false };
	const struct cli c = { .out = { "", "", "", "", "", "", "->", false } };
	FILE *real = stdout;
	char *text = NULL;
	size_t size;

	doctor_findings_sort(&all);
	stdout = open_memstream(&text, &size);
	assert_non_null(stdout);
	print_doctor(&c, &d);
	fclose(stdout);
	stdout = real;
	return text;
}

static size_t lines_of(const char *text)
{
	size_t n = 0;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

static void a_host_without_findings_has_five_lines(void **s)
{
	char *text = page();

	(void)s;
	assert_int_equal(lines_of(text), 5);
	assert_non_null(strstr(text, ": ok\n"));
	free(text);
}

static void findings_that_fit_are_all_printed(void **s)
{
	char *text;

	(void)s;
	add(17, DOCTOR_CRITICAL, "it is off");
	text = page();
	assert_int_equal(lines_of(text), 6 + 3 * 17);
	assert_non_null(strstr(text, "finding-16  ens16\n"));
	assert_null(strstr(text, " more: "));
	free(text);
}

static void the_others_are_counted(void **s)
{
	char *text;

	(void)s;
	add(18, DOCTOR_CRITICAL, "it is off");
	text = page();
	assert_int_equal(lines_of(text), 6 + 3 * 17 + 2);
	assert_non_null(strstr(text, "\n\n1 more: run `losslessctl doctor --json`"));
	free(text);
}

/* Add more findings than the list holds, each of several lines; the worst come first. */
static void the_worst_host_has_sixty_lines_at_most(void **s)
{
	char *text;

	(void)s;
	add(DOCTOR_FINDINGS_MAX - 20, DOCTOR_WARNING, LONG_TEXT);
	add(40, DOCTOR_CRITICAL, LONG_TEXT);
	assert_int_equal(all.omitted, 20);
	text = page();
	assert_true(lines_of(text) <= 60);
	assert_true(lines_of(text) > 50);
	assert_non_null(strstr(text, "critical  finding-0"));
	assert_null(strstr(text, "warning"));
	assert_non_null(strstr(text, " more: "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_host_without_findings_has_five_lines, clear),
		cmocka_unit_test_setup(findings_that_fit_are_all_printed, clear),
		cmocka_unit_test_setup(the_others_are_counted, clear),
		cmocka_unit_test_setup(the_worst_host_has_sixty_lines_at_most, clear),
	};

	return cmocka_run_group_tests_name("doctor_page", tests, NULL, NULL);
}
