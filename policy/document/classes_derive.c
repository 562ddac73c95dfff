#include "classes_derive.h"

#include <stdio.h>
#include <string.h>

#define ECT0 2 /* RFC 3168: ECN capable */

/* Bit per priority of the classes whose flag at offset `flag` is set. */
static uint8_t priorities(const struct classes *c, size_t flag)
{
	unsigned mask = 0;

	for (size_t i = 0; i < c->count; i++)
		if (((const char *)&c->list[i])[flag])
			mask |= 1u << c->list[i].priority;
	return (uint8_t)mask;
}

#define FIELD(member) offsetof(struct traffic_class, member)

static void derive_pfc(const struct classes *c, struct config *out)
{
	out->pfc.priorities = priorities(c, FIELD(lossless));
}

static void derive_pause(const struct classes *c, struct config *out)
{
	(void)c;
	out->pause.rx = out->pause.tx = false;
}

/*
 * Each class has the traffic class of its own number; priorities without a class share that of the
 * default class.
 */
static void derive_prio_tc(const struct classes *c, struct config *out)
{
	memset(out->ets.prio_tc, classes_rest(c)->priority, PRIOS);
	for (size_t i = 0; i < c->count; i++)
		out->ets.prio_tc[c->list[i].priority] = c->list[i].priority;
}

/*
 * Unused traffic classes are ets with a share of 0. If no class has a share they are strict: the
 * kernel refuses ets classes without any bandwidth.
 */
static void derive_tsa(const struct classes *c, struct config *out)
{
	memset(out->ets.tsa, priorities(c, FIELD(shares)) ? TSA_ETS : TSA_STRICT, PRIOS);
	for (size_t i = 0; i < c->count; i++)
		out->ets.tsa[c->list[i].priority] = c->list[i].strict ? TSA_STRICT : TSA_ETS;
}

static void derive_bandwidth(const struct classes *c, struct config *out)
{
	for (size_t i = 0; i < c->count; i++)
		out->ets.bandwidth[c->list[i].priority] = c->list[i].bandwidth;
}

static void derive_dscp(const struct classes *c, struct config *out)
{
	memset(out->dscp.prio, DSCP_KEEP, DSCPS);
	for (size_t i = 0; i < c->count; i++)
		for (int d = 0; d < DSCPS; d++)
			if (c->list[i].dscps >> d & 1)
				out->dscp.prio[d] = (int8_t)c->list[i].priority;
	out->dscp.rest = classes_rest(c)->priority;
	out->trust = TRUST_DSCP;
}

static void derive_ecn(const struct classes *c, struct config *out)
{
	out->ecn.np = true;
	out->ecn.rp_priorities = priorities(c, FIELD(ecn));
}

static void derive_cnp(const struct classes *c, struct config *out)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->list[i].cnp) {
			out->cnp.dscp = c->list[i].first_dscp;
			out->cnp.priority = c->list[i].priority;
		}
}

static void derive_roce_mark(const struct classes *c, struct config *out)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->list[i].marks)
			out->roce.traffic_class = out->roce.tos =
				(uint8_t)(c->list[i].first_dscp << 2 | ECT0);
}

/*
 * The derived settings, the classes that they follow from, and whether they are set if there is no
 * such class.
 */
static const struct derivation {
	setting_set settings;
	size_t source; /* offset of the flag that selects the classes; FIELD(name): all classes */
	bool always;
	void (*derive)(const struct classes *c, struct config *out);
} derivations[] = {
	{ SETTING(SETTING_PFC_PRIORITIES), FIELD(lossless), true, derive_pfc },
	{ SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX), FIELD(lossless), false,
	  derive_pause },
	{ SETTING(SETTING_ETS_PRIO_TC), FIELD(name), true, derive_prio_tc },
	{ SETTING(SETTING_ETS_TSA), FIELD(name), true, derive_tsa },
	{ SETTING(SETTING_ETS_BANDWIDTH), FIELD(shares), true, derive_bandwidth },
	{ SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_DSCP_REST),
	  FIELD(name), true, derive_dscp },
	{ SETTING(SETTING_ECN_NP) | SETTING(SETTING_ECN_RP_PRIORITIES), FIELD(ecn), false,
	  derive_ecn },
	{ SETTING(SETTING_CNP_DSCP) | SETTING(SETTING_CNP_PRIORITY), FIELD(cnp), false,
	  derive_cnp },
	{ SETTING(SETTING_ROCE_TOS) | SETTING(SETTING_ROCE_TRAFFIC_CLASS), FIELD(marks), false,
	  derive_roce_mark },
};

#define DERIVATIONS (sizeof(derivations) / sizeof(derivations[0]))

struct config classes_derive(const struct classes *c)
{
	struct config out = { 0 };

	for (size_t i = 0; c->count && i < DERIVATIONS; i++) {
		const struct derivation *d = &derivations[i];

		if (!d->always && !priorities(c, d->source))
			continue;
		d->derive(c, &out);
		out.has |= d->settings;
	}
	return out;
}

static const struct derivation *derivation_of(unsigned setting)
{
	for (size_t i = 0; i < DERIVATIONS; i++)
		if (derivations[i].settings & SETTING(setting))
			return &derivations[i];
	return NULL;
}

/* Bit per priority of the classes that a setting follows from; 0: of all of them. */
static uint8_t contributing_to(const struct classes *c, unsigned setting)
{
	const struct derivation *d = derivation_of(setting);
	uint8_t contributing = d ? priorities(c, d->source) : 0;

	return contributing == priorities(c, FIELD(name)) ? 0 : contributing;
}

bool classes_first(const struct classes *c, unsigned setting, size_t *ret)
{
	uint8_t contributing = contributing_to(c, setting);

	for (*ret = 0; *ret < c->count; (*ret)++)
		if (contributing >> c->list[*ret].priority & 1)
			return true;
	return false;
}

const char *classes_source(const struct classes *c, unsigned setting, char buf[SOURCE_TEXT_MAX])
{
	uint8_t contributing = contributing_to(c, setting);
	const char *sep = "";
	size_t used;

	if (!contributing) {
		snprintf(buf, SOURCE_TEXT_MAX, "the classes");
		return buf;
	}
	used = (size_t)snprintf(buf, SOURCE_TEXT_MAX, "class%s",
				contributing & (contributing - 1) ? "es" : "");
	for (size_t i = 0; i < c->count; i++) {
		if (!(contributing >> c->list[i].priority & 1))
			continue;
		used += (size_t)snprintf(buf + used, SOURCE_TEXT_MAX - used, "%s \"%s\"", sep,
					 c->list[i].name);
		sep = ",";
	}
	return buf;
}
