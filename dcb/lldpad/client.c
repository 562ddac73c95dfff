#include "client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "detect.h"
#include "protocol.h"

bool lldpad_open(struct host *h, struct lldpad *ret, struct err *err)
{
	struct lldpad_process found;

	if (!lldpad_find(h, &found))
		return err_set(err, ERR_MISSING, ESRCH, "no lldpad runs on this host");
	*ret = (struct lldpad){ .h = h, .pid = found.pid, .advertise_only = found.advertise_only };
	return true;
}

bool lldpad_still_runs(const struct lldpad *l)
{
	struct err quiet = { 0 };
	char comm[32];

	return host_read_file(l->h, comm, sizeof(comm), &quiet, "/proc/%u/comm", l->pid) &&
	       strcmp(comm, "lldpad") == 0;
}

bool lldpad_err_ended(const struct lldpad *l, struct err *err)
{
	err_record(err, ERR_MISSING, ESRCH, "lldpad (pid %u) ended while it was given the settings",
		   l->pid);
	return err_fix(err, "start lldpad again, then run `losslessctl apply` again: lldpad writes "
			    "what it has stored of the settings to the port as soon as it runs");
}

/* After lldpad has ended systemd holds its socket, and a datagram would start it again. */
static bool ask_running_lldpad(const struct lldpad *l, const char *request,
			       char reply[LLDPAD_REPLY_MAX], struct err *err)
{
	if (!lldpad_still_runs(l))
		return err_set(err, ERR_UNKNOWN, ESRCH, "lldpad (pid %u) has ended", l->pid);
	if (host_ask_lldpad(l->h, request, reply, LLDPAD_REPLY_MAX, err))
		return true;
	if (err->kind != ERR_UNKNOWN || lldpad_still_runs(l))
		return false;
	*err = (struct err){ 0 };
	return err_set(err, ERR_UNKNOWN, ESRCH, "lldpad (pid %u) ended before it answered", l->pid);
}

/* *ret_payload points into `reply`. */
static bool lldpad_exchange(const struct lldpad *l, const struct lldpad_request *r,
			    char reply[LLDPAD_REPLY_MAX], const char **ret_payload, struct err *err)
{
	char request[LLDPAD_REQUEST_MAX];

	return lldpad_write_request(r, request, err) &&
	       ask_running_lldpad(l, request, reply, err) &&
	       lldpad_read_reply(r, reply, ret_payload, err);
}

static bool send_change(const struct lldpad *l, const struct lldpad_request *r, struct err *err)
{
	char reply[LLDPAD_REPLY_MAX];
	const char *payload;

	if (lldpad_exchange(l, r, reply, &payload, err))
		return true;
	if (err->code != ESRCH)
		return false;
	*err = (struct err){ 0 };
	return lldpad_err_ended(l, err);
}

static const char *const admin_words[] = {
	[LLDPAD_DISABLED] = "disabled",
	[LLDPAD_TX] = "tx",
	[LLDPAD_RX] = "rx",
	[LLDPAD_RXTX] = "rxtx",
};

bool lldpad_set_admin(const struct lldpad *l, const char *port, enum lldpad_admin admin,
		      struct err *err)
{
	struct lldpad_args args = { .count = 0 };
	struct lldpad_request r = {
		.command = LLDPAD_SET, .ops = OP_ARGS | OP_VALUES, .port = port, .args = &args
	};

	lldpad_args_add(&args, "adminstatus", admin_words[admin]);
	return send_change(l, &r, err);
}

static bool read_pdu(const char *hex, struct lldpad_pdu *ret, struct err *err)
{
	size_t digits = strlen(hex);
	uint32_t byte;

	if (digits % 2 || digits / 2 > sizeof(ret->bytes))
		return err_set(err, ERR_SYSTEM, EPROTO, "an LLDPDU of %zu hex digits", digits);
	for (size_t i = 0; i < digits / 2; i++) {
		if (!lldpad_read_hex(hex + 2 * i, 2, &byte))
			return err_set(err, ERR_SYSTEM, EPROTO, "an LLDPDU that is not in hex");
		ret->bytes[i] = (uint8_t)byte;
	}
	ret->size = digits / 2;
	return true;
}

static bool get_pdu(const struct lldpad *l, const char *port, uint8_t whose, struct lldpad_pdu *ret,
		    struct err *err)
{
	struct lldpad_request r = {
		.command = LLDPAD_GET_TLV, .ops = whose, .port = port, .tlv = LLDPAD_TLV_ALL
	};
	char reply[LLDPAD_REPLY_MAX];
	const char *payload;

	if (!lldpad_exchange(l, &r, reply, &payload, err))
		return false;
	if (!*payload)
		return err_set(err, ERR_MISSING, ENODATA, "lldpad has %s nothing here yet",
			       whose == OP_LOCAL ? "sent" : "received");
	return read_pdu(payload, ret, err);
}

bool lldpad_get_sent(const struct lldpad *l, const char *port, struct lldpad_pdu *ret,
		     struct err *err)
{
	return get_pdu(l, port, OP_LOCAL, ret, err);
}

bool lldpad_get_received(const struct lldpad *l, const char *port, struct lldpad_pdu *ret,
			 struct err *err)
{
	return get_pdu(l, port, OP_NEIGHBOR, ret, err);
}

bool lldpad_get(const struct lldpad *l, const char *port, enum lldpad_tlv tlv, const char *name,
		char ret[LLDPAD_VALUE_MAX], struct err *err)
{
	struct lldpad_args args = { .count = 0 };
	struct lldpad_request r = { .command = LLDPAD_GET_TLV,
				    .ops = OP_LOCAL | OP_ARGS | OP_CONFIG,
				    .port = port,
				    .tlv = tlv,
				    .args = &args };
	char reply[LLDPAD_REPLY_MAX];
	const char *payload;

	lldpad_args_add(&args, name, "");
	return lldpad_exchange(l, &r, reply, &payload, err) &&
	       lldpad_read_value(payload, name, ret, err);
}

bool lldpad_set(const struct lldpad *l, const char *port, enum lldpad_tlv tlv,
		const struct lldpad_args *args, struct err *err)
{
	struct lldpad_request r = { .command = LLDPAD_SET_TLV,
				    .ops = OP_ARGS | OP_VALUES,
				    .port = port,
				    .tlv = tlv,
				    .args = args };

	return send_change(l, &r, err);
}
