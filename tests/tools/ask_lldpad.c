/*
 * Calls dcb/lldpad/client.h and dcb/owner/dcbx_owner.h by hand, for a port. Fails with the exit
 * codes of losslessctl.
 *
 *   ask_lldpad PORT owner
 *   ask_lldpad PORT ping | admin | frames-in | sent | received
 *   ask_lldpad PORT admin disabled|tx|rx|rxtx
 *   ask_lldpad PORT get TLV NAME
 *   ask_lldpad PORT set|delete TLV NAME=VALUE…
 *   ask_lldpad PORT put <SETUP
 *
 * TLV is ets-cfg, ets-rec, pfc, app or dcbx. SETUP has pfc and ets in the words of a policy: the
 * tool sends all of it, with willing off.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/host/host_linux.h"
#include "../../dcb/lldpad/client.h"
#include "../../dcb/owner/dcbx_owner.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/util/exit_code.h"

static const char *const admin_words[] = { "disabled", "tx", "rx", "rxtx" };

struct order {
	struct lldpad l;
	const char *port;
	char **words;
	int count;
};

static const struct {
	const char *name;
	enum lldpad_tlv tlv;
} tlvs[] = {
	{ "ets-cfg", LLDPAD_TLV_ETS_CFG }, { "ets-rec", LLDPAD_TLV_ETS_REC },
	{ "pfc", LLDPAD_TLV_PFC },	   { "app", LLDPAD_TLV_APP },
	{ "dcbx", LLDPAD_TLV_DCBX },
};

static enum lldpad_tlv tlv_of(const char *name)
{
	for (size_t i = 0; i < sizeof(tlvs) / sizeof(tlvs[0]); i++)
		if (strcmp(name, tlvs[i].name) == 0)
			return tlvs[i].tlv;
	return LLDPAD_TLV_ALL;
}

/* Sends a request that losslessctl never sends; *ret_payload points into `reply`. */
static bool exchange(const struct order *o, const struct lldpad_request *r,
		     char reply[LLDPAD_REPLY_MAX], const char **ret_payload, struct err *err)
{
	char request[LLDPAD_REQUEST_MAX];

	return lldpad_write_request(r, request, err) &&
	       host_ask_lldpad(o->l.h, request, reply, LLDPAD_REPLY_MAX, err) &&
	       lldpad_read_reply(r, reply, ret_payload, err);
}

static bool ping(const struct order *o, struct err *err)
{
	return lldpad_ping(&o->l, err);
}

/* Prints the stored word: an unset port reads "disabled" and receives nevertheless. */
static bool get_admin(const struct order *o, struct err *err)
{
	struct lldpad_args args = { .count = 0 };
	struct lldpad_request r = {
		.command = LLDPAD_GET, .ops = OP_ARGS, .port = o->port, .args = &args
	};
	char reply[LLDPAD_REPLY_MAX], word[LLDPAD_VALUE_MAX];
	const char *payload;

	lldpad_args_add(&args, "adminstatus", "");
	if (!exchange(o, &r, reply, &payload, err) ||
	    !lldpad_read_value(payload, "adminstatus", word, err))
		return false;
	puts(word);
	return true;
}

static bool admin(const struct order *o, struct err *err)
{
	for (unsigned i = 0; o->count == 1 && i < 4; i++)
		if (strcmp(o->words[0], admin_words[i]) == 0)
			return lldpad_set_admin(&o->l, o->port, i, err);
	return get_admin(o, err);
}

/* Prints the fourth of seven counters: frames out, in and discarded, in with errors, in. */
static bool frames_in(const struct order *o, struct err *err)
{
	struct lldpad_request r = { .command = LLDPAD_STATISTICS, .port = o->port };
	char reply[LLDPAD_REPLY_MAX];
	const char *payload;
	uint32_t n;

	if (!exchange(o, &r, reply, &payload, err))
		return false;
	if (strlen(payload) != 7 * 8 || !lldpad_read_hex(payload + 3 * 8, 8, &n))
		return err_set(err, ERR_SYSTEM, EPROTO, "no statistics: \"%s\"", payload);
	printf("%u\n", (unsigned)n);
	return true;
}

static bool print_pdu(bool ok, const struct lldpad_pdu *pdu)
{
	for (size_t i = 0; ok && i < pdu->size; i++)
		printf("%02x", pdu->bytes[i]);
	if (ok)
		putchar('\n');
	return ok;
}

static bool sent(const struct order *o, struct err *err)
{
	struct lldpad_pdu pdu;

	return print_pdu(lldpad_get_sent(&o->l, o->port, &pdu, err), &pdu);
}

