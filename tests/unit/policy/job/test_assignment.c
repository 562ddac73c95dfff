/* Tests of reading environments as NCCL does: its file, the block of a process, lines. */
#include <string.h>

#include "policy/job/assignment.h"
#include "tests/support/unit.h"

static struct assignments conf(const char *text)
{
	struct assignments all;

	nccl_conf_parse(text, strlen(text), &all);
	return all;
}

/* A file, the value that NCCL uses (NULL: none), and the trap of the first assignment. */
static const struct {
	const char *text, *value;
	enum trap first;
} files[] = {
	{ "NCCL_IB_TC=106\n", "106", TRAP_NONE },
	{ "NCCL_IB_TC=106", "106", TRAP_NONE },
	{ "NCCL_IB_TC=\n", "", TRAP_NONE },
	{ "NCCL_IB_TC= 106\n", " 106", TRAP_NONE },
	{ "NCCL_IB_TC=\"106\"\n", "\"106\"", TRAP_NONE },
	{ "NCCL_IB_TC=106\r\n", "106\r", TRAP_NONE },
	{ "NCCL_IB_TC=1=2\n", "1=2", TRAP_NONE },
	{ "NCCL_IB_TC =106\n", NULL, TRAP_BLANK_IN_NAME },
	{ " NCCL_IB_TC=106\n", NULL, TRAP_BLANK_IN_NAME },
	{ "\tNCCL_IB_TC\t=106\n", NULL, TRAP_BLANK_IN_NAME },
	{ "export NCCL_IB_TC=106\n", NULL, TRAP_EXPORT },
	{ "  export   NCCL_IB_TC=106\n", NULL, TRAP_EXPORT },
	{ "#NCCL_IB_TC=106\n", NULL, TRAP_NONE },
	{ " #NCCL_IB_TC=106\n", NULL, TRAP_NONE },
	{ "nccl_ib_tc=106\n", NULL, TRAP_MISSPELLED },
	{ "NCCL_IB_TCC=106\n", NULL, TRAP_MISSPELLED },
	{ "NCCL_IB_T=106\n", NULL, TRAP_MISSPELLED },
	{ "NCCL_IB_CT=106\n", NULL, TRAP_MISSPELLED },
	{ "NCCL_IB_TX=106\n", NULL, TRAP_MISSPELLED },
	{ "export NCCL_IBTC=106\n", NULL, TRAP_MISSPELLED },
	{ "NCCL_IB_SL=3\n", NULL, TRAP_NONE },
	{ "NCCL_NET_GDR_LEVEL=3\n", NULL, TRAP_NONE },
	{ "NCCL_IB_TC\n", NULL, TRAP_NO_EQUALS },
	{ "NCCL_IB_TC:106\n", NULL, TRAP_NO_EQUALS },
	{ "NCCL_IB_TC 106\n", NULL, TRAP_NO_EQUALS },
	{ "\n\nIB_TC\nhello\n", NULL, TRAP_NONE },
	{ "\xef\xbb\xbfNCCL_IB_TC=106\n", NULL, TRAP_BYTE_ORDER_MARK },
	{ "\xef\xbb\xbf# ours: a=b\nNCCL_IB_TC=106\n", "106", TRAP_NONE },
	{ "\n\n=\nNCCL_IB_TC=1\n", "1", TRAP_NONE },
	{ "", NULL, TRAP_NONE },
};

static void a_file_is_read_as_nccl_reads_it(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(files); i++) {
		struct assignments all = conf(files[i].text);
		const struct assignment *a = assignment_of(&all, VARIABLE_NCCL_IB_TC);

		if (!files[i].value)
			assert_null(a);
		else
			assert_string_equal(a->text, files[i].value);
		assert_int_equal(all.count ? all.list[0].trap : TRAP_NONE, files[i].first);
	}
}

/* A line, and its name and text exactly as in the file. */
static const struct {
	const char *line, *name, *text;
} names[] = {
	{ "NCCL_IB_TC = 106", "NCCL_IB_TC ", " 106" },
	{ " export  NCCL_IB_TC=106", " export  NCCL_IB_TC", "106" },
	{ "nccl_ib_tc=106", "nccl_ib_tc", "106" },
	{ "NCCL_IB_TC: 106", "NCCL_IB_TC: 106", "" },
};

