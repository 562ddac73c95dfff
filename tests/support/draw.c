#include "draw.h"

#include <stdio.h>
#include <string.h>

#include "policy/lint/headroom.h"
#include "policy/model/setting.h"
#include "policy/lint/lint.h"

#define SPEED_MBPS   100000
#define MAX_MTU	     9978
#define LOSSLESS_MAX 450000 /* bytes: two policies in a row fit the port's 1015808 */
#define DRAWS_MAX    10000

/* splitmix64 */
static uint64_t next(struct draw *d)
{
	uint64_t z = d->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

uint32_t draw_between(struct draw *d, uint32_t least, uint32_t most)
{
	return least + (uint32_t)(next(d) % ((uint64_t)most - least + 1));
}

bool draw_chance(struct draw *d, uint32_t percent)
{
	return draw_between(d, 1, 100) <= percent;
}

/* Each power of two is as likely as the next. */
static uint32_t of_any_size(struct draw *d, uint32_t least, uint32_t most)
{
	uint32_t v = (uint32_t)(next(d) & UINT32_MAX) >> draw_between(d, 0, 31);

	return v < least || v > most ? draw_between(d, least, most) : v;
}

/* Draws the limits often, because mistakes are there. */
static void number(struct draw *d, unsigned id)
{
	const struct setting *k = &settings[id];
	bool usual = k->documented_max && draw_chance(d, 90);
	uint32_t least = usual ? k->documented_min : k->min,
		 most = usual ? k->documented_max : k->max;
	uint32_t v = draw_chance(d, 10)	  ? least
		     : draw_chance(d, 10) ? most
					  : of_any_size(d, least, most);

	if (v && v < k->min_above_zero)
		v = draw_chance(d, 50) ? 0 : k->min_above_zero;
	setting_set_element(k, &d->c, 0, v);
	d->c.has |= SETTING(id);
}

static void perhaps(struct draw *d, unsigned id)
{
	if (draw_chance(d, 50))
		number(d, id);
}

static void link_and_pause(struct draw *d)
{
	struct config *c = &d->c;

	c->mtu = draw_chance(d, 50) ? (draw_chance(d, 50) ? 9000 : 1500)
				    : draw_between(d, 1280, MAX_MTU);
	c->pfc.cable_m =
		(uint16_t)(draw_chance(d, 80) ? draw_between(d, 1, 40) : draw_between(d, 1, 999));
	switch (draw_between(d, 0, 9)) {
	case 0:
	case 1:
	case 2:
		c->pfc.priorities = 0;
		break;
	case 3:
		c->pfc.priorities = (uint8_t)draw_between(d, 0, 255);
		break;
	default:
		c->pfc.priorities =
			(uint8_t)(1 << draw_between(d, 0, 7) | 1 << draw_between(d, 0, 7));
	}
	c->pause.rx = !c->pfc.priorities && draw_chance(d, 50);
	c->pause.tx = !c->pfc.priorities && draw_chance(d, 50);
	c->has |= SETTING(SETTING_MTU) | SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX) |
		  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_PFC_CABLE_M);
	if (draw_chance(d, 20)) {
		c->pfc.storm_timeout_ms = STORM_AUTO;
		c->has |= SETTING(SETTING_PFC_STORM_TIMEOUT_MS);
	} else {
		perhaps(d, SETTING_PFC_STORM_TIMEOUT_MS);
	}
}

/* With global pause on, the driver takes every mapped buffer for lossless. */
static bool takes_headroom(const struct config *c, int buffer)
{
	for (int p = 0; p < PRIOS; p++)
		if (c->buffer.prio_buffer[p] == buffer &&
		    (c->pause.rx || c->pause.tx || (c->pfc.priorities & (1u << p))))
			return true;
	return false;
}

static bool is_mapped(const struct config *c, int buffer)
{
	return memchr(c->buffer.prio_buffer, buffer, PRIOS);
}

