/* Tests of selecting ports by the words of a command line. */
#include "agent/engine/selection.h"
#include "tests/support/unit.h"

static const struct identity id = { .name = "ens1f0np0",
				    .pci = "0000:3b:00.0",
				    .bond = "bond0",
				    .alt_names = { "rail0\0enp59s0f0np0" },
				    .bond_alt_names = { "compute" } };
static const struct identity single = { .name = "ens2f0np0", .pci = "0000:3c:00.0" };

static const struct row {
	const char *sentence, *word;
	enum naming expected;
} rows[] = {
	{ "a port's name names it", "ens1f0np0", NAMED_BY_NAME },
	{ "a PCI address names its port", "0000:3b:00.0", NAMED_BY_NAME },
	{ "a bond's name names its members", "bond0", NAMED_BY_NAME },
	{ "an alternative name names its port", "enp59s0f0np0", NAMED_BY_NAME },
	{ "a bond's alternative name names its members", "compute", NAMED_BY_NAME },
	{ "a pattern may be of alternative names", "rail*", NAMED_BY_PATTERN },
	{ "a star stands for any letters", "ens1*", NAMED_BY_PATTERN },
	{ "a question mark stands for one letter", "ens?f0np0", NAMED_BY_PATTERN },
	{ "brackets stand for one of some letters", "ens[12]f0np0", NAMED_BY_PATTERN },
	{ "a pattern may be of PCI addresses", "0000:3b:*", NAMED_BY_PATTERN },
	{ "a pattern may be of bonds", "bond?", NAMED_BY_PATTERN },
	{ "a pattern is matched as a whole", "ens1", NAMED_NOT },
	{ "another name is not its own", "ens1f1np1", NAMED_NOT },
	{ "an empty word names nothing", "", NAMED_NOT },
};

static void a_word_names_ports(void **s)
{
	const struct row *row = *s;

	assert_int_equal(word_names(row->word, &id), row->expected);
}

static void a_port_without_a_bond_has_no_empty_name(void **s)
{
	(void)s;
	assert_int_equal(word_names("", &single), NAMED_NOT);
	assert_int_equal(word_names("*", &single), NAMED_BY_PATTERN);
}

static void without_words_every_port_is_asked_for(void **s)
{
	static const char *const words[] = { "ens2*" };
	struct selection o = { .count = 0 };

	(void)s;
	assert_true(selection_has(&o, &id));
	o = (struct selection){ words, 1 };
	assert_false(selection_has(&o, &id));
	assert_true(selection_has(&o, &single));
}

static void a_name_beside_a_pattern_wins(void **s)
{
	static const char *const words[] = { "ens*", "ens1f0np0", "ens?f0np0" };
	struct selection o = { words, 3 };

	(void)s;
	assert_int_equal(selection_names(&o, &id), NAMED_BY_NAME);
	assert_int_equal(selection_names(&o, &single), NAMED_BY_PATTERN);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, a_word_names_ports);
	SUITE_ADD(&s, a_port_without_a_bond_has_no_empty_name);
	SUITE_ADD(&s, without_words_every_port_is_asked_for);
	SUITE_ADD(&s, a_name_beside_a_pattern_wins);
	return suite_run(&s, "selection");
}
