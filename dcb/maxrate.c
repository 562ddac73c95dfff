#include <errno.h>

#include "../policy/model/setting.h"
#include "dcbnl.h"
#include "driver.h"
#include "registry.h"

#define KBPS_PER_MBPS 1000

/* mlx5 reads rates and ETS from one register: where it has ETS, the rates could not be read. */
static bool explain_absence(struct host *h, const struct port *port, bool has_ets, struct err *err)
{
	struct ieee_ets ets;
	struct err why = { 0 };

	if (!is_mlx5(port))
		return dcb_lacks(err);
	if (has_ets || dcb_get(h, port->id.name, DCB_ATTR_IEEE_ETS, &ets, sizeof(ets), &why) ||
	    why.kind == ERR_UNKNOWN)
		return dcb_failed_to_read(err);
	return dcb_lacks(err);
}

static bool maxrate_read(struct host *h, const struct port *port, struct config *out,
			 struct err *err)
{
	struct ieee_maxrate k;
	struct ieee_ets ets;
	struct dcb_object both[] = { { DCB_ATTR_IEEE_MAXRATE, &k, sizeof(k), false },
				     { DCB_ATTR_IEEE_ETS, &ets, sizeof(ets), false } };

	if (!dcb_get_all(h, port->id.name, both, 2, err))
		return false;
	if (!both[0].found)
		return explain_absence(h, port, both[1].found, err);
	for (int tc = 0; tc < PRIOS; tc++)
		if (k.tc_maxrate[tc] / KBPS_PER_MBPS > UINT32_MAX)
			return err_set(err, ERR_UNKNOWN, ERANGE,
				       "traffic class %d has a rate that is out of range", tc);
	for (int tc = 0; tc < PRIOS; tc++)
		out->maxrate.tc_mbps[tc] = (uint32_t)(k.tc_maxrate[tc] / KBPS_PER_MBPS);
	out->has |= feature_maxrate.owns;
	return true;
}

static bool is_above_8_bits(const struct config *c)
{
	for (int tc = 0; tc < PRIOS; tc++)
		if (c->maxrate.tc_mbps[tc] > RATE_8_BITS_MBPS)
			return true;
	return false;
}

/* Whether a driver has more than 8 bits cannot be read. */
static bool explain_8_bits(struct err *err)
{
	return err_fix(err,
		       "this driver, or adapter, keeps no limit above %u Mb/s: set %u or "
		       "less, or 0 for none",
		       RATE_8_BITS_MBPS, RATE_8_BITS_MBPS);
}

/*
 * Reads limits above 8 bits back at once. Drivers before the fixes of 2025 cut them to 8 bits and
 * report success: 300 Gb/s becomes 44 Gb/s.
 */
static bool is_stored(struct host *h, const struct port *port, const struct config *to,
		      struct err *err)
{
	struct config now = { 0 };

	if (!maxrate_read(h, port, &now, err))
		return false;
	for (unsigned tc = 0; tc < PRIOS; tc++) {
		uint32_t asked = to->maxrate.tc_mbps[tc], stored = now.maxrate.tc_mbps[tc];

		if (asked <= RATE_8_BITS_MBPS ||
		    element_equal(&settings[SETTING_MAXRATE_TC_MBPS], asked, stored))
			continue;
		err_record(err, ERR_VERIFY, ERANGE,
			   "the driver made %u Mb/s of a limit of %u Mb/s for traffic class %u",
			   stored, asked, tc);
		return explain_8_bits(err);
	}
	return true;
}

static bool maxrate_write(struct host *h, const struct port *port, const struct config *from,
			  const struct config *to, struct err *err)
{
	struct ieee_maxrate k;
	struct err why = { 0 };

	(void)from;
	for (int tc = 0; tc < PRIOS; tc++)
		k.tc_maxrate[tc] = (uint64_t)to->maxrate.tc_mbps[tc] * KBPS_PER_MBPS;
	if (dcb_set(h, port->id.name, DCB_ATTR_IEEE_MAXRATE, &k, sizeof(k), &why))
		return !is_above_8_bits(to) || is_stored(h, port, to, err);
	if (why.code == EINVAL && is_above_8_bits(to)) {
		err_record(err, why.kind, why.code, "%s", why.text);
		return explain_8_bits(err);
	}
	*err = why;
	return false;
}

static bool maxrate_accepts(const struct port *port, const struct capabilities *capabilities,
			    const struct config *from, const struct config *to, struct err *err)
{
	(void)port;
	(void)from;
	for (unsigned tc = 0; tc < PRIOS; tc++)
		if (to->maxrate.tc_mbps[tc] && limits_lack_class(capabilities, tc))
			return limits_refuse_class(capabilities, err,
						   "traffic class %u has a rate limit", tc);
	return true;
}

const struct feature feature_maxrate = {
	.name = "maxrate",
	.owns = SETTING(SETTING_MAXRATE_TC_MBPS),
	.source = "dcbnl IEEE MAXRATE",
	.read = maxrate_read,
	.write = maxrate_write,
	.accepts = maxrate_accepts,
};
