/*
 * A feature is one conversation with the kernel: it reads some settings at once
 * and writes them at once. Rows live beside the code that speaks; the engine
 * knows no feature by name.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_FEATURE_H
#define LOSSLESSCTL_AGENT_ENGINE_FEATURE_H

#include "../../policy/lint/lint.h"
#include "../../policy/model/config.h"
#include "../host/host.h"

/* Advancing follows this order, retreating goes backwards: traffic arrives when everything stands.
 */
enum phase {
	PHASE_AUTHORITY, /* who may configure the port: DCBX mode */
	PHASE_SIZE,	 /* MTU */
	PHASE_QUIET,	 /* 802.3x pause off */
	PHASE_ROOM,	 /* cable length, receive buffers */
	PHASE_LOSSLESS,	 /* PFC */
	PHASE_SHARE,	 /* ETS, rates */
	PHASE_REACT,	 /* storm timeout, DCQCN */
	PHASE_MARK,	 /* DSCP map */
	PHASE_STEER,	 /* RoCE mode and ToS of new connections */
	PHASE_SPEAK,	 /* what the switch is told, once all of it is so */
};

#define LIKELY_CAUSE_MAX 256 /* a sentence */

enum disruption { DISRUPTS_NONE, DISRUPTS_TRAFFIC, DISRUPTS_LINK };

struct feature {
	const char *name;
	enum phase phase;
	setting_set owns;
	const char *source; /* where it reads from, for reports */

	/* Is this back end in charge here? NULL: always. One that is not gives no reason. */
	bool (*in_charge)(struct host *h);

	/* Fills the settings it owns and sets their `has` bits, or touches nothing. */
	bool (*read)(struct host *h, const struct port *port, struct config *out, struct err *err);

	/*
	 * Brings the port from one setup to the other; both are whole. A write that fails
	 * adds to err->unseen each setting that fell to its value 0 and reads otherwise, and to
	 * err->stuck those that another write from 0 does not restore. NULL: it is only verified,
	 * and `not_ours` says what to do instead.
	 */
	bool (*write)(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err);

	/* The rest is optional. */

	/* What a write that fails may add to err->unseen: noted before it, for a run that is
	 * killed. */
	setting_set (*may_lose)(const struct port *port);

	const char *readonly_hint;
	bool is_advice; /* verified, but what differs is advice and stops nothing */

	/*
	 * Judges a step before anything is written, by the limits that the port reports; a
	 * limit that is 0 is unknown and stops nothing.
	 */
	bool (*accepts)(const struct port *port, const struct capabilities *capabilities,
			const struct config *from, const struct config *to, struct err *err);

	/* Makes what reading needs; only apply calls it, before it looks at the port. */
	bool (*prepare)(struct host *h, const struct port *port, struct err *err);

	/*
	 * Side effects of a write on other settings of this port. The plan shows it, and the
	 * apply proves it: declare only what the port's driver does every time.
	 */
	void (*side_effects)(const struct port *port, const struct config *from,
			     const struct config *to, struct config *after);

	/* What the write puts right itself, unless it is cut short: going back covers it, too. */
	setting_set (*risks)(const struct port *port, const struct config *from,
			     const struct config *to);

	/* What the write disturbs for others; without it, nothing. */
	enum disruption (*disrupts)(const struct port *port, const struct config *from,
				    const struct config *to);

	/*
	 * What the driver works out from other settings, worked out anew: after the link is
	 * back from a disruptive write, and at the end of a plan that touches `rests_on`.
	 */
	bool (*reapply)(struct host *h, const struct port *port, const struct config *to,
			struct err *err);
	setting_set rests_on;

	/* The safe halfway house; false: the way forward needs none. */
	bool (*intermediate)(const struct port *port, const struct config *from,
			     const struct config *to, struct config *mid);

	/* What going back cannot restore after this write; NULL: nothing. */
	const char *(*irreversible)(const struct port *port, const struct config *from,
				    const struct config *to);

	/*
	 * After a boot: puts back what a run that did not end wrote to files, which outlive
	 * the kernel's settings. The port goes by the name that it had; it may be gone.
	 */
	bool (*restore_files)(struct host *h, const char *port, const struct config *back,
			      struct err *err);

	/* Who likely made what it owns differ, as far as can be told; else `ret` is empty. */
	void (*likely_cause)(struct host *h, const struct port *port, const struct config *desired,
			     const struct config *actual, char ret[LIKELY_CAUSE_MAX]);
};

/* The features of this program in phase order, so that the engine need not know them. */
struct features {
	const struct feature *const *list;
	size_t count;
};

#define FEATURES_MAX 40

#endif
