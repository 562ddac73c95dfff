#include "captured_peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/dcbnl.h>

#include "../../agent/host/cleanup.h"
#include "../../dcb/dcbnl.h"
#include "../../policy/document/config_json.h"
#include "../../policy/model/dscp_map.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"

/* ---- the LLDPDU, from its settings ---- */

static void add_app(struct lldp *pdu, uint8_t selector, uint16_t protocol, int priority)
{
	if (pdu->app_count < LLDP_APPS_MAX)
		pdu->apps[pdu->app_count++] =
			(struct lldp_app){ selector, (uint8_t)priority, protocol };
}

static void add_apps(struct lldp *pdu, const struct config *c)
{
	for (uint16_t d = 0; d < DSCPS; d++)
		if (c->dscp.prio[d] != DSCP_NONE)
			add_app(pdu, IEEE_8021QAZ_APP_SEL_DSCP, d, c->dscp.prio[d]);
	for (size_t i = 0; i < APPS_MAX && c->app.entries[i].selector; i++)
		add_app(pdu, c->app.entries[i].selector, c->app.entries[i].protocol,
			c->app.entries[i].priority);
}

/* The reverse of lldp_to_config(). */
static void lldp_from_config(struct lldp *pdu, const struct config *c)
{
	if (c->has & agreement_settings(AGREE_PFC)) {
		pdu->has |= LLDP_BIT(LLDP_PFC);
		pdu->pfc.enabled = c->pfc.priorities;
	}
	if (c->has & agreement_settings(AGREE_ETS)) {
		pdu->has |= LLDP_BIT(LLDP_ETS);
		memcpy(pdu->ets.prio_tc, c->ets.prio_tc, sizeof(pdu->ets.prio_tc));
		memcpy(pdu->ets.bandwidth, c->ets.bandwidth, sizeof(pdu->ets.bandwidth));
		for (int tc = 0; tc < PRIOS; tc++)
			pdu->ets.tsa[tc] = tsa_to_kernel(c->ets.tsa[tc]);
	}
	if (c->has & agreement_settings(AGREE_APP)) {
		pdu->has |= LLDP_BIT(LLDP_APP);
		add_apps(pdu, c);
	}
}

static bool read_side(const json_t *comparison, const char *key, const struct json_path *at,
		      struct config *ret, struct err *err)
{
	const json_t *side = json_object_get(comparison, key);
	const struct json_path here = { at, key, 0 };

	if (!side || json_is_null(side))
		return true;
	if (!json_is_object(side))
		return err_expected(err, &here, side, "an object");
	return config_amend_observed(ret, side, &here, err);
}

/* ---- one port ---- */

static bool find_status(const char *name, enum peer_status *ret)
{
	for (*ret = PEER_STATUS_AGREES; *ret <= PEER_STATUS_DIFFERS; ++*ret)
		if (strcmp(status_words[peer_word(*ret)].name, name) == 0)
			return true;
	return false;
}

static const struct peer_reason *find_reason(const char *name)
{
	const struct peer_reason *r;

	for (size_t i = 0; (r = peer_reason_at(i)); i++)
		if (strcmp(r->name, name) == 0)
			return r;
	return NULL;
}

static bool find_subject(const char *name, enum agreement *ret)
{
	for (*ret = 0; *ret < AGREE_COUNT; ++*ret)
		if (strcmp(agreement_name(*ret), name) == 0)
			return true;
	return false;
}

/* A reason of a later version counts as not collected. */
static bool read_comparison(const json_t *comparison, const struct json_path *at,
			    struct peer_comparison all[AGREE_COUNT], struct err *err)
{
	struct peer_comparison *g;
	enum agreement a;

	if (!find_subject(json_text(comparison, "subject"), &a))
		return true;
	g = &all[a];
	if (!find_status(json_text(comparison, "status"), &g->peer_status))
		return err_policy(err, at, "\"status\" is none of a comparison");
	g->peer_reason = find_reason(json_text(comparison, "reason"));
	if (!g->peer_reason && g->peer_status != PEER_STATUS_AGREES)
		g->peer_reason = peer_reason_at(REASON_NOT_COLLECTED);
	snprintf(g->text, sizeof(g->text), "%s", json_text(comparison, "message"));
	return true;
}

static bool read_comparisons(const json_t *port, const struct json_path *port_at,
			     struct compared_peer *ret, struct err *err)
{
	const struct json_path at = { port_at, "comparisons", 0 };
	struct config advertised = { 0 }, peer = { 0 };
	const json_t *comparison;
	size_t i;

	json_array_foreach (json_object_get(port, "comparisons"), i, comparison) {
		const struct json_path here = { &at, NULL, i };

		if (!read_comparison(comparison, &here, ret->agreed, err) ||
		    !read_side(comparison, "advertised", &here, &advertised, err) ||
		    !read_side(comparison, "peer", &here, &peer, err))
			return false;
	}
	dscp_restore(&advertised);
	dscp_restore(&peer);
	ret->seen.advertises = advertised.has != 0;
	lldp_from_config(&ret->seen.local, &advertised);
	lldp_from_config(&ret->seen.peer, &peer);
	return true;
}

