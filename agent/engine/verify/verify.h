/*
 * `verify`: reads the ports of a policy and reports on each by items and findings. The reports are
 * plain data: whoever has the observations, from a host or from a document, can judge them.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_VERIFY_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_VERIFY_H

#include "../target/unmet.h"
#include "verify_items.h"

/* One port. */
struct port_report {
	const struct target *target;
	struct item items[ITEMS_MAX];
	size_t count;
	lint_set findings;
	lint_set repeated;	 /* those about the host that an earlier port has, too */
	setting_set host_advice; /* the host's settings to advise on, unless an earlier port has */
	const struct rates *rates; /* NULL: nothing was counted */
};

/* Owned by the caller; port_reports_free() frees. */
struct port_reports {
	struct port_report *list;
	size_t count;
};

void port_reports_free(struct port_reports *a);
#define _port_reports_ __attribute__((cleanup(port_reports_free)))

/*
 * Reports on observed targets. Borrows from all; `peers` and `counted` have one for each target, or
 * are NULL.
 */
bool port_reports_make(const struct engine *e, const struct targets *all, const struct peer *peers,
		       const struct counted *counted, struct port_reports *ret,
		       struct err *err) must_check;

/* The worst status of a port's items, findings and refusals. */
enum status port_report_status(const struct port_report *a);

/* Numbers of items by status, of findings, and of the host's settings to advise on, each once. */
struct verify_totals {
	size_t ports, items;
	size_t settings[STATUS_COUNT]; /* and the switch's agreement */
	size_t counted[STATUS_COUNT];  /* symptoms */
	size_t errors, warnings, advised;
};

/* Adds up all reports. */
struct verify_totals port_reports_total(const struct port_reports *all);

/* The worst status of all. */
enum status verify_totals_worst(const struct verify_totals *n);

/* Findings and symptoms of severity warning, and advice. */
size_t verify_totals_warnings(const struct verify_totals *n);

/* Symptoms of any severity. */
size_t verify_totals_symptoms(const struct verify_totals *n);

/* Items whose status is unknown. */
size_t verify_totals_unclear(const struct verify_totals *n);

/* One run. The caller sets `policy`, which is borrowed; verify_run_free() frees the rest. */
struct verify_run {
	const struct policy *policy;
	struct inventory inventory;
	struct targets targets;
	struct peer *peers;	 /* one a target */
	struct counted *counted; /* one a target; NULL: nothing was counted */
	struct unmet unmet;
	struct port_reports ports;
	struct verify_totals totals;
	enum status worst; /* of ports and of rules without their ports */
};

void verify_run_free(struct verify_run *r);
#define _verify_run_ __attribute__((cleanup(verify_run_free)))

/* The steps of a run, in this order. */
bool verify_find_ports(const struct engine *e, struct verify_run *r, struct err *err) must_check;

/* Reads the ports, and listens for peers where the policy asks for the switch's agreement. */
bool verify_observe(const struct engine *e, struct verify_run *r, struct err *err) must_check;

/* Counts for so many seconds; 0: does nothing. */
bool verify_count(const struct engine *e, struct verify_run *r, unsigned seconds,
		  struct err *err) must_check;

/* Makes the reports, the totals and the worst status. */
bool verify_judge(const struct engine *e, struct verify_run *r, struct err *err) must_check;

#endif
