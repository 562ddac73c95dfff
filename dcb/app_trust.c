/*
 * The APP selectors that a port trusts, in order of precedence: Linux 6.2, for drivers that report
 * them.
 */
#include <errno.h>
#include <string.h>

#include "../policy/model/setting.h"
#include "dcbnl.h"
#include "registry.h"

/* In the order of the setting's names. */
static const uint8_t selectors[] = {
	IEEE_8021QAZ_APP_SEL_ETHERTYPE, IEEE_8021QAZ_APP_SEL_STREAM, IEEE_8021QAZ_APP_SEL_DGRAM,
	IEEE_8021QAZ_APP_SEL_ANY,	IEEE_8021QAZ_APP_SEL_DSCP,   SELECTOR_PCP,
};

static uint8_t index_of(uint8_t selector)
{
	for (size_t i = 0; i < sizeof(selectors); i++)
		if (selectors[i] == selector)
			return (uint8_t)(i + 1);
	return 0;
}

/* An unknown selector is an error: stored as 0 it would end the list. */
static bool indexes_of(const uint8_t *list, size_t count, uint8_t ret[SELECTORS_MAX],
		       struct err *err)
{
	memset(ret, 0, SELECTORS_MAX);
	for (size_t i = 0; i < count; i++) {
		uint8_t place = index_of(list[i]);

		if (!place || memchr(ret, place, i))
			return err_set(
				err, ERR_UNKNOWN, ERANGE,
				"the trust order has selector %u, which is unknown or repeated",
				list[i]);
		ret[i] = place;
	}
	return true;
}

static bool app_trust_read(struct host *h, const struct port *port, struct config *out,
			   struct err *err)
{
	uint8_t list[SELECTORS_MAX], places[SELECTORS_MAX];
	size_t count = 0;

	if (!dcb_get_app_trust(h, port->id.name, list, &count, err) ||
	    !indexes_of(list, count, places, err))
		return false;

	memcpy(out->app.trust, places, sizeof(places));
	out->has |= feature_app_trust.owns;
	return true;
}

static bool app_trust_write(struct host *h, const struct port *port, const struct config *from,
			    const struct config *to, struct err *err)
{
	uint8_t list[SELECTORS_MAX];
	size_t count = 0;

	(void)from;
	for (; count < SELECTORS_MAX && to->app.trust[count]; count++)
		list[count] = selectors[to->app.trust[count] - 1];
	return dcb_set_app_trust(h, port->id.name, list, count, err);
}

const struct feature feature_app_trust = {
	.name = "app-trust",
	.phase = PHASE_DSCP,
	.owns = SETTING(SETTING_APP_TRUST),
	.source = "dcbnl APP trust",
	.read = app_trust_read,
	.write = app_trust_write,
};
