#include <stdio.h>
#include <string.h>

#include "../model/congestion_control.h"
#include "lint_list.h"

/* A sender raises its rate again after this time without a CNP (the default of rpg_time_reset). */
#define RATE_INCREASE_US 300

static bool pfc_has_ecn(const struct config *c)
{
	bool notifies = HAS(c, SETTING_ECN_NP) && c->ecn.np;

	return !c->pfc.priorities || c->ecn.rp_priorities || notifies;
}

static bool ecn_has_pfc(const struct config *c)
{
	return c->pfc.priorities || !c->ecn.rp_priorities;
}

static bool ecn_covers_lossless(const struct config *c)
{
	return !c->ecn.rp_priorities || !(c->pfc.priorities & ~c->ecn.rp_priorities);
}

static bool ecn_has_both_ends(const struct config *c)
{
	return c->ecn.np == (c->ecn.rp_priorities != 0);
}

static int prio_of_cnp_dscp(const struct config *c)
{
	return HAS(c, SETTING_CNP_DSCP) && HAS(c, SETTING_DSCP_PRIO) ? c->dscp.prio[c->cnp.dscp]
								     : DSCP_NONE;
}

static bool cnp_is_not_lossless(const struct config *c)
{
	return !is_lossless(c, prio_of_cnp_dscp(c)) &&
	       !(HAS(c, SETTING_CNP_PRIORITY) && is_lossless(c, c->cnp.priority));
}

static bool cnp_dscp_is_its_priority(const struct config *c)
{
	int prio = c->dscp.prio[c->cnp.dscp];

	return c->trust != TRUST_DSCP || prio == DSCP_KEEP || prio == c->cnp.priority;
}

static bool cnps_take_their_priority(const struct config *c)
{
	return !c->cnp.priority_mode || !c->cnp.priority;
}

static bool cnps_come_in_time(const struct config *c)
{
	uint32_t increase_us =
		HAS(c, SETTING_DCQCN_RPG_TIME_RESET) ? c->dcqcn.rpg_time_reset : RATE_INCREASE_US;

	return c->cnp.min_interval_us <= increase_us;
}

/* A policy that leaves congestion to another controller expects one. */
static bool dcqcn_is_in_force(const struct config *c, const struct capabilities *f)
{
	(void)c;
	return !f->congestion_program[0] || (f->congestion_control && f->congestion_control->owner);
}

static void describe_program(const struct config *c, const struct capabilities *f,
			     char text[LINT_TEXT_MAX])
{
	(void)c;
	snprintf(text, LINT_TEXT_MAX,
		 "%s runs another congestion control in this port's adapter: DCQCN settings have "
		 "no effect",
		 f->congestion_program);
}

#define CONGESTION \
	(SETTING(SETTING_ECN_NP) | SETTING(SETTING_ECN_RP_PRIORITIES) | \
	 (SETTING(SETTING_DCQCN_RPG_GD + 1) - SETTING(SETTING_CNP_DSCP)))

#define DOCUMENTED \
	((SETTING(SETTING_DCQCN_RPG_GD + 1) - SETTING(SETTING_DCQCN_CLAMP_TGT_RATE)) | \
	 SETTING(SETTING_CNP_MIN_INTERVAL_US))

static bool is_documented(const struct config *c, size_t setting)
{
	const struct setting *k = &settings[setting];
	int64_t value;

	if (!(c->has & DOCUMENTED & SETTING(setting)) || !k->documented_max)
		return true;
	value = setting_element(k, c, 0);
	return value >= k->documented_min && value <= k->documented_max;
}

static bool dcqcn_is_documented(const struct config *c)
{
	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (!is_documented(c, i))
			return false;
	return true;
}

static void describe_undocumented(const struct config *c, const struct capabilities *f,
				  char text[LINT_TEXT_MAX])
{
	const char *before = "outside what is documented: ";

	(void)f;
	text[0] = '\0';
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		size_t used = strlen(text);

		if (is_documented(c, i))
			continue;
		snprintf(text + used, LINT_TEXT_MAX - used, "%s%s (%u to %u)", before,
			 settings[i].path, settings[i].documented_min, settings[i].documented_max);
		before = ", ";
	}
}

static bool tcp_takes_ecn(const struct config *c)
{
	return c->host.tcp_ecn != 0;
}

