/*
 * Samples a port's counters and checks each window of them for symptoms. Sampling allocates no
 * memory.
 */
#ifndef LOSSLESSCTL_AGENT_MONITOR_SAMPLER_H
#define LOSSLESSCTL_AGENT_MONITOR_SAMPLER_H

#include "../host/host.h"
#include "symptom.h"

/*
 * Capacity for the counters of one driver. mlx5 has 77 and 30 a traffic class for each channel
 * (en_stats.c): about 81,200 with 256 channels. Memory that is not touched is not used.
 */
#define STATS_MAX 131072

struct scratch;

/*
 * Allocates a buffer that serves all ports; the caller releases it with free(). NULL if out of
 * memory.
 */
struct scratch *scratch_new(void);

/* The bytes of the buffer. */
void *scratch_bytes(struct scratch *s);
#define SCRATCH_BYTES ((size_t)(2 * 32 + 8) * STATS_MAX + 64)

/* Adds one kind of counters to a sample; leaves the sample unchanged if the port has none. */
struct counter_reader {
	const char *name;
	bool (*read)(struct host *h, const struct port *port, struct scratch *s, struct sample *ret,
		     struct err *err);
	bool needs_no_interface; /* reads the RDMA device alone */
	bool is_extra; /* adds to few symptoms: without it the others are judged nevertheless */
};

/* The counter readers, passed in so that the engine need not know them. */
struct counter_readers {
	const struct counter_reader *const *list;
	size_t count;
};

/*
 * Takes one sample. A reader whose counters the port lacks adds nothing; one that fails leaves its
 * reason in ret->unread. Fails only if the port is gone (ERR_GONE) or nothing could be read.
 */
bool sample_read(struct host *h, struct counter_readers all, const struct port *port,
		 struct scratch *s, struct sample *ret, struct err *err) must_check;

#define LINK_SPANS 16

/* Recent link downs, counted in spans of time; the oldest span is reused. */
struct link_history {
	uint64_t until_ms[LINK_SPANS], downs[LINK_SPANS];
	unsigned newest;
};

/* The state of one sampled port. Plain data; initialise it with zeros. */
struct sampled_port {
	struct sample first, last; /* bounds of the current window */
	bool begun;
	bool inconclusive; /* in this window losslessctl wrote, or the port was missing */
	struct link_history link;
	struct symptom_state symptoms;
	struct active_symptom active_symptoms[SYMPTOMS_MAX]; /* the symptoms raised */
	size_t active_symptoms_count;
	uint64_t checked_ms; /* time of the last check; 0: none yet */
};

/*
 * Marks the window: its counters were not all read, or a change by losslessctl explains them. Then
 * only symptoms with even_unsteady are checked, and link downs do not count as flapping.
 */
void sampler_mark_inconclusive(struct sampled_port *w);

/* Begins another window at the next sample, after a restart of the driver. Keeps the symptoms. */
void sampler_begin_anew(struct sampled_port *w);

/* True if the link went down or up since the previous sample. */
bool sampler_link_changed(const struct sampled_port *w, const struct sample *s);

/* Adds a sample; true if that completed a window and its symptoms were checked. */
bool sampler_add(struct sampled_port *w, const struct sample *s, const struct config *actual,
		 const struct config *desired, const struct thresholds *l);

#endif
