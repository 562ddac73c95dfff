#include "peer_compare.h"

#include <linux/dcbnl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../policy/model/setting.h"
#include "../dcbnl.h"

/* clang-format off: one block per reason */
static const struct peer_reason peer_reasons[] = {
	[REASON_PORT_LINK_DOWN] = {
		"port-link-down", PEER_STATUS_UNKNOWN, "the link is down",
		"check the cable and the switch's port",
		"LLDP received before the link went down may be outdated.",
	},
	[REASON_PORT_WITHOUT_INTERFACE] = {
		"port-without-interface", PEER_STATUS_UNKNOWN,
		"its interface is in another network namespace",
		"run `losslessctl peer` on its PF",
		"A pod has the interface, and only the RDMA device is here. The switch sends LLDP "
		"to the PF.",
	},
	[REASON_NOT_COLLECTED] = {
		"peer-not-collected", PEER_STATUS_UNKNOWN,
		"the document does not have what the switch advertises",
		"run `losslessctl bundle --listen-for 35` on the host",
		"show --json does not listen for LLDP, and bundle only with --listen-for.",
	},
	[REASON_LLDP_LISTEN_FAILED] = {
		"lldp-listen-failed", PEER_STATUS_UNKNOWN, "this host cannot listen for LLDP",
		"run `sudo losslessctl peer`; in a container it needs CAP_NET_RAW",
		"LLDP is received by lldpad, or on a raw socket of losslessctl.",
	},
	[REASON_LLDP_MISSING] = {
		"peer-lldp-missing", PEER_STATUS_UNKNOWN, "no LLDP frame of the switch arrived",
		"enable LLDP on the switch's port; an LLDP agent in the adapter's firmware may "
		"also consume the frames",
		"Without LLDP, the switch's configuration is unknown. Most switches send every "
		"30 seconds.",
	},
	[REASON_LLDPDU_MALFORMED] = {
		"peer-lldpdu-malformed", PEER_STATUS_UNKNOWN, "the switch sends malformed LLDP",
		"capture the frame with tcpdump, and report it to the switch's vendor",
		"A frame whose lengths do not add up is ignored as a whole.",
	},
	[REASON_LLDP_EXPIRED] = {
		"peer-lldp-expired", PEER_STATUS_UNKNOWN,
		"the LLDP neighbour shut down, or its data expired",
		"check whether the switch's port still sends LLDP",
		"Each LLDPDU has a time to live (0: the agent shuts down). After it, the "
		"switch's configuration is unknown.",
	},
	[REASON_NOT_UNIQUE] = {
		"peer-not-unique", PEER_STATUS_UNKNOWN, "several devices send LLDP on this cable",
		"find the devices between this port and the switch, and let only one send LLDP",
		"DCBX connects two ports. With a third, the configuration may change with each "
		"frame.",
	},
	[REASON_TLV_MALFORMED] = {
		"peer-tlv-malformed", PEER_STATUS_UNKNOWN,
		"a TLV of the switch is malformed",
		"report it to the switch's vendor; do not make this port willing",
		"An agent that does not validate it may have configured the port wrongly.",
	},
	[REASON_CEE_ONLY] = {
		"peer-cee-only", PEER_STATUS_DIFFERS,
		"the switch sends the older CEE version of DCBX",
		"set DCBX on the switch's port to IEEE (802.1Qaz)",
		"CEE and IEEE agents ignore each other, so nothing is negotiated.",
	},
	[REASON_TLV_MISSING] = {
		"peer-tlv-missing", PEER_STATUS_UNKNOWN, "the switch does not advertise it",
		"enable the DCBX TLVs (IEEE 802.1Qaz) on the switch's port",
		"Without the TLV, the switch's configuration is unknown.",
	},
	[REASON_SETTING_UNKNOWN] = {
		"port-setting-unknown", PEER_STATUS_UNKNOWN, "the port's own setting is unknown",
		"run `losslessctl show` to see the reason",
		"The port's setting cannot be read, so there is nothing to compare.",
	},
	[REASON_ADVERTISEMENT_MISMATCH] = {
		"port-advertisement-mismatch", PEER_STATUS_DIFFERS,
		"this port does not advertise its actual settings",
		"set dcbx.advertise to true and dcbx.willing to false, and run `losslessctl "
		"apply`; if that does not help, check lldpad's configuration (`lldptool -t -i "
		"PORT`)",
		"lldpad never reads the kernel's state. If a driver refused a value, or another "
		"program wrote one, the switch receives stale state.",
	},
	[REASON_BOTH_WILLING] = {
		"dcbx-both-willing", PEER_STATUS_DIFFERS, "both sides are willing",
		"let one side decide: set dcbx.mode to host, dcbx.advertise to true and "
		"dcbx.willing to false, or make the switch not willing",
		"If both sides are willing, the MAC address breaks the tie: the outcome is "
		"arbitrary.",
	},
	[REASON_PFC_CAP_EXCEEDED] = {
		"peer-pfc-cap-exceeded", PEER_STATUS_DIFFERS,
		"more lossless priorities than the switch's port supports",
		"use fewer lossless priorities",
		"Switches support two to eight lossless priorities per port.",
	},
	[REASON_PFC_MISMATCH] = {
		"peer-pfc-mismatch", PEER_STATUS_DIFFERS, "PFC differs",
		"set the same priorities on the switch's port and in the policy; `losslessctl peer "
		"--fix-switch` prints the switch's commands",
		"A priority that is lossless on one side only drops frames: the other side "
		"never pauses, or ignores pauses. Some switches turn PFC off altogether.",
	},
	[REASON_ETS_MISMATCH] = {
		"peer-ets-mismatch", PEER_STATUS_DIFFERS_ALLOWED, "ETS differs",
		"set the same classes and shares on the switch, if both directions should have "
		"them",
		"Each side schedules its own direction; only a willing side follows the other.",
	},
	[REASON_APP_CONFLICT] = {
		"peer-app-conflict", PEER_STATUS_DIFFERS, "the same traffic has two priorities",
		"set the same priority for it on the switch and in the policy; `losslessctl peer "
		"--fix-switch` prints the switch's commands",
		"Its frames use one class on this port and another on the switch, where PFC may "
		"be off.",
	},
	[REASON_PORT_DRIFTED] = {
		"port-drifted", PEER_STATUS_DIFFERS,
		"the port itself differs from the policy",
		"run `losslessctl apply`",
		"The switch is compared with the port's actual settings, which differ from the "
		"policy.",
	},
	[REASON_LLDPAD_UNRESPONSIVE] = {
		"lldpad-unresponsive", PEER_STATUS_UNKNOWN, "lldpad runs but does not answer",
		"check whether lldpad hangs (`systemctl status lldpad`), and restart it",
		"It is unknown what this port advertises. The switch forgets it when the time "
		"to live ends.",
	},
};
/* clang-format on */

