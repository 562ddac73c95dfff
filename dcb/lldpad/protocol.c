#include "protocol.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
