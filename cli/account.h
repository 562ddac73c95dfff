/* What `verify` found: each port with all that is told of it, and the sum of it all. */
#ifndef LOSSLESSCTL_CLI_ACCOUNT_H
#define LOSSLESSCTL_CLI_ACCOUNT_H

#include "items.h"
#include "output/lint_text.h"

/* What a status is called, and which verdict and codes it makes. */
struct status_word {
	const char *name, *verdict, *nagios;
	int exit_code, nagios_code;
};

extern const struct status_word status_words[STATUS_COUNT];

/* One port. */
struct account {
	const struct target *target;
	struct config peer; /* what its neighbour says */
	struct item items[ITEMS_MAX];
	size_t count;
	lint_set findings;
	lint_set repeated; /* those about the host that an earlier port has, too */
	settingset
		host_advice; /* settings of the host to advise on, and no earlier port does alike */
	const struct rates *rates; /* NULL: nothing was counted */
};

/* Owned by whoever asked for it; accounts_free() frees. */
struct accounts {
	struct account *list;
	size_t count;
};

void accounts_free(struct accounts *a);
#define _accounts_ __attribute__((cleanup(accounts_free)))

/* Borrows from all three; `counted` may be NULL. Asks the host who likely did what drifted. */
bool accounts_make(struct accounts *ret, struct host *h, const struct targets *all,
		   const struct counterpart *found, const struct counted *counted,
		   struct err *err) must_check;

/* The worst of a port's items and findings. */
enum status account_status(const struct account *a);

/*
 * How many items of which status: settings and the switch's agreement, and what was counted; how
 * many findings; and how many settings of the host are advised on, each once.
 */
struct tally {
	size_t ports, items;
	size_t settings[STATUS_COUNT], counted[STATUS_COUNT];
	size_t errors, warnings, advised;
	bool strict; /* --strict: warnings and advice fail, too */
};

/* Adds it all up. */
struct tally accounts_tally(const struct accounts *all, bool strict);

/*
 * The worst of it, what that comes to for who called, how many warnings and pieces of advice there
 * are, how many symptoms show, and how much cannot be told.
 */
enum status tally_worst(const struct tally *n);
const struct status_word *tally_word(const struct tally *n, enum status worst);
size_t tally_warnings(const struct tally *n);
size_t tally_symptoms(const struct tally *n);
size_t tally_unclear(const struct tally *n);

/* Everything, for people, on standard output (verify_text.c). */
void print_accounts(const struct cli *c, const struct accounts *all, const struct tally *n);

/* The ports as they are, for a look at whether they are alike; the caller frees it. */
struct setup *accounts_setups(const struct accounts *all);

#endif