static void map_buffers(struct draw *d)
{
	struct config *c = &d->c;
	bool wild = draw_chance(d, 20);
	uint32_t lossless = draw_between(d, 0, 7), lossy = draw_between(d, 0, 7);

	for (int p = 0; p < PRIOS; p++) {
		bool own = c->pfc.priorities & (1u << p);
		uint32_t b = own ? lossless : lossy;

		c->buffer.prio_buffer[p] = (uint8_t)(wild ? draw_between(d, 0, 7) : b);
	}
}

/* Sizes all buffers; false: the lossless ones exceed LOSSLESS_MAX. */
static bool size_buffers(struct draw *d)
{
	struct config *c = &d->c;
	const struct headroom_link link = { SPEED_MBPS, c->mtu, c->pfc.cable_m, MAX_MTU, 0 };
	uint32_t needs = headroom_of(&link).min_buffer_bytes, lossless = 0;

	map_buffers(d);
	for (int b = 0; b < PRIOS; b++) {
		uint32_t size = draw_chance(d, 80) ? 0 : draw_between(d, 0, 8000);

		if (takes_headroom(c, b))
			lossless += size =
				needs + draw_between(d, 0, draw_chance(d, 50) ? 127 : 40000);
		else if (is_mapped(c, b))
			size = draw_between(d, 128, 20000);
		c->buffer.size_bytes[b] = size;
	}
	c->has |= SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER);
	return lossless <= LOSSLESS_MAX;
}

static void share(struct draw *d)
{
	struct config *c = &d->c;
	uint8_t left = 100;
	int last = -1;

	for (int i = 0; i < PRIOS; i++) {
		uint32_t kind = draw_between(d, 0, 9);

		c->ets.prio_tc[i] = (uint8_t)(draw_chance(d, 50) ? i : (int)draw_between(d, 0, 7));
		c->ets.tsa[i] = kind < 6 ? TSA_ETS : kind < 9 ? TSA_STRICT : TSA_VENDOR;
		if (c->ets.tsa[i] != TSA_ETS)
			continue;
		last = i;
		c->ets.bandwidth[i] = (uint8_t)(draw_chance(d, 30) ? 0 : draw_between(d, 0, left));
		left = (uint8_t)(left - c->ets.bandwidth[i]);
	}
	if (last >= 0)
		c->ets.bandwidth[last] = (uint8_t)(c->ets.bandwidth[last] + left);
	c->has |= SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) |
		  SETTING(SETTING_ETS_BANDWIDTH);
}

static void limit(struct draw *d)
{
	for (int tc = 0; tc < PRIOS; tc++)
		d->c.maxrate.tc_mbps[tc] = draw_chance(d, 50) ? 0 : of_any_size(d, 1, 255000);
	d->c.has |= SETTING(SETTING_MAXRATE_TC_MBPS);
}

static void mark(struct draw *d)
{
	struct config *c = &d->c;
	uint32_t named = draw_chance(d, 10) ? DSCPS : draw_between(d, 0, 12);

	d->rest = draw_chance(d, 50) ? -1 : (int)draw_between(d, 0, 7);
	c->trust = draw_chance(d, 25) ? TRUST_PCP : TRUST_DSCP;
	c->has |= SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO);
	for (int i = 0; i < DSCPS; i++)
		c->dscp.prio[i] = (int8_t)(c->trust == TRUST_PCP ? DSCP_NONE
					   : d->rest < 0	 ? i >> 3
								 : d->rest);
	for (uint32_t i = 0; i < named && c->trust == TRUST_DSCP; i++) {
		uint32_t dscp = draw_between(d, 0, DSCPS - 1);

		c->dscp.prio[dscp] = (int8_t)draw_between(d, 0, 7);
	}
}

