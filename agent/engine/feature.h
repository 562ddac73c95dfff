/*
 * A feature is a group of settings that one kernel interface reads and writes together. Its row is
 * defined beside the code that talks to the kernel; the engine knows no feature by name.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_FEATURE_H
#define LOSSLESSCTL_AGENT_ENGINE_FEATURE_H

#include "../../policy/lint/lint.h"
#include "../../policy/model/config.h"
#include "../host/host.h"

#define LIKELY_CAUSE_MAX 256 /* one sentence */

enum disruption {
	DISRUPTS_NONE,
	DISRUPTS_TRAFFIC, /* it pauses for a moment */
	DISRUPTS_RDMA,	  /* it does, and RDMA connections with larger packets break */
	DISRUPTS_LINK
};

struct feature {
	const char *name;
	setting_set owns;
	const char *source; /* kernel interface or file that it reads, for reports */

	/*
	 * True if this back end is responsible on this host; NULL: always. One that is not gives no
	 * reason for missing settings.
	 */
	bool (*in_charge)(struct host *h);

	/*
	 * A program writes what it is given. If it fails that in a rollback, the next feature with
	 * these settings writes them.
	 */
	bool writes_by_program;

	/*
	 * Fills in the settings that it owns and sets their `has` bits; on failure leaves `out`
	 * unchanged.
	 */
	bool (*read)(struct host *h, const struct port *port, struct config *out, struct err *err);

	/*
	 * Changes the port from one complete configuration to another. A failed write adds to
	 * err->unseen each setting that was reset to 0 but reads otherwise, and to err->stuck those
	 * of them that another write from 0 does not restore. NULL: the settings are only verified,
	 * and `readonly_hint` is the fix (readonly_fix() of target/preflight.h).
	 */
	bool (*write)(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err);

	/* All members below are optional. */

	/*
	 * Settings of others that the driver reads from the same register, and reports as 0 if that
	 * fails: they are unknown when this read fails.
	 */
	setting_set silent;

	bool needs_no_interface; /* reads and writes through the RDMA device alone */

	/*
	 * Reads only on request (observe_on_request()): it is slow, or more than a read. `reports`
	 * then checks that the reading covers what the policy asks of a map; ERR_UNSUPPORTED and
	 * ERR_UNKNOWN are the status of the setting.
	 */
	bool on_request;
	bool (*reports)(const struct config *desired, const struct config *actual, struct err *err);

	/* The hint for this difference; NULL, or the function is: readonly_hint. */
	const char *(*hint)(const struct config *desired, const struct config *actual);

	/*
	 * Settings that a failed write may add to err->unseen. Recorded before the write, in case
	 * the run is killed.
	 */
	setting_set (*may_lose)(const struct port *port);

	const char *readonly_hint;
	bool is_advice; /* a difference is advice and blocks nothing */

	/*
	 * Checks a step before the first write against the limits that the port reports; a limit of
	 * 0 is unknown and allows all.
	 */
	bool (*accepts)(const struct port *port, const struct capabilities *capabilities,
			const struct config *from, const struct config *to, struct err *err);

	/*
	 * Creates what a read depends on; apply calls it before reading the port. On a host that
	 * may not write it says whether apply would fail.
	 */
	bool (*prepare)(struct host *h, const struct port *port, struct err *err);

	/*
	 * Applies the side effects of a write to `after`, on settings of other features or its own.
	 * The plan shows them and apply verifies them: declare only those that the port's driver
	 * has every time. A setting whose value is not known afterwards loses its `has` bit.
	 */
	void (*side_effects)(const struct port *port, const struct config *from,
			     const struct config *to, struct config *after);

	/*
	 * Returns settings of others that a write may change as long as no program has written
	 * them, so that a policy with their present values needs a write as well. May be NULL.
	 */
	setting_set (*unsettles)(const struct port *port);

	/*
	 * Settings of others from which the firmware derives these until a program writes them: a
	 * plan that touches them and writes none of these cannot foresee them.
	 */
	setting_set follows;

	/*
	 * Settings that an interrupted write may leave changed, though a complete one restores
	 * them. A rollback covers them as well.
	 */
	setting_set (*risks)(const struct config *from, const struct config *to);

	/* The disruption that a write causes for other traffic; NULL: none. */
	enum disruption (*disrupts)(const struct port *port, const struct config *from,
				    const struct config *to);

	/*
	 * Recomputes values that the driver derives from other settings: after a link flap, and at
	 * the end of a plan that touches `rests_on`.
	 */
	bool (*reapply)(struct host *h, const struct port *port, const struct config *to,
			struct err *err);
	setting_set rests_on;
	bool reapply_if_desired; /* at the end of a plan: only if its settings are desired */

	/* Sets `mid` to a safe intermediate configuration; false: the change needs none. */
	bool (*intermediate)(const struct config *from, const struct config *to,
			     struct config *mid);

	/* A sentence on the part that a rollback of this write cannot restore; NULL: nothing. */
	const char *(*irreversible)(const struct port *port, const struct config *from,
				    const struct config *to);

	/*
	 * Returns the settings of `back`, the state to restore, that no write can set along with
	 * the others: as few as possible, and none of `keep` if there is a choice.
	 */
	setting_set (*unreachable)(const struct config *actual, const struct config *back,
				   setting_set keep);

	/*
	 * Restores files that an interrupted run wrote before a reboot; unlike kernel settings they
	 * survive it. `port` is the name of that time; the port may be gone.
	 */
	bool (*restore_files)(struct host *h, const char *port, const struct config *back,
			      struct err *err);

	/*
	 * True if a program or its file may hold what a run gave it although no read shows that, as
	 * after the program's end. A rollback writes such settings whatever is read; only a write
	 * that succeeds rolls them back.
	 */
	bool (*is_hidden)(struct host *h, const struct port *port);

	/*
	 * True if in this configuration that program has a copy of what the feature rests on: a
	 * change of it changes the copy as well, and a rollback covers it.
	 */
	bool (*has_copy)(const struct config *now);

	/* Names the likely cause of a difference in its settings; `ret` is empty if unknown. */
	void (*likely_cause)(struct host *h, const struct port *port, const struct config *desired,
			     const struct config *actual, char ret[LIKELY_CAUSE_MAX]);
};

/* All features in the order of writes, steps back in reverse; the engine knows none by name. */
struct features {
	const struct feature *const *list;
	size_t count;
};

#define FEATURES_MAX 40

#endif
