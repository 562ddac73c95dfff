/*
 * Builds the input of all symptom checks from a window of counters, for the agent, `watch` and
 * `verify --sample-for` alike; and calculations that several checks share.
 */
#ifndef LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_INPUT_H
#define LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_INPUT_H

#include "../../policy/document/thresholds.h"
#include "counter.h"

#define SYMPTOM_TEXT_MAX 192

/* Locations of the cause. */
enum symptom_origin { ORIGIN_HOST, ORIGIN_FABRIC, ORIGIN_CABLE, ORIGIN_REMOTE };

/* The input of symptom checks. */
struct symptom_input {
	const struct counter_delta *delta;
	const struct config *actual;  /* the port's settings; unknown ones are ignored */
	const struct config *desired; /* NULL: no policy applies to the port */
	const struct thresholds *thresholds;
	uint64_t link_downs; /* within thresholds.link_down_window_s, or since sampling began */
	bool steady;	     /* the link was up throughout, and nobody changed the settings */
};

/*
 * The input for one window; borrows its arguments. `desired` may be NULL. Link downs are those of
 * this window: by the driver's counter, else by the kernel's carrier_down_count.
 */
struct symptom_input symptom_input_of(const struct counter_delta *s, const struct config *actual,
				      const struct config *desired, const struct thresholds *l);

/* The priorities that must not lose packets: the policy's, else the port's. */
uint8_t symptom_input_lossless(const struct symptom_input *e);

/* A difference per second. */
double symptom_input_per_second(const struct symptom_input *e, uint64_t count);

/* A counter of microseconds as percent of the window. */
double symptom_input_percent_of_time(const struct symptom_input *e, enum counter_id us,
				     unsigned prio);

/* The sum of a counter over a set of priorities. */
uint64_t symptom_input_over_priorities(const struct symptom_input *e, enum counter_id id,
				       uint8_t of);

/*
 * True if there is RDMA traffic to speak of: of this function, or on the lossless priorities of the
 * wire, where that of VFs and SFs shows.
 */
bool symptom_input_is_busy(const struct symptom_input *e);

/* Writes a symptom's figures; returns true, so that a predicate can end with it. */
bool symptom_input_write_text(char text[SYMPTOM_TEXT_MAX], const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
