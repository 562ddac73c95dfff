#include <stdio.h>

#include "lint_list.h"

/* IEEE 802.1Q: priority 6 is for internetwork control, 7 for network control. */
#define FIRST_CONTROL_PRIO 6

/*
 * Older mlx5 drivers stored rates up to 26 Gb/s in one byte, in steps of 100 Mb/s: these rates
 * wrapped to 100..300 Mb/s, until the bound became 25.5 Gb/s (en_dcbnl.c).
 */
#define WRAPS_FROM_MBPS 25600
#define WRAPS_TO_MBPS	25999

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

static bool any_class_is(const struct config *c, enum tsa tsa)
{
	for (int tc = 0; tc < PRIOS; tc++)
		if (c->ets.tsa[tc] == tsa)
			return true;
	return false;
}

static bool no_credit_based_shaper(const struct config *c)
{
	return !any_class_is(c, TSA_CBS);
}

static bool lossless_has_own_class(const struct config *c)
{
	for (int p = 0; p < PRIOS; p++)
		for (int q = 0; q < PRIOS; q++)
			if (is_lossless(c, p) && !is_lossless(c, q) &&
			    c->ets.prio_tc[p] == c->ets.prio_tc[q])
				return false;
	return true;
}

static bool lossless_has_bandwidth(const struct config *c)
{
	for (int p = 0; p < PRIOS; p++) {
		unsigned tc = c->ets.prio_tc[p];

		if (is_lossless(c, p) && c->ets.tsa[tc] == TSA_ETS && c->ets.bandwidth[tc] == 0)
			return false;
	}
	return true;
}

static bool is_strict(const struct config *c, int prio)
{
	return c->ets.tsa[c->ets.prio_tc[prio]] == TSA_STRICT;
}

static bool lossless_is_not_strict(const struct config *c)
{
	for (int p = 0; p < PRIOS; p++)
		if (is_lossless(c, p) && is_strict(c, p))
			return false;
	return true;
}

static bool is_control(const struct config *c, int prio)
{
	return prio >= FIRST_CONTROL_PRIO ||
	       (HAS(c, SETTING_CNP_PRIORITY) && prio == c->cnp.priority);
}

/* Lossless data in a strict class has a lint of its own: lossless-tc-strict. */
static bool strict_carries_no_data(const struct config *c)
{
	for (int p = 0; p < PRIOS; p++) {
		bool lossless = HAS(c, SETTING_PFC_PRIORITIES) && is_lossless(c, p);

		if (is_strict(c, p) && !lossless && !is_control(c, p))
			return !any_class_is(c, TSA_ETS);
	}
	return true;
}

static bool cnp_is_strict(const struct config *c)
{
	return is_strict(c, c->cnp.priority);
}

static bool maxrate_spares_lossless(const struct config *c)
{
	for (int p = 0; p < PRIOS; p++)
		if (is_lossless(c, p) && c->maxrate.tc_mbps[c->ets.prio_tc[p]] != 0)
			return false;
	return true;
}

static bool maxrate_does_not_wrap(const struct config *c)
{
	for (int tc = 0; tc < PRIOS; tc++)
		if (c->maxrate.tc_mbps[tc] >= WRAPS_FROM_MBPS &&
		    c->maxrate.tc_mbps[tc] <= WRAPS_TO_MBPS)
			return false;
	return true;
}

static bool maxrate_fits_8_bits(const struct config *c)
{
	for (int tc = 0; tc < PRIOS; tc++)
		if (c->maxrate.tc_mbps[tc] > RATE_8_BITS_MBPS)
			return false;
	return true;
}

static bool only_ets_divides(const struct config *c, const struct capabilities *f)
{
	(void)c;
	return !f->rate_object[0];
}

static void describe_rate_object(const struct config *c, const struct capabilities *f,
				 char text[LINT_TEXT_MAX])
{
	(void)c;
	snprintf(text, LINT_TEXT_MAX,
		 "devlink rate object %s divides bandwidth by traffic class, beside ETS",
		 f->rate_object);
}

