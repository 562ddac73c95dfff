#include "config_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/namespace.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/oom.h"
#include "config_text.h"

#define FILE_MAX (1u << 20)

bool lldpad_file_read(struct host *h, const char *path, char **ret, struct err *err)
{
	struct err why = { 0 };

	if (host_read_large_file(h, FILE_MAX, ret, &why, "%s", path))
		return true;
	if (why.kind == ERR_UNSUPPORTED)
		return true;
	*err = why;
	return false;
}

static bool has_trusted_directory(struct host *h, const char *path, struct err *err)
{
	char part[PATH_TEXT_MAX];

	for (const char *slash = path; slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path) + (slash == path), path);
		if (!host_owns_dir(h, part, err)) /* it may be /tmp, or somebody's home */
			return err_fix(err,
				       "keep lldpad's file, as -f names it, in a directory that "
				       "only root can change");
	}
	return true;
}

bool lldpad_file_is_safe(struct host *h, const struct lldpad_process *lldpad, const char *conf,
			 struct err *err)
{
	bool is_new = (!conf || !conf[0]) && strcmp(lldpad->conf, LLDPAD_DEFAULT_CONF) == 0;

	if (lldpad->pid && !namespace_has_file(h, lldpad->pid, lldpad->conf)) {
		err_record(err, ERR_REFUSED, EXDEV,
			   "lldpad (pid %u) runs in another mount or user namespace: its %s is not "
			   "that of this host",
			   lldpad->pid, lldpad->conf);
		return err_fix(err, "run lldpad on the host itself, with a plain path behind -f");
	}
	if (!has_trusted_directory(h, lldpad->conf, err))
		return false;
	return is_new || lldpad_conf_check(conf ? conf : "", err);
}

void lldpad_file_find(struct host *h, struct lldpad_process *ret)
{
	if (!lldpad_find(h, ret))
		*ret = (struct lldpad_process){ .conf = LLDPAD_DEFAULT_CONF };
}

#define DSCP(d) (UINT64_C(1) << (d))

/* Compares a desired table with the actual one: missing entries, and whether all others match. */
struct gap {
	uint64_t gone;
	bool rest_stands;
};

static struct gap find_gap(const struct config *desired, const struct config *actual)
{
	struct gap g = { .gone = 0 };
	bool otherwise = false;

	for (int d = 0; d < DSCPS; d++) {
		int wanted = desired->dscp.prio[d], found = actual->dscp.prio[d];

		if (wanted >= 0 && found < 0)
			g.gone |= DSCP(d);
		g.rest_stands = g.rest_stands || (wanted >= 0 && found == wanted);
		otherwise = otherwise || (found >= 0 && found != wanted);
	}
	g.rest_stands = g.rest_stands && !otherwise;
	return g;
}

/* "APP0 = "3,5,   26";" is a priority, a selector (5: DSCP) and the DSCP. */
static uint64_t dscps_in(const char *section)
{
	uint64_t all = 0;

	for (const char *at = section; at && (at = strstr(at, "APP")); at++) {
		unsigned prio, selector, value;

		if (sscanf(at, "APP%*u = \"%u,%u,%u", &prio, &selector, &value) == 3 &&
		    selector == 5 && value < DSCPS)
			all |= DSCP(value);
	}
	return all;
}

/* The port's DSCPs in lldpad's file; false if the file does not exist. */
static bool read_known(struct host *h, const struct port *port, uint64_t *ret)
{
	_free_ char *conf = NULL, *section = NULL;
	struct lldpad_process lldpad;
	struct err quiet = { 0 };
	bool has_none;

	*ret = 0;
	if (run_fact_recall(&h->facts, FACT_LLDPAD_NO_FILE, &has_none, sizeof(has_none)))
		return false;
	lldpad_file_find(h, &lldpad);
	if (!lldpad_file_read(h, lldpad.conf, &conf, &quiet))
		return true; /* only root may read the file */
	if (conf && lldpad_conf_section(conf, port->id.name, &section, &quiet) && section)
		*ret = dscps_in(section);
	has_none = !conf;
	if (has_none)
		run_fact_remember(&h->facts, FACT_LLDPAD_NO_FILE, &has_none, sizeof(has_none));
	return !has_none;
}

void lldpad_likely_cause(struct host *h, const struct port *port, const struct config *desired,
			 const struct config *actual, char ret[LIKELY_CAUSE_MAX])
{
	struct gap gap = find_gap(desired, actual);
	uint64_t known;
	int gone = __builtin_popcountll(gap.gone), in_file;
	const char *entries;

	ret[0] = '\0';
	if (!(desired->has & actual->has & SETTING(SETTING_DSCP_PRIO)) || !gone ||
	    !read_known(h, port, &known))
		return;
	in_file = __builtin_popcountll(gap.gone & known);
	entries = gone == 1 ? "entry is" : "entries are";
	if (in_file)
		snprintf(ret, LIKELY_CAUSE_MAX,
			 "%d DSCP %s gone, %d of them in lldpad's file: an lldpad that ends "
			 "deletes its entries%s.",
			 gone, entries, in_file,
			 actual->trust == TRUST_PCP ? ", and the last one resets trust" : "");
	else if (gap.rest_stands)
		snprintf(ret, LIKELY_CAUSE_MAX,
			 "%d DSCP %s gone and the others remain: an lldpad that ends deletes its "
			 "entries, including the switch's.",
			 gone, entries);
}