static bool received(const struct order *o, struct err *err)
{
	struct lldpad_pdu pdu;

	return print_pdu(lldpad_get_received(&o->l, o->port, &pdu, err), &pdu);
}

static bool get(const struct order *o, struct err *err)
{
	char word[LLDPAD_VALUE_MAX];

	if (o->count != 2 ||
	    !lldpad_get(&o->l, o->port, tlv_of(o->words[0]), o->words[1], word, err))
		return false;
	puts(word);
	return true;
}

static struct lldpad_args args_of(const struct order *o)
{
	struct lldpad_args args = { .count = 0 };

	for (int i = 1; i < o->count; i++) {
		char *value = strchr(o->words[i], '=');

		if (value)
			*value++ = '\0';
		lldpad_args_add(&args, o->words[i], value ? value : "");
	}
	return args;
}

static bool set(const struct order *o, struct err *err)
{
	struct lldpad_args args = args_of(o);

	return lldpad_set(&o->l, o->port, tlv_of(o->words[0]), &args, err);
}

static bool delete (const struct order *o, struct err *err)
{
	struct lldpad_args args = args_of(o);
	struct lldpad_request r = { .command = LLDPAD_SET_TLV,
				    .ops = OP_ARGS | OP_VALUES | OP_DELETE,
				    .port = o->port,
				    .tlv = tlv_of(o->words[0]),
				    .args = &args };
	char reply[LLDPAD_REPLY_MAX];
	const char *payload;

	return exchange(o, &r, reply, &payload, err);
}

static bool put_config(const struct order *o, const struct config *c, struct err *err)
{
	struct lldpad_args cfg = { .count = 0 }, rec = { .count = 0 }, pfc = { .count = 0 };

	lldpad_args_add(&cfg, "willing", "no");
	lldpad_args_add(&pfc, "willing", "no");
	lldpad_args_add_pfc(&pfc, c->pfc.priorities);
	return lldpad_args_add_ets(&cfg, c->ets.prio_tc, c->ets.tsa, c->ets.bandwidth, err) &&
	       lldpad_args_add_ets(&rec, c->ets.prio_tc, c->ets.tsa, c->ets.bandwidth, err) &&
	       lldpad_set(&o->l, o->port, LLDPAD_TLV_ETS_CFG, &cfg, err) &&
	       lldpad_set(&o->l, o->port, LLDPAD_TLV_ETS_REC, &rec, err) &&
	       lldpad_set(&o->l, o->port, LLDPAD_TLV_PFC, &pfc, err);
}

static bool put(const struct order *o, struct err *err)
{
	struct config c = { .has = 0 };
	json_t *doc = json_loadf(stdin, 0, NULL);
	bool ok = doc && config_amend(&c, doc, NULL, err) && put_config(o, &c, err);

	json_decref(doc);
	return ok;
}

static const struct {
	const char *word;
	bool (*carry_out)(const struct order *o, struct err *err);
} verbs[] = {
	{ "ping", ping }, { "admin", admin },	    { "frames-in", frames_in },
	{ "sent", sent }, { "received", received }, { "get", get },
	{ "set", set },	  { "delete", delete },	    { "put", put },
};

static bool print_owner(struct host *h, const char *name, struct err *err)
{
	struct port port = { .ifindex = 0 };
	struct owner o;

	snprintf(port.id.name, sizeof(port.id.name), "%s", name);
	if (!owner_find(h, &port, &o, err))
		return false;
	printf("%s%s: %s\n", owner_name(o.who), o.firmware_too ? " and firmware" : "", o.what);
	return true;
}

static bool carry_out(struct host *h, char **words, int count, struct err *err)
{
	struct order o = { .port = words[0], .words = words + 2, .count = count - 2 };

	if (strcmp(words[1], "owner") == 0)
		return print_owner(h, words[0], err);
	if (!lldpad_open(h, &o.l, err))
		return false;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(words[1], verbs[i].word) == 0)
			return verbs[i].carry_out(&o, err);
	return err_set(err, ERR_USAGE, 0, "no such verb: %s", words[1]);
}

int main(int argc, char **argv)
{
	struct host_linux outside;
	struct err err = { 0 };
	bool ok;

	if (argc < 3) {
		fprintf(stderr, "usage: ask_lldpad PORT VERB [ARG]...\n");
		return 64;
	}
	ok = host_linux_open(&outside, "/", true, &err) &&
	     carry_out(&outside.host, argv + 1, argc - 1, &err);
	host_linux_close(&outside);
	if (!ok)
		fprintf(stderr, "%s: %s\n", err_kind_name(err.kind), err.text);
	return ok ? 0 : exit_code_of_err(&err);
}