#define PEER_REASONS_COUNT (sizeof(peer_reasons) / sizeof(peer_reasons[0]))

const struct peer_reason *peer_reason_at(size_t i)
{
	return i < PEER_REASONS_COUNT ? &peer_reasons[i] : NULL;
}

enum word peer_word(enum peer_status a)
{
	static const enum word words[] = {
		[PEER_STATUS_AGREES] = WORD_AGREES,
		[PEER_STATUS_DIFFERS_ALLOWED] = WORD_DIFFERS_ALLOWED,
		[PEER_STATUS_UNKNOWN] = WORD_UNKNOWN,
		[PEER_STATUS_DIFFERS] = WORD_DIFFERS,
	};

	return words[a];
}

#define ETS_SETTINGS \
	(SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH))
#define APP_SETTINGS (SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_APP_ENTRIES))

const char *agreement_name(enum agreement a)
{
	return settings[SETTING_PEER_MUST_AGREE].names[a];
}

static void ets_to_config(struct config *c, const struct lldp_ets *ets)
{
	memcpy(c->ets.prio_tc, ets->prio_tc, sizeof(c->ets.prio_tc));
	for (int tc = 0; tc < PRIOS; tc++) {
		c->ets.tsa[tc] = tsa_from_kernel(ets->tsa[tc]);
		c->ets.bandwidth[tc] = c->ets.tsa[tc] == TSA_ETS ? ets->bandwidth[tc] : 0;
	}
	c->has |= ETS_SETTINGS;
}

