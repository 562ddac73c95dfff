/*
 * `verify`: reads the ports of a policy and reports on each by items and findings. Reports are
 * plain data, from observations of a host or of a document.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_VERIFY_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_VERIFY_H

#include "../backends.h"
#include "../target/preflight.h"
#include "../target/target.h"
#include "../target/unmet_rules.h"
#include "item.h"

/* Advice about the host, which all ports share: reported once per run, not once per port. */

/* Returns the settings of the host, which are verified and never written. */
setting_set advice_settings(struct features all);

/* Returns the findings about the host: its lints, and those about such settings alone. */
lint_set advice_lints(struct features all, lint_set findings);

/*
 * Returns the settings of target `at` that are advice and not yet in sync, except those that an
 * earlier target desires with the same value.
 */
setting_set advice_new(struct features features, const struct targets *all, size_t at);

struct environment_verdict;

/* The report on one port. */
struct port_report {
	const struct target *target;
	struct item items[ITEMS_MAX];
	size_t count;
	lint_set findings;
	lint_set repeated;	   /* findings about the host that an earlier port has as well */
	setting_set host_advice;   /* advice about the host, unless an earlier port has it */
	const struct rates *rates; /* NULL: nothing was counted */
	const struct refusal *refusals; /* why an apply would be refused now; borrowed */
	size_t refusals_count;
};

/* Owned by the caller; port_reports_free() frees. */
struct port_reports {
	struct port_report *list;
	size_t count;
	struct refusal *refusals; /* those of all ports */
};

void port_reports_free(struct port_reports *a);
#define _port_reports_ __attribute__((cleanup(port_reports_free)))

/*
 * Makes the reports on observed targets. Borrows from all; `peers` and `counted` have one element
 * per target, or are NULL.
 */
bool port_reports_make(const struct engine *e, const struct targets *all, const struct peer *peers,
		       const struct counted *counted, struct port_reports *ret,
		       struct err *err) must_check;

/* Returns the worst status of a port's items, findings and refusals. */
enum status port_report_status(const struct port_report *a);

/*
 * Numbers of items by status, of findings, and of advice about the host, each counted once.
 * Settings that are skipped or of the host are no `items`.
 */
struct verify_totals {
	size_t ports, items;
	size_t settings[STATUS_COUNT]; /* including the switch's agreement */
	size_t counted[STATUS_COUNT];  /* symptoms */
	size_t critical, warnings, advised;
};

/* True if each setting of the port is skipped, whatever its counters say. */
bool port_report_is_idle(const struct port_report *a);

/* Adds up all reports. */
struct verify_totals port_reports_total(const struct port_reports *all);

/* True if a run fails because of --strict alone: a warning, or advice about the host. */
bool verify_fails_by_strict(const struct verify_totals *n, enum status worst, bool strict);

/* Returns the word that decides the exit code of a run. */
enum word verify_word(const struct verify_totals *n, enum status worst, bool strict);

/* Returns the worst status of all. */
enum status verify_totals_worst(const struct verify_totals *n);

/* Returns the number of findings and symptoms of severity warning, and of advice. */
size_t verify_totals_warnings(const struct verify_totals *n);

/* Returns the number of symptoms of any severity. */
size_t verify_totals_symptoms(const struct verify_totals *n);

/* Returns the number of items whose status is unknown. */
size_t verify_totals_unknown(const struct verify_totals *n);

/*
 * One run of `verify`. The caller sets `policy`, which is borrowed; verify_run_free() frees the
 * rest.
 */
struct verify_run {
	const struct policy *policy;
	bool has_no_policy; /* `policy` stands in for none, and has no setting */
	struct inventory inventory;
	struct targets targets;
	struct peer *peers;	 /* one per target */
	struct counted *counted; /* one per target; NULL: nothing was counted */
	struct unmet unmet;
	struct port_reports ports;
	struct verify_totals totals;
	/* The environments of jobs, borrowed; NULL: none was judged. */
	const struct environment_verdict *environment;
	enum status worst; /* worst status of ports, of unmet rules and of environments */
};

void verify_run_free(struct verify_run *r);
#define _verify_run_ __attribute__((cleanup(verify_run_free)))

/* First step of a run: finds the ports, and unmet rules. The steps follow in this order. */
bool verify_find_ports(const struct engine *e, struct verify_run *r, struct err *err) must_check;

/* Reads the ports, and listens for peers if the policy asks for the switch's agreement. */
bool verify_observe(const struct engine *e, struct verify_run *r, struct err *err) must_check;

/* Counts for `seconds`; 0: does nothing. */
bool verify_count(const struct engine *e, struct verify_run *r, unsigned seconds,
		  struct err *err) must_check;

/* Makes the reports, the totals and the worst status. */
bool verify_judge(const struct engine *e, struct verify_run *r, struct err *err) must_check;

/* Adds the findings on the environments of jobs to the totals. Last step, optional. */
void verify_add_environment(struct verify_run *r, const struct environment_verdict *v);

#endif
