/* From here to there in safe steps. Pure: making a plan touches nothing. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_PLAN_H
#define LOSSLESSCTL_AGENT_ENGINE_PLAN_H

#include "feature.h"

#define PLAN_MAX (3 * FEATURES_MAX)

struct step {
	const struct feature *feature;
	setting_set change; /* what it is for */
	setting_set side;   /* what it changes besides */
	setting_set risk;   /* what it may leave changed when it is cut short */
	enum disruption disrupts;
	const char *irreversible; /* what going back cannot restore, or NULL */
	struct config after;	  /* the whole port, once this step is done */
};

/* Settings that a failed write lost in the adapter (feature.h, `write`). */
struct lost_settings {
	setting_set unseen; /* they fell to the value 0, and may read otherwise */
	setting_set stuck;  /* of these: until the driver starts again */
};

struct plan {
	struct config before;
	struct config desired;
	struct config proof; /* must be read afterwards: wanted, announced as side effect, risked */
	struct config back;  /* what undoing restores: of `before`, what the steps touch */
	struct lost_settings lost; /* by an earlier run, and not yet restored */
	struct step steps[PLAN_MAX];
	size_t count;
};

/*
 * Plans the way from `have` to what `want` cares about: backwards to a safe
 * halfway house where the way forward needs one, then forwards by phase. What
 * a later step would disturb again is left for a second sweep. Side effects and disruptions
 * are those of the port's driver.
 */
void plan_make(struct plan *p, struct features all, const struct port *port,
	       const struct config *desired, const struct config *actual);

/* What features without a write own: it is verified, and never part of a plan. */
setting_set features_only_verified(struct features all);

/* The port as it will be, with side effects. */
const struct config *plan_end(const struct plan *p);

/* The port just before a step. */
const struct config *plan_before(const struct plan *p, size_t step);

/* Everything the steps change, side effects included. */
setting_set plan_touched(const struct plan *p);

/* Widens what undoing restores by what somebody else may have written to this port. */
void plan_put_back_too(struct plan *p, setting_set also);

/* The worst that the plan does to the port's traffic. */
enum disruption plan_disrupts(const struct plan *p);

#endif
