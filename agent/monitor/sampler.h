/*
 * Watching a port: samples of its counters, and what each window of them says.
 * One round of samples costs no allocation.
 */
#ifndef LOSSLESSCTL_AGENT_MONITOR_SAMPLER_H
#define LOSSLESSCTL_AGENT_MONITOR_SAMPLER_H

#include "../host/host.h"
#include "symptom_state.h"

/*
 * Room for the lists of one port's driver: names, and their values beside them.
 * A port with 128 channels has some ten thousand; memory that is not touched is not used.
 */
#define STATS_MAX 32768

struct scratch;

/* Owned by whoever asked for it, and good for all ports; free() frees. NULL: out of memory. */
struct scratch *scratch_new(void);

/* The bytes of a scratch. */
void *scratch_bytes(struct scratch *s);
#define SCRATCH_BYTES ((size_t)(2 * 32 + 8) * STATS_MAX + 64)

/* Adds the counters of one kind to a sample; one that has none leaves it as it is. */
struct meter {
	const char *name;
	bool (*read)(struct host *h, const struct port *port, struct scratch *s, struct sample *ret,
		     struct err *err);
};

/* The meters of this program, so that the engine need not know them. */
struct meters {
	const struct meter *const *list;
	size_t count;
};

/*
 * Takes one sample. A meter that this port has not adds nothing; fails only
 * when the port is gone (ERR_GONE), or nothing at all could be read.
 */
bool sample_take(struct host *h, struct meters all, const struct port *port, struct scratch *s,
		 struct sample *ret, struct err *err) must_check;

#define LINK_SPANS 16

/* When the link went down, of late: the counts of a few spans, the oldest of which is reused. */
struct link_history {
	uint64_t until_ms[LINK_SPANS], downs[LINK_SPANS];
	unsigned newest;
};

/* One port as it is watched. Plain data; all zero is the beginning. */
struct watched {
	struct sample first, last; /* of the window at hand */
	bool begun;
	bool disturbed; /* in this window: losslessctl wrote, or the port was away */
	struct link_history link;
	struct symptom_state symptoms;
	struct active_symptom active_symptoms[SYMPTOMS_MAX]; /* the symptoms that are raised */
	size_t active_symptoms_count;
	uint64_t judged_ms; /* when; 0: not yet */
};

/*
 * The counters of this window were not read, or a change by losslessctl explains them: only
 * symptoms that nothing explains are judged, and link downs do not count as flapping.
 */
void watch_disturb(struct watched *w);

/* Did the link go down or come up since the sample before this one? */
bool watch_link_moved(const struct watched *w, const struct sample *s);

/* Takes a sample in; true when a window is over, and was judged. */
bool watch_add(struct watched *w, const struct sample *s, const struct config *actual,
	       const struct config *desired, const struct thresholds *l);

#endif
