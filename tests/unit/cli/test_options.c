/* Tests of the command line: the words that are policies or ports, and those refused. */
#include <string.h>

#include "cli/verbs/verbs.h"
#include "tests/support/unit.h"

const struct verb verbs[] = {
	{ .name = "plan", .takes = TAKES_POLICY | TAKES_PORTS },
	{ .name = "check", .takes = TAKES_POLICY | TAKES_POLICIES | NEEDS_POLICY },
	{ .name = "apply", .takes = TAKES_POLICY | TAKES_PORTS, .writes = true },
	{ .name = "verify", .takes = TAKES_POLICY | TAKES_PORTS },
	{ .name = "env", .takes = TAKES_POLICY | TAKES_PORTS },
	{ .name = "ready", .takes = TAKES_POLICY | TAKES_PORTS },
	{ .name = "doctor", .takes = TAKES_POLICY | TAKES_PORTS },
	{ .name = "probe", .takes = TAKES_PEER | TAKES_POLICY | TAKES_PORTS },
	{ .name = "watch", .takes = TAKES_PORTS },
	{ .name = "explain", .takes = TAKES_NAME },
	{ .name = "schema", .takes = 0 },
};
const size_t verbs_count = COUNT(verbs);

#define WORDS_MAX 5

static const struct row {
	const char *sentence, *words[WORDS_MAX];
	const char *policy; /* NULL: none */
	size_t ports;
	const char *says; /* the error's beginning; NULL: accepted */
} rows[] = {
	{ "a word is a port", { "plan", "ens1f0np0" }, NULL, 1, NULL },
	{ "one that ends in .json is a policy", { "plan", "a.json", "ens1" }, "a.json", 1, NULL },
	{ "one that ends in json is none", { "plan", "ajson" }, NULL, 1, NULL },
	{ "one with a slash is", { "plan", "./a" }, "./a", 0, NULL },
	{ "so is standard input", { "plan", "-" }, "-", 0, NULL },
	{ "an ending alone is a port", { "plan", ".json" }, NULL, 1, NULL },
	{ "one policy is enough",
	  { "plan", "a.json", "b.json" },
	  NULL,
	  0,
	  "`plan` takes one policy" },
	{ "check has a policy", { "check" }, NULL, 0, "`check` needs a policy" },
	{ "check has no ports",
	  { "check", "a.json", "ens1" },
	  NULL,
	  0,
	  "\"ens1\" is not the path" },
	{ "a name may have a slash", { "explain", "a/b" }, NULL, 1, NULL },
	{ "one name is enough", { "explain", "a", "b" }, NULL, 0, "`explain` takes one word" },
	{ "schema has no words", { "schema", "a.json" }, NULL, 0, "`schema` takes no policy" },
	{ "behind -- all are words", { "plan", "--", "./p.json", "ens1" }, "./p.json", 1, NULL },
	{ "no port looks like an option",
	  { "plan", "--", "--json" },
	  NULL,
	  0,
	  "\"--json\" begins with \"-\", as no port may" },
	{ "a missing verb is reported", { "--json" }, NULL, 0, "no verb" },
	{ "another root is only read",
	  { "apply", "--root", "/x" },
	  NULL,
	  0,
	  "`apply` writes, and --root" },
	{ "a number has bounds",
	  { "apply", "--lock-timeout", "86401" },
	  NULL,
	  0,
	  "--lock-timeout takes 0 to 86400 seconds, not" },
	{ "and is one",
	  { "apply", "--lock-timeout=5s" },
	  NULL,
	  0,
	  "--lock-timeout takes 0 to 86400 seconds, not" },
	{ "a value is needed",
	  { "apply", "--lock-timeout" },
	  NULL,
	  0,
	  "--lock-timeout needs a value" },
	{ "a share is two numbers", { "ready", "--require", "2/3" }, NULL, 0, NULL },
	{ "a share may be whole", { "ready", "--require", "64/64" }, NULL, 0, NULL },
	{ "a share is not more than whole",
	  { "ready", "--require", "3/2" },
	  NULL,
	  0,
	  "--require expects N/M with 1 <= N <= M <= 64, not \"3/2\"" },
	{ "a share is not nothing",
	  { "ready", "--require", "0/2" },
	  NULL,
	  0,
	  "--require expects N/M" },
	{ "a share has an end",
	  { "ready", "--require", "2/3x" },
	  NULL,
	  0,
	  "--require expects N/M" },
	{ "a share has two parts",
	  { "ready", "--require", "2" },
	  NULL,
	  0,
	  "--require expects N/M" },
	{ "a share has a limit",
	  { "ready", "--require", "1/65" },
	  NULL,
	  0,
	  "--require expects N/M" },
	{ "results are kept of this host alone",
	  { "ready", "--require", "2/3", "--root", "/x" },
	  NULL,
	  0,
	  "`ready --require` writes, and --root" },
	{ "an argument in brackets may be left out", { "env", "--check" }, NULL, 0, NULL },
	{ "it is the next word", { "env", "--check", "job.env", "ens1" }, NULL, 1, NULL },
	{ "it is no policy", { "env", "--check", "./p.json", "ens1" }, "./p.json", 1, NULL },
	{ "it is no option", { "env", "--check", "--json", "ens1" }, NULL, 1, NULL },
	{ "what is judged has no format",
	  { "env", "--check", "-", "--format", "sh" },
	  NULL,
	  0,
	  "--format is for an environment that is printed" },
	{ "a flag has none", { "apply", "--json=1" }, NULL, 0, "--json takes no value" },
	{ "an option of another verb is reported",
	  { "plan", "--lock-timeout", "5" },
	  NULL,
	  0,
	  "`plan` takes no --lock-timeout" },
	{ "an unknown option is reported", { "plan", "--wiat" }, NULL, 0, "unknown option" },
	{ "an unknown verb is reported", { "paln" }, NULL, 0, "unknown verb" },
	{ "schema has no ports", { "schema", "ens1" }, NULL, 0, "`schema` takes no operands" },
	{ "--dry-run belongs to apply",
	  { "plan", "--dry-run" },
	  NULL,
	  0,
	  "`plan` takes no --dry-run" },
	{ "a dry run only reads", { "apply", "--dry-run", "--root", "/x" }, NULL, 0, NULL },
	{ "an unknown letter is refused", { "plan", "-qx" }, NULL, 0, "unknown option -qx" },
	{ "a letter is no long option", { "plan", "-json" }, NULL, 0, "unknown option -json" },
	{ "an empty port is refused", { "plan", "a.json", "" }, NULL, 0, "an operand of `plan`" },
	{ "the first word of probe is a host", { "probe", "gpu-1", "ens1" }, NULL, 1, NULL },
	{ "with --hosts it is a port", { "probe", "--hosts", "rack", "ens1" }, NULL, 1, NULL },
	{ "also in front of --hosts", { "probe", "ens1", "--hosts", "rack" }, NULL, 1, NULL },
	{ "or a policy", { "probe", "a.json", "--hosts", "rack" }, "a.json", 0, NULL },
	{ "--hosts is without a server",
	  { "probe", "--hosts", "rack", "--stdio" },
	  NULL,
	  0,
	  "--hosts excludes" },
	{ "a captured host is not asked",
	  { "verify", "--state", "a.json", "--sample-for", "1" },
	  NULL,
	  0,
	  "--state is about a host" },
	{ "standard input is one document",
	  { "verify", "-", "--state", "-" },
	  NULL,
	  0,
	  "standard input can be read only once" },
	{ "a document has no rates",
	  { "watch", "--state", "a.json" },
	  NULL,
	  0,
	  "`watch` takes no --state: a document has no rates" },
	{ "nor looks at different times",
	  { "ready", "--state", "a.json", "--require", "1/3" },
	  NULL,
	  0,
	  "--state is about a host" },
	{ "nor a bundle of its own",
	  { "doctor", "--state", "a.json", "--bundle", "b.json" },
	  NULL,
	  0,
	  "--state is about a host" },
	{ "nor can it be written",
	  { "apply", "--state", "a.json" },
	  NULL,
	  0,
	  "`apply` takes no --state: it is about this host" },
	{ "check takes the document",
	  { "check", "a.json", "--state", "c.json" },
	  NULL,
	  0,
	  "`check` takes no --state: it takes the document itself" },
	{ "schema has nothing to do with hosts",
	  { "schema", "--state", "c.json" },
	  NULL,
	  0,
	  "`schema` takes no --state" },
	{ "a captured host may be standard input", { "verify", "--state", "-" }, NULL, 0, NULL },
	{ "one line or JSON",
	  { "verify", "--nagios", "--json" },
	  NULL,
	  0,
	  "--nagios and --json exclude" },
	{ "a reason or JSON", { "ready", "--slurm", "--json" }, NULL, 0, "--slurm excludes" },
	{ "a reason or one line", { "ready", "--nagios", "--slurm" }, NULL, 0, "--slurm excludes" },
	{ "a bundle beside a report is a file",
	  { "doctor", "--bundle", "-" },
	  NULL,
	  0,
	  "--bundle needs a file" },
	{ "no report is anonymised but a bundle",
	  { "doctor", "--anonymise" },
	  NULL,
	  0,
	  "--anonymise is about the file of --bundle" },
	{ "a bundle beside a report",
	  { "doctor", "--anonymise", "--bundle", "a.json" },
	  NULL,
	  0,
	  NULL },
	{ "standard input is read once",
	  { "check", "-", "-" },
	  NULL,
	  0,
	  "standard input can be read only once" },
	{ "a directory is a path", { "check", "." }, ".", 0, NULL },
	{ "--strict belongs to two verbs", { "verify", "--strict" }, NULL, 0, NULL },
	{ "--strict belongs to no other",
	  { "plan", "--strict" },
	  NULL,
	  0,
	  "`plan` takes no --strict" },
	{ "a colour is a word of three", { "plan", "--color", "red" }, NULL, 0, "--color takes" },
};

