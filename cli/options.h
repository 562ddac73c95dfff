/* The words of the command line, described as rows: help, parsing and suggestions come from them.
 */
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
	const char *policy;				  /* NULL: none given */
	const char *speed, *mtu, *cable, *max_mtu, *cell; /* of headroom */
	const char *words[PORT_WORDS_MAX];		  /* ports, or the name to explain */
	size_t words_count;
	unsigned colour; /* enum colour */
	unsigned wait_s, listen_s, counters_s;
	unsigned confirm_s;	    /* 0: not asked for */
	unsigned interval_s, count; /* of watch; 0: not given */
	unsigned look_s, sample_s;  /* of the agent; likewise */
	unsigned to;		    /* of rollback: the number of an apply; 0: not given */
	bool json, quiet, verbose, help, version;
	bool expand, all, nagios, strict, no_link_flap, disruptive, keep_going, netns_ok, list;
};

/* Which words a verb takes. */
enum words { TAKES_POLICY = 1, TAKES_PORTS = 2, TAKES_NAME = 4, NEEDS_POLICY = 8 };

struct cli;

struct verb {
	const char *name;
	const char *words_help; /* "[POLICY] [PORT…]" */
	unsigned takes;		/* enum words */
	bool writes;
	const struct rights *may; /* privileges.h */
	int (*run)(struct cli *c, struct err *err);
	const char *doc;  /* one sentence */
	const char *more; /* a paragraph for its own help */
};

extern const struct verb verbs[];
extern const size_t verbs_count;

struct option {
	const char *name, *letter; /* "--json", NULL or "-q" */
	const char *argument;	   /* NULL: none */
	unsigned type;		   /* what its argument is; enum option_type of options.c */
	size_t offset;
	const char *verbs; /* the verbs that take it, as " plan apply ", or NULL: all */
	const char *doc;
};

/* All options, in the order of the help; NULL behind the last. */
const struct option *option_at(size_t i);

/* Does the verb take it? NULL: whatever the verb. */
bool option_applies(const struct option *o, const struct verb *v);

/* Reads the command line; errors are ERR_USAGE with a suggestion. */
bool options_parse(struct options *o, int argc, char **argv, struct err *err) must_check;

/* Prints the options of a verb, its own or those of every verb; help.c does the rest. */
void options_list(const struct verb *verb, bool own);

/* Prints the help of a verb, or the whole program's when verb is NULL. */
void options_help(const struct verb *verb);

#endif
