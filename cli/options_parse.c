#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../policy/util/suggest.h"
#include "options.h"

#define TAKES_ONE (TAKES_NAME | TAKES_VERB)

static bool is_json(const char *word)
{
	size_t n = strlen(word);

	return n > 5 && strcmp(word + n - 5, ".json") == 0;
}

#define usage(err, ...) err_set(err, ERR_USAGE, EINVAL, __VA_ARGS__)

/* `of`: the verb whose help lists the options; NULL: that of the program lists all. */
static bool suggest(struct err *err, const struct suggestion *near, const struct verb *of)
{
	if (near->best)
		return err_fix(err, "did you mean %s?", near->best);
	return of ? err_fix(err, "run `losslessctl help %s` for its options", of->name)
		  : err_fix(err, "run `losslessctl --help` for the list");
}

static bool is_option(const struct option *o, const char *word, size_t name_length)
{
	return (strncmp(o->name, word, name_length) == 0 && !o->name[name_length]) ||
	       (o->letter && strcmp(o->letter, word) == 0);
}

/* An option that does one thing in one verb and another in the next has a row for each. */
static const struct option *find_option(const char *word, size_t name_length, const struct verb *v)
{
	const struct option *found = NULL, *o;

	for (size_t i = 0; (o = option_at(i)); i++)
		if (is_option(o, word, name_length) && (!found || option_applies(o, v)))
			found = o;
	return found;
}

/* Words that are like no name, and the one that is meant. */
static const struct {
	const char *word, *meant;
} others[] = {
	{ "drift", "history" },
	{ "--environ", "`losslessctl env --check`" },
};

static const char *meant_by(const char *word)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strncmp(word, others[i].word, strcspn(word, "=")) == 0 &&
		    !others[i].word[strcspn(word, "=")])
			return others[i].meant;
	return NULL;
}

static bool unknown_option(const char *word, const struct verb *v, struct err *err)
{
	struct suggestion near = suggest_for(word);
	const struct option *o;

	for (size_t i = 0; (o = option_at(i)); i++)
		if (option_applies(o, v))
			suggest_offer(&near, o->name);
	if (meant_by(word))
		near.best = meant_by(word);
	err_record(err, ERR_USAGE, EINVAL, "unknown option %s", word);
	return suggest(err, &near, v);
}

static bool store(struct options *o, const struct option *opt, const char *value, struct err *err)
{
	return option_value_store((char *)o + opt->offset, opt->type, opt->name, value, err);
}

#define OWN_ENVIRONMENT "/proc/self/environ"

/*
 * True if the next word is the argument of an option. One that may be left out is none that begins
 * with "-", and no policy. "-" alone is standard input.
 */
static bool takes_next(const struct option *opt, const char *next)
{
	if (opt->type != OPTIONAL_TEXT)
		return opt->argument;
	return next && (next[0] != '-' || !next[1]) && !is_json(next);
}

/* Parses an option with its argument, as in "--count=5", and moves *at to its last word. */
static bool parse_option(struct options *o, char **argv, int *at, struct err *err)
{
	const char *word = argv[*at], *equals = strchr(word, '=');
	const struct option *opt =
		find_option(word, equals ? (size_t)(equals - word) : strlen(word), o->verb);
	const char *value = equals ? equals + 1 : NULL;

	if (!opt)
		return unknown_option(word, o->verb, err);
	if (!opt->argument && value)
		return usage(err, "%s takes no value", opt->name);
	if (opt->argument && !value && !takes_next(opt, argv[*at + 1]))
		value = OWN_ENVIRONMENT;
	if (opt->argument && !value) {
		value = argv[*at + 1];
		if (!value)
			return usage(err, "%s needs a value: %s %s", opt->name, opt->name,
				     opt->argument);
		++*at;
	}
	return store(o, opt, value, err);
}

static bool is_letters(const char *word)
{
	return word[0] == '-' && word[1] != '-' && strlen(word) > 2;
}

/* Parses flags that share a word, such as "-qv". */
static bool parse_letters(struct options *o, const char *word, struct err *err)
{
	for (const char *letter = word + 1; *letter; letter++) {
		const char name[] = { '-', *letter, '\0' };
		const struct option *opt = find_option(name, strlen(name), o->verb);

		if (!opt)
			return unknown_option(word, o->verb, err);
		if (!store(o, opt, NULL, err))
			return false;
	}
	return true;
}

bool verb_find(const struct verb **ret, const struct verb *verbs, size_t verbs_count,
	       const char *name, struct err *err)
{
	struct suggestion near = suggest_for(name);

	for (size_t i = 0; i < verbs_count; i++) {
		if (strcmp(verbs[i].name, name) == 0) {
			*ret = &verbs[i];
			return true;
		}
		suggest_offer(&near, verbs[i].name);
	}
	if (meant_by(name))
		near.best = meant_by(name);
	err_record(err, ERR_USAGE, EINVAL, "unknown verb \"%s\"", name);
	return suggest(err, &near, NULL);
}

