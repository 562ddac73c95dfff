#include "options.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/daemon/recording.h"
#include "../policy/util/fix_text.h"

static const struct range { /* for the numeric types */
	unsigned min, max;
	const char *unit;
} ranges[] = {
	[TIMEOUT] = { 0, 86400, " seconds" },	   [INTERVAL] = { 1, 60, " seconds" },
	[WINDOW] = { 1, 3600, " seconds" },	   [PERIOD] = { 1, 86400, " seconds" },
	[SAMPLES] = { 1, 1000000000, " samples" }, [APPLY] = { 1, 999999999, "" },
	[RECORDING] = { 1, RECORDINGS_MAX, "" },   [MESSAGES] = { 500, 100000, " messages" },
};

const char *const colour_words[COLOURS] = { "auto", "always", "never" };

#define usage(err, ...) err_set(err, ERR_USAGE, EINVAL, __VA_ARGS__)

/* Rejects 0 for --listen-for: listening for no time would report a silent switch. */
static bool number(unsigned *field, const struct range *r, const char *name, const char *value,
		   struct err *err)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (end == value || *end || value[0] == '-' || n < r->min || n > r->max)
		return usage(err, "%s takes %u to %u%s, not \"%s\"", name, r->min, r->max, r->unit,
			     value);
	*field = (unsigned)n;
	return true;
}

static bool share(struct option_share *field, const char *name, const char *value, struct err *err)
{
	char *slash, *end;
	unsigned long least = strtoul(value, &slash, 10),
		      of = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;

	if (!of || *end || strspn(value, "0123456789/") != strlen(value) || !least || least > of ||
	    of > SHARE_MAX)
		return usage(err, "%s expects N/M with 1 <= N <= M <= %d, not \"%s\"", name,
			     SHARE_MAX, value);
	*field = (struct option_share){ (unsigned)least, (unsigned)of };
	return true;
}

static bool colour(unsigned *field, const char *value, struct err *err)
{
	for (unsigned i = 0; i < COLOURS; i++)
		if (strcmp(colour_words[i], value) == 0) {
			*field = i;
			return true;
		}
	return usage(err, "--color takes auto, always or never, not \"%s\"", value);
}

bool option_value_store(void *field, enum option_type type, const char *name, const char *value,
			struct err *err)
{
	assert(value || type == FLAG);
	switch (type) {
	case FLAG:
		*(bool *)field = true;
		return true;
	case TEXT:
	case OPTIONAL_TEXT:
		*(const char **)field = value;
		return true;
	case TIMEOUT:
	case INTERVAL:
	case WINDOW:
	case PERIOD:
	case SAMPLES:
	case APPLY:
	case RECORDING:
	case MESSAGES:
		return number(field, &ranges[type], name, value, err);
	case SHARE:
		return share(field, name, value, err);
	case COLOUR:
		return colour(field, value, err);
	}
	return false;
}

#define FIELD(member) offsetof(struct options, member)

