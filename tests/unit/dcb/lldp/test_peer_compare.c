/*
 * Tests of comparing a port with its peer: a row for each reason to differ, and one for each way
 * to agree.
 */
#include <string.h>

#include "dcb/lldp/peer_compare.h"
#include "policy/model/setting.h"
#include "tests/support/situation.h"
#include "tests/support/unit.h"

#define DEMAND(a) (1u << (a))

static const struct {
	const char *sentence;
	void (*happen)(struct situation *s);
	enum agreement about;
	unsigned demanded;
	enum peer_status peer_status;
	const char *reason; /* NULL: they agree */
} rows[] = {
	{ "PFC agrees", all_well, AGREE_PFC, 0, PEER_STATUS_AGREES, NULL },
	{ "ETS agrees", all_well, AGREE_ETS, 0, PEER_STATUS_AGREES, NULL },
	{ "APP agrees", all_well, AGREE_APP, 0, PEER_STATUS_AGREES, NULL },
	{ "no carrier", carrier_lost, AGREE_PFC, 0, PEER_STATUS_UNKNOWN, "port-link-down" },
	{ "a pod has the interface", interface_hidden, AGREE_PFC, 0, PEER_STATUS_UNKNOWN,
	  "port-without-interface" },
	{ "listening is not permitted", denied, AGREE_PFC, 0, PEER_STATUS_UNKNOWN,
	  "lldp-listen-failed" },
	{ "nobody was to listen", not_asked, AGREE_PFC, 0, PEER_STATUS_UNKNOWN,
	  "peer-not-collected" },
	{ "silence", nothing_heard, AGREE_PFC, 0, PEER_STATUS_UNKNOWN, "peer-lldp-missing" },
	{ "garbage", garbage, AGREE_PFC, 0, PEER_STATUS_UNKNOWN, "peer-lldpdu-malformed" },
	{ "expired information", expired, AGREE_PFC, 0, PEER_STATUS_UNKNOWN, "peer-lldp-expired" },
	{ "a third on the wire", a_third, AGREE_PFC, 0, PEER_STATUS_UNKNOWN, "peer-not-unique" },
	{ "a malformed PFC TLV", bad_pfc, AGREE_PFC, 0, PEER_STATUS_UNKNOWN, "peer-tlv-malformed" },
	{ "a malformed PFC TLV is not ETS's affair", bad_pfc, AGREE_ETS, 0, PEER_STATUS_AGREES,
	  NULL },
	{ "CEE only", cee, AGREE_PFC, 0, PEER_STATUS_DIFFERS, "peer-cee-only" },
	{ "CEE only has no APP either", cee, AGREE_APP, 0, PEER_STATUS_DIFFERS, "peer-cee-only" },
	{ "CEE beside IEEE is no harm", cee_too, AGREE_PFC, 0, PEER_STATUS_AGREES, NULL },
	{ "no PFC TLV", no_pfc, AGREE_PFC, 0, PEER_STATUS_UNKNOWN, "peer-tlv-missing" },
	{ "no APP TLV says nothing of priorities", no_app, AGREE_APP, DEMAND(AGREE_APP),
	  PEER_STATUS_UNKNOWN, "peer-tlv-missing" },
	{ "nor does one without entries", no_app_entries, AGREE_APP, 0, PEER_STATUS_UNKNOWN,
	  "peer-tlv-missing" },
	{ "a port that does not report PFC", port_without_pfc, AGREE_PFC, 0, PEER_STATUS_UNKNOWN,
	  "port-setting-unknown" },
	{ "another mask goes out", advertised_otherwise, AGREE_PFC, 0, PEER_STATUS_DIFFERS,
	  "port-advertisement-mismatch" },
	{ "what is not sent cannot be wrong", advertised_otherwise_but_not_spoken, AGREE_PFC, 0,
	  PEER_STATUS_AGREES, NULL },
	{ "both willing", both_willing, AGREE_PFC, 0, PEER_STATUS_DIFFERS, "dcbx-both-willing" },
	{ "a willing end that says nothing", willing_and_silent, AGREE_PFC, 0, PEER_STATUS_AGREES,
	  NULL },
	{ "this end willing", willing_alone, AGREE_PFC, 0, PEER_STATUS_AGREES, NULL },
	{ "one willing", switch_willing, AGREE_PFC, 0, PEER_STATUS_AGREES, NULL },
	{ "more than the switch can", small_switch, AGREE_PFC, 0, PEER_STATUS_DIFFERS,
	  "peer-pfc-cap-exceeded" },
	{ "a switch that does not say how many", cap_untold, AGREE_PFC, 0, PEER_STATUS_AGREES,
	  NULL },
	{ "another mask there", other_mask, AGREE_PFC, 0, PEER_STATUS_DIFFERS,
	  "peer-pfc-mismatch" },
	{ "another share is noted", other_share, AGREE_ETS, 0, PEER_STATUS_DIFFERS_ALLOWED,
	  "peer-ets-mismatch" },
	{ "another share, where ours are not known", other_share_of_what_is_not_known, AGREE_ETS, 0,
	  PEER_STATUS_AGREES, NULL },
	{ "another share where it is demanded", other_share, AGREE_ETS, DEMAND(AGREE_ETS),
	  PEER_STATUS_DIFFERS, "peer-ets-mismatch" },
	{ "demanding PFC leaves ETS noted", other_share, AGREE_ETS, DEMAND(AGREE_PFC),
	  PEER_STATUS_DIFFERS_ALLOWED, "peer-ets-mismatch" },
	{ "willing, without what is recommended", willing_and_recommended_otherwise, AGREE_ETS, 0,
	  PEER_STATUS_DIFFERS, "peer-ets-mismatch" },
	{ "a DSCP elsewhere", dscp_elsewhere, AGREE_APP, 0, PEER_STATUS_DIFFERS,
	  "peer-app-conflict" },
	{ "a UDP port elsewhere", udp_elsewhere, AGREE_APP, 0, PEER_STATUS_DIFFERS,
	  "peer-app-conflict" },
	{ "a TCP port elsewhere, where UDP is ours", tcp_elsewhere, AGREE_APP, 0,
	  PEER_STATUS_AGREES, NULL },
	{ "a DSCP that has no entry here", dscp_unknown_here, AGREE_APP, 0, PEER_STATUS_AGREES,
	  NULL },
	{ "a DSCP that there is not", dscp_that_there_is_not, AGREE_APP, 0, PEER_STATUS_AGREES,
	  NULL },
	{ "a DSCP elsewhere, where ours are not known", dscp_not_known_here, AGREE_APP, 0,
	  PEER_STATUS_AGREES, NULL },
	{ "a UDP port elsewhere, where ours are not known", udp_not_known_here, AGREE_APP, 0,
	  PEER_STATUS_AGREES, NULL },
	{ "another UDP port", another_udp_port, AGREE_APP, 0, PEER_STATUS_AGREES, NULL },
	{ "willing, and nothing is recommended", willing_without_a_recommendation, AGREE_ETS, 0,
	  PEER_STATUS_DIFFERS_ALLOWED, "peer-ets-mismatch" },
	{ "what is not said of PFC cannot be wrong", says_no_more_than_app, AGREE_PFC, 0,
	  PEER_STATUS_AGREES, NULL },
	{ "CIN only, which is older still", cin, AGREE_ETS, 0, PEER_STATUS_DIFFERS,
	  "peer-cee-only" },
	{ "drift", something_else_wanted, AGREE_PFC, 0, PEER_STATUS_DIFFERS, "port-drifted" },
	{ "drift is worse than noted", wanted_shares, AGREE_ETS, 0, PEER_STATUS_DIFFERS,
	  "port-drifted" },
	{ "the port needs a repair, not a switch that has the desired value",
	  kernel_lags_behind_the_policy, AGREE_PFC, 0, PEER_STATUS_DIFFERS, "port-drifted" },
	{ "nor one that has what is advertised", kernel_lags, AGREE_PFC, 0, PEER_STATUS_DIFFERS,
	  "port-advertisement-mismatch" },
	{ "a malformed recommendation is ETS's affair", bad_recommendation, AGREE_ETS, 0,
	  PEER_STATUS_UNKNOWN, "peer-tlv-malformed" },
	{ "and not PFC's", bad_recommendation, AGREE_PFC, 0, PEER_STATUS_AGREES, NULL },
	{ "what is advertised is not known", lldpad_hangs, AGREE_PFC, 0, PEER_STATUS_UNKNOWN,
	  "lldpad-unresponsive" },
	{ "a known difference is reported", lldpad_hangs_and_the_mask_differs, AGREE_PFC, 0,
	  PEER_STATUS_DIFFERS, "peer-pfc-mismatch" },
	{ "an absent setting is not desired", something_else_wanted, AGREE_ETS, 0,
	  PEER_STATUS_AGREES, NULL },
};

