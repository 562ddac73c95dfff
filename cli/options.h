/* Verbs and options as rows, which parsing, help and suggestions read. */
#ifndef LOSSLESSCTL_CLI_OPTIONS_H
#define LOSSLESSCTL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../policy/util/err.h"

#define PORT_WORDS_MAX 256

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER, COLOURS };
extern const char *const colour_words[COLOURS];

struct verb;
struct rights;

struct options {
	const struct verb *verb;
	const char *root;
	const char *policy;				  /* NULL: not given */
	const char *speed, *mtu, *cable, *max_mtu, *cell; /* for headroom */
	const char *words[PORT_WORDS_MAX];		  /* ports, or the name to explain */
	size_t words_count;
	unsigned colour; /* enum colour */
	unsigned lock_timeout_s, listen_for_s, sample_for_s;
	unsigned confirm_s;			       /* 0: not given */
	unsigned interval_s, count;		       /* for watch; 0: not given */
	unsigned verify_interval_s, sample_interval_s; /* for agent, in seconds; 0: not given */
	unsigned to; /* for rollback: the number of an apply; 0: not given */
	bool json, quiet, verbose, help, version;
	bool expand, all, nagios, strict, no_link_flap, allow_disruption, keep_going,
		allow_other_netns, list;
};

/* The operands that a verb takes. */
enum words { TAKES_POLICY = 1, TAKES_PORTS = 2, TAKES_NAME = 4, NEEDS_POLICY = 8 };

struct cli;

struct verb {
	const char *name;
	const char *words_help; /* "[POLICY] [PORT…]" */
	unsigned takes;		/* enum words */
	bool writes;
	const struct rights *may; /* see privileges.h */
	int (*run)(struct cli *c, struct err *err);
	const char *doc;  /* one sentence */
	const char *more; /* a paragraph for the help of this verb */
};

struct option {
	const char *name, *letter; /* "--json", NULL or "-q" */
	const char *argument;	   /* NULL: none */
	unsigned type;		   /* enum option_type of options.c */
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

/* Prints either the verb's own options or those that all verbs take. */
void options_list(const struct verb *verb, bool own);

#endif
