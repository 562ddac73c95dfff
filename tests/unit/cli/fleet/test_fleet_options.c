/* Tests of command lines of losslessctl-fleet: the options that each sets, and each error. */
#include "cli/fleet/fleet_options.h"
#include "tests/support/unit.h"

#define WORDS_MAX 8

static const struct fleet_verb verbs[] = {
	{ .name = "ingest", .words_help = "DIR|FILE|- ...", .least_words = 1, .most_words = 4 },
	{ .name = "report", .words_help = "" },
	{ .name = "sql", .words_help = "[QUERY]", .most_words = 1 },
	{ .name = NULL },
};

static struct fleet_options parsed;
static char *argv_of_row[WORDS_MAX + 2];

static bool parse(const char *const *words, struct err *err)
{
	size_t n = 0;

	argv_of_row[n++] = (char *)"losslessctl-fleet";
	while (*words)
		argv_of_row[n++] = (char *)*words++;
	argv_of_row[n] = NULL;
	return fleet_options_parse(&parsed, verbs, argv_of_row, err);
}

/* Print the options that differ from an empty command line, and the operands. */
static void spell(char *out, size_t size)
{
	FILE *f = fmemopen(out, size, "w");
	const struct {
		const char *name, *value;
	} texts[] = {
		{ "html", parsed.html },
		{ "csv", parsed.view },
		{ "since", parsed.since },
		{ "expect", parsed.expect },
	};
	const struct {
		const char *name;
		bool value;
	} flags[] = {
		{ "json", parsed.json }, { "csv", parsed.csv },		{ "quiet", parsed.quiet },
		{ "help", parsed.help }, { "version", parsed.version },
	};

	assert_non_null(f);
	fprintf(f, "%s db=%s", parsed.verb ? parsed.verb->name : "-", parsed.db);
	for (size_t i = 0; i < COUNT(texts); i++)
		if (texts[i].value)
			fprintf(f, " %s=%s", texts[i].name, texts[i].value);
	for (size_t i = 0; i < COUNT(flags); i++)
		if (flags[i].value)
			fprintf(f, " %s", flags[i].name);
	for (size_t i = 0; i < parsed.words_count; i++)
		fprintf(f, " [%s]", parsed.words[i]);
	fclose(f);
}

static const struct accepted {
	const char *sentence, *words[WORDS_MAX], *expected;
} accepted[] = {
	{ "a verb alone has the database of its directory", { "report" }, "report db=fleet.db" },
	{ "a value may be the next word",
	  { "report", "--since", "7d", "--db", "a" },
	  "report db=a since=7d" },
	{ "a value may stand behind an equals sign",
	  { "report", "--since=7d", "--html=a=b" },
	  "report db=fleet.db html=a=b since=7d" },
	{ "a value may begin with a dash", { "report", "--db", "--x" }, "report db=--x" },
	{ "the last of two values counts", { "report", "--db=a", "--db", "b" }, "report db=b" },
	{ "a letter is an option", { "ingest", "-q", "a" }, "ingest db=fleet.db quiet [a]" },
	{ "operands may stand between options",
	  { "ingest", "a", "--json", "b", "--db=x", "c" },
	  "ingest db=x json [a] [b] [c]" },
	{ "a dash is an operand", { "ingest", "-" }, "ingest db=fleet.db [-]" },
	{ "two dashes end the options",
	  { "ingest", "--json", "--", "--db", "--" },
	  "ingest db=fleet.db json [--db] [--]" },
	{ "--csv of report names a view",
	  { "report", "--csv", "hosts" },
	  "report db=fleet.db csv=hosts" },
	{ "--csv of sql has no value",
	  { "sql", "--csv", "SELECT 1" },
	  "sql db=fleet.db csv [SELECT 1]" },
	{ "no operand is needed where none must be", { "sql" }, "sql db=fleet.db" },
	{ "a page and JSON may be made together",
	  { "report", "--html", "a", "--json" },
	  "report db=fleet.db html=a json" },
	{ "options of every verb may come before it",
	  { "--db", "x", "-q", "report", "--json" },
	  "report db=x json quiet" },
	{ "an operand may begin with a dash after a verb that follows options",
	  { "--db=x", "ingest", "--", "-a" },
	  "ingest db=x [-a]" },
	{ "help needs no verb", { "--help" }, "- db=fleet.db help" },
	{ "help of a verb needs no operand", { "ingest", "-h" }, "ingest db=fleet.db help" },
	{ "help may be a word", { "help" }, "- db=fleet.db help" },
	{ "that of a verb, too", { "help", "ingest" }, "ingest db=fleet.db help" },
	{ "it is an operand behind a verb", { "ingest", "help" }, "ingest db=fleet.db [help]" },
	{ "the version needs no verb", { "--version" }, "- db=fleet.db version" },
};