/* clang-format off: one block per lint, aligned by hand */
const struct lint lints_ecn[] = {
	{ "pfc-without-ecn", SEVERITY_INFO,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ECN_RP_PRIORITIES),
	  "PFC is on and ECN is off: pauses are the only answer to congestion",
	  "add the lossless priority to ecn.rp_priorities and set ecn.np, unless the fabric "
	  "schedules its traffic",
	  "Pauses also stop flows that did not cause the congestion; ECN slows those that did. "
	  "Fabrics that schedule their traffic need no ECN.",
	  .passes = pfc_has_ecn, .also_reads = SETTING(SETTING_ECN_NP) },
	{ "ecn-without-pfc", SEVERITY_INFO,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ECN_RP_PRIORITIES),
	  "ECN is on and PFC is off: a burst faster than ECN is dropped",
	  "add the priority to pfc.priorities, unless RoCE is meant to be lossy",
	  "ECN takes a round trip to slow a sender; only PFC stops it before a buffer overflows.",
	  .passes = ecn_has_pfc },
	{ "lossless-without-ecn-rp", SEVERITY_WARNING,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ECN_RP_PRIORITIES),
	  "ecn.rp_priorities leaves out a lossless priority",
	  "add every priority of pfc.priorities to ecn.rp_priorities",
	  "Its senders ignore CNPs while others slow down, and congest the fabric for all.",
	  .passes = ecn_covers_lossless },
	{ "ecn-np-rp-mismatch", SEVERITY_WARNING,
	  SETTING(SETTING_ECN_NP) | SETTING(SETTING_ECN_RP_PRIORITIES),
	  "one end of ECN is on and the other off",
	  "set ecn.np to true with priorities in ecn.rp_priorities, or false with []",
	  "If all hosts have this configuration, no host sends CNPs, or no host reacts to them.",
	  .passes = ecn_has_both_ends },
	{ "cnp-on-lossless-priority", SEVERITY_WARNING, SETTING(SETTING_PFC_PRIORITIES),
	  "CNPs use a lossless priority",
	  "give CNPs a DSCP and a priority (cnp.dscp, cnp.priority) that is not in pfc.priorities",
	  "The congestion that CNPs report would pause them.", .passes = cnp_is_not_lossless,
	  .also_reads = SETTING(SETTING_CNP_DSCP) | SETTING(SETTING_CNP_PRIORITY) |
			SETTING(SETTING_DSCP_PRIO) },
	{ "cnp-dscp-priority-mismatch", SEVERITY_WARNING,
	  SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_CNP_DSCP) |
		  SETTING(SETTING_CNP_PRIORITY),
	  "cnp.dscp is not mapped to cnp.priority",
	  "map the DSCP in cnp.dscp to cnp.priority in dscp.prio",
	  "CNPs would be sent on one priority and received on another.",
	  .passes = cnp_dscp_is_its_priority },
	{ "cnp-priority-unused", SEVERITY_WARNING,
	  SETTING(SETTING_CNP_PRIORITY) | SETTING(SETTING_CNP_PRIORITY_MODE),
	  "CNPs take cnp.priority only while cnp.priority_mode is 0",
	  "set cnp.priority_mode to 0, or remove one of the two",
	  "Adapters start with such a pair, but the driver cannot write it: writing one of the two "
	  "resets the other.",
	  .passes = cnps_take_their_priority, .if_desired = SETTING(SETTING_CNP_PRIORITY_MODE) },
	{ "cnp-interval-too-long", SEVERITY_WARNING, SETTING(SETTING_CNP_MIN_INTERVAL_US),
	  "the interval between CNPs is longer than the senders' recovery time",
	  "set cnp.min_interval_us below dcqcn.rpg_time_reset_us (defaults: 4 and 300)",
	  "Between two CNPs of a lasting congestion, senders increase their rate as if it were "
	  "over.",
	  .passes = cnps_come_in_time, .also_reads = SETTING(SETTING_DCQCN_RPG_TIME_RESET) },
	{ "dcqcn-outside-documented-range", SEVERITY_WARNING, 0,
	  "a DCQCN parameter is outside its documented range",
	  "use a value in the range; `losslessctl explain NAME` prints it",
	  "Drivers do not check it: firmware truncates or refuses a value that is too large.",
	  .passes = dcqcn_is_documented, .also_reads = DOCUMENTED,
	  .describe = describe_undocumented },
	{ "dcqcn-replaced", SEVERITY_WARNING, 0, "another congestion control runs in the adapter",
	  "name it in \"congestion_control\" of the policy (\"spectrum-x\", \"other\"), or stop "
	  "the program",
	  "DCQCN settings read and write as usual then, without effect: being in sync "
	  "does not tell which congestion control runs.",
	  .passes_on = dcqcn_is_in_force, .also_reads = CONGESTION, .describe = describe_program },
	{ "host-tcp-ecn-disabled", SEVERITY_INFO, SETTING(SETTING_HOST_TCP_ECN),
	  "TCP on this host ignores ECN",
	  "set host.tcp_ecn to 1, or to 2 (when the peer requests "
	  "it)",
	  "If TCP shares queues with RoCE, TCP keeps them full and only RoCE slows down.",
	  .passes = tcp_takes_ecn },
	{ .name = NULL }
};
/* clang-format on */