/* A word that has a slash, ends in .json or is "-" names a file; any other names a port. */
static bool is_policy(const char *word)
{
	if (strcmp(word, ".") == 0 || strcmp(word, "..") == 0)
		return true;
	return strchr(word, '/') || strcmp(word, "-") == 0 || is_json(word);
}

/* Rejects a word that is neither a policy nor a port. */
static bool unexpected(const struct verb *v, const char *word, struct err *err)
{
	if (!(v->takes & TAKES_POLICY))
		return usage(err, "`%s` takes no operands: \"%s\"", v->name, word);
	err_record(err, ERR_USAGE, EINVAL, "\"%s\" is not the path of a policy", word);
	return err_fix(err, "use ./%s", word);
}

/* The kernel accepts such names of interfaces; ip, ethtool and shells take them for options. */
static bool looks_like_option(const char *word, struct err *err)
{
	err_record(err, ERR_USAGE, EINVAL, "\"%s\" begins with \"-\", as no port may", word);
	return err_fix(err, "name the port by its PCI address, or rename it: `ip link set dev OLD "
			    "name NEW`");
}

static bool too_many(const struct verb *v, const char *word, struct err *err)
{
	if (v->takes & TAKES_POLICIES)
		return usage(err, "`%s` takes at most %d policies: \"%s\" is one more", v->name,
			     PORT_WORDS_MAX + 1, word);
	if (v->takes & TAKES_ONE)
		return usage(err, "`%s` takes one word: \"%s\" is the second", v->name, word);
	return usage(err, "`%s` takes at most %d ports: \"%s\" is one more", v->name,
		     PORT_WORDS_MAX, word);
}

static bool takes_stdin(const struct options *o)
{
	bool found = o->policy && strcmp(o->policy, "-") == 0;

	for (size_t i = 0; i < o->words_count; i++)
		found = found || strcmp(o->words[i], "-") == 0;
	return found;
}

static bool parse_operand(struct options *o, const char *word, struct err *err)
{
	bool policy = is_policy(word) && !(o->verb->takes & TAKES_ONE);

	if (!word[0])
		return usage(err, "an operand of `%s` is empty", o->verb->name);
	if ((o->verb->takes & TAKES_PEER) && !o->peer_host && !o->hosts) {
		o->peer_host = word;
		return true;
	}
	if (policy && (o->verb->takes & TAKES_FILE) && !o->file) {
		o->file = word;
		return true;
	}
	if (policy && !(o->verb->takes & TAKES_POLICY))
		return usage(err, "`%s` takes %s: \"%s\"", o->verb->name,
			     o->file ? "one file" : "no policy", word);
	if (policy && o->policy && !(o->verb->takes & TAKES_POLICIES))
		return usage(err, "`%s` takes one policy: \"%s\" is the second", o->verb->name,
			     word);
	if (policy && strcmp(word, "-") == 0 && takes_stdin(o))
		return usage(err, "standard input can be read only once");
	if (policy && !o->policy) {
		o->policy = word;
		return true;
	}
	if (!policy && !(o->verb->takes & (TAKES_PORTS | TAKES_ONE)))
		return unexpected(o->verb, word, err);
	if (!policy && word[0] == '-')
		return looks_like_option(word, err);
	if (o->words_count == PORT_WORDS_MAX || ((o->verb->takes & TAKES_ONE) && o->words_count))
		return too_many(o->verb, word, err);
	o->words[o->words_count++] = word;
	return true;
}

static bool asks_the_host(const struct options *o)
{
	return o->firmware || o->listen_for_s || o->sample_for_s || strcmp(o->root, "/") != 0 ||
	       o->environ || o->pid || o->nccl_log || o->require.of || o->file;
}

/* Rejects options that the verb does not take. */
/* Verbs that cannot do without the host itself. */
static const struct {
	const char *verbs, *why, *instead;
} live[] = {
	{ " watch ", "a document has no rates: they come from the counters of a running host",
	  "`losslessctl history --state FILE` lists the recordings of a bundle" },
	{ " apply confirm rollback agent probe bundle ", "it is about this host",
	  "run it on the host that FILE describes" },
	{ " check diff ", "it takes the document itself", "write FILE without --state" },
};

