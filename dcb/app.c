/* APP entries other than DSCP. mlx5 accepts none; other drivers store all they are given. */
#include <errno.h>
#include <string.h>

#include "../policy/model/setting.h"
#include "dcbnl.h"
#include "registry.h"

struct table {
	struct config entries;
	bool full, invalid;
};

static void note_entry(const struct dcb_app *a, void *arg)
{
	struct table *t = arg;
	struct app_entry e = { a->selector, a->priority, a->protocol };

	t->invalid = t->invalid || a->priority >= PRIOS;
	if (a->selector < IEEE_8021QAZ_APP_SEL_ETHERTYPE ||
	    a->selector > IEEE_8021QAZ_APP_SEL_ANY || app_entry_has(&t->entries, &e))
		return;
	t->full = !app_entry_put(&t->entries, &e) || t->full;
}

static bool read_table(struct host *h, const struct port *port, struct table *ret, struct err *err)
{
	*ret = (struct table){ .full = false };
	if (!dcb_each_app(h, port->id.name, note_entry, ret, err))
		return false;
	if (ret->invalid)
		return err_set(err, ERR_UNKNOWN, ERANGE, APP_PRIORITY_INVALID);
	return !ret->full ||
	       err_set(err, ERR_UNKNOWN, E2BIG, "the port has more than %d entries", APPS_MAX);
}

static bool app_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct table t;

	if (!read_table(h, port, &t, err))
		return false;

	memcpy(out->app.entries, t.entries.app.entries, sizeof(out->app.entries));
	out->has |= feature_app.owns;
	return true;
}

/* The entries of `of` that `in` lacks. */
static size_t missing(const struct config *of, const struct config *in, struct dcb_app *out)
{
	size_t n = 0;

	for (size_t i = 0; i < APPS_MAX && of->app.entries[i].selector; i++) {
		const struct app_entry *e = &of->app.entries[i];

		if (!app_entry_has(in, e))
			out[n++] = (struct dcb_app){ .selector = e->selector,
						     .protocol = e->protocol,
						     .priority = e->priority };
	}
	return n;
}

/* Add before deleting, so that an entry that changes is never without a priority. */
static bool app_write(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err)
{
	struct dcb_app apps[APPS_MAX];
	struct table now;

	if (!dcb_change_apps(h, port->id.name, DCB_CMD_IEEE_SET, apps, missing(to, from, apps),
			     err) ||
	    !read_table(h, port, &now, err))
		return false;
	return dcb_change_apps(h, port->id.name, DCB_CMD_IEEE_DEL, apps,
			       missing(&now.entries, to, apps), err);
}

const struct feature feature_app = {
	.name = "app",
	.owns = SETTING(SETTING_APP_ENTRIES),
	.source = "dcbnl IEEE APP",
	.read = app_read,
	.write = app_write,
};

/* ---- entries that say what is trusted ---- */

/*
 * The APP selectors that a port trusts, in order of precedence: Linux 6.2, for drivers that report
 * them.
 */

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
	.owns = SETTING(SETTING_APP_TRUST),
	.source = "dcbnl APP trust",
	.read = app_trust_read,
	.write = app_trust_write,
};