static void it_is_taken_so(void **s)
{
	const struct row *row = *s;
	char *argv[WORDS_MAX + 2] = { (char *)"losslessctl" };
	struct options o;
	struct err err = { 0 };
	int argc = 1;

	for (; argc <= WORDS_MAX && row->words[argc - 1]; argc++)
		argv[argc] = (char *)row->words[argc - 1];
	assert_int_equal(options_parse(&o, verbs, verbs_count, argc, argv, &err), !row->says);
	assert_int_equal(err.kind, row->says ? ERR_USAGE : ERR_NONE);
	if (row->says) {
		assert_memory_equal(err.text, row->says, strlen(row->says));
		return;
	}
	assert_int_equal(o.words_count, row->ports);
	assert_string_equal(o.policy ? o.policy : "", row->policy ? row->policy : "");
}

/* Parse three words, which must be valid. */
static struct options parsed(const char *a, const char *b, const char *c)
{
	char *argv[] = { "losslessctl", (char *)a, (char *)b, (char *)c };
	struct options o;
	struct err err = { 0 };

	assert_true(options_parse(&o, verbs, verbs_count, COUNT(argv), argv, &err));
	return o;
}

static void letters_share_a_word(void **s)
{
	struct options o = parsed("plan", "-qv", "ens1");

	(void)s;
	assert_true(o.quiet && o.verbose);
	assert_int_equal(o.words_count, 1);
	o = parsed("plan", "-vh", "ens1");
	assert_true(o.verbose && o.help && !o.quiet);
}

