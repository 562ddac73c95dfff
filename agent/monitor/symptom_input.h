/*
 * Evidence: the one place that turns a window of counters into the input of every symptom, for
 * the agent, `watch` and `verify --counters` alike; and arithmetic that several symptoms share.
 */
#ifndef LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_INPUT_H
#define LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_INPUT_H

#include "symptom.h"

/*
 * The evidence of one window, borrowed from all four; `want` may be NULL. Link downs are those of
 * this window. A driver that does not count them is judged by the kernel's carrier_down_count.
 */
struct symptom_input symptom_input_of(const struct interval *s, const struct config *actual,
				      const struct config *desired, const struct thresholds *l);

/* The priorities that must not lose packets: the policy's, or the port's own. */
uint8_t symptom_input_lossless(const struct symptom_input *e);

/* A count for each second of the window. */
double symptom_input_per_second(const struct symptom_input *e, uint64_t count);

/* Percent of the window, of a counter of microseconds. */
double symptom_input_percent_of_time(const struct symptom_input *e, enum counter_id us,
				     unsigned prio);

/* A counter's sum over a set of priorities. */
uint64_t symptom_input_over_priorities(const struct symptom_input *e, enum counter_id id,
				       uint8_t of);

/* Is there enough RDMA traffic for shares of it to mean something? */
bool symptom_input_is_busy(const struct symptom_input *e);

/* Writes a symptom's figures; returns true, so that a predicate can end with it. */
bool symptom_input_says(char text[SYMPTOM_TEXT_MAX], const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