static void raw_of(const json_t *tlv, struct lldp_raw *ret)
{
	const char *hex = json_text(tlv, "hex");
	size_t bytes = strlen(hex) / 2;

	ret->subtype = (uint8_t)json_integer_value(json_object_get(tlv, "subtype"));
	ret->len = (uint16_t)json_integer_value(json_object_get(tlv, "length"));
	for (size_t i = 0; i < bytes && i < LLDP_RAW_MAX; i++)
		if (sscanf(hex + 2 * i, "%2hhx", &ret->bytes[i]) != 1)
			return;
}

/* Leaves out the TLVs without a valid OUI. */
static void raws_of(const json_t *peer, struct lldp *ret)
{
	const json_t *tlv;
	size_t i;

	json_array_foreach (json_object_get(peer, "unknown_tlvs"), i, tlv) {
		struct lldp_raw raw = { .len = 0 };

		if (ret->raw_count < LLDP_RAWS_MAX &&
		    sscanf(json_text(tlv, "oui"), "%2hhx-%2hhx-%2hhx", &raw.oui[0], &raw.oui[1],
			   &raw.oui[2]) == 3) {
			raw_of(tlv, &raw);
			ret->raws[ret->raw_count++] = raw;
		}
	}
	ret->raws_omitted =
		(unsigned)json_integer_value(json_object_get(peer, "unknown_tlvs_omitted"));
}

static void read_info(const json_t *port, struct peer_info *ret)
{
	const json_t *peer = json_object_get(port, "peer");
	bool is_lldpad = strcmp(json_text(port, "lldp_source"), "lldpad") == 0;

	ret->source = is_lldpad ? "lldpad" : "raw_socket";
	ret->heard = json_is_object(peer);
	snprintf(ret->peer.chassis, LLDP_TEXT_MAX, "%s", json_text(peer, "chassis_id"));
	snprintf(ret->peer.port, LLDP_TEXT_MAX, "%s", json_text(peer, "port_id"));
	snprintf(ret->peer.system, LLDP_TEXT_MAX, "%s", json_text(peer, "system_name"));
	snprintf(ret->peer.system_description, LLDP_TEXT_MAX, "%s",
		 json_text(peer, "system_description"));
	snprintf(ret->peer.port_description, LLDP_TEXT_MAX, "%s",
		 json_text(peer, "port_description"));
	ret->peer.ttl_s = (uint16_t)json_integer_value(json_object_get(peer, "ttl_s"));
	ret->senders = (unsigned)json_integer_value(json_object_get(peer, "sender_count"));
	raws_of(peer, &ret->peer);
}

static void not_collected(struct compared_peer *ret)
{
	const struct peer_reason *r = peer_reason_at(REASON_NOT_COLLECTED);

	ret->seen.source = "document";
	for (enum agreement a = 0; a < AGREE_COUNT; a++) {
		ret->agreed[a].peer_status = r->peer_status;
		ret->agreed[a].peer_reason = r;
		snprintf(ret->agreed[a].text, sizeof(ret->agreed[a].text), "%s", r->message);
	}
}

static bool read_port(const json_t *port, const struct json_path *at, struct compared_peer *ret,
		      struct err *err)
{
	not_collected(ret);
	if (!port)
		return true;
	read_info(port, &ret->seen);
	return read_comparisons(port, at, ret, err);
}

/* ---- all ports ---- */

/* The place of the port with this name; the number of ports: there is none. */
static size_t place_of(const json_t *ports, const char *name)
{
	size_t at = 0;

	while (at < json_array_size(ports) &&
	       strcmp(json_text(json_array_get(ports, at), "port"), name) != 0)
		at++;
	return at;
}

bool captured_peers_find(const struct captured_host *h, const struct targets *all, bool only_asked,
			 struct compared_peer **ret, struct err *err)
{
	const struct json_path peer_at = { NULL, "peer", 0 }, ports_at = { &peer_at, "ports", 0 };
	_free_ struct compared_peer *found = oom_calloc(all->count + 1, sizeof(*found));
	const json_t *ports = json_object_get(json_object_get(h->bundle, "peer"), "ports");

	if (!found)
		return err_no_memory(err);
	for (size_t i = 0; i < all->count; i++) {
		const struct target *t = &all->list[i];
		const struct json_path at = { &ports_at, NULL,
					      place_of(ports, t->task.port.id.name) };

		if (only_asked && !t->must_agree)
			continue;
		if (!read_port(json_array_get(ports, at.index), &at, &found[i], err))
			return false;
		peer_compare_policy(&t->task.desired, &t->seen.actual, t->must_agree,
				    found[i].agreed);
	}
	*ret = take(found);
	return true;
}

bool captured_peers_read(const struct captured *c, const struct targets *all, struct peer **ret,
			 struct err *err)
{
	_free_ struct compared_peer *found = NULL;

	if (!captured_peers_find(c->document, all, true, &found, err))
		return false;
	*ret = compared_peers_plain(found, all->count);
	return *ret || err_no_memory(err);
}
