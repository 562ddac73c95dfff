/* Verbs and options as rows, which parsing, help and suggestions read. */
#ifndef LOSSLESSCTL_CLI_OPTIONS_H
#define LOSSLESSCTL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../policy/util/err.h"

/* The value of an option: its type and its range. */

enum option_type {
	FLAG,
	TEXT,
	OPTIONAL_TEXT, /* it may be left out */
	COLOUR,
	TIMEOUT,
	INTERVAL,
	WINDOW,
	PERIOD,
	SAMPLES,
	APPLY,
	RECORDING,
	MESSAGES,
	SHARE
};

/* "N/M" */
struct option_share {
	unsigned least, of; /* both 0: not given */
};

#define SHARE_MAX 64

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER, COLOURS };
extern const char *const colour_words[COLOURS];

/*
 * Parses the value of option `name` into its field: a bool, a borrowed text or an unsigned. A flag
 * has no value (NULL), and a share is a struct option_share. Fails with ERR_USAGE.
 */
bool option_value_store(void *field, enum option_type type, const char *name, const char *value,
			struct err *err) must_check;

#define PORT_WORDS_MAX 256

struct verb;
struct rights;

struct options {
	const struct verb *verb;
	const char *root;
	const char *policy;		      /* NULL: not given */
	const char *state;		      /* a captured host; NULL: this one */
	const char *file;		      /* for the report of bundle; NULL: there is none */
	const char *from, *fabric;	      /* for draft */
	const char *switch_os;		      /* for peer; NULL: not given */
	const char *format, *nccl;	      /* for env */
	const char *environ, *pid, *nccl_log; /* for env: what it judges; all NULL: it prints */
	const char *peer_host;		      /* for probe: a host, or "serve" */
	const char *hosts;		      /* for probe: a file */
	const char *bind, *token, *via, *peer_port;	  /* for probe */
	const char *nfd;				  /* for agent */
	const char *speed, *mtu, *cable, *max_mtu, *cell; /* for headroom */
	const char *words[PORT_WORDS_MAX]; /* ports, a name, a verb, or more policies */
	size_t words_count;
	unsigned colour; /* enum colour */
	unsigned lock_timeout_s, listen_for_s, sample_for_s;
	unsigned confirm_s;			       /* 0: not given */
	unsigned interval_s, count;		       /* for watch; 0: not given */
	unsigned verify_interval_s, sample_interval_s; /* for agent, in seconds; 0: not given */
	unsigned recording;			       /* for history: its number; 0: not given */
	unsigned messages;			       /* for probe; 0: not given */
	unsigned to;		     /* for rollback: the number of an apply; 0: not given */
	struct option_share require; /* for ready */
	bool json, quiet, verbose, help, version;
	bool expand, all, nagios, slurm, strict, no_link_flap, allow_disruption, any_driver,
		keep_going, allow_other_netns, list, dry_run, anonymise, firmware, yes, stdio,
		fix_switch, trust_read_only_mount;
};

/* The operands that a verb takes. */
enum words {
	TAKES_POLICY = 1,
	TAKES_PORTS = 2,
	TAKES_NAME = 4, /* one name that `explain` explains */
	NEEDS_POLICY = 8,
	TAKES_VERB = 16,	 /* one verb */
	TAKES_POLICIES = 32,	 /* the second and later ones are in options.words */
	TAKES_FILE = 64,	 /* a file for the report */
	GUARDS_SSH = 128,	 /* refuses what cuts off the SSH session that runs it */
	TAKES_ENVIRONMENT = 256, /* judges the environment of jobs that options name */
	TAKES_PEER = 512,	 /* the first word is a host, or "serve", unless --hosts is given */
	READS_POLICY = 1024,	 /* the host's own, if it has one */
	READS_ENVIRONMENT = 2048 /* judges what the host's own files set for jobs */
};

struct cli;

struct verb {
	const char *name;
	const char *words_help; /* "[POLICY] [PORT…]" */
	unsigned takes;		/* enum words */
	bool writes;
	const struct rights *may; /* see privileges.h */
	int (*run)(struct cli *c, struct err *err);
	const char *doc;     /* one sentence, as an imperative */
	const char *more;    /* a paragraph for the help of this verb; NULL: none */
	const char *example; /* a command line without "losslessctl" */
};

struct option {
	const char *name, *letter; /* "--json", NULL or "-q" */
	const char *argument;	   /* NULL: none */
	enum option_type type;
	size_t offset;
	const char *verbs; /* the verbs that take it, as " plan apply "; NULL: all */
	const char *doc;
};

/* Returns option `i` in the order of the help, or NULL after the last. */
const struct option *option_at(size_t i);

/* True if the verb takes this option. With v == NULL, true if all verbs take it. */
bool option_applies(const struct option *o, const struct verb *v);

/*
 * Parses a command line with one of these verbs into *o, which borrows argv. Errors are ERR_USAGE,
 * with a suggestion.
 */
bool options_parse(struct options *o, const struct verb *verbs, size_t verbs_count, int argc,
		   char **argv, struct err *err) must_check;

/* Finds a verb by its name. Fails with ERR_USAGE and a suggestion. */
bool verb_find(const struct verb **ret, const struct verb *verbs, size_t verbs_count,
	       const char *name, struct err *err) must_check;

#endif
