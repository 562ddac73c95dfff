#include "dscp_map.h"

#include <errno.h>
#include <string.h>

#include "setting.h"

#define HAS(c, id) (((c)->has & SETTING(id)) != 0)

static int8_t rest_of(const struct config *c, int dscp)
{
	enum dscp_rest rest = HAS(c, SETTING_DSCP_REST) ? c->dscp.rest : REST_CLASS_SELECTOR;

	if (rest == REST_CLASS_SELECTOR)
		return (int8_t)(dscp >> 3);
	if (rest == REST_KEEP)
		return DSCP_KEEP;
	return rest == REST_NONE ? DSCP_NONE : (int8_t)rest;
}

static bool any_entry(const struct config *c)
{
	for (int d = 0; d < DSCPS; d++)
		if (c->dscp.prio[d] >= 0)
			return true;
	return false;
}

static bool complete_pcp(struct config *c, struct err *err)
{
	if (HAS(c, SETTING_DSCP_PRIO) || HAS(c, SETTING_DSCP_REST)) {
		err_record(err, ERR_POLICY, EINVAL,
			   "trust \"pcp\" means that no DSCP entry exists");
		return err_fix(err, "remove the dscp map, or say \"trust\": \"dscp\"");
	}
	memset(c->dscp.prio, DSCP_NONE, sizeof(c->dscp.prio));
	c->has |= SETTING(SETTING_DSCP_PRIO);
	return true;
}

bool dscp_complete(struct config *c, struct err *err)
{
	if (HAS(c, SETTING_TRUST) && c->trust == TRUST_PCP)
		return complete_pcp(c, err);
	if (!(c->has &
	      (SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_DSCP_REST))))
		return true;

	for (int d = 0; d < DSCPS; d++)
		if (!HAS(c, SETTING_DSCP_PRIO) || c->dscp.prio[d] == DSCP_KEEP)
			c->dscp.prio[d] = rest_of(c, d);
	if (!any_entry(c)) {
		err_record(
			err, ERR_POLICY, EINVAL,
			"a port trusts DSCP only while it has a DSCP entry, and this map has none");
		return err_fix(err,
			       "name a DSCP in dscp.prio, or say \"rest\": \"class_selector\"");
	}
	c->trust = TRUST_DSCP;
	c->has |= SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO);
	c->has &= ~SETTING(SETTING_DSCP_REST);
	return true;
}

/* Returns the priority that most DSCPs have, and sets *ret_others to the number of the others. */
static int most_common(const int8_t prio[DSCPS], int *ret_others)
{
	int counts[PRIOS] = { 0 }, most = 0;

	for (int d = 0; d < DSCPS; d++)
		if (prio[d] >= 0 && prio[d] < PRIOS)
			counts[prio[d]]++;
	for (int p = 0; p < PRIOS; p++)
		most = counts[p] > counts[most] ? p : most;
	*ret_others = DSCPS - counts[most];
	return most;
}

/* Returns the rule that leaves the fewest entries of a full map: one number, or the classes. */
static enum dscp_rest shortest_rule(const int8_t prio[DSCPS])
{
	int off_class = 0, off_number, number = most_common(prio, &off_number);

	for (int d = 0; d < DSCPS; d++)
		off_class += prio[d] != d >> 3;
	return off_number < off_class ? (enum dscp_rest)number : REST_CLASS_SELECTOR;
}

struct config dscp_compact(const struct config *c, enum dscp_rest unlisted)
{
	struct config out = *c;
	bool full = !memchr(c->dscp.prio, (unsigned char)DSCP_NONE, DSCPS) &&
		    !memchr(c->dscp.prio, (unsigned char)DSCP_KEEP, DSCPS);

	if (!HAS(c, SETTING_DSCP_PRIO))
		return out;
	if (HAS(c, SETTING_TRUST) && c->trust == TRUST_PCP) {
		out.has &= ~(SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_DSCP_REST));
		return out;
	}
	out.dscp.rest = (uint8_t)(full ? shortest_rule(c->dscp.prio) : unlisted);
	out.has |= SETTING(SETTING_DSCP_REST);
	for (int d = 0; d < DSCPS; d++)
		if (out.dscp.prio[d] == DSCP_NONE || (full && out.dscp.prio[d] == rest_of(&out, d)))
			out.dscp.prio[d] = DSCP_KEEP;
	return out;
}

void dscp_restore(struct config *c)
{
	if (HAS(c, SETTING_TRUST) && c->trust == TRUST_PCP) {
		memset(c->dscp.prio, DSCP_NONE, sizeof(c->dscp.prio));
		c->has |= SETTING(SETTING_DSCP_PRIO);
	}
	for (int d = 0; HAS(c, SETTING_DSCP_PRIO) && d < DSCPS; d++)
		if (c->dscp.prio[d] == DSCP_KEEP)
			c->dscp.prio[d] = rest_of(c, d) == DSCP_KEEP ? DSCP_NONE : rest_of(c, d);
	c->has &= ~SETTING(SETTING_DSCP_REST);
}