static void a_line_is_kept_as_it_stands(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct assignments all = conf(names[i].line);

		assert_int_equal(all.count, 1);
		assert_string_equal(all.list[0].name, names[i].name);
		assert_string_equal(all.list[0].text, names[i].text);
	}
}

static void the_first_of_two_counts(void **s)
{
	struct assignments all = conf("NCCL_IB_TC=1\nNCCL_DEBUG=INFO\nNCCL_IB_TC=2\n");

	(void)s;
	assert_int_equal(all.count, 2);
	assert_string_equal(assignment_of(&all, VARIABLE_NCCL_IB_TC)->text, "1");
	assert_int_equal(all.list[1].trap, TRAP_SET_TWICE);
	assert_int_equal(all.list[1].line, 3);
}

static void a_value_is_cut_where_nccl_cuts_it(void **s)
{
	char text[3000];
	struct assignments all;

	(void)s;
	memset(text, 'x', sizeof(text));
	memcpy(text, "NCCL_IB_HCA=", 12);
	nccl_conf_parse(text, 12 + VALUE_MAX - 1, &all);
	assert_int_equal(all.list[0].trap, TRAP_NONE);
	nccl_conf_parse(text, sizeof(text), &all);
	assert_int_equal(all.list[0].trap, TRAP_TOO_LONG);
	assert_int_equal(strlen(all.list[0].text), VALUE_MAX - 1);
	assert_ptr_equal(assignment_of(&all, VARIABLE_NCCL_IB_HCA), &all.list[0]);
}

static void a_nul_ends_a_line_of_a_file(void **s)
{
	static const char text[] = "NCCL_IB_TC=1\0 6\nNCCL\0_IB_SL=2\nNCCL_IB_TIMEOUT=3";
	struct assignments all;

	(void)s;
	nccl_conf_parse(text, sizeof(text) - 1, &all);
	assert_int_equal(all.count, 2);
	assert_string_equal(all.list[0].text, "1");
	assert_int_equal(all.list[1].line, 3);
}

static void a_process_and_a_list_are_blocks(void **s)
{
	static const char process[] = "PATH=/\0NCCL_IB_TC=106\0NCCL_IB_TC=7\0X";
	static const char lines[] = "PATH=/\nNCCL_IB_TC=106\nX\n";
	struct assignments all;

	(void)s;
	environ_parse(process, sizeof(process), &all);
	assert_string_equal(assignment_of(&all, VARIABLE_NCCL_IB_TC)->text, "106");
	assert_int_equal(all.list[0].line, 0);
	environ_parse(lines, sizeof(lines) - 1, &all);
	assert_string_equal(assignment_of(&all, VARIABLE_NCCL_IB_TC)->text, "106");
	assert_int_equal(all.list[0].line, 2);
	environ_parse("", 0, &all);
	assert_int_equal(all.count, 0);
}

/* Texts that can or cannot be an environment. */
static const struct {
	const char *text;
	bool can;
} environs[] = {
	{ "PATH=/\nX\n", true },
	{ "\n# of the job\nexport NCCL_IB_TC=106\n", true },
	{ " NCCL_IB_TC = 106", true },
	{ "BASH_FUNC_x%%=() { :; }\n", true },
	{ "=", false },
	{ "", true },
	{ "# nothing\n", true },
	{ "{ \"version\": 1, \"name\": \"a=b\" }", false },
	{ "[{\"name\":\"a=b\"}]", false },
	{ "- name: NCCL_IB_TC\n  value: 106\n", false },
	{ "NCCL_IB_TC\nX=1\n", false },
	{ "<env a=\"b\"/>", false },
	{ "\x7f"
	  "ELF=",
	  false },
	{ "\xef\xbb\xbfNCCL_IB_TC=106", false },
};

static void a_file_of_another_kind_is_no_environment(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(environs); i++)
		assert_int_equal(environ_is_plausible(environs[i].text, strlen(environs[i].text)),
				 environs[i].can);
	assert_true(environ_is_plausible("A=1\0B=2", 8));
	assert_false(environ_is_plausible("A\0B=2", 6));
}