/* clang-format off: one block per lint, aligned by hand */
const struct lint lints_ets[] = {
	{ "ets-bandwidth-sum-not-100", SEVERITY_CRITICAL,
	  SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH),
	  "the bandwidth of the ets classes does not add up to 100",
	  "make the shares in ets.bandwidth add up to 100 over the classes whose tsa is ets",
	  "The kernel refuses any other sum (802.1Q enhanced transmission selection).",
	  .passes = ets_shares_add_up },
	{ "ets-bandwidth-on-non-ets-tc", SEVERITY_CRITICAL,
	  SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH),
	  "a class that is not ets has a bandwidth",
	  "set ets.bandwidth to 0 where tsa is strict or vendor",
	  "The adapter ignores it, and it reads back as 0 or 100 depending on the kernel.",
	  .passes = only_ets_has_shares },
	{ "ets-tsa-cbs", SEVERITY_CRITICAL, SETTING(SETTING_ETS_TSA),
	  "a traffic class uses the credit-based shaper", "use strict, ets or vendor",
	  "mlx5 has no credit-based shaper; older kernels accept the value and configure another "
	  "one.",
	  .passes = no_credit_based_shaper },
	{ "ets-beside-devlink-tc-bw", SEVERITY_WARNING, SETTING(SETTING_ETS_BANDWIDTH),
	  "a devlink rate object divides bandwidth by traffic class, beside ETS",
	  "list the objects with `devlink port function rate show`, and remove the tc-bw of this "
	  "one or ets.* from the policy",
	  "A rate object with tc-bw (Linux 6.17) schedules the traffic classes of a VF, or a group "
	  "of them, by shares of its own: the port's shares do not hold for that traffic.",
	  .passes_on = only_ets_divides, .describe = describe_rate_object },
	{ "lossless-tc-shared", SEVERITY_WARNING,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ETS_PRIO_TC),
	  "a lossless priority shares its traffic class with a lossy one",
	  "give it a traffic class of its own in ets.prio_tc",
	  "A pause of one priority also blocks the other; priorities exist to prevent that.",
	  .passes = lossless_has_own_class },
	{ "lossless-bandwidth-zero", SEVERITY_WARNING,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ETS_PRIO_TC) |
		  SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH),
	  "a lossless priority is in an ets class with a bandwidth of 0",
	  "give its class a share in ets.bandwidth",
	  "Classes with 0 percent are served after all others: RoCE waits while any other class "
	  "sends.",
	  .passes = lossless_has_bandwidth },
	{ "lossless-tc-strict", SEVERITY_WARNING,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA),
	  "a lossless priority is in a strict class",
	  "make its class ets with a share, and keep strict for CNPs",
	  "A strict class with RDMA data starves every other class.",
	  .passes = lossless_is_not_strict },
	{ "strict-tc-carries-data", SEVERITY_WARNING,
	  SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA),
	  "a strict class carries data and can starve the ets classes",
	  "keep strict for CNPs (cnp.priority) and network control (6 and 7), and give data a "
	  "share",
	  "The ets classes share only the bandwidth that strict classes leave.",
	  .passes = strict_carries_no_data,
	  .also_reads = SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_CNP_PRIORITY) },
	{ "cnp-not-strict", SEVERITY_INFO,
	  SETTING(SETTING_CNP_PRIORITY) | SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA),
	  "CNPs are in a class that is not strict",
	  "make the class of cnp.priority strict in ets.tsa",
	  "A CNP that waits behind data arrives too late to prevent the pause.",
	  .passes = cnp_is_strict },
	{ "lossless-rate-limited", SEVERITY_WARNING,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ETS_PRIO_TC) |
		  SETTING(SETTING_MAXRATE_TC_MBPS),
	  "the class of a lossless priority has a rate limit",
	  "set its class to 0 in maxrate.tc_mbps, and limit it by ECN and ETS",
	  "A lossless class does not drop frames above the limit: they back up, on the host and "
	  "in the fabric.",
	  .passes = maxrate_spares_lossless },
	{ "maxrate-wraps", SEVERITY_CRITICAL, SETTING(SETTING_MAXRATE_TC_MBPS),
	  "older drivers turn a rate limit of 25600 to 25999 Mb/s into 100 to 300 Mb/s",
	  "set 25500 or 26000",
	  "Older mlx5 drivers keep the limit in 8 bits of 100 Mb/s and report no error; later "
	  "ones set 25000, and those of 2026 the limit itself.",
	  .passes = maxrate_does_not_wrap },
	{ "maxrate-above-255-gbps", SEVERITY_INFO, SETTING(SETTING_MAXRATE_TC_MBPS),
	  "drivers before 2026 keep no rate limit above 255000 Mb/s",
	  "set 255000 or less, or 0 for no limit, unless driver and adapter keep rates in 16 bits",
	  "Older mlx5 drivers keep the limit in 8 bits: they refuse a larger one, or store a wrong "
	  "one. apply then rolls the port back. Neither driver nor adapter reports its width.",
	  .passes = maxrate_fits_8_bits },
	{ .name = NULL }
};
/* clang-format on */
