/* Plans a change as safe steps. Pure: making a plan touches nothing. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_PLAN_H
#define LOSSLESSCTL_AGENT_ENGINE_PLAN_H

#include "feature.h"

#define PLAN_MAX (3 * FEATURES_MAX)

struct step {
	const struct feature *feature;
	setting_set change; /* settings that it is to change */
	setting_set side;   /* settings that it changes as a side effect */
	setting_set risk;   /* settings that it may leave changed if interrupted */
	enum disruption disrupts;
	const char *irreversible; /* the part that a rollback cannot restore, or NULL */
	struct config after;	  /* the whole port after this step */
};

/* Settings that a failed write lost in the adapter (feature.h, `write`). */
struct lost_settings {
	setting_set unseen; /* reset to 0, and may read otherwise */
	setting_set stuck;  /* those of `unseen` that stay lost until the driver restarts */
};

struct plan {
	struct config before;
	struct config desired;
	struct config proof; /* to be verified: desired, announced as side effect, or at risk */
	struct config back;  /* the settings of `before` that a rollback restores: those that the
				steps touch, and copies of them */
	struct lost_settings lost; /* losses of an earlier run, not yet restored */
	bool rolls_back;	   /* a failure restores the rest of `proof`, not `back` */
	bool recovers; /* it ends a run that has not: an interruption does not stop it */
	struct step steps[PLAN_MAX];
	size_t count;
};

/*
 * Plans the change from `actual` to `desired`: back to a safe intermediate configuration where
 * needed, then forward in the order of the features, which cli/write_order.h lists. A setting that
 * a later step would change again is left for a second pass. Side effects and disruptions are those
 * of the port's driver (struct feature).
 */
void plan_make(struct plan *p, struct features all, const struct port *port,
	       const struct config *desired, const struct config *actual);

/* Returns the settings of features without `write`: they are verified and never planned. */
setting_set features_only_verified(struct features all);

/*
 * Returns the settings that a rollback writes whatever is read (feature.h, `is_hidden`), if a run
 * has touched any of `touched`.
 */
setting_set features_hidden(struct host *h, struct features all, const struct port *port,
			    setting_set touched);

/* Returns the port's configuration after the plan, with side effects. */
const struct config *plan_end(const struct plan *p);

/* Returns the port's configuration before a step. */
const struct config *plan_before(const struct plan *p, size_t step);

/* Returns all settings that the steps change, side effects included. */
setting_set plan_touched(const struct plan *p);

/*
 * Adds settings to those that a rollback restores, because a misdirected write may have changed
 * them.
 */
void plan_roll_back_also(struct plan *p, setting_set also);

/* Returns the worst disruption that the plan causes. */
enum disruption plan_disrupts(const struct plan *p);

/* Returns the settings of `back` that no plan can restore from `actual` (feature.h). */
setting_set plan_unreachable(struct features all, const struct config *actual,
			     const struct config *back, setting_set keep);

#endif