static bool does_not_apply(const struct option *opt, const struct verb *v, struct err *err)
{
	bool is_state = strcmp(opt->name, "--state") == 0;
	char word[32], more;

	snprintf(word, sizeof(word), " %s ", v->name);
	for (size_t i = 0; is_state && i < sizeof(live) / sizeof(live[0]); i++) {
		if (!strstr(live[i].verbs, word))
			continue;
		err_record(err, ERR_USAGE, EINVAL, "`%s` takes no --state: %s", v->name,
			   live[i].why);
		return err_fix(err, "%s", live[i].instead);
	}
	err_record(err, ERR_USAGE, EINVAL, "`%s` takes no %s", v->name, opt->name);
	if (sscanf(opt->verbs, " %31s %c", word, &more) == 1)
		return err_fix(err, "did you mean `losslessctl %s %s`?", word, opt->name);
	return err_fix(err, "run `losslessctl help %s` for its options", v->name);
}

static bool check_options(const struct options *o, int argc, char **argv, struct err *err)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *equals = strchr(argv[i], '=');
		const struct option *opt =
			find_option(argv[i], equals ? (size_t)(equals - argv[i]) : strlen(argv[i]),
				    o->verb);

		if (!opt || argv[i][0] != '-')
			continue;
		if (!option_applies(opt, o->verb))
			return does_not_apply(opt, o->verb, err);
		i += !equals && takes_next(opt, argv[i + 1]);
	}
	if (o->nagios && o->json)
		return usage(err, "--nagios and --json exclude each other");
	if (o->slurm && (o->json || o->nagios))
		return usage(err, "--slurm excludes --json and --nagios");
	if (o->state && asks_the_host(o))
		return usage(err, "--state is about a host that is not asked: it excludes "
				  "--firmware, --listen-for, --root, --sample-for, --require and "
				  "--bundle, and the environment of jobs");
	if ((o->environ || o->pid || o->nccl_log) && o->format)
		return usage(err, "--format is for an environment that is printed: it excludes "
				  "--check, --pid and --nccl-log");
	if (o->state && strcmp(o->state, "-") == 0 && takes_stdin(o))
		return usage(err, "standard input can be read only once");
	if (o->anonymise && !o->file && !(o->verb->takes & TAKES_FILE))
		return usage(err, "--anonymise is about the file of --bundle");
	if (o->file && strcmp(o->file, "-") == 0 && !(o->verb->takes & TAKES_FILE))
		return usage(err, "--bundle needs a file: standard output has the report");
	return true;
}

/* Looks ahead for --json, so that an error before it is printed as JSON as well. */
static bool asks_for_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--json") == 0)
			return true;
	return false;
}

/* Runs `plan` with its own privileges, so that a dry run cannot write. */
static bool plan_instead(struct options *o, const struct verb *verbs, size_t verbs_count,
			 struct err *err)
{
	o->confirm_s = 0;
	return verb_find(&o->verb, verbs, verbs_count, "plan", err);
}

/* With --hosts the first word is no host, also where the option comes behind it. */
static bool check_hosts(struct options *o, struct err *err)
{
	const char *first = o->peer_host;

	if (!o->hosts)
		return true;
	if (o->bind || o->token || o->stdio || o->peer_port)
		return usage(err, "--hosts excludes --bind, --token, --stdio and --peer-port");
	o->peer_host = NULL;
	return !first || parse_operand(o, first, err);
}

bool options_parse(struct options *o, const struct verb *verbs, size_t verbs_count, int argc,
		   char **argv, struct err *err)
{
	bool words_only = false;

	*o = (struct options){ .root = "/", .json = asks_for_json(argc, argv) };
	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];

		if (!words_only && strcmp(word, "--") == 0) {
			words_only = true;
		} else if (!words_only && word[0] == '-' && word[1]) {
			if (!(is_letters(word) ? parse_letters(o, word, err)
					       : parse_option(o, argv, &i, err)))
				return false;
		} else if (!(o->verb ? parse_operand(o, word, err)
				     : verb_find(&o->verb, verbs, verbs_count, word, err))) {
			return false;
		}
	}
	if (o->help || o->version)
		return true;
	if (!o->verb) {
		err_record(err, ERR_USAGE, EINVAL, "no verb");
		return err_fix(err, "run `losslessctl --help` for the list of verbs");
	}
	if (!check_options(o, argc, argv, err) || !check_hosts(o, err))
		return false;
	if (o->dry_run && !plan_instead(o, verbs, verbs_count, err))
		return false;
	if ((o->verb->takes & NEEDS_POLICY) && !o->policy)
		return usage(err, "`%s` needs a policy: a file, or - for standard input",
			     o->verb->name);
	if ((o->verb->writes || o->firmware || o->require.of) && strcmp(o->root, "/") != 0)
		return usage(err, "`%s%s` writes, and --root is for read-only verbs", o->verb->name,
			     o->firmware     ? " --firmware"
			     : o->require.of ? " --require"
					     : "");
	return true;
}