/* APP entries beyond a config's capacity are left out; they are compared one by one. */
static void apps_to_config(struct config *c, const struct lldp *pdu)
{
	memset(c->dscp.prio, DSCP_NONE, sizeof(c->dscp.prio));
	for (unsigned i = 0; i < pdu->app_count; i++) {
		const struct lldp_app *a = &pdu->apps[i];
		struct app_entry e = { a->selector, a->priority, a->protocol };

		if (a->selector == IEEE_8021QAZ_APP_SEL_DSCP && a->protocol < DSCPS)
			c->dscp.prio[a->protocol] = (int8_t)a->priority;
		else if (a->selector >= IEEE_8021QAZ_APP_SEL_ETHERTYPE &&
			 a->selector <= IEEE_8021QAZ_APP_SEL_ANY)
			app_entry_put(c, &e);
	}
	c->has |= APP_SETTINGS;
}

struct config lldp_to_config(const struct lldp *pdu)
{
	struct config c = { 0 };

	if (pdu->has & LLDP_BIT(LLDP_PFC)) {
		c.pfc.priorities = pdu->pfc.enabled;
		c.has |= SETTING(SETTING_PFC_PRIORITIES);
	}
	if (pdu->has & LLDP_BIT(LLDP_ETS))
		ets_to_config(&c, &pdu->ets);
	if (pdu->has & LLDP_BIT(LLDP_APP))
		apps_to_config(&c, pdu);
	return c;
}

/* The TLV and the settings of each subject of agreement. */
static const struct {
	enum lldp_tlv tlv;
	setting_set settings_of;
} subjects[AGREE_COUNT] = {
	[AGREE_PFC] = { LLDP_PFC, SETTING(SETTING_PFC_PRIORITIES) },
	[AGREE_ETS] = { LLDP_ETS, ETS_SETTINGS },
	[AGREE_APP] = { LLDP_APP, APP_SETTINGS },
};

