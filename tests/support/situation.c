#include <stdio.h>

#include "policy/model/setting.h"
#include "tests/support/situation.h"

#define TSA_CODE_ETS 2

/* The LLDPDU of two peers in agreement: PFC on 3, two classes, DSCP 26 in priority 3. */
static struct lldp sound_lldpdu(void)
{
	struct lldp l = {
		.chassis = "b8:ce:f6:00:00:01",
		.port = "Ethernet12",
		.ttl_s = 120,
		.has = LLDP_BIT(LLDP_ETS) | LLDP_BIT(LLDP_ETS_RECO) | LLDP_BIT(LLDP_PFC) |
		       LLDP_BIT(LLDP_APP),
		.pfc = { .cap = 8, .enabled = 0x08 },
		.ets = { .max_tcs = 8,
			 .prio_tc = { [3] = 3 },
			 .bandwidth = { 50, 0, 0, 50 },
			 .tsa = { TSA_CODE_ETS, TSA_CODE_ETS, TSA_CODE_ETS, TSA_CODE_ETS,
				  TSA_CODE_ETS, TSA_CODE_ETS, TSA_CODE_ETS, TSA_CODE_ETS } },
		.apps = { { 5, 3, 26 }, { 4, 3, 4791 } },
		.app_count = 2,
	};

	l.reco = l.ets;
	return l;
}

static struct config healthy_port(void)
{
	struct lldp l = sound_lldpdu();

	return lldp_to_config(&l);
}

void carrier_lost(struct situation *s)
{
	s->seen.no_carrier = true;
}

void interface_hidden(struct situation *s)
{
	s->seen.no_interface = true;
	s->seen.no_carrier = true;
}

void denied(struct situation *s)
{
	err_record(&s->seen.listen_error, ERR_DENIED, 1, "not permitted");
}

void not_asked(struct situation *s)
{
	nothing_heard(s);
	err_record(&s->seen.listen_error, ERR_MISSING, 0, "nobody was to listen");
}

void nothing_heard_in_35_s(struct situation *s)
{
	nothing_heard(s);
	s->seen.listened_s = 35;
}

void nothing_heard(struct situation *s)
{
	s->seen.heard = false;
}

void garbage(struct situation *s)
{
	err_record(&s->seen.malformed_error, ERR_UNKNOWN, 0, "a TLV runs past the end");
}

void expired(struct situation *s)
{
	s->seen.expired = true;
}

void a_third(struct situation *s)
{
	s->seen.senders = 2;
}

void bad_pfc(struct situation *s)
{
	s->seen.peer.has &= ~LLDP_BIT(LLDP_PFC);
	s->seen.peer.malformed = LLDP_BIT(LLDP_PFC);
}

void cee(struct situation *s)
{
	s->seen.peer.has = LLDP_BIT(LLDP_CEE);
}

void no_pfc(struct situation *s)
{
	s->seen.peer.has &= ~LLDP_BIT(LLDP_PFC);
}

void no_app(struct situation *s)
{
	s->seen.peer.has &= ~LLDP_BIT(LLDP_APP);
	s->seen.peer.app_count = 0;
}

void no_app_entries(struct situation *s)
{
	s->seen.peer.app_count = 0;
}

void port_without_pfc(struct situation *s)
{
	s->actual.has &= ~SETTING(SETTING_PFC_PRIORITIES);
}

void advertised_otherwise(struct situation *s)
{
	s->seen.local.pfc.enabled = 0x18;
}

void advertised_otherwise_but_not_spoken(struct situation *s)
{
	s->seen.local.pfc.enabled = 0x18;
	s->seen.advertises = false;
}

void both_willing(struct situation *s)
{
	s->seen.local.pfc.willing = s->seen.peer.pfc.willing = true;
}

void willing_and_silent(struct situation *s)
{
	both_willing(s);
	s->seen.advertises = false;
}

void willing_alone(struct situation *s)
{
	s->seen.local.pfc.willing = true;
}

void cee_too(struct situation *s)
{
	s->seen.peer.has |= LLDP_BIT(LLDP_CEE);
}

void switch_willing(struct situation *s)
{
	s->seen.peer.pfc.willing = true;
}

void small_switch(struct situation *s)
{
	s->seen.peer.pfc.enabled = s->actual.pfc.priorities = s->seen.local.pfc.enabled = 0x38;
	s->seen.peer.pfc.cap = 2;
}