static void is_judged_so(void **state)
{
	const size_t i = (size_t)((const char *)*state - (const char *)rows) / sizeof(rows[0]);
	struct situation s = usual();
	struct peer_comparison all[AGREE_COUNT];
	const struct peer_comparison *got = &all[rows[i].about];

	rows[i].happen(&s);
	peer_compare_all(&s.desired, &s.actual, &s.seen, rows[i].demanded, all);
	assert_string_equal(status_words[peer_word(got->peer_status)].name,
			    status_words[peer_word(rows[i].peer_status)].name);
	assert_string_equal(got->peer_reason ? got->peer_reason->name : "",
			    rows[i].reason ? rows[i].reason : "");
	assert_int_equal(got->text[0] != '\0', rows[i].reason != NULL);
	assert_true(peer_compare_worst(all) >= got->peer_status);
}

static const struct report_row {
	const char *sentence;
	void (*happen)(struct situation *s);
	enum agreement about;
	const char *text;
} told[] = {
	{ "who left is said to have left", leaves, AGREE_PFC,
	  "the switch's LLDP agent shut down and has sent nothing since" },
	{ "who fell silent is not", expired, AGREE_PFC,
	  "the switch stopped sending LLDP: its last LLDPDU was valid for 120 s" },
	{ "silence is reported with the time", nothing_heard_in_35_s, AGREE_PFC,
	  "no LLDP frame of the switch arrived in 35 s" },
	{ "both senders are named", a_named_third, AGREE_PFC,
	  "2 devices send LLDP on this cable: b8:ce:f6:00:00:01, and spine-2" },
	{ "both masks are named, each with its end", other_mask, AGREE_PFC,
	  "lossless on this port: 3; on the switch: 3, 4" },
	{ "the traffic is named, with both priorities", dscp_elsewhere, AGREE_APP,
	  "DSCP 26 has priority 3 on this port and 4 on the switch" },
	{ "the malformed part is named", bad_recommendation, AGREE_ETS,
	  "its ETS recommendation TLV is malformed" },
	{ "the reason for not listening is reported", denied, AGREE_PFC, "not permitted" },
	{ "the defect of a frame is reported", garbage, AGREE_PFC,
	  "the switch sends malformed LLDP: a TLV runs past the end" },
	{ "the failure of lldpad is reported", lldpad_hangs, AGREE_APP,
	  "lldpad does not answer within 3 s" },
};

