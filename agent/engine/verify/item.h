/* The items of `verify` for a port: one per desired setting, per agreement with the switch, and per
 * symptom. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_ITEM_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_ITEM_H

#include "../backends.h"
#include "../target/preflight.h"
#include "../target/target.h"
#include "counter_check.h"
#include "status.h"

enum item_kind { ITEM_SETTING, ITEM_PEER, ITEM_SYMPTOM };

struct item {
	const char *name; /* "pfc.priorities", "peer.pfc", "lossless-drops" */
	enum status status;
	enum item_kind kind;
	bool of_host;			       /* advice about the host, never counted */
	setting_set about;		       /* settings that are compared; none for a symptom */
	const struct config *desired, *actual; /* borrowed; for a peer, this end and the other */
	const char *source, *why, *fix;	       /* the last two may be NULL */
	const char *owner; /* another controller, whose setting is never written; NULL: none */
	bool is_refused;   /* apply would refuse to write it, whoever asks: likely_cause, needs */
	bool is_read_only; /* no apply writes it, on any port of this host */
	char origin[ORIGIN_TEXT_MAX]; /* desired value; symptom: cause */
	const char *severity;	      /* symptom: "critical", "warning", "info"; NULL: unknown */
	char likely_cause[LIKELY_CAUSE_MAX]; /* likely cause; item_why() prefers it */
	char needs[READONLY_FIX_MAX]; /* fix with this port's values; item_fix() prefers it */
};

#define ITEMS_MAX (SETTING_COUNT + AGREE_COUNT + SYMPTOMS_MAX + 1)

/* True of settings that `losslessctl apply` does not repair: of the link, the firmware, others. */
bool item_is_unwritable(const struct item *i);

/* Returns the reason for the status, or NULL. */
const char *item_why(const struct item *i);

/* Returns the fix, or NULL. */
const char *item_fix(const struct item *i);

/*
 * Makes the items of an observed target; `foreseen` has the refusals of an apply, and `peer` may be
 * NULL. Asks the host for the likely cause of drift. Borrows from the target and the peer; returns
 * the number of items.
 */
size_t items_of(const struct engine *e, const struct target *t, const struct target *foreseen,
		const struct peer *peer, struct item ret[ITEMS_MAX]);

/*
 * Makes the items of symptoms, of those that are not judged (skipped), and of the reason why some
 * are unknown. Returns the number of items.
 */
size_t items_of_counted(const struct counted *n, struct item ret[SYMPTOMS_MAX + 1]);

#endif