static void map_vlans(struct draw *d)
{
	for (const char *const *name = d->vlans; *name; name++) {
		struct vlan_egress v = { .name = "" };

		if (draw_chance(d, 30))
			continue;
		snprintf(v.name, sizeof(v.name), "%s", *name);
		for (int p = 0; p < PRIOS; p++)
			v.pcp[p] = (uint8_t)(draw_chance(d, 50) ? 0 : draw_between(d, 0, 7));
		vlan_egress_put(&d->c, &v);
		d->c.has |= SETTING(SETTING_VLAN_EGRESS);
	}
}

static const struct {
	const char *ofed, *setting;
} parameters[] = {
#define PARAM(id, name, width, initial, ofed, setting) { ofed, setting },
#include "../integration/params.def"
#undef PARAM
};

static void react(struct draw *d)
{
	struct config *c = &d->c;

	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++)
		if (!d->ofed || parameters[i].ofed)
			perhaps(d, (unsigned)(setting_find(parameters[i].setting) - settings));
	if (!d->ofed)
		return;
	perhaps(d, SETTING_ECN_NP);
	c->ecn.rp_priorities = (uint8_t)draw_between(d, 0, 255);
	c->roce.traffic_class =
		(uint16_t)(draw_chance(d, 20) ? TRAFFIC_CLASS_UNSET : draw_between(d, 0, 255));
	c->has |= SETTING(SETTING_ECN_RP_PRIORITIES) | SETTING(SETTING_ROCE_TRAFFIC_CLASS);
}

/* Draw this after all else, so that an older seed still draws the same setup. */
static void respond(struct draw *d)
{
	if (!d->ofed && !d->old)
		perhaps(d, SETTING_CNP_RTT_RESP_DSCP);
	if (d->c.cnp.priority_mode)
		d->c.cnp.priority = 0; /* mlx5_ib writes no other with mode 1 */
	if ((d->c.has & SETTING(SETTING_CNP_RTT_RESP_DSCP)) && draw_chance(d, 30))
		d->c.cnp.rtt_resp_dscp = RTT_RESP_DSCP_UNSET;
	/* On a port that trusts PCP, the map of an earlier setup may make a ToS lossy: critical. */
	if (!(d->c.has & SETTING(SETTING_TRUST)) || d->c.trust == TRUST_PCP) {
		d->c.roce.tos = 0;
		d->c.has |= SETTING(SETTING_ROCE_TOS);
	}
}

static void steer(struct draw *d)
{
	perhaps(d, SETTING_ROCE_MODE);
	perhaps(d, SETTING_ROCE_TOS);
	/* Where firmware decides, PFC and ETS are not written. */
	d->c.dcbx.mode = DCBX_HOST;
	if (draw_chance(d, 50))
		d->c.has |= SETTING(SETTING_DCBX_MODE);
}

static bool breaks_no_rule(const struct config *c)
{
	const struct capabilities capabilities = { .speed_mbps = SPEED_MBPS,
						   .max_mtu = MAX_MTU,
						   .pfc_cap = 8 };
	const struct lint *r;

	for (size_t i = 0; (r = lint_at(i)); i++)
		if (r->severity == SEVERITY_CRITICAL && lint_fails(r, c, &capabilities))
			return false;
	return true;
}

/* Settings that belong together are drawn all or not at all. */
static bool draw_once(struct draw *d)
{
	d->c = (struct config){ .has = 0 };
	link_and_pause(d);
	if (!size_buffers(d))
		return false;
	if (draw_chance(d, 70))
		share(d);
	if (draw_chance(d, 60))
		limit(d);
	if (draw_chance(d, 70))
		mark(d);
	map_vlans(d);
	react(d);
	steer(d);
	return breaks_no_rule(&d->c);
}

bool draw_setup(struct draw *d, uint64_t seed)
{
	d->state = seed;
	for (int i = 0; i < DRAWS_MAX; i++)
		if (draw_once(d)) {
			respond(d);
			return true;
		}
	return false;
}