static void more_than_there_is_room_for_is_counted(void **s)
{
	char text[ASSIGNMENTS_MAX * 32] = "";
	struct assignments all;

	(void)s;
	for (size_t i = 0; i < ASSIGNMENTS_MAX + 3; i++)
		strcat(text, "NCCL_IB_TC=1\n");
	nccl_conf_parse(text, strlen(text), &all);
	assert_int_equal(all.count, ASSIGNMENTS_MAX);
	assert_int_equal(all.omitted, 3);
}

/* NCCL reads numbers with strtoll(). */
static const struct {
	const char *text;
	int64_t value;
	enum trap trap;
} numbers[] = {
	{ "106", 106, TRAP_NONE },
	{ " 106 ", 106, TRAP_NONE },
	{ "0x6a", 106, TRAP_NONE },
	{ "0", 0, TRAP_NONE },
	{ "-1", -1, TRAP_NONE },
	{ "", -9, TRAP_NONE },
	{ "\"106\"", 0, TRAP_QUOTES },
	{ "'106'", 0, TRAP_QUOTES },
	{ "0152", 106, TRAP_OCTAL },
	{ "010", 8, TRAP_OCTAL },
	{ "106 # RoCE", 106, TRAP_TRAILING_TEXT },
	{ "106,", 106, TRAP_TRAILING_TEXT },
	{ "106\r", 106, TRAP_CARRIAGE_RETURN },
	{ "high", 0, TRAP_NOT_A_NUMBER },
	{ " ", 0, TRAP_NOT_A_NUMBER },
	{ "99999999999999999999", -9, TRAP_OUT_OF_RANGE },
};

static void a_number_is_read_as_nccl_reads_it(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(numbers); i++) {
		enum trap trap;

		assert_int_equal(nccl_integer(numbers[i].text, -9, &trap), numbers[i].value);
		assert_int_equal(trap, numbers[i].trap);
	}
}

/* A list, and whether it selects port 1 of mlx5_1 and of mlx5_10. */
static const struct {
	const char *text;
	bool mlx5_1, mlx5_10;
} lists[] = {
	{ "", true, true },
	{ "mlx5_1", true, true },
	{ "mlx5", true, true },
	{ "=mlx5_1", true, false },
	{ "=mlx5_1:1", true, false },
	{ "=mlx5_1:2", false, false },
	{ "mlx5_0,mlx5_1", true, true },
	{ "=mlx5_0,mlx5_10", false, true },
	{ "^mlx5_1", false, false },
	{ "^=mlx5_1", false, true },
	{ "^mlx5_0", true, true },
	{ "mlx5_2", false, false },
	{ "=mlx5_1\r", false, false },
	{ "\"mlx5_1\"", false, false },
	{ "=", true, true },
	{ ",", true, true },
	{ "^", true, true },
	{ ":1", true, true },
	{ "mlx5_1:", false, false },
	{ "=mlx5", false, false },
};

static void devices_are_selected_as_nccl_selects_them(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(lists); i++) {
		assert_int_equal(nccl_hca_selects(lists[i].text, "mlx5_1", 1), lists[i].mlx5_1);
		assert_int_equal(nccl_hca_selects(lists[i].text, "mlx5_10", 1), lists[i].mlx5_10);
	}
}

static void each_trap_has_a_name(void **s)
{
	(void)s;
	assert_null(trap_name(TRAP_NONE));
	for (enum trap t = 1; t < TRAP_COUNT; t++)
		assert_non_null(trap_name(t));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_file_is_read_as_nccl_reads_it);
	SUITE_ADD(&s, a_line_is_kept_as_it_stands);
	SUITE_ADD(&s, the_first_of_two_counts);
	SUITE_ADD(&s, a_value_is_cut_where_nccl_cuts_it);
	SUITE_ADD(&s, a_nul_ends_a_line_of_a_file);
	SUITE_ADD(&s, a_process_and_a_list_are_blocks);
	SUITE_ADD(&s, a_file_of_another_kind_is_no_environment);
	SUITE_ADD(&s, more_than_there_is_room_for_is_counted);
	SUITE_ADD(&s, a_number_is_read_as_nccl_reads_it);
	SUITE_ADD(&s, devices_are_selected_as_nccl_selects_them);
	SUITE_ADD(&s, each_trap_has_a_name);
	return suite_run(&s, "assignment");
}
