#include "captured_bundle.h"

#include <linux/dcbnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/engine/ready/ready.h"
#include "../../agent/host/cleanup.h"
#include "../../dcb/dcbnl.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/model/dscp_map.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../backends.h"

/* ---- peers: the LLDPDU, from its settings ---- */

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

/* ---- peers: one port ---- */

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

/* ---- peers: all ports ---- */

/* The place of the port with this name; the number of ports: there is none. */
static size_t place_of(const json_t *ports, const char *name)
{
	size_t at = 0;

	while (at < json_array_size(ports) &&
	       strcmp(json_text(json_array_get(ports, at), "port"), name) != 0)
		at++;
	return at;
}

static bool find_peers(const struct captured_host *h, const struct targets *all, bool only_asked,
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

bool source_peers(const struct cli *c, const struct targets *all, unsigned listen_s,
		  struct compared_peer **ret, struct err *err)
{
	return c->captured ? find_peers(c->captured, all, false, ret, err)
			   : compared_peers_find(c->h, all, false, listen_s, ret, err);
}

/* As compared_peers_read(), for the engine. */
static bool captured_peers_read(const struct captured *c, const struct targets *all,
				struct peer **ret, struct err *err)
{
	_free_ struct compared_peer *found = NULL;

	if (!find_peers(c->document, all, true, &found, err))
		return false;
	*ret = compared_peers_plain(found, all->count);
	return *ret || err_no_memory(err);
}

/* ---- history of drift, recordings ---- */

bool source_history_each(const struct cli *c, void (*each)(const struct drift_record *r, void *arg),
			 void *arg, size_t *unread, struct err *err)
{
	json_t *part, *entry;
	size_t i, others = 0;

	if (!c->captured)
		return history_each(c->h, each, arg, unread, err);
	if (!captured_host_part(c->captured, "history", &part, err))
		return false;
	json_array_foreach (json_object_get(part, "records"), i, entry) {
		struct drift_record r = { .setting = 0 };

		if (history_from_json(entry, &r))
			each(&r, arg);
		else
			others++;
	}
	if (unread)
		*unread = others;
	return !oom_happened() || err_no_memory(err);
}

bool source_history_dropped(const struct cli *c, uint64_t *ret, struct err *err)
{
	json_int_t n;
	json_t *part;

	if (!c->captured)
		return history_dropped(c->h, ret, err);
	*ret = 0;
	if (!captured_host_part(c->captured, "history", &part, err))
		return false;
	n = json_integer_value(json_object_get(part, "dropped_count"));
	*ret = n > 0 ? (uint64_t)n : 0;
	return true;
}

bool source_recording_load(const struct cli *c, unsigned number, struct flight_recording *ret,
			   json_t **document, struct err *err)
{
	json_t *list, *one;

	if (!c->captured)
		return recording_load(c->h, number, ret, document, err);
	if (!captured_host_part(c->captured, "recordings", &list, err))
		return false;
	one = json_array_get(list, number - 1);
	if (!one)
		return err_set(err, ERR_MISSING, 0, "the bundle has no recording %u", number);
	if (!recording_from_json(one, ret, err))
		return err_in(err, "recording %u", number);
	ret->number = number;
	*document = json_incref(one);
	return true;
}

bool source_recordings_each(const struct cli *c, const struct recording_visitor *v, struct err *err)
{
	_free_ struct flight_recording *r = oom_calloc(1, sizeof(*r));
	json_t *list;

	if (!c->captured)
		return recordings_each(c->h, v, err);
	if (!r)
		return err_no_memory(err);
	if (!captured_host_part(c->captured, "recordings", &list, err))
		return false;
	for (unsigned number = 1; number <= json_array_size(list); number++) {
		json_auto_t *document = NULL;
		struct err why = { 0 };

		if (source_recording_load(c, number, r, &document, &why))
			v->found(r, document, v->arg);
		else if (v->skipped)
			v->skipped(number, &why, v->arg);
	}
	return true;
}

/* ---- the checks of ready ---- */

static const json_t *find_row(const json_t *part, const char *check, const struct port *port)
{
	const json_t *row;
	size_t i;

	json_array_foreach (json_object_get(part, "checks"), i, row) {
		const char *of = json_string_value(json_object_get(row, "port"));

		if (strcmp(json_text(row, "check"), check) == 0 &&
		    (port ? of && strcmp(of, port->id.name) == 0 : !of))
			return row;
	}
	return NULL;
}

/* Words that the check has for each such value are left to the judge, who may expect another. */
static void take_value(const struct ready_check *check, const struct port *port, const json_t *row,
		       uint64_t value, struct ready_reading *ret)
{
	const char *reason = json_text(row, "message"), *fix = json_text(row, "fix");
	char general[READY_FIX_MAX] = "";
	uint64_t expected;

	ready_found(ret, value, "%s", json_text(row, "details"));
	if (strcmp(reason, ready_reason_of(check, value)) != 0)
		ready_reason(ret, "%s", reason);
	if (ready_value_from_json(check, json_object_get(row, "expected"), &expected))
		ready_general_fix(check, expected, port, general);
	if (strcmp(fix, general) != 0)
		ready_fix(ret, "%s", fix);
}

static void take_row(const struct ready_check *check, const struct port *port, const json_t *row,
		     struct ready_reading *ret)
{
	const json_t *actual = json_object_get(row, "actual");
	const char *message = json_text(row, "message");
	uint64_t value;

	if (ready_value_from_json(check, actual, &value)) {
		take_value(check, port, row, value, ret);
	} else if (strcmp(json_text(row, "status"), "not_applicable") == 0) {
		ready_not_applicable(ret, message);
	} else {
		ready_unknown(ret, "%s",
			      message[0] ? message : "the document has another kind of value");
		ready_fix(ret, "%s", json_text(row, "fix"));
	}
}

void captured_ready_read(const struct captured *c, enum ready_id id, const struct port *port,
			 struct ready_reading *ret)
{
	const struct ready_check *check = &ready_checks[id];
	struct err err = { 0 };
	const json_t *row;
	json_t *part;

	if (!captured_host_part(c->document, "ready", &part, &err)) {
		ready_unknown(ret, "%s", err.text);
		ready_fix(ret, "%s", err.fix);
		return;
	}
	row = find_row(part, check->name, port);
	if (row)
		take_row(check, port, row, ret);
	else
		ready_unknown(ret, "the document does not have this check%s",
			      port ? " of this port" : "");
}

/* ---- counters ---- */

static const json_t *port_of(const json_t *moment, const char *name)
{
	const json_t *port;
	size_t i;

	json_array_foreach (json_object_get(moment, "ports"), i, port)
		if (strcmp(json_text(port, "port"), name) == 0)
			return port;
	return NULL;
}

/* A counter of a later version, or that is no count, is absent. */
static struct sample sample_from_json(const json_t *port)
{
	const json_t *list = json_object_get(port, "counters");
	json_int_t at_ms = json_integer_value(json_object_get(port, "uptime_ms"));
	struct sample s = { .at_ms = at_ms > 0 ? (uint64_t)at_ms : 0 };
	char name[COUNTER_NAME_MAX];

	for (size_t i = 0; i < COUNTER_SLOTS; i++) {
		const json_t *value = json_object_get(list, counter_slot_name(i, name));

		s.has[i] = json_is_integer(value) && json_integer_value(value) >= 0;
		s.value[i] = s.has[i] ? (uint64_t)json_integer_value(value) : 0;
	}
	return s;
}

/* Returns the milliseconds between the two samples; 0: the port is unknown, and ret says why. */
static uint64_t judge_port(const json_t *samples, const struct thresholds *l,
			   const struct target *t, struct counted *ret)
{
	const char *name = t->task.port.id.name;
	struct sample first = sample_from_json(port_of(json_array_get(samples, 0), name)),
		      last = sample_from_json(port_of(json_array_get(samples, 1), name));

	if (first.at_ms && last.at_ms > first.at_ms) {
		counter_check_judge(l, t, &first, &last, ret);
		return last.at_ms - first.at_ms;
	}
	ret->rates = rates_unknown();
	snprintf(ret->unknown, sizeof(ret->unknown),
		 "the document does not have two samples of this port's counters");
	return 0;
}

bool captured_counters_judge(const struct captured_host *h, const struct thresholds *l,
			     const struct targets *all, struct counted **ret, unsigned *seconds,
			     struct err *err)
{
	const json_t *samples = json_object_get(h->bundle, "samples");
	uint64_t longest = 0;

	if (json_array_size(samples) < 2)
		return true;
	*ret = calloc(all->count + 1, sizeof(**ret));
	if (!*ret)
		return err_no_memory(err);
	for (size_t i = 0; i < all->count; i++) {
		uint64_t ms = judge_port(samples, l, &all->list[i], &(*ret)[i]);

		longest = ms > longest ? ms : longest;
	}
	*seconds = (unsigned)(longest / 1000);
	return true;
}

/* ---- the host of --state ---- */

bool captured_host_open(struct cli *c, struct err *err)
{
	c->captured = oom_calloc(1, sizeof(*c->captured));
	if (!c->captured)
		return err_no_memory(err);
	if (!captured_host_read(c->state_fd, c->captured, err))
		return err_in(err, "%s", c->opt.state);
	c->captured->view.read_peers = captured_peers_read;
	c->captured->view.read_ready = captured_ready_read;
	c->captured->view.document = c->captured;
	c->engine = cli_engine(c);
	c->engine.captured = &c->captured->view;
	return true;
}

bool source_has_ready(const struct cli *c, struct err *err)
{
	json_t *part;

	return !c->captured || captured_host_part(c->captured, "ready", &part, err);
}
