/*
 * The report of `verify` on a port, item by item: one for each setting that is desired, for each
 * thing that the switch must agree on, and for each symptom.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_VERIFY_ITEMS_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_VERIFY_ITEMS_H

#include "counter_check.h"
#include "judge.h"
#include "peer.h"

enum item_kind { ITEM_SETTING, ITEM_PEER, ITEM_SYMPTOM };

struct item {
	const char *name; /* "pfc.priorities", "peer.pfc", "symptom.lossless-drops" */
	enum status status;
	enum item_kind kind;
	bool skipped;			       /* rightly not there */
	setting_set about;		       /* what it compares; of a symptom nothing */
	const struct config *desired, *actual; /* borrowed; of a peer this end and the other */
	const char *source, *why, *fix;	       /* the last two may be NULL */
	const char *look;		       /* of a symptom: where its cause is */
	const char *severity;		       /* of a symptom: "critical", "warning", "info" */
	char likely_cause[LIKELY_CAUSE_MAX];   /* who likely did it; item_why() prefers it */
	char needs[256];		       /* what apply needs first; item_fix() prefers it */
};

#define ITEMS_MAX (SETTING_COUNT + AGREE_COUNT + SYMPTOMS_MAX + 1)

/* The reason for its status, or NULL. */
const char *item_why(const struct item *i);

/* The fix, or NULL. */
const char *item_fix(const struct item *i);

/*
 * The items of an observed target; `peer` is its neighbour, or NULL. Asks the host for the likely
 * cause of what drifted. Borrows from both; returns how many.
 */
size_t items_of(const struct engine *e, const struct target *t, const struct peer *peer,
		struct item ret[ITEMS_MAX]);

/* The symptoms that were counted, and why not all are known; returns how many. */
size_t items_of_counted(const struct counted *n, struct item ret[SYMPTOMS_MAX + 1]);

#endif
