#include "client.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "detect.h"

static const char *const tsa_words[] = {
	[TSA_STRICT] = "strict",
	[TSA_CBS] = "cb_shaper",
	[TSA_ETS] = "ets",
	[TSA_VENDOR] = "vendor",
};

void lldpad_args_add(struct lldpad_args *a, const char *name, const char *value)
{
	if (a->count >= LLDPAD_ARGS_MAX || strlen(name) >= sizeof(a->list[0].name) ||
	    strlen(value) >= LLDPAD_VALUE_MAX) {
		a->overflowed = true;
		return;
	}
	snprintf(a->list[a->count].name, sizeof(a->list[0].name), "%s", name);
	snprintf(a->list[a->count].value, LLDPAD_VALUE_MAX, "%s", value);
	a->count++;
}

/* Appends an item to the list; eight of the longest fit. */
static void __attribute__((format(printf, 2, 3)))
add_item(char list[LLDPAD_VALUE_MAX], const char *fmt, ...)
{
	size_t used = strlen(list);
	va_list ap;

	if (used)
		list[used++] = ',';
	va_start(ap, fmt);
	vsnprintf(list + used, LLDPAD_VALUE_MAX - used, fmt, ap);
	va_end(ap);
}

/* Shares must add up to exactly 100. Without ets classes none are sent. */
static bool add_bandwidth(struct lldpad_args *a, const uint8_t tsa[PRIOS],
			  const uint8_t bandwidth[PRIOS], struct err *err)
{
	char list[LLDPAD_VALUE_MAX] = "";
	unsigned sum = 0;
	bool is_shared = false;

	for (int tc = 0; tc < PRIOS; tc++) {
		bool is_ets = tsa[tc] == TSA_ETS;

		is_shared = is_shared || is_ets;
		sum += is_ets ? bandwidth[tc] : 0;
		add_item(list, "%d", is_ets ? bandwidth[tc] : 0);
	}
	if (is_shared && sum != 100)
		return err_set(err, ERR_UNSUPPORTED, EINVAL,
			       "lldpad accepts shares only if they add up to 100, not %u", sum);
	if (is_shared)
		lldpad_args_add(a, "tcbw", list);
	return true;
}

bool lldpad_args_add_ets(struct lldpad_args *a, const uint8_t prio_tc[PRIOS],
			 const uint8_t tsa[PRIOS], const uint8_t bandwidth[PRIOS], struct err *err)
{
	char classes[LLDPAD_VALUE_MAX] = "", algorithms[LLDPAD_VALUE_MAX] = "";

	for (int i = 0; i < PRIOS; i++) {
		add_item(classes, "%d:%d", i, prio_tc[i]);
		add_item(algorithms, "%d:%s", i, tsa_words[tsa[i]]);
	}
	if (!add_bandwidth(a, tsa, bandwidth, err))
		return false;
	lldpad_args_add(a, "up2tc", classes);
	lldpad_args_add(a, "tsa", algorithms);
	return true;
}

void lldpad_args_add_pfc(struct lldpad_args *a, uint8_t priorities)
{
	char list[LLDPAD_VALUE_MAX] = "";

	for (int p = 0; p < PRIOS; p++)
		if (priorities & (1u << p))
			add_item(list, "%d", p);
	lldpad_args_add(a, "enabled", list[0] ? list : "none");
}

#define HEAD_MAX       64
#define LLDPAD_INVALID 0x04

/* The meaning of a status other than 0. */
static const struct {
	const char *text;
	enum err_kind kind;
} statuses[] = {
	[0x01] = { "failed", ERR_SYSTEM },
	[0x02] = { "port not found, or it has no LLDP", ERR_UNSUPPORTED },
	[0x03] = { "agent not found", ERR_UNSUPPORTED },
	[LLDPAD_INVALID] = { "invalid value", ERR_SYSTEM },
	[0x05] = { "bad parameters", ERR_SYSTEM },
	[0x06] = { "peer not present", ERR_MISSING },
	[0x07] = { "another version", ERR_SYSTEM },
	[0x08] = { "port not capable of DCB, or firmware runs it", ERR_UNSUPPORTED },
	[0x09] = { "not applicable", ERR_UNSUPPORTED },
	[0x0a] = { "no access: lldpad was started with -R, or losslessctl is not root",
		   ERR_DENIED },
	[0x0b] = { "agent not supported", ERR_UNSUPPORTED },
};

struct writer {
	char *text;
	size_t used; /* LLDPAD_REQUEST_MAX or more: it did not fit */
};

static void __attribute__((format(printf, 2, 3)))
append_request(struct writer *w, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (w->used >= LLDPAD_REQUEST_MAX)
		return;
	va_start(ap, fmt);
	n = vsnprintf(w->text + w->used, LLDPAD_REQUEST_MAX - w->used, fmt, ap);
	va_end(ap);
	w->used += (size_t)n;
}

static bool is_about_tlv(const struct lldpad_request *r)
{
	return r->command == LLDPAD_GET_TLV || r->command == LLDPAD_SET_TLV;
}

static void put_args(struct writer *w, const struct lldpad_request *r)
{
	for (size_t i = 0; r->args && i < r->args->count; i++) {
		const char *name = r->args->list[i].name, *value = r->args->list[i].value;

		append_request(w, "%02zx%s", strlen(name), name);
		if (r->ops & OP_VALUES)
			append_request(w, "%04zx%s", strlen(value), value);
	}
}

bool lldpad_write_request(const struct lldpad_request *r, char text[LLDPAD_REQUEST_MAX],
			  struct err *err)
{
	struct writer w = { .text = text };