static void a_dry_run_is_a_plan(void **s)
{
	struct options o = parsed("apply", "--dry-run", "--confirm-within=5");

	(void)s;
	assert_string_equal(o.verb->name, "plan");
	assert_int_equal(o.confirm_s, 0);
}

static void check_takes_so_many_policies(void **s)
{
	char *argv[PORT_WORDS_MAX + 4] = { "losslessctl", "check" };
	struct options o;
	struct err err = { 0 };

	(void)s;
	for (size_t i = 2; i < COUNT(argv); i++)
		argv[i] = "./a.json";
	assert_true(options_parse(&o, verbs, verbs_count, COUNT(argv) - 1, argv, &err));
	assert_false(options_parse(&o, verbs, verbs_count, COUNT(argv), argv, &err));
	assert_string_equal(err.text,
			    "`check` takes at most 257 policies: \"./a.json\" is one more");
}

static void a_wrong_word_leads_to_the_right_one(void **s)
{
	static const struct {
		char *words[3];
		const char *fix;
	} wrong[] = {
		{ { "losslessctl", "plan", "--bogus" },
		  "run `losslessctl help plan` for its options" },
		{ { "losslessctl", "verify", "--environ" },
		  "did you mean `losslessctl env --check`?" },
		{ { "losslessctl", "verify", "--pid=1" }, "did you mean `losslessctl env --pid`?" },
		{ { "losslessctl", "drift", "ens1" }, "did you mean history?" },
		{ { "losslessctl", "version", "ens1" }, "did you mean --version?" },
		{ { "losslessctl", "-V", "ens1" }, "did you mean --version?" },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct options o;
		struct err err = { 0 };

		assert_false(options_parse(&o, verbs, verbs_count, COUNT(wrong[i].words),
					   (char **)wrong[i].words, &err));
		assert_string_equal(err.fix, wrong[i].fix);
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, letters_share_a_word);
	SUITE_ADD(&s, a_dry_run_is_a_plan);
	SUITE_ADD(&s, check_takes_so_many_policies);
	SUITE_ADD(&s, a_wrong_word_leads_to_the_right_one);
	SUITE_ADD_ROWS(&s, rows, it_is_taken_so);
	return suite_run(&s, "options");
}