static void is_reported_so(void **state)
{
	const struct report_row *row = *state;
	struct situation s = usual();
	struct peer_comparison all[AGREE_COUNT];

	row->happen(&s);
	peer_compare_all(&s.desired, &s.actual, &s.seen, 0, all);
	assert_string_equal(all[row->about].text, row->text);
}

/* A reason that no row triggers is untested. */
static void every_reason_has_a_row_and_explains_itself(void **s)
{
	const struct peer_reason *d;

	(void)s;
	for (size_t i = 0; (d = peer_reason_at(i)); i++) {
		size_t triggered = 0;

		for (size_t n = 0; n < COUNT(rows); n++)
			triggered += rows[n].reason && strcmp(rows[n].reason, d->name) == 0;
		if (!triggered)
			fail_msg("no row ends in %s", d->name);
		assert_true(d->message[0] && d->fix[0]);
		assert_int_equal(d->why[strlen(d->why) - 1], '.');
	}
}

/* Leave out the entries of other selectors and values out of range. */
static void an_lldpdu_is_a_setup_as_far_as_it_goes(void **s)
{
	static const struct lldp pdu = {
		.has = LLDP_BIT(LLDP_APP),
		.apps = { { 5, 3, 26 }, { 5, 3, 64 }, { 0, 3, 1 }, { 6, 3, 2 }, { 3, 4, 4791 } },
		.app_count = 5,
	};
	struct config c = lldp_to_config(&pdu);

	(void)s;
	assert_true(c.has == (SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_APP_ENTRIES)));
	for (int d = 0; d < DSCPS; d++)
		assert_int_equal(c.dscp.prio[d], d == 26 ? 3 : DSCP_NONE);
	assert_int_equal(c.app.entries[0].selector, 3);
	assert_int_equal(c.app.entries[0].protocol, 4791);
	assert_int_equal(c.app.entries[1].selector, 0);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, is_judged_so);
	SUITE_ADD_ROWS(&s, told, is_reported_so);
	SUITE_ADD(&s, an_lldpdu_is_a_setup_as_far_as_it_goes);
	SUITE_ADD(&s, every_reason_has_a_row_and_explains_itself);
	return suite_run(&s, "peer_compare");
}
