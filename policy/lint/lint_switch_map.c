#include <stdio.h>

#include "../model/switch_map.h"
#include "lint_list.h"

#define NO_MARK (-1)

/* Traffic that is lossy on the host already has a lint of its own (lint_marking.c). */
static bool is_meant_lossless(const struct config *c, int dscp)
{
	int prio = HAS(c, SETTING_DSCP_PRIO) ? c->dscp.prio[dscp] : DSCP_KEEP;

	return prio == DSCP_KEEP || is_lossless(c, prio);
}

static bool dscp_is_dropped(const struct config *c, const struct switch_map *f, int dscp)
{
	return is_meant_lossless(c, dscp) && switch_map_drops(f, switch_map_tc_of_dscp(f, dscp));
}

static int dropped_dscp(const struct config *c, const struct switch_map *f)
{
	bool has_class =
		HAS(c, SETTING_ROCE_TRAFFIC_CLASS) && c->roce.traffic_class != TRAFFIC_CLASS_UNSET;

	if (HAS(c, SETTING_ROCE_TOS) && dscp_is_dropped(c, f, c->roce.tos >> 2))
		return c->roce.tos >> 2;
	if (has_class && dscp_is_dropped(c, f, c->roce.traffic_class >> 2))
		return c->roce.traffic_class >> 2;
	return NO_MARK;
}

static int dropped_pcp(const struct config *c, const struct switch_map *f)
{
	for (int p = 0; p < PRIOS; p++)
		if (is_lossless(c, p) && switch_map_drops(f, switch_map_tc_of_pcp(f, p)))
			return p;
	return NO_MARK;
}

/* A mark of RoCE traffic that is lossless on the host and lossy on the switch; or NO_MARK. */
static int dropped_mark(const struct config *c, const struct switch_map *f)
{
	if (!c->pfc.priorities)
		return NO_MARK;
	return f->trust == TRUST_DSCP ? dropped_dscp(c, f) : dropped_pcp(c, f);
}

static int switch_tc_of(const struct switch_map *f, int mark)
{
	return f->trust == TRUST_DSCP ? switch_map_tc_of_dscp(f, mark)
				      : switch_map_tc_of_pcp(f, mark);
}

static const char *mark_name(const struct switch_map *f)
{
	return f->trust == TRUST_DSCP ? "DSCP" : "PCP";
}

static bool roce_is_lossless_there(const struct config *c, const struct capabilities *capabilities)
{
	return !capabilities->switch_map || dropped_mark(c, capabilities->switch_map) == NO_MARK;
}

static void describe_roce(const struct config *c, const struct capabilities *capabilities,
			  char text[LINT_TEXT_MAX])
{
	const struct switch_map *f = capabilities->switch_map;
	int mark = dropped_mark(c, f);
	char lossless[128];

	snprintf(text, LINT_TEXT_MAX,
		 "on a switch with %s, %s %d lands in TC %d, which is lossy; lossless there: %s",
		 f->display_name, mark_name(f), mark, switch_tc_of(f, mark),
		 switch_map_lossless_marks(f, lossless, sizeof(lossless)));
}

/*
 * Checks switches with DSCP trust only: for PCP trust the mark is the priority, so
 * fabric-roce-not-lossless reports it.
 */
static int unpaused_prio(const struct config *c, const struct switch_map *f)
{
	for (int p = 0; p < PRIOS && f->trust == TRUST_DSCP; p++)
		if (is_lossless(c, p) && switch_map_drops(f, p))
			return p;
	return NO_MARK;
}

/* A DSCP that is lossless at both ends, and in different classes; or NO_MARK. */
static int dscp_of_two_classes(const struct config *c, const struct switch_map *f)
{
	for (int d = 0; d < DSCPS && f->trust == TRUST_DSCP && HAS(c, SETTING_DSCP_PRIO); d++) {
		int prio = c->dscp.prio[d], tc = switch_map_tc_of_dscp(f, d);

		if (is_lossless(c, prio) && tc != NO_TC && tc != prio && !switch_map_drops(f, tc))
			return d;
	}
	return NO_MARK;
}

static bool pfc_is_the_same_there(const struct config *c, const struct capabilities *capabilities)
{
	const struct switch_map *f = capabilities->switch_map;

	return !f || (unpaused_prio(c, f) == NO_MARK && dscp_of_two_classes(c, f) == NO_MARK);
}

static void describe_pfc(const struct config *c, const struct capabilities *capabilities,
			 char text[LINT_TEXT_MAX])
{
	const struct switch_map *f = capabilities->switch_map;
	int prio = unpaused_prio(c, f), dscp = dscp_of_two_classes(c, f);

	if (prio == NO_MARK) {
		snprintf(text, LINT_TEXT_MAX,
			 "DSCP %d has priority %d here, and TC %d on a switch with %s, which "
			 "pauses that",
			 dscp, c->dscp.prio[dscp], switch_map_tc_of_dscp(f, dscp), f->display_name);
		return;
	}
	snprintf(text, LINT_TEXT_MAX,
		 "priority %d is lossless here and TC %d is lossy on a switch with %s", prio, prio,
		 capabilities->switch_map->display_name);
}

static bool trust_is_the_same_there(const struct config *c, const struct capabilities *capabilities)
{
	return !capabilities->switch_map || capabilities->switch_map->trust == c->trust;
}

static void describe_trust(const struct config *c, const struct capabilities *capabilities,
			   char text[LINT_TEXT_MAX])
{
	snprintf(text, LINT_TEXT_MAX, "a switch with %s classifies by %s, and this port by %s",
		 capabilities->switch_map->display_name, mark_name(capabilities->switch_map),
		 c->trust == TRUST_DSCP ? "DSCP" : "PCP");
}

