/* The actual settings of a port, and the reasons for those that are not known. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_OBSERVE_H
#define LOSSLESSCTL_AGENT_ENGINE_OBSERVE_H

#include "feature.h"

/* The reason why some settings could not be read. */
struct reason {
	setting_set of;
	enum err_kind kind; /* ERR_UNSUPPORTED, ERR_MISSING, else unknown */
	const struct feature *from;
	char text[192], fix[160];
};

struct observation {
	struct config actual;
	setting_set unsupported; /* the port, driver or kernel lacks them */
	setting_set elsewhere;	 /* those of them that another port has */
	setting_set not_asked;	 /* those of them that are read on request only */
	setting_set missing;	 /* not there yet; apply creates them */
	setting_set unknown;	 /* could not be read */
	bool lacks_memory;	 /* some of them for lack of memory */
	/*
	 * Features that were read, or can be once apply has prepared them; one of several back
	 * ends.
	 */
	const struct feature *active[FEATURES_MAX];
	size_t active_count;
	size_t reasons_count;
	struct reason reasons[2 * FEATURES_MAX]; /* undefined beyond reasons_count */
};

/*
 * Reads all settings once. The first feature that can be read takes precedence for the settings
 * that it shares with others. An unreadable one is recorded with its reason. Fails only if the port
 * is gone (ERR_GONE) or the link cannot be read.
 */
bool observe(struct host *h, struct features all, const struct port *port, struct observation *ret,
	     struct err *err) must_check;

/* observe(), split so that a caller can read more under one cache. */
bool observe_features(struct host *h, struct features all, const struct port *port,
		      struct observation *ret, struct err *err) must_check;

/* The same for a report: fails as well if memory is exhausted. A rollback goes on without. */
bool observe_for_report(struct host *h, struct features all, const struct port *port,
			struct observation *ret, struct err *err) must_check;

/*
 * Ends the reading. Fails if the port was renamed meanwhile: what was read may be another port's.
 */
bool observe_end(struct host *h, const struct port *port, struct err *err) must_check;

/*
 * Reads the settings that the policy desires of features that are read on request, after observe(),
 * which leaves them out.
 */
void observe_on_request(struct host *h, struct features all, const struct port *port,
			const struct config *desired, struct observation *o);

/* Returns the features to plan with: those in `active`. Borrows from the observation. */
struct features observation_features(const struct observation *o);

/* Returns why this setting is missing in o->actual, or NULL. */
const struct reason *observation_reason(const struct observation *o, unsigned setting);

/* Returns the settings that this port leaves to its PF, or to another member of its bond. */
setting_set observation_elsewhere(const struct observation *o, const struct port *port);

/* Returns the feature that a setting was read from, else the one whose reason counts, or NULL. */
const struct feature *observation_feature(const struct observation *o, struct features all,
					  unsigned setting);

#endif