static void is_accepted(void **state)
{
	const struct accepted *row = *state;
	struct err err = { 0 };
	char spelled[256];

	if (!parse(row->words, &err))
		fail_msg("%s", err.text);
	spell(spelled, sizeof(spelled));
	assert_string_equal(spelled, row->expected);
}

#define LIST_OF(verb) "run `losslessctl-fleet " verb "--help` for the list"

static const struct refused {
	const char *sentence, *words[WORDS_MAX], *text, *fix;
} refused[] = {
	{ "no verb is an error",
	  { NULL },
	  "no verb",
	  "run `losslessctl-fleet --help` for the list of verbs" },
	{ "an option is no verb",
	  { "--json" },
	  "no verb",
	  "run `losslessctl-fleet --help` for the list of verbs" },
	{ "an empty word is no verb", { "" }, "unknown verb \"\"", LIST_OF("") },
	{ "a verb that resembles another suggests it",
	  { "reprot" },
	  "unknown verb \"reprot\"",
	  "did you mean report?" },
	{ "a verb that resembles none leads to the list",
	  { "umbrella" },
	  "unknown verb \"umbrella\"",
	  LIST_OF("") },
	{ "an option that resembles another suggests it",
	  { "report", "--sinse" },
	  "unknown option --sinse",
	  "did you mean --since?" },
	{ "an option that resembles none leads to the list of its verb",
	  { "sql", "--umbrella" },
	  "unknown option --umbrella",
	  LIST_OF("sql ") },
	{ "an option without a verb leads to the list of the program",
	  { "--umbrella" },
	  "unknown option --umbrella",
	  LIST_OF("") },
	{ "an option of another verb is unknown",
	  { "ingest", "--expect", "a" },
	  "unknown option --expect",
	  LIST_OF("ingest ") },
	{ "an option of one verb comes after it",
	  { "--since", "7d", "report" },
	  "--since comes after its verb",
	  "write it after the verb, as in report --since TIME" },
	{ "an option of two verbs comes after them",
	  { "--csv=hosts", "report" },
	  "--csv comes after its verb",
	  "write it after the verb, as in report --csv VIEW" },
	{ "a verb after options is known or refused",
	  { "--json", "reprot" },
	  "unknown verb \"reprot\"",
	  "did you mean report?" },
	{ "letters are not combined",
	  { "ingest", "-qh" },
	  "unknown option -qh",
	  LIST_OF("ingest ") },
	{ "the beginning of an option is none",
	  { "report", "--jso" },
	  "unknown option --jso",
	  "did you mean --json?" },
	{ "an option needs its value",
	  { "report", "--since" },
	  "--since needs a value: --since TIME",
	  "" },
	{ "an empty value is none", { "report", "--db=" }, "--db needs a value: --db FILE", "" },
	{ "a flag takes no value", { "report", "--json=1" }, "--json takes no value", "" },
	{ "CSV and JSON exclude each other",
	  { "report", "--csv=hosts", "--json" },
	  "--csv excludes --json and --html",
	  "" },
	{ "CSV and a page exclude each other",
	  { "report", "--html=a", "--csv=hosts" },
	  "--csv excludes --json and --html",
	  "" },
	{ "CSV and JSON of sql exclude each other",
	  { "sql", "--json", "--csv", "SELECT 1" },
	  "--csv excludes --json and --html",
	  "" },
	{ "a missing operand is named",
	  { "ingest", "--json" },
	  "`ingest` needs an operand: DIR|FILE|- ...",
	  "" },
	{ "an operand too many is named",
	  { "sql", "SELECT 1", "SELECT 2" },
	  "`sql` takes no such operand: \"SELECT 2\"",
	  "" },
};

static void is_refused(void **state)
{
	const struct refused *row = *state;
	struct err err = { 0 };

	assert_false(parse(row->words, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err.text, row->text);
	assert_string_equal(err.fix, row->fix);
}

static void each_option_has_a_verb_that_takes_it(void **state)
{
	(void)state;
	for (const struct fleet_option *o = fleet_options; o->name; o++) {
		bool taken = false;

		for (const struct fleet_verb *v = verbs; v->name; v++)
			taken = taken || fleet_option_applies(o, v);
		if (!taken)
			fail_msg("%s", o->name);
		assert_int_equal(fleet_option_applies(o, NULL), !o->verbs);
	}
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, accepted, is_accepted);
	SUITE_ADD_ROWS(&s, refused, is_refused);
	SUITE_ADD(&s, each_option_has_a_verb_that_takes_it);
	return suite_run(&s, "fleet_options");
}