	/* Module 1; version 3; agent 0, the nearest bridge: only that one has DCBX. */
	append_request(&w, "M00000001C3%02x%08x%02zx%s00", r->command, r->ops, strlen(r->port),
		       r->port);
	if (is_about_tlv(r))
		append_request(&w, "%08x", (unsigned)r->tlv);
	put_args(&w, r);
	return (w.used < LLDPAD_REQUEST_MAX && !(r->args && r->args->overflowed)) ||
	       err_set(err, ERR_SYSTEM, EMSGSIZE, "a request that is too long for lldpad");
}

/* The part of the request that a reply repeats: all but module, agent and arguments. */
static void write_echo(const struct lldpad_request *r, char echo[HEAD_MAX])
{
	int n = snprintf(echo, HEAD_MAX, "C3%02x%08x%02zx%.15s", r->command, r->ops,
			 strlen(r->port), r->port);

	if (is_about_tlv(r))
		snprintf(echo + n, HEAD_MAX - (size_t)n, "%08x", (unsigned)r->tlv);
}

bool lldpad_read_hex(const char *text, size_t digits, uint32_t *ret)
{
	uint32_t value = 0;

	for (size_t i = 0; i < digits; i++) {
		int c = tolower((unsigned char)text[i]);

		if (!isxdigit(c))
			return false;
		value = value << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	*ret = value;
	return true;
}

static bool invalid_reply(struct err *err)
{
	return err_set(err, ERR_SYSTEM, EPROTO, "lldpad's answer cannot be parsed");
}

/* A reason may follow "invalid", as in ": DSCP > 63"; other statuses repeat the request. */
static bool status_error(uint32_t status, const char *detail, struct err *err)
{
	detail = status == LLDPAD_INVALID ? detail + strspn(detail, ": ") : "";
	if (status >= sizeof(statuses) / sizeof(statuses[0]))
		return err_set(err, ERR_SYSTEM, EPROTO, "lldpad: status 0x%02x", (unsigned)status);
	return err_set(err, statuses[status].kind, EPROTO, "lldpad: %s%s%.*s",
		       statuses[status].text, *detail ? ": " : "", (int)strcspn(detail, "\n"),
		       detail);
}

bool lldpad_read_reply(const struct lldpad_request *r, const char *reply, const char **ret_payload,
		       struct err *err)
{
	char echo[HEAD_MAX];
	uint32_t status;

	if (reply[0] != 'R' || !lldpad_read_hex(reply + 1, 2, &status))
		return invalid_reply(err);
	write_echo(r, echo);
	if (strncmp(reply + 3, echo, strlen(echo)) != 0)
		return status ? status_error(status, "", err) : invalid_reply(err);
	if (status)
		return status_error(status, reply + 3 + strlen(echo), err);
	*ret_payload = reply + 3 + strlen(echo);
	return true;
}

/* The text behind a length of `digits` hex digits; NULL if there is none. */
static const char *after_length(const char *text, size_t digits, uint32_t *ret_length)
{
	return lldpad_read_hex(text, digits, ret_length) ? text + digits : NULL;
}

bool lldpad_read_value(const char *payload, const char *name, char ret[LLDPAD_VALUE_MAX],
		       struct err *err)
{
	uint32_t length;
	const char *text = after_length(payload, 2, &length);

	/* lldpad answers "adminstatus" with "adminStatus". */
	if (!text || length != strlen(name) || strncasecmp(text, name, length) != 0)
		return invalid_reply(err);
	text = after_length(text + length, 4, &length);
	if (!text || strlen(text) >= LLDPAD_VALUE_MAX)
		return invalid_reply(err);
	/* PFC's mask has one to three digits, and its length always reads two. */
	if (length != strlen(text) && strcmp(name, "enabled") != 0)
		return invalid_reply(err);
	snprintf(ret, LLDPAD_VALUE_MAX, "%s", text);
	return true;
}

bool lldpad_open(struct host *h, struct lldpad *ret, struct err *err)
{
	struct lldpad_process found;

	if (lldpad_may_be_hidden(h)) {
		err_record(err, ERR_UNKNOWN, ESRCH,
			   "a program outside this container holds lldpad's socket");
		return err_fix(err,
			       "let the container see the host's processes (hostPID of a pod), or "
			       "run losslessctl outside of it");
	}
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

bool lldpad_ping(const struct lldpad *l, struct err *err)
{
	char reply[LLDPAD_REPLY_MAX];

	return ask_running_lldpad(l, "P", reply, err) &&
	       (strncmp(reply, "R00PPONG", 8) == 0 ||
		err_set(err, ERR_SYSTEM, EPROTO, "a ping is answered \"%s\"", reply));
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

bool lldpad_sends(const struct lldpad *l, const char *port, bool *ret, struct err *err)
{
	struct lldpad_args args = { .count = 0 };
	struct lldpad_request r = {
		.command = LLDPAD_GET, .ops = OP_ARGS, .port = port, .args = &args
	};
	char reply[LLDPAD_REPLY_MAX], admin[LLDPAD_VALUE_MAX];
	struct err why = { 0 };
	const char *payload;

	lldpad_args_add(&args, "adminstatus", "");
	*ret = lldpad_exchange(l, &r, reply, &payload, &why) &&
	       lldpad_read_value(payload, "adminstatus", admin, &why) &&
	       (strcmp(admin, admin_words[LLDPAD_TX]) == 0 ||
		strcmp(admin, admin_words[LLDPAD_RXTX]) == 0);
	if (why.kind == ERR_NONE || why.kind == ERR_UNSUPPORTED)
		return true;
	*err = why;
	return false;
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
