/*
 * Predicates of the rows of symptoms[]. Each treats unknown counters as zero and writes its
 * figures.
 */
#ifndef LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_CHECKS_H
#define LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_CHECKS_H

#include "symptom_input.h"

/* In the order of the table. */
bool shows_watchdog_tripped(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_lossless_drops(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_storm_sent(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_deadlock(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_storm_received(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_host_is_bottleneck(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_pause_without_cnp(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_marks_without_cnp(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_cnps_ignored(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_wrong_priority(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_out_of_sequence(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_pause_on_lossy(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_global_pause(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_link_errors(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_icrc_errors(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_receiver_not_ready(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
bool shows_link_flaps(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);

/* True if the symptom would show, but may not apply; writes why. */
bool cannot_judge_pause_without_cnp(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);

/* True if a single window suffices. */
bool adapter_warned(const struct symptom_input *e);

/* The location of the cause in this case. */
enum symptom_origin points_to_own_cable(const struct symptom_input *e);
enum symptom_origin points_to_receiver(const struct symptom_input *e);

#endif