void cap_untold(struct situation *s)
{
	s->seen.peer.pfc.cap = 0;
}

void other_mask(struct situation *s)
{
	s->seen.peer.pfc.enabled = 0x18;
}

void other_share(struct situation *s)
{
	s->seen.peer.ets.bandwidth[0] = 40;
	s->seen.peer.ets.bandwidth[3] = 60;
}

void other_share_of_what_is_not_known(struct situation *s)
{
	other_share(s);
	s->actual.has &= ~SETTING(SETTING_ETS_BANDWIDTH);
}

void willing_and_recommended_otherwise(struct situation *s)
{
	s->seen.local.ets.willing = true;
	s->seen.peer.reco.bandwidth[0] = 40;
	s->seen.peer.reco.bandwidth[3] = 60;
}

void dscp_elsewhere(struct situation *s)
{
	s->seen.peer.apps[0].priority = 4;
}

void udp_elsewhere(struct situation *s)
{
	s->seen.peer.apps[1].priority = 4;
}

void tcp_elsewhere(struct situation *s)
{
	udp_elsewhere(s);
	s->seen.peer.apps[1].selector = 2;
}

void dscp_unknown_here(struct situation *s)
{
	s->seen.peer.apps[0].protocol = 46;
}

void something_else_wanted(struct situation *s)
{
	s->desired.has = SETTING(SETTING_PFC_PRIORITIES);
	s->desired.pfc.priorities = 0x10;
}

void wanted_shares(struct situation *s)
{
	s->desired = s->actual;
	s->desired.has = SETTING(SETTING_ETS_BANDWIDTH);
	s->desired.ets.bandwidth[0] = 60;
	s->desired.ets.bandwidth[3] = 40;
	other_share(s);
}

void kernel_lags(struct situation *s)
{
	s->actual.pfc.priorities = 0;
}

void kernel_lags_behind_the_policy(struct situation *s)
{
	s->desired.has = SETTING(SETTING_PFC_PRIORITIES);
	s->desired.pfc.priorities = 0x08;
	kernel_lags(s);
}

void bad_recommendation(struct situation *s)
{
	s->seen.peer.has &= ~LLDP_BIT(LLDP_ETS_RECO);
	s->seen.peer.malformed = LLDP_BIT(LLDP_ETS_RECO);
}

void lldpad_hangs(struct situation *s)
{
	err_record(&s->seen.lldpad_error, ERR_UNKNOWN, 1, "lldpad does not answer within 3 s");
	s->seen.advertises = false;
}

void lldpad_hangs_and_the_mask_differs(struct situation *s)
{
	lldpad_hangs(s);
	other_mask(s);
}

void willing_without_a_recommendation(struct situation *s)
{
	s->seen.local.ets.willing = true;
	s->seen.peer.has &= ~LLDP_BIT(LLDP_ETS_RECO);
	other_share(s);
}

void dscp_that_there_is_not(struct situation *s)
{
	s->seen.peer.apps[0].protocol = 64;
}

void dscp_not_known_here(struct situation *s)
{
	dscp_elsewhere(s);
	s->actual.has &= ~SETTING(SETTING_DSCP_PRIO);
}

void udp_not_known_here(struct situation *s)
{
	udp_elsewhere(s);
	s->actual.has &= ~SETTING(SETTING_APP_ENTRIES);
}

void another_udp_port(struct situation *s)
{
	udp_elsewhere(s);
	s->seen.peer.apps[1].protocol = 4792;
}

void says_no_more_than_app(struct situation *s)
{
	s->seen.local.has = LLDP_BIT(LLDP_APP);
}

void cin(struct situation *s)
{
	s->seen.peer.has = LLDP_BIT(LLDP_CIN);
}

void all_well(struct situation *s)
{
	(void)s;
}

struct situation usual(void)
{
	return (struct situation){
		.actual = healthy_port(),
		.seen = { .source = "lldpad",
			  .heard = true,
			  .senders = 1,
			  .peer = sound_lldpdu(),
			  .advertises = true,
			  .local = sound_lldpdu() },
	};
}

void leaves(struct situation *s)
{
	expired(s);
	s->seen.peer.ttl_s = 0;
}

void a_named_third(struct situation *s)
{
	a_third(s);
	snprintf(s->seen.other_peer.chassis, sizeof(s->seen.other_peer.chassis), "spine-2");
}
