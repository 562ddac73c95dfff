#include "job_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

/* Interfaces as NCCL takes them: a list of names or prefixes, with "=" or "^" before it. */
#define IFNAME_PATTERN "^[\\^=]{0,2}[A-Za-z0-9_.:@-]+(,[A-Za-z0-9_.:@-]+)*$"

bool nccl_version_parse(const char *text, unsigned *ret)
{
	const char *rest = text + 2;
	size_t digits =
		text[0] >= '2' && text[0] <= '9' && text[1] == '.' ? strspn(rest, DIGITS) : 0;

	if (digits < 1 || digits > 2)
		return false;
	*ret = 100u * (unsigned)(text[0] - '0') + (unsigned)strtoul(rest, NULL, 10);
	for (rest += digits; *rest == '.' && strspn(rest + 1, DIGITS); rest += 1 + digits)
		digits = strspn(rest + 1, DIGITS);
	return !*rest;
}

/* True for a text that IFNAME_PATTERN matches. */
static bool is_ifname_list(const char *text)
{
	static const char of_name[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "0123456789_.:@-";
	size_t n;

	for (text += strspn(text, "^=") > 2 ? 0 : strspn(text, "^="); (n = strspn(text, of_name));
	     text += n + 1)
		if (!text[n])
			return true;
		else if (text[n] != ',')
			return false;
	return false;
}

static bool version_from_json(const struct key *k, void *field, json_t *j,
			      const struct json_path *at, struct err *err)
{
	const char *text = json_string_value(j);

	return (text && nccl_version_parse(text, field)) ||
	       err_expected(err, at, j, "%s", k->expected);
}

static bool ifnames_from_json(const struct key *k, void *field, json_t *j,
			      const struct json_path *at, struct err *err)
{
	const char *text = json_string_value(j);

	if (!text || strlen(text) >= k->size || !is_ifname_list(text))
		return err_expected(err, at, j, "%s", k->expected);
	snprintf(field, k->size, "%s", text);
	return true;
}

static json_t *text_schema(const char *pattern)
{
	return json_pack("{s:s, s:s, s:i}", "type", "string", "pattern", pattern, "maxLength",
			 JOB_TEXT_MAX - 1);
}

static json_t *version_schema(const struct key *k)
{
	(void)k;
	return text_schema("^[2-9]\\.[0-9]{1,2}(\\.[0-9]+)*$");
}

static json_t *ifnames_schema(const struct key *k)
{
	(void)k;
	return text_schema(IFNAME_PATTERN);
}

/* clang-format off */
const struct key job_keys[] = {
	{ "control_dscp", "job.control_dscp", KEY_NUMBER,
	  KEY_FIELD(struct job_policy, control_dscp_plus_1), 0, 63, 1,
	  .doc = "DSCP of NCCL's small control messages, for NCCL_IB_FIFO_TC." },
	{ "socket_ifname", "job.socket_ifname", KEY_OTHER,
	  KEY_FIELD(struct job_policy, socket_ifname), .from_json = ifnames_from_json,
	  .schema = ifnames_schema,
	  .expected = "names of interfaces as NCCL takes them, such as \"=eth0\"",
	  .doc = "Interfaces over which NCCL's ranks find each other, for NCCL_SOCKET_IFNAME." },
	{ "ib_timeout", "job.ib_timeout", KEY_NUMBER, KEY_FIELD(struct job_policy, ib_timeout), 1,
	  31,
	  .doc = "Time-out of a queue pair, 4.096 us << value, for NCCL_IB_TIMEOUT." },
	{ "ib_retry_count", "job.ib_retry_count", KEY_NUMBER,
	  KEY_FIELD(struct job_policy, ib_retry_count_plus_1), 0, 7, 1,
	  .doc = "Retransmissions before a queue pair fails, for NCCL_IB_RETRY_CNT." },
	{ "nccl_version", "job.nccl_version", KEY_OTHER,
	  KEY_FIELD(struct job_policy, nccl_version), .from_json = version_from_json,
	  .schema = version_schema, .expected = "a version of NCCL, such as \"2.27\"",
	  .doc = "Version of NCCL that the jobs use, such as \"2.27\"; decides which variables "
		 "it reads." },
	{ .name = NULL },
};
/* clang-format on */

const struct key_object job_object = {
	.keys = job_keys,
	.expected = "an object, such as {\"ib_timeout\": 22}",
};