static bool peer_reason(struct peer_comparison *ret, enum peer_reason_id r, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Records why the ends do not agree; always false. An empty text selects the reason's own. */
static bool peer_reason(struct peer_comparison *ret, enum peer_reason_id r, const char *fmt, ...)
{
	va_list ap;

	ret->peer_reason = peer_reason_at(r);
	ret->peer_status = ret->peer_reason->peer_status;
	va_start(ap, fmt);
	vsnprintf(ret->text, sizeof(ret->text), fmt, ap);
	va_end(ap);
	if (!ret->text[0])
		snprintf(ret->text, sizeof(ret->text), "%s", ret->peer_reason->message);
	return false;
}

static bool has_one_sender(const struct peer_info *s, struct peer_comparison *ret)
{
	if (s->senders <= 1)
		return true;
	return peer_reason(ret, REASON_NOT_UNIQUE, "%u devices send LLDP on this cable: %s, and %s",
			   s->senders, s->peer.chassis, s->other_peer.chassis);
}

static bool is_not_expired(const struct peer_info *s, struct peer_comparison *ret)
{
	if (!s->expired)
		return true;
	if (s->peer.ttl_s == 0)
		return peer_reason(ret, REASON_LLDP_EXPIRED,
				   "the switch's LLDP agent shut down and has sent nothing since");
	return peer_reason(ret, REASON_LLDP_EXPIRED,
			   "the switch stopped sending LLDP: its last LLDPDU was valid for %u s",
			   s->peer.ttl_s);
}

/* Always false, with the reason. */
static bool report_silence(const struct peer_info *s, struct peer_comparison *ret)
{
	if (!s->listened_s)
		return peer_reason(ret, REASON_LLDP_MISSING, "%s", "");
	return peer_reason(ret, REASON_LLDP_MISSING, "%s in %u s",
			   peer_reason_at(REASON_LLDP_MISSING)->message, s->listened_s);
}

/* True if exactly one neighbour was heard and its information is valid. */
static bool has_valid_peer(const struct peer_info *s, struct peer_comparison *ret)
{
	if (s->listen_error.kind == ERR_MISSING)
		return peer_reason(ret, REASON_NOT_COLLECTED, "%s", "");
	if (s->no_interface)
		return peer_reason(ret, REASON_PORT_WITHOUT_INTERFACE, "%s", "");
	if (s->no_carrier)
		return peer_reason(ret, REASON_PORT_LINK_DOWN, "%s", "");
	if (s->listen_error.kind != ERR_NONE)
		return peer_reason(ret, REASON_LLDP_LISTEN_FAILED, "%s", s->listen_error.text);
	if (s->malformed_error.kind != ERR_NONE)
		return peer_reason(ret, REASON_LLDPDU_MALFORMED, "%s: %s",
				   peer_reason_at(REASON_LLDPDU_MALFORMED)->message,
				   s->malformed_error.text);
	if (!s->heard)
		return report_silence(s, ret);
	return has_one_sender(s, ret) && is_not_expired(s, ret);
}

static bool is_well_formed(const struct peer_info *s, enum lldp_tlv tlv,
			   struct peer_comparison *ret)
{
	if (!(s->peer.malformed & LLDP_BIT(tlv)))
		return true;
	return peer_reason(ret, REASON_TLV_MALFORMED, "its %s TLV is malformed",
			   lldp_tlv_name(tlv));
}

/* True if the peer's information on this subject can be compared. */
static bool can_be_compared(const struct config *actual, const struct peer_info *s,
			    enum agreement a, struct peer_comparison *ret)
{
	const unsigned ours = LLDP_BIT(LLDP_ETS) | LLDP_BIT(LLDP_ETS_RECO) | LLDP_BIT(LLDP_PFC) |
			      LLDP_BIT(LLDP_APP);
	const unsigned older = LLDP_BIT(LLDP_CEE) | LLDP_BIT(LLDP_CIN);
	enum lldp_tlv tlv = subjects[a].tlv;

	if (!is_well_formed(s, tlv, ret) ||
	    (a == AGREE_ETS && !is_well_formed(s, LLDP_ETS_RECO, ret)))
		return false;
	if ((s->peer.has & older) && !(s->peer.has & ours))
		return peer_reason(ret, REASON_CEE_ONLY, "%s", "");
	if (!(s->peer.has & LLDP_BIT(tlv)))
		return peer_reason(ret, REASON_TLV_MISSING,
				   "the switch sends LLDP without a %s TLV", lldp_tlv_name(tlv));
	if (a == AGREE_APP && !s->peer.app_count)
		return peer_reason(ret, REASON_TLV_MISSING, "the switch's APP TLV has no entries");
	if (!(actual->has & subjects[a].settings_of))
		return peer_reason(ret, REASON_SETTING_UNKNOWN, "%s", "");
	return true;
}

static bool advertisement_matches(const struct config *actual, const struct peer_info *s,
				  enum agreement a, struct peer_comparison *ret)
{
	struct config advertised = lldp_to_config(&s->local);

	advertised.has &= actual->has & subjects[a].settings_of;
	if (!s->advertises || a == AGREE_APP || !config_diff(&advertised, actual))
		return true;
	return peer_reason(ret, REASON_ADVERTISEMENT_MISMATCH, "%s", "");
}

static const char *pfc_text(uint8_t priorities, char buf[SETTING_TEXT_MAX])
{
	struct config c = { .has = SETTING(SETTING_PFC_PRIORITIES), .pfc.priorities = priorities };

	return setting_text(&settings[SETTING_PFC_PRIORITIES], &c, buf);
}

static bool pfc_agrees(const struct config *actual, const struct peer_info *s,
		       struct peer_comparison *ret)
{
	const struct lldp_pfc *p = &s->peer.pfc;
	char ours[SETTING_TEXT_MAX], theirs[SETTING_TEXT_MAX];

	if (actual->pfc.priorities != p->enabled)
		return peer_reason(ret, REASON_PFC_MISMATCH,
				   "lossless on this port: %.60s; on the switch: %.60s",
				   pfc_text(actual->pfc.priorities, ours),
				   pfc_text(p->enabled, theirs));
	if (p->willing && s->advertises && s->local.pfc.willing)
		return peer_reason(ret, REASON_BOTH_WILLING, "%s", "");
	if (p->cap && __builtin_popcount(actual->pfc.priorities) > p->cap)
		return peer_reason(ret, REASON_PFC_CAP_EXCEEDED,
				   "%d lossless priorities, but the switch's port supports %u",
				   __builtin_popcount(actual->pfc.priorities), p->cap);
	return true;
}

/* Only a willing port has to adopt the peer's recommendation. */
static bool ets_agrees(const struct config *actual, const struct peer_info *s,
		       struct peer_comparison *ret)
{
	bool follows =
		s->advertises && s->local.ets.willing && (s->peer.has & LLDP_BIT(LLDP_ETS_RECO));
	struct config theirs = { 0 };

	ets_to_config(&theirs, follows ? &s->peer.reco : &s->peer.ets);
	theirs.has &= actual->has;
	if (!config_diff(&theirs, actual))
		return true;
	peer_reason(ret, REASON_ETS_MISMATCH, "%s",
		    follows ? "this port is willing, but differs from what the switch recommends"
			    : "");
	if (follows)
		ret->peer_status = PEER_STATUS_DIFFERS;
	return false;
}

/* The priority that this port assigns to the traffic of the peer's APP entry; negative if none. */
static int our_priority(const struct config *actual, const struct lldp_app *a)
{
	if (a->selector == IEEE_8021QAZ_APP_SEL_DSCP)
		return (actual->has & SETTING(SETTING_DSCP_PRIO)) && a->protocol < DSCPS
			       ? actual->dscp.prio[a->protocol]
			       : -1;
	for (size_t i = 0; i < APPS_MAX && (actual->has & SETTING(SETTING_APP_ENTRIES)); i++) {
		const struct app_entry *e = &actual->app.entries[i];

		if (e->selector == a->selector && e->protocol == a->protocol)
			return e->priority;
	}
	return -1;
}

static bool app_agrees(const struct config *actual, const struct peer_info *s,
		       struct peer_comparison *ret)
{
	static const char *const what[] = {
		"?", "Ethertype", "TCP port", "UDP port", "port", "DSCP"
	};

	for (unsigned i = 0; i < s->peer.app_count; i++) {
		const struct lldp_app *a = &s->peer.apps[i];
		int ours = our_priority(actual, a);

		if (ours >= 0 && ours != a->priority)
			return peer_reason(
				ret, REASON_APP_CONFLICT,
				"%s %u has priority %d on this port and %u on the switch",
				what[a->selector < 6 ? a->selector : 0], a->protocol, ours,
				a->priority);
	}
	return true;
}

static bool (*const compare_subject[AGREE_COUNT])(const struct config *, const struct peer_info *,
						  struct peer_comparison *) = {
	[AGREE_PFC] = pfc_agrees,
	[AGREE_ETS] = ets_agrees,
	[AGREE_APP] = app_agrees,
};

setting_set agreement_settings(enum agreement a)
{
	return subjects[a].settings_of;
}

/* False if lldpad did not report what this port advertises. */
static bool advertisement_is_known(const struct peer_info *s, struct peer_comparison *ret)
{
	return s->lldpad_error.kind == ERR_NONE ||
	       peer_reason(ret, REASON_LLDPAD_UNRESPONSIVE, "%s", s->lldpad_error.text);
}

/* False if has_valid_peer() or can_be_compared() was: their reasons come first in the table. */
static bool was_compared(const struct peer_comparison *g)
{
	return !g->peer_reason || g->peer_reason > peer_reason_at(REASON_SETTING_UNKNOWN);
}

/* If the port itself has drifted, the mismatch is not the switch's fault. */
void peer_compare_policy(const struct config *desired, const struct config *actual,
			 unsigned demanded, struct peer_comparison ret[AGREE_COUNT])
{
	setting_set drifted = config_diff(desired, actual);

	for (enum agreement a = 0; a < AGREE_COUNT; a++) {
		if (was_compared(&ret[a]) && (drifted & subjects[a].settings_of))
			peer_reason(&ret[a], REASON_PORT_DRIFTED, "%s", "");
		if (ret[a].peer_status == PEER_STATUS_DIFFERS_ALLOWED && (demanded & (1u << a)))
			ret[a].peer_status = PEER_STATUS_DIFFERS;
	}
}

void peer_compare_all(const struct config *desired, const struct config *actual,
		      const struct peer_info *seen, unsigned demanded,
		      struct peer_comparison ret[AGREE_COUNT])
{
	for (enum agreement a = 0; a < AGREE_COUNT; a++) {
		ret[a] = (struct peer_comparison){ .peer_status = PEER_STATUS_AGREES };
		if (has_valid_peer(seen, &ret[a]) && can_be_compared(actual, seen, a, &ret[a]) &&
		    advertisement_matches(actual, seen, a, &ret[a]) &&
		    compare_subject[a](actual, seen, &ret[a]))
			advertisement_is_known(seen, &ret[a]);
	}
	peer_compare_policy(desired, actual, demanded, ret);
}

enum peer_status peer_compare_worst(const struct peer_comparison all[AGREE_COUNT])
{
	enum peer_status worst = PEER_STATUS_AGREES;

	for (enum agreement a = 0; a < AGREE_COUNT; a++)
		if (all[a].peer_status > worst)
			worst = all[a].peer_status;
	return worst;
}
