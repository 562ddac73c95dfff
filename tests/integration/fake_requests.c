#include "fake_requests.h"

#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMS_MAX    128
#define FORM_MAX     256
#define IOCTL_HEADER 16 /* struct ethtool_tunable: all but the value */

static struct {
	char texts[FORMS_MAX][FORM_MAX];
	size_t count;
} known;

static size_t from_hex(const char *hex, uint8_t *to, size_t max)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = 0;

	for (; n < max && hex[0] && hex[1]; hex += 2)
		to[n++] = (uint8_t)((strchr(digits, hex[0]) - digits) << 4 |
				    (strchr(digits, hex[1]) - digits));
	return n;
}

bool request_parse(const char *line, struct request *ret)
{
	static const char *const kinds[] = { "route", "ethtool", "ioctl", "read",
					     "write", "mtu",	 "egress" };
	const char *rest = strchr(line, ' ');
	char *value;

	*ret = (struct request){ .kind = REQUEST_COUNT };
	for (unsigned k = 0; rest && k < REQUEST_COUNT; k++)
		if (strncmp(line, kinds[k], (size_t)(rest - line)) == 0)
			ret->kind = k;
	if (ret->kind == REQUEST_COUNT)
		return false;
	snprintf(ret->words, sizeof(ret->words), "%s", rest + 1);
	value = strchr(ret->words, ' ');
	if (value)
		*value++ = '\0';
	ret->value = value ? value : "";
	ret->type = (uint16_t)atoi(ret->words);
	if (ret->kind <= REQUEST_ETHTOOL)
		ret->size = from_hex(ret->value, ret->bytes, sizeof(ret->bytes));
	else if (ret->kind == REQUEST_IOCTL)
		ret->size = from_hex(ret->words, ret->bytes, sizeof(ret->bytes));
	return true;
}

static void add_word(char *form, unsigned word)
{
	size_t used = strlen(form);

	snprintf(form + used, FORM_MAX - used, " %u", word);
}

/* Adds the types of attributes, in their order; one that repeats counts once. */
static void add_types(char *form, const void *from, size_t size)
{
	const struct nlattr *a = from;
	int left = (int)size, last = -1;

	for (; mnl_attr_ok(a, left); left -= MNL_ALIGN(a->nla_len), a = mnl_attr_next(a)) {
		if (mnl_attr_get_type(a) != last)
			add_word(form, mnl_attr_get_type(a));
		last = mnl_attr_get_type(a);
		if (a->nla_type & NLA_F_NESTED)
			add_types(form, mnl_attr_get_payload(a), mnl_attr_get_payload_len(a));
	}
}

/* Writes what requests have in common that differ in values alone. */
static void form_of(const struct request *r, char form[static FORM_MAX])
{
	size_t header =
		r->kind == REQUEST_ROUTE ? sizeof(struct dcbmsg) : sizeof(struct genlmsghdr);
	const char *file = strrchr(r->words, '/');

	snprintf(form, FORM_MAX, "%u", r->kind);
	switch (r->kind) {
	case REQUEST_ROUTE:
	case REQUEST_ETHTOOL:
		for (unsigned i = 0; i < header; i++)
			add_word(form, r->bytes[i]);
		add_word(form, r->type);
		add_types(form, r->bytes + header, r->size - header);
		break;
	case REQUEST_IOCTL:
		for (unsigned i = 0; i < IOCTL_HEADER; i++)
			add_word(form, r->bytes[i]);
		break;
	case REQUEST_READ:
	case REQUEST_WRITE:
		snprintf(form, FORM_MAX, "%u %s", r->kind, file ? file : "");
		break;
	default:
		break;
	}
}

static bool is_known(const char *form)
{
	for (size_t i = 0; i < known.count; i++)
		if (strcmp(known.texts[i], form) == 0)
			return true;
	return false;
}

void fake_requests_learn(void)
{
	char line[REQUEST_LINE_MAX], form[FORM_MAX];
	static struct request r;
	FILE *from = known.count ? NULL : fopen(REQUESTS, "r");

	while (from && known.count < FORMS_MAX && fgets(line, sizeof(line), from)) {
		line[strcspn(line, "\n")] = '\0';
		if (!request_parse(line, &r))
			continue;
		form_of(&r, form);
		if (!is_known(form))
			snprintf(known.texts[known.count++], FORM_MAX, "%s", form);
	}
	if (from)
		fclose(from);
}

static bool is_recorded(const char *line)
{
	const char *path = getenv("REQUESTS_RECORD");
	FILE *to = path ? fopen(path, "a") : NULL;

	if (!to)
		return false;
	fprintf(to, "%s\n", line);
	fclose(to);
	return true;
}

static void check(const char *line)
{
	static struct request r;
	char form[FORM_MAX];

	if (is_recorded(line))
		return;
	fake_requests_learn();
	if (request_parse(line, &r)) {
		form_of(&r, form);
		if (is_known(form))
			return;
	}
	fprintf(stderr,
		"tests/integration/requests has no such request, so no test compared the "
		"fake kernel's answer with the driver's: run "
		"tests/integration/record_requests\n%s\n",
		line);
	abort();
}

void fake_requested(const char *fmt, ...)
{
	char line[REQUEST_LINE_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	check(line);
}

static void requested_bytes(const char *kind, const void *from, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	char line[REQUEST_LINE_MAX], *at = line + snprintf(line, sizeof(line), "%s ", kind);
	const uint8_t *bytes = from;

	for (size_t i = 0; i < size && at < line + sizeof(line) - 3; i++) {
		*at++ = digits[bytes[i] >> 4];
		*at++ = digits[bytes[i] & 15];
	}
	*at = '\0';
	check(line);
}

void fake_requested_message(enum bus bus, const struct nlmsghdr *n)
{
	char kind[32] = "ethtool 0";

	if (bus == BUS_ROUTE)
		snprintf(kind, sizeof(kind), "route %u", n->nlmsg_type);
	requested_bytes(kind, mnl_nlmsg_get_payload(n), mnl_nlmsg_get_payload_len(n));
}

void fake_requested_ioctl(const void *command, size_t size)
{
	requested_bytes("ioctl", command, size);
}