/* clang-format off: one row per option */
static const struct option options[] = {
	{ "--json", NULL, NULL, FLAG, FIELD(json), NULL,
	  "print JSON: one document, or in watch and agent one a line" },
	{ "--root", NULL, "DIR", TEXT, FIELD(root), NULL,
	  "read files below DIR instead of /; read-only verbs only" },
	{ "--color", NULL, "WHEN", COLOUR, FIELD(colour), NULL,
	  "auto, always or never (default: auto)" },
	{ "--quiet", "-q", NULL, FLAG, FIELD(quiet), NULL, "print errors only" },
	{ "--verbose", "-v", NULL, FLAG, FIELD(verbose), NULL,
	  "report each step and more details" },
	{ "--help", "-h", NULL, FLAG, FIELD(help), NULL, "print help" },
	{ "--version", NULL, NULL, FLAG, FIELD(version), NULL, "print the version" },
	{ "--state", NULL, "FILE", TEXT, FIELD(state),
	  " show plan verify env peer ready doctor history draft ",
	  "use the state saved in FILE (show --json or bundle) instead of this host" },
	{ "--expand", NULL, NULL, FLAG, FIELD(expand), " check ",
	  "print the settings that each rule results in" },
	{ "--all", NULL, NULL, FLAG, FIELD(all), " verify ready ",
	  "also list the settings that are in sync, or the checks that are ready" },
	{ "--nagios", NULL, NULL, FLAG, FIELD(nagios), " verify ready ",
	  "print one line for a monitoring plugin, with its exit codes" },
	{ "--slurm", NULL, NULL, FLAG, FIELD(slurm), " ready ",
	  "print one line, for a Slurm drain reason" },
	{ "--require", NULL, "N/M", SHARE, FIELD(require), " ready ",
	  "exit 2 only if N of the last M runs, at most 64, were not ready" },
	{ "--strict", NULL, NULL, FLAG, FIELD(strict), " check ", "exit 65 on warnings" },
	{ "--strict", NULL, NULL, FLAG, FIELD(strict), " verify ",
	  "exit 2 on warnings and on advice about the host" },
	{ "--no-link-flap", NULL, NULL, FLAG, FIELD(no_link_flap), " plan apply rollback ",
	  "refuse every step that flaps a link, before anything is written" },
	{ "--allow-disruption", NULL, NULL, FLAG, FIELD(allow_disruption), " plan apply rollback ",
	  "flap links that carry the default route, this SSH session or RDMA connections" },
	{ "--allow-disruption", NULL, NULL, FLAG, FIELD(allow_disruption), " probe ",
	  "probe ports that carry RDMA connections, which the traffic slows down" },
	{ "--any-driver", NULL, NULL, FLAG, FIELD(any_driver), " plan apply agent ",
	  "write to ports of other drivers than mlx5_core as well, which nobody has tried" },
	{ "--via", NULL, "ssh", TEXT, FIELD(via), " probe ",
	  "start the other end by ssh: nothing listens" },
	{ "--hosts", NULL, "FILE", TEXT, FIELD(hosts), " probe ",
	  "probe between all hosts of FILE, one a line, by ssh (2 to 128)" },
	{ "--bind", NULL, "ADDRESS", TEXT, FIELD(bind), " probe ",
	  "serve at this address, or ADDRESS:PORT, for the token that it prints" },
	{ "--token", NULL, "-", TEXT, FIELD(token), " probe ",
	  "read the token that the other end has printed from standard input" },
	{ "--peer-port", NULL, "PORT", TEXT, FIELD(peer_port), " probe ",
	  "the other host's port (default: of the same name, or its only one)" },
	{ "--messages", NULL, "NUMBER", MESSAGES, FIELD(messages), " probe ",
	  "messages of 4096 bytes in each run, 500 to 100000 (default: 20000)" },
	{ "--stdio", NULL, NULL, FLAG, FIELD(stdio), " probe ",
	  "serve on standard input and output, as --via ssh starts it" },
	{ "--yes", "-y", NULL, FLAG, FIELD(yes), " probe ",
	  "do not ask before the traffic starts" },
	{ "--keep-going", NULL, NULL, FLAG, FIELD(keep_going), " apply rollback ",
	  "continue with the other ports if one is refused or fails" },
	{ "--dry-run", NULL, NULL, FLAG, FIELD(dry_run), " apply ",
	  "print what `losslessctl plan` prints, with its exit codes; write nothing" },
	{ "--list", NULL, NULL, FLAG, FIELD(list), " rollback ",
	  "list the last ten applies, newest first; write nothing" },
	{ "--to", NULL, "NUMBER", APPLY, FIELD(to), " rollback ",
	  "roll back to the state before apply NUMBER of the list" },
	{ "--recording", NULL, "NUMBER", RECORDING, FIELD(recording), " history ",
	  "print the minutes before the incident of recording NUMBER, a row for each sample" },
	{ "--lock-timeout", NULL, "SECONDS", TIMEOUT, FIELD(lock_timeout_s),
	  " apply confirm rollback ", "wait up to SECONDS for the lock (default: 0)" },
	{ "--confirm-within", NULL, "SECONDS", PERIOD, FIELD(confirm_s), " apply ",
	  "roll back automatically unless `losslessctl confirm` runs within SECONDS" },
	{ "--trust-read-only-mount", NULL, NULL, FLAG, FIELD(trust_read_only_mount),
	  " plan apply agent ",
	  "accept a policy of any mode on a read-only mount, such as a ConfigMap" },
	{ "--allow-other-netns", NULL, NULL, FLAG, FIELD(allow_other_netns), " plan apply agent ",
	  "allow a network namespace other than the host's" },
	{ "--bundle", NULL, "FILE", TEXT, FIELD(file), " doctor ",
	  "write what `losslessctl bundle` collects to a new FILE as well" },
	{ "--anonymise", NULL, NULL, FLAG, FIELD(anonymise), " bundle doctor ",
	  "replace addresses and the names of the host, users, policies and switches" },
	{ "--listen-for", NULL, "SECONDS", PERIOD, FIELD(listen_for_s),
	  " peer verify bundle doctor draft ",
	  "listen for LLDP frames for SECONDS (default: until each port received one, at most "
	  "35; bundle: do not listen; doctor: 10, while it samples the counters)" },
	{ "--fix-switch", NULL, NULL, FLAG, FIELD(fix_switch), " peer ",
	  "print the commands that would give the switch's port the settings of this port" },
	{ "--switch-os", NULL, "OS", TEXT, FIELD(switch_os), " peer ",
	  "print them for cumulus, sonic, eos or nxos (default: what the switch's LLDP system "
	  "description names, else all)" },
	{ "--from", NULL, "SOURCE", TEXT, FIELD(from), " draft ",
	  "host, or switch for what the switch advertises (default: host)" },
	{ "--fabric", NULL, "FABRIC", TEXT, FIELD(fabric), " draft ",
	  "the fabric that the policy names" },
	{ "--firmware", NULL, NULL, FLAG, FIELD(firmware), " plan verify ready ",
	  "query the firmware.* settings as well; slow, and writes PCI configuration space" },
	{ "--sample-for", NULL, "SECONDS", WINDOW, FIELD(sample_for_s), " verify bundle doctor ",
	  "sample the counters for 1 to 3600 SECONDS; verify reports symptoms" },
	{ "--format", NULL, "FORMAT", TEXT, FIELD(format), " env ",
	  "nccl.conf, rccl, ucx, sh, k8s or slurm (default: nccl.conf)" },
	{ "--nccl", NULL, "VERSION", TEXT, FIELD(nccl), " env verify ",
	  "version of NCCL, such as 2.19 (default: job.nccl_version, else the newest)" },
	{ "--check", NULL, "FILE", OPTIONAL_TEXT, FIELD(environ), " env ",
	  "judge the environment of a job instead: FILE, as env(1) prints it, - for standard "
	  "input, or that of this command; and /etc/nccl.conf for what it leaves unset" },
	{ "--pid", NULL, "PID", TEXT, FIELD(pid), " env ",
	  "judge the environment of this process, and the files that it reads" },
	{ "--nccl-log", NULL, "FILE", TEXT, FIELD(nccl_log), " env ",
	  "judge what NCCL reports in its log (NCCL_DEBUG=INFO); - is standard input" },
	{ "--verify-interval", NULL, "SECONDS", PERIOD, FIELD(verify_interval_s), " agent ",
	  "time between two verifications of all settings (default: 30)" },
	{ "--sample-interval", NULL, "SECONDS", PERIOD, FIELD(sample_interval_s), " agent ",
	  "time between two samples of the counters (default: 5)" },
	{ "--nfd", NULL, "FILE", TEXT, FIELD(nfd), " agent ",
	  "write the label losslessctl.in-sync for node-feature-discovery to FILE as well" },
	{ "--interval", NULL, "SECONDS", INTERVAL, FIELD(interval_s), " watch ",
	  "time between two samples, 1 to 60 (default: 1)" },
	{ "--count", NULL, "SAMPLES", SAMPLES, FIELD(count), " watch ",
	  "stop after this number of samples" },
	{ "--speed", NULL, "MBPS", TEXT, FIELD(speed), " headroom ", "link speed: 100000 or 100G" },
	{ "--mtu", NULL, "BYTES", TEXT, FIELD(mtu), " headroom ", "MTU of the port" },
	{ "--cable", NULL, "METRES", TEXT, FIELD(cable), " headroom ", "length of the cable" },
	{ "--max-mtu", NULL, "BYTES", TEXT, FIELD(max_mtu), " headroom ",
	  "largest MTU that the port supports (default: 9978)" },
	{ "--cell", NULL, "BYTES", TEXT, FIELD(cell), " headroom ",
	  "cell size of the adapter's buffers: cell_bytes of show --json (default: 128)" },
};
/* clang-format on */

#define OPTIONS_COUNT (sizeof(options) / sizeof(options[0]))

bool option_applies(const struct option *o, const struct verb *v)
{
	char word[32];

	if (!o->verbs)
		return true;
	if (!v)
		return false;
	snprintf(word, sizeof(word), " %s ", v->name);
	return strstr(o->verbs, word);
}

const struct option *option_at(size_t i)
{
	return i < OPTIONS_COUNT ? &options[i] : NULL;
}

#define TAKES_ONE (TAKES_NAME | TAKES_VERB)

static bool is_json(const char *word)
{
	size_t n = strlen(word);

	return n > 5 && strcmp(word + n - 5, ".json") == 0;
}

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
	{ "version", "--version" },
	{ "-V", "--version" },
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
