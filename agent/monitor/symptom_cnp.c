#include "symptom_checks.h"

#include "../../policy/model/setting.h"

/* Only a policy that turns ECN off excuses missing CNPs: ECN may be off on the port by mistake. */
static bool cnp_not_expected(const struct symptom_input *e)
{
	return e->desired && (e->desired->has & SETTING(SETTING_ECN_NP)) && !e->desired->ecn.np;
}

static bool wants_no_reaction(const struct symptom_input *e)
{
	return e->desired && (e->desired->has & SETTING(SETTING_ECN_RP_PRIORITIES)) &&
	       !e->desired->ecn.rp_priorities;
}

/*
 * Newer firmware negotiates the algorithm of each connection, and some need no CNPs (ZTR-RTT). Only
 * a count since the driver was loaded shows that DCQCN runs.
 */
static bool dcqcn_has_run(const struct counter_delta *s)
{
	return counter_delta_latest(s, COUNT_CNP_SENT) ||
	       counter_delta_latest(s, COUNT_CNP_HANDLED) ||
	       counter_delta_latest(s, COUNT_ECN_MARKED);
}

static double pause_frames_per_s(const struct symptom_input *e)
{
	uint8_t lossless = symptom_input_lossless(e);

	return symptom_input_per_second(e,
					symptom_input_over_priorities(e, COUNT_RX_PAUSE, lossless) +
						symptom_input_over_priorities(e, COUNT_TX_PAUSE,
									      lossless));
}

static bool pauses_without_cnp(const struct symptom_input *e)
{
	const struct counter_delta *s = e->delta;

	return symptom_input_is_busy(e) && !cnp_not_expected(e) && !wants_no_reaction(e) &&
	       counter_delta_known(s, COUNT_CNP_SENT, 0) &&
	       counter_delta_known(s, COUNT_CNP_HANDLED, 0) &&
	       pause_frames_per_s(e) >= e->thresholds->value[THRESHOLD_PAUSE_FRAMES_PER_S] &&
	       !counter_delta_count(s, COUNT_CNP_SENT, 0) &&
	       !counter_delta_count(s, COUNT_CNP_HANDLED, 0) &&
	       !counter_delta_count(s, COUNT_ECN_MARKED, 0);
}

bool shows_pause_without_cnp(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	return pauses_without_cnp(e) && dcqcn_has_run(e->delta) &&
	       symptom_input_write_text(
		       text, "%.0f PFC frames a second, but no ECN-marked packet and no CNP",
		       pause_frames_per_s(e));
}

bool cannot_judge_pause_without_cnp(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	return pauses_without_cnp(e) && !dcqcn_has_run(e->delta) &&
	       symptom_input_write_text(text,
					"%.0f PFC frames a second, but no CNP since the driver was "
					"loaded: connections may use another congestion control "
					"than DCQCN",
					pause_frames_per_s(e));
}

bool shows_marks_without_cnp(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	double marked = counter_delta_rate(e->delta, COUNT_ECN_MARKED);

	return !cnp_not_expected(e) && counter_delta_known(e->delta, COUNT_CNP_SENT, 0) &&
	       marked >= e->thresholds->value[THRESHOLD_ECN_MARKED_PACKETS_PER_S] &&
	       !counter_delta_count(e->delta, COUNT_CNP_SENT, 0) &&
	       symptom_input_write_text(
		       text, "%.0f packets a second arrived ECN-marked, but no CNP was sent",
		       marked);
}

bool shows_cnps_ignored(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t ignored = counter_delta_count(e->delta, COUNT_CNP_IGNORED, 0);
	uint64_t handled = counter_delta_count(e->delta, COUNT_CNP_HANDLED, 0);

	return !wants_no_reaction(e) &&
	       symptom_input_per_second(e, ignored) >=
		       e->thresholds->value[THRESHOLD_CNP_IGNORED_PER_S] &&
	       ignored > handled &&
	       symptom_input_write_text(text, "%llu CNPs were ignored, %llu handled",
					(unsigned long long)ignored, (unsigned long long)handled);
}
