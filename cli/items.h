/* What `verify` tells of a port, item by item: one for each setting that is wanted, and one for
 * each thing that the switch must agree on. */
#ifndef LOSSLESSCTL_CLI_ITEMS_H
#define LOSSLESSCTL_CLI_ITEMS_H

#include "../agent/engine/counter_check.h"
#include "output/peer_text.h"

/*
 * In rising order of alarm, except that drift and symptoms outrank what cannot be told. Advice is
 * about the host; warnings are symptoms and findings of that severity.
 */
enum status {
	STATUS_OK,
	STATUS_ADVICE,
	STATUS_WARNING,
	STATUS_UNSUPPORTED,
	STATUS_UNKNOWN,
	STATUS_SYMPTOM,
	STATUS_DRIFT,
	STATUS_COUNT
};

/* What an item is about: a setting, agreement with the switch, or what was counted. */
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

/* Why it is as it is, or NULL. */
const char *item_why(const struct item *i);

/* The fix, or NULL. */
const char *item_fix(const struct item *i);

/* All of a target; `n` is its neighbour, whose setup goes to *peer, or NULL. */
size_t items_of(struct host *h, const struct target *t, const struct counterpart *n,
		struct config *peer, struct item ret[ITEMS_MAX]);

/* What was counted: the symptoms, and why not all can be told; returns how many. */
size_t items_of_counted(const struct counted *n, struct item ret[SYMPTOMS_MAX + 1]);

/* Does the policy ask for the switch's agreement here? */
bool asks_for_peer(const struct target *t);

#endif
