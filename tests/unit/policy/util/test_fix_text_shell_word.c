#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/util/fix_text.h"
#include "tests/support/unit.h"

static const struct word_row {
	const char *sentence, *word, *quoted;
} rows[] = {
	{ "the name of a port is itself", "ens1f0np0", "ens1f0np0" },
	{ "so are a VLAN's and an address", "bond0.100@0000:08:00.0", "bond0.100@0000:08:00.0" },
	{ "so is a path", "/etc/losslessctl/policy.json", "/etc/losslessctl/policy.json" },
	{ "a command is quoted", "$(reboot)", "'$(reboot)'" },
	{ "so is a variable", "$HOME", "'$HOME'" },
	{ "so is a pattern", "eth*", "'eth*'" },
	{ "so are two commands", "a;reboot", "'a;reboot'" },
	{ "so is a blank", "a b", "'a b'" },
	{ "so is a home", "~root", "'~root'" },
	{ "so is an option", "--help", "'--help'" },
	{ "standard input is no option", "-", "-" },
	{ "nothing is quoted", "", "''" },
	{ "a quote ends no quote", "'`reboot`'", "''\\''`reboot`'\\'''" },
	{ "15 quotes fit", "'''''''''''''''",
	  "''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''\\'''" },
	{ "a word that does not fit is none",
	  "01234567890123456789012345678901234567890123456789012345678901234567", NULL },
	{ "nor is one whose quotes do not fit",
	  "$12345678901234567890123456789012345678901234567890123456789012345", NULL },
};

static void is_quoted_as_the_row_says(void **s)
{
	const struct word_row *row = *s;
	char buf[SHELL_NAME_MAX];

	const char *quoted = shell_word(row->word, buf, sizeof(buf));

	assert_int_equal(!quoted, !row->quoted);
	if (quoted)
		assert_string_equal(quoted, row->quoted);
}

static const struct operand_row {
	const char *sentence, *word, *operand;
} operand_rows[] = {
	{ "an operand follows a blank", "ens1f0np0", " ens1f0np0" },
	{ "it is quoted as a word", "$(reboot)", " '$(reboot)'" },
	{ "what looks like an option is none", "--help", "" },
	{ "nor is a letter", "-x", "" },
	{ "nor is what does not fit",
	  "01234567890123456789012345678901234567890123456789012345678901234567", "" },
};

static void is_an_operand_as_the_row_says(void **s)
{
	const struct operand_row *row = *s;
	char buf[SHELL_NAME_MAX];

	assert_string_equal(shell_operand(row->word, buf, sizeof(buf)), row->operand);
}

static void a_shell_reads_the_same_word(void **s)
{
	const struct word_row *row = *s;
	char buf[SHELL_NAME_MAX], command[256], got[128] = "";
	FILE *shell;

	if (!row->quoted)
		return; /* there is no word */
	snprintf(command, sizeof(command), "printf '<%%s>' %s",
		 shell_word(row->word, buf, sizeof(buf)));
	shell = popen(command, "r");
	assert_non_null(shell);
	assert_non_null(fgets(got, sizeof(got), shell));
	assert_int_equal(pclose(shell), 0);
	snprintf(command, sizeof(command), "<%s>", row->word);
	assert_string_equal(got, command);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, is_quoted_as_the_row_says);
	SUITE_ADD_ROWS(&s, rows, a_shell_reads_the_same_word);
	SUITE_ADD_ROWS(&s, operand_rows, is_an_operand_as_the_row_says);
	return suite_run(&s, "words of commands");
}
