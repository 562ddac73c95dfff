/* The counters of a bundle. */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_SAMPLES_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_SAMPLES_H

#include "../../agent/engine/verify/counter_check.h"
#include "captured_host.h"

/*
 * Judges the two samples of `bundle --sample-for`. The caller frees *ret: one element for each
 * target, and NULL if there are no two samples. *seconds is the time between them. A port that
 * lacks one of them is unknown.
 */
bool captured_counters_judge(const struct captured_host *h, const struct thresholds *l,
			     const struct targets *all, struct counted **ret, unsigned *seconds,
			     struct err *err) must_check;

#endif
