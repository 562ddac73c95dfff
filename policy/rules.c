#include "rules.h"

#include "knob.h"

const char *severity_name(enum severity s)
{
	static const char *const names[] = {
		[SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"
	};

	return names[s];
}

static bool ets_shares_add_up(const struct config *c)
{
	unsigned sum = 0, classes = 0;

	for (int tc = 0; tc < PRIOS; tc++)
		if (c->ets.tsa[tc] == TSA_ETS) {
			sum += c->ets.bandwidth[tc];
			classes++;
		}
	return classes == 0 || sum == 100;
}

static bool only_ets_has_shares(const struct config *c)
{
	for (int tc = 0; tc < PRIOS; tc++)
		if (c->ets.tsa[tc] != TSA_ETS && c->ets.bandwidth[tc] != 0)
			return false;
	return true;
}

static bool no_credit_based_shaper(const struct config *c)
{
	for (int tc = 0; tc < PRIOS; tc++)
		if (c->ets.tsa[tc] == TSA_CBS)
			return false;
	return true;
}

static bool pfc_excludes_pause(const struct config *c)
{
	return !c->pfc.priorities || (!c->pause.rx && !c->pause.tx);
}

static bool lossless_has_own_class(const struct config *c)
{
	for (int p = 0; p < PRIOS; p++)
		for (int q = 0; q < PRIOS; q++)
			if ((c->pfc.priorities & (1u << p)) && !(c->pfc.priorities & (1u << q)) &&
			    c->ets.prio_tc[p] == c->ets.prio_tc[q])
				return false;
	return true;
}

static bool lossless_is_not_strict(const struct config *c)
{
	for (int p = 0; p < PRIOS; p++)
		if ((c->pfc.priorities & (1u << p)) && c->ets.tsa[c->ets.prio_tc[p]] == TSA_STRICT)
			return false;
	return true;
}

static bool tos_reaches_lossless(const struct config *c)
{
	int prio = c->dscp.prio[c->roce.tos >> 2];

	return prio < 0 || !c->pfc.priorities || (c->pfc.priorities & (1u << prio));
}

static bool tos_is_ecn_capable(const struct config *c)
{
	unsigned ecn = c->roce.tos & 3u;

	return c->roce.tos == 0 || ecn == 1 || ecn == 2;
}

static bool roce_is_routable(const struct config *c)
{
	return c->trust != TRUST_DSCP || c->roce.mode == ROCE_V2;
}

/* clang-format off: one block per rule, aligned by hand */
const struct rule rules[] = {
	{ "ets-shares-add-up", SEVERITY_ERROR, ets_shares_add_up,
	  KNOB(KNOB_ETS_TSA) | KNOB(KNOB_ETS_BANDWIDTH),
	  "the bandwidth of the ets classes does not add up to 100",
	  "make ets.bandwidth add up to 100 over the classes whose tsa is ets",
	  "The kernel refuses any other sum (802.1Q enhanced transmission selection)." },
	{ "ets-shares-only-for-ets", SEVERITY_ERROR, only_ets_has_shares,
	  KNOB(KNOB_ETS_TSA) | KNOB(KNOB_ETS_BANDWIDTH), "a class that is not ets has a bandwidth",
	  "set ets.bandwidth to 0 where tsa is strict or vendor",
	  "The adapter ignores it, and it reads back as 0 or 100 depending on the kernel." },
	{ "ets-no-credit-based-shaper", SEVERITY_ERROR, no_credit_based_shaper, KNOB(KNOB_ETS_TSA),
	  "a traffic class uses the credit-based shaper", "use strict, ets or vendor",
	  "mlx5 has no credit-based shaper; older kernels take the word and do something else." },
	{ "pfc-excludes-pause", SEVERITY_ERROR, pfc_excludes_pause,
	  KNOB(KNOB_PFC_PRIORITIES) | KNOB(KNOB_PAUSE_RX) | KNOB(KNOB_PAUSE_TX),
	  "PFC and 802.3x global pause are both on",
	  "set pause.rx and pause.tx to false, or pfc.priorities to []",
	  "Firmware treats the two as mutually exclusive; a global pause stops the lossless "
	  "priority too." },
	{ "lossless-has-own-class", SEVERITY_WARNING, lossless_has_own_class,
	  KNOB(KNOB_PFC_PRIORITIES) | KNOB(KNOB_ETS_PRIO_TC),
	  "a lossless priority shares its traffic class with a lossy one",
	  "give it a traffic class of its own in ets.prio_tc",
	  "A pause of the one blocks the other, which is what priorities are there to prevent." },
	{ "lossless-is-not-strict", SEVERITY_WARNING, lossless_is_not_strict,
	  KNOB(KNOB_PFC_PRIORITIES) | KNOB(KNOB_ETS_PRIO_TC) | KNOB(KNOB_ETS_TSA),
	  "a lossless priority is in a strict class",
	  "make its class ets with a share, and keep strict for CNPs",
	  "A strict class full of RDMA data starves every other class." },
	{ "tos-reaches-lossless", SEVERITY_WARNING, tos_reaches_lossless,
	  KNOB(KNOB_PFC_PRIORITIES) | KNOB(KNOB_DSCP_PRIO) | KNOB(KNOB_ROCE_TOS),
	  "roce.tos marks RoCE with a DSCP whose priority is not lossless",
	  "map DSCP roce.tos >> 2 to a priority of pfc.priorities",
	  "Traffic that misses its lossless class is dropped under load, silently." },
	{ "tos-is-ecn-capable", SEVERITY_WARNING, tos_is_ecn_capable, KNOB(KNOB_ROCE_TOS),
	  "roce.tos says not ECN capable, or congestion experienced",
	  "add 2 to the DSCP << 2: 106 for DSCP 26",
	  "A switch drops, instead of marking, packets that do not say they are ECN capable." },
	{ "roce-is-routable", SEVERITY_WARNING, roce_is_routable,
	  KNOB(KNOB_TRUST) | KNOB(KNOB_ROCE_MODE), "RoCE v1 has no DSCP, and the port trusts DSCP",
	  "set roce.mode to v2",
	  "RoCE v1 frames carry no IP header, so trust dscp cannot see their class." },
};
/* clang-format on */

const size_t rules_count = sizeof(rules) / sizeof(rules[0]);

bool rule_broken(const struct rule *r, const struct config *c)
{
	return (c->has & r->judges) == r->judges && !r->holds(c);
}
