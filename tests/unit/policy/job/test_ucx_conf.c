/* Tests of reading ucx.conf as UCX reads it. */
#include <string.h>

#include "policy/job/assignment.h"
#include "tests/support/unit.h"

#define TC "UCX_IB_TRAFFIC_CLASS"

/* A file, the class that UCX uses (NULL: none), and the trap of the first assignment. */
static const struct {
	const char *text, *value;
	enum trap first;
} files[] = {
	{ TC "=106\n", "106", TRAP_NONE },
	{ TC " = 106 \r\n", "106", TRAP_NONE },
	{ TC ": 106", "106", TRAP_NONE },
	{ "  " TC "=106\n", "106", TRAP_NONE },
	{ "\xef\xbb\xbf" TC "=106\n", "106", TRAP_NONE },
	{ TC "=106 ; RoCE\n", "106", TRAP_NONE },
	{ TC "=106;RoCE\n", "106;RoCE", TRAP_NONE },
	{ TC "=106 # RoCE\n", "106 # RoCE", TRAP_NONE },
	{ TC "=\"106\"\n", "\"106\"", TRAP_NONE },
	{ "; " TC "=106\n#" TC "=106\n", NULL, TRAP_NONE },
	{ TC "=1\n" TC "=106\n", "106", TRAP_SET_TWICE },
	{ "export " TC "=106\n", NULL, TRAP_EXPORT },
	{ "UCX_IB_TRAFIC_CLASS=106\n", NULL, TRAP_MISSPELLED },
	{ TC " 106\n", NULL, TRAP_NO_EQUALS },
	{ TC " ; =106\n", NULL, TRAP_NO_EQUALS },
	{ "NCCL_IB_TC=106\n", NULL, TRAP_NONE },
	{ "UCX_LOG_LEVEL=warn\n  " TC "=106\n", NULL, TRAP_INDENTED },
	{ TC "=1\n  106\n", "106", TRAP_SET_TWICE },
	{ TC "=1\n\n  106\n", "106", TRAP_SET_TWICE },
	{ "[all]\n" TC "=106\n", "106", TRAP_NONE },
	{ "[Grace]\nCPU model=Grace\n" TC "=1\n[b]\n" TC "=106\n", "106", TRAP_NONE },
	{ "[Grace]\nCPU model=Grace\n" TC "=1\n", NULL, TRAP_NONE },
	{ "[\n" TC "=106\n", "106", TRAP_NONE },
	{ "=106\n:\n=\n", NULL, TRAP_NONE },
	{ "", NULL, TRAP_NONE },
};

static void a_file_is_read_as_ucx_reads_it(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(files); i++) {
		static struct assignments all;
		const struct assignment *a;

		ucx_conf_parse(files[i].text, strlen(files[i].text), &all);
		a = assignment_of(&all, VARIABLE_UCX_IB_TRAFFIC_CLASS);
		if (!files[i].value)
			assert_null(a);
		else
			assert_string_equal(a->text, files[i].value);
		assert_int_equal(all.count ? all.list[0].trap : TRAP_NONE, files[i].first);
	}
}

static void lines_are_counted_and_cut(void **s)
{
	static struct assignments all;
	char text[600] = "# ours\n\nUCX_NET_DEVICES=";

	(void)s;
	memset(text + strlen(text), 'x', 400);
	ucx_conf_parse(text, strlen(text), &all);
	assert_int_equal(all.count, 1);
	assert_int_equal(all.list[0].line, 3);
	assert_int_equal(all.list[0].trap, TRAP_TOO_LONG);
	assert_int_equal(strlen(all.list[0].text), 199 - strlen("UCX_NET_DEVICES="));
}

/* UCX reads only decimal numbers. */
static const struct {
	const char *text;
	int64_t value;
	enum trap trap;
} numbers[] = {
	{ "106", 106, TRAP_NONE },
	{ "0106", 106, TRAP_NONE },
	{ "0x6a", 0, TRAP_TRAILING_TEXT },
	{ "106 # RoCE", 106, TRAP_TRAILING_TEXT },
	{ "\"106\"", -1, TRAP_QUOTES },
	{ "high", -1, TRAP_NOT_A_NUMBER },
	{ "", -1, TRAP_NOT_A_NUMBER },
	{ "-1", -1, TRAP_OUT_OF_RANGE },
	{ "99999999999999999999", -1, TRAP_OUT_OF_RANGE },
};

static void a_number_is_read_as_ucx_reads_it(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(numbers); i++) {
		enum trap trap;

		assert_int_equal(ucx_integer(numbers[i].text, &trap), numbers[i].value);
		assert_int_equal(trap, numbers[i].trap);
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_file_is_read_as_ucx_reads_it);
	SUITE_ADD(&s, lines_are_counted_and_cut);
	SUITE_ADD(&s, a_number_is_read_as_ucx_reads_it);
	return suite_run(&s, "ucx_conf");
}
