/* What `verify` found: each port with all that is told of it, and the sum of it all. */
#ifndef LOSSLESSCTL_CLI_PORT_REPORT_H
#define LOSSLESSCTL_CLI_PORT_REPORT_H

#include "items.h"
#include "output/lint_text.h"

/* What a status is called, and which verdict and codes it makes. */
struct status_word {
	const char *name, *verdict, *nagios;
	int exit_code, nagios_code;
};

extern const struct status_word status_words[STATUS_COUNT];

/* One port. */
struct port_report {
	const struct target *target;
	struct config peer; /* what its neighbour says */
	struct item items[ITEMS_MAX];
	size_t count;
	lint_set findings;
	lint_set repeated; /* those about the host that an earlier port has, too */
	setting_set
		host_advice; /* settings of the host to advise on, and no earlier port does alike */
	const struct rates *rates; /* NULL: nothing was counted */
};

/* Owned by whoever asked for it; accounts_free() frees. */
struct port_reports {
	struct port_report *list;
	size_t count;
};

void port_reports_free(struct port_reports *a);
#define _port_reports_ __attribute__((cleanup(port_reports_free)))

/* Borrows from all three; `counted` may be NULL. Asks the host who likely did what drifted. */
bool port_reports_make(struct port_reports *ret, struct host *h, const struct targets *all,
		       const struct counterpart *found, const struct counted *counted,
		       struct err *err) must_check;

/* The worst of a port's items and findings. */
enum status port_report_status(const struct port_report *a);

/*
 * How many items of which status: settings and the switch's agreement, and what was counted; how
 * many findings; and how many settings of the host are advised on, each once.
 */
struct verify_totals {
	size_t ports, items;
	size_t settings[STATUS_COUNT], counted[STATUS_COUNT];
	size_t errors, warnings, advised;
	bool strict; /* --strict: warnings and advice fail, too */
};

/* Adds it all up. */
struct verify_totals port_reports_total(const struct port_reports *all, bool strict);

/*
 * The worst of it, what that comes to for who called, how many warnings and pieces of advice there
 * are, how many symptoms show, and how much cannot be told.
 */
enum status verify_totals_worst(const struct verify_totals *n);
const struct status_word *verify_totals_word(const struct verify_totals *n, enum status worst);
size_t verify_totals_warnings(const struct verify_totals *n);
size_t verify_totals_symptoms(const struct verify_totals *n);
size_t verify_totals_unclear(const struct verify_totals *n);

/* Everything, for people, on standard output (verify_text.c). */
void print_port_reports(const struct cli *c, const struct port_reports *all,
			const struct verify_totals *n);

/* The ports as they are, for a look at whether they are alike; the caller frees it. */
struct setup *port_reports_setups(const struct port_reports *all);

#endif
