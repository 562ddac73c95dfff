#include "resolve.h"

#include <errno.h>
#include <string.h>

#include "../model/dscp_map.h"
#include "../util/oom.h"
#include "match.h"

/* Reports the missing property; `asks` names the part of the policy that needs it. */
static bool unknown_property(const struct match *m, const struct identity *id, const char *asks,
			     struct err *err)
{
	const struct match_key *k = match_unknown_key(m, id);

	err_record(err, ERR_UNKNOWN, ENODATA, "%s asks for %s, which the port does not report",
		   asks, k->name);
	if (k->offset == offsetof(struct identity, speed_mbps))
		return err_fix(err, "without carrier, and without a list of the speeds that the "
				    "port supports, no speed is known");
	return err_fix(err, "`losslessctl show` prints what the driver says of its firmware");
}

bool rule_for(const struct port_rule *rules, size_t count, const struct identity *id,
	      const struct port_rule **ret, struct err *err)
{
	enum match_result result = MATCH_NO;
	size_t i = count;

	while (result == MATCH_NO && i > 0)
		result = match_evaluate(&rules[--i].match, id);
	*ret = result == MATCH_NO ? NULL : &rules[i];
	return result != MATCH_UNKNOWN || unknown_property(&(*ret)->match, id, "its match", err);
}

bool rule_requires_nothing(const struct port_rule *r)
{
	setting_set any = r->profile->base.has;

	for (size_t i = 0; i < r->profile->when_count; i++)
		any |= r->profile->when[i].set.replaced.has;
	if (r->set)
		any = (any & ~r->set->removed) | r->set->replaced.has;
	return !any;
}

/* This part gives these settings, or removes them. */
static void decide(struct because *because, setting_set set, enum policy_part part, size_t when)
{
	for (; set; set &= set - 1) {
		uint8_t setting = (uint8_t)__builtin_ctzll(set);

		because[setting] = (struct because){ (uint8_t)part, (uint8_t)when, setting };
	}
}

static void imply(struct because *because, setting_set implied, unsigned by)
{
	for (; implied; implied &= implied - 1)
		because[__builtin_ctzll(implied)] = because[by];
}

/*
 * dcbx.mode "switch" implies that the port is willing and advertises the settings that it has
 * adopted.
 */
static void complete_dcbx(struct config *c, struct because *because)
{
	setting_set all = SETTING(SETTING_DCBX_WILLING) | SETTING(SETTING_DCBX_ADVERTISE);

	if (!(c->has & SETTING(SETTING_DCBX_MODE)) || c->dcbx.mode != DCBX_SWITCH)
		return;
	if (!(c->has & SETTING(SETTING_DCBX_WILLING)))
		c->dcbx.willing = true;
	if (!(c->has & SETTING(SETTING_DCBX_ADVERTISE)))
		c->dcbx.advertise = true;
	imply(because, all & ~c->has, SETTING_DCBX_MODE);
	c->has |= all;
}

/* A policy that removes the map of the classes keeps the port's own, and trust and rest with it. */
static void remove_map(struct config *c, const struct because *because)
{
	static const unsigned implied[] = { SETTING_TRUST, SETTING_DSCP_REST };

	if ((c->has & SETTING(SETTING_DSCP_PRIO)) ||
	    because[SETTING_DSCP_PRIO].part <= PART_CLASSES)
		return;
	for (size_t i = 0; i < sizeof(implied) / sizeof(implied[0]); i++)
		if (because[implied[i]].part == PART_CLASSES)
			c->has &= ~SETTING(implied[i]);
}

/* Trust and the DSCP map imply each other. */
static bool complete_dscp(const struct port_rule *r, struct config *c, struct because *because,
			  struct err *err)
{
	bool pcp = (c->has & SETTING(SETTING_TRUST)) && c->trust == TRUST_PCP;
	setting_set given = c->has;
	unsigned by = given & SETTING(SETTING_DSCP_PRIO)   ? SETTING_DSCP_PRIO
		      : given & SETTING(SETTING_DSCP_REST) ? SETTING_DSCP_REST
							   : SETTING_TRUST;

	if (r->profile->classes.count && pcp && (given & SETTING(SETTING_DSCP_PRIO))) {
		err_record(err, ERR_POLICY, EINVAL,
			   "trust \"pcp\" means that no DSCP entry exists, and classes go by DSCP");
		return err_fix(err, "remove \"trust\", or the classes");
	}
	if (!dscp_complete(c, err))
		return false;
	imply(because, c->has & ~given, by);
	return true;
}

bool rule_desired_of(const struct port_rule *r, uint32_t entries, struct config *ret,
		     struct because because[SETTING_COUNT], struct err *err)
{
	struct because unasked[SETTING_COUNT];
	const struct profile *p = r->profile;
	struct config c = p->base;

	because = because ? because : unasked;
	memset(because, 0, sizeof(unasked));
	decide(because, c.has, PART_CLASSES, 0);
	decide(because, p->own, PART_PROFILE, 0);
	decide(because, c.has & p->asserted, PART_CONGESTION_CONTROL, 0);
	for (size_t i = 0; i < p->when_count; i++) {
		if (!(entries >> i & 1))
			continue;
		overlay_apply(&c, &p->when[i].set);
		decide(because, p->when[i].set.replaced.has | p->when[i].set.removed, PART_WHEN, i);
	}
	if (r->set) {
		overlay_apply(&c, r->set);
		decide(because, r->set->replaced.has | r->set->removed, PART_RULE, 0);
	}
	complete_dcbx(&c, because);
	remove_map(&c, because);
	if (!complete_dscp(r, &c, because, err))
		return false;
	*ret = c;
	return true;
}

/* The entries of "when" that match the port, as a bit mask. */
static bool matching_entries(const struct port_rule *r, const struct identity *id, uint32_t *ret,
			     struct err *err)
{
	*ret = 0;
	for (size_t i = 0; i < r->profile->when_count; i++) {
		const struct match *when = &r->profile->when[i].when;

		switch (match_evaluate(when, id)) {
		case MATCH_NO:
			break;
		case MATCH_YES:
			*ret |= 1u << i;
			break;
		case MATCH_UNKNOWN:
			return unknown_property(when, id, "\"when\" of its profile", err);
		}
	}
	return true;
}

bool rule_desired(const struct port_rule *r, const struct identity *id, struct config *ret,
		  struct because because[SETTING_COUNT], struct err *err)
{
	uint32_t entries;

	return matching_entries(r, id, &entries, err) &&
	       rule_desired_of(r, entries, ret, because, err);
}