static int cnp_mark(const struct config *c, const struct switch_map *f)
{
	if (f->trust == TRUST_DSCP)
		return HAS(c, SETTING_CNP_DSCP) ? c->cnp.dscp : NO_MARK;
	return HAS(c, SETTING_CNP_PRIORITY) ? c->cnp.priority : NO_MARK;
}

static bool cnp_class_is_good(const struct switch_map *f, int tc)
{
	if (tc == NO_TC)
		return true;
	return switch_map_drops(f, tc) && (!f->has_cnp_tc || tc == f->cnp_tc);
}

static bool cnp_has_right_tc_there(const struct config *c, const struct capabilities *capabilities)
{
	const struct switch_map *f = capabilities->switch_map;
	int mark = f ? cnp_mark(c, f) : NO_MARK;

	return mark == NO_MARK || cnp_class_is_good(f, switch_tc_of(f, mark));
}

static void describe_cnp(const struct config *c, const struct capabilities *capabilities,
			 char text[LINT_TEXT_MAX])
{
	const struct switch_map *f = capabilities->switch_map;
	int mark = cnp_mark(c, f), tc = switch_tc_of(f, mark);

	if (switch_map_drops(f, tc))
		snprintf(text, LINT_TEXT_MAX,
			 "on a switch with %s, CNPs (%s %d) land in TC %d; TC %u is theirs",
			 f->display_name, mark_name(f), mark, tc, f->cnp_tc);
	else
		snprintf(text, LINT_TEXT_MAX,
			 "on a switch with %s, CNPs (%s %d) land in TC %d, which is lossless",
			 f->display_name, mark_name(f), mark, tc);
}

static unsigned storm_timeout_ms(const struct config *c)
{
	return c->pfc.storm_timeout_ms == STORM_AUTO ? STORM_AUTO_MS : c->pfc.storm_timeout_ms;
}

/* A host that pauses without limit has pfc-storm-timeout-disabled. */
static bool host_drops_first(const struct config *c, const struct capabilities *capabilities)
{
	const struct switch_map *f = capabilities->switch_map;

	return !c->pfc.priorities || !f || !f->watchdog_ms || storm_timeout_ms(c) <= f->watchdog_ms;
}

static void describe_storm(const struct config *c, const struct capabilities *capabilities,
			   char text[LINT_TEXT_MAX])
{
	const struct switch_map *f = capabilities->switch_map;

	snprintf(text, LINT_TEXT_MAX,
		 "pause that lasts makes a switch with %s drop the queue after %u ms, if its "
		 "watchdog is on, and this port only after %u ms",
		 f->display_name, f->watchdog_ms, storm_timeout_ms(c));
}

/* clang-format off: one block per lint, aligned by hand */
const struct lint lints_switch_map[] = {
	{ "fabric-roce-not-lossless", SEVERITY_WARNING, SETTING(SETTING_PFC_PRIORITIES),
	  "RoCE has a mark that is lossy on the switch",
	  "give RoCE a mark that is lossless there, or change the switch's map",
	  "A switch uses its own map: under load it drops frames that are lossless on the host, "
	  "without an error.",
	  .passes_on = roce_is_lossless_there, .describe = describe_roce,
	  .also_reads = SETTING(SETTING_ROCE_TOS) | SETTING(SETTING_ROCE_TRAFFIC_CLASS) |
			SETTING(SETTING_DSCP_PRIO) },
	{ "fabric-pfc-mismatch", SEVERITY_WARNING, SETTING(SETTING_PFC_PRIORITIES),
	  "a priority is lossless on the host and not on the switch",
	  "set pfc.priorities to those that the switch pauses",
	  "The switch drops frames of that priority instead of pausing, and ignores the host's "
	  "pauses.",
	  .passes_on = pfc_is_the_same_there, .describe = describe_pfc,
	  .also_reads = SETTING(SETTING_DSCP_PRIO) },
	{ "fabric-trust-mismatch", SEVERITY_WARNING, SETTING(SETTING_TRUST),
	  "the switch trusts another mark than the port",
	  "set trust to the mark that the switch trusts, or change the switch",
	  "Each side classifies frames by a mark that the other may not set.",
	  .passes_on = trust_is_the_same_there, .describe = describe_trust },
	{ "fabric-cnp-wrong-tc", SEVERITY_WARNING, 0,
	  "CNPs have the mark of another class on the switch",
	  "set cnp.dscp and cnp.priority to the switch's values for CNPs, usually DSCP 48 and "
	  "priority 6",
	  "CNPs that wait behind data, or are paused with it, arrive too late to slow the senders.",
	  .passes_on = cnp_has_right_tc_there, .describe = describe_cnp,
	  .also_reads = SETTING(SETTING_CNP_DSCP) | SETTING(SETTING_CNP_PRIORITY) },
	{ "storm-timeout-outlasts-switch", SEVERITY_INFO,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_PFC_STORM_TIMEOUT_MS),
	  "the switch's watchdog drops before the port's storm timeout ends",
	  "set pfc.storm_timeout_ms below the switch's detection time (\"auto\" is 100 ms), or "
	  "raise the detection time",
	  "In a pause storm the side whose time ends first drops. The port drops only what it "
	  "cannot take, and stops its pauses. The switch drops the whole queue to this port, and "
	  "on SONiC also what this port sends in that class, until it restores the queue.",
	  .passes_on = host_drops_first, .describe = describe_storm },
	{ .name = NULL }
};
/* clang-format on */
