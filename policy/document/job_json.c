#include "job_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/json_util.h"

#define DIGITS	      "0123456789"
#define KEY(name)     "job." name, name
#define FIELD(member) offsetof(struct job_policy, member)

/* Interfaces as NCCL takes them: a list of names or prefixes, with "=" or "^" before it. */
#define IFNAME_PATTERN "^[\\^=]{0,2}[A-Za-z0-9_.:@-]+(,[A-Za-z0-9_.:@-]+)*$"

const struct job_key job_keys[JOB_KEYS] = {
	{ KEY("control_dscp"), JOB_NUMBER, FIELD(control_dscp_plus_1), 0, 63, true,
	  "DSCP of NCCL's small control messages, for NCCL_IB_FIFO_TC." },
	{ KEY("socket_ifname"), JOB_TEXT, FIELD(socket_ifname), 0, 0, false,
	  "Interfaces over which NCCL's ranks find each other, for NCCL_SOCKET_IFNAME." },
	{ KEY("ib_timeout"), JOB_NUMBER, FIELD(ib_timeout), 1, 31, false,
	  "Time-out of a queue pair, 4.096 us << value, for NCCL_IB_TIMEOUT." },
	{ KEY("ib_retry_count"), JOB_NUMBER, FIELD(ib_retry_count_plus_1), 0, 7, true,
	  "Retransmissions before a queue pair fails, for NCCL_IB_RETRY_CNT." },
	{ KEY("nccl_version"), JOB_VERSION, FIELD(nccl_version), 0, 0, false,
	  "Version of NCCL that the jobs use, such as \"2.27\"; decides which variables it "
	  "reads." },
};

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

static bool number_from_json(uint8_t *ret, const struct job_key *k, const json_t *value,
			     const struct json_path *at, struct err *err)
{
	json_int_t n = json_integer_value(value);

	if (!json_is_integer(value) || n < k->min || n > k->max)
		return err_expected(err, at, value, "%s%u to %u",
				    json_is_integer(value) ? "" : "a whole number, ", k->min,
				    k->max);
	*ret = (uint8_t)(n + k->plus_1);
	return true;
}

static bool key_from_json(struct job_policy *ret, const struct job_key *k, const json_t *value,
			  const struct json_path *up, struct err *err)
{
	struct json_path at = { up, k->name, 0 };
	const char *text = json_string_value(value);
	void *field = (char *)ret + k->offset;

	if (k->type == JOB_NUMBER)
		return number_from_json(field, k, value, &at, err);
	if (k->type == JOB_VERSION)
		return (text && nccl_version_parse(text, field)) ||
		       err_expected(err, &at, value, "a version of NCCL, such as \"2.27\"");
	if (!text || strlen(text) >= JOB_TEXT_MAX || !is_ifname_list(text))
		return err_expected(err, &at, value,
				    "names of interfaces as NCCL takes them, such as \"=eth0\"");
	snprintf(field, JOB_TEXT_MAX, "%s", text);
	return true;
}

bool job_from_json(struct job_policy *ret, json_t *object, const struct json_path *at,
		   struct err *err)
{
	const char *known[JOB_KEYS + 2] = { "comment" };
	bool ok;

	if (!object)
		return true;
	for (size_t i = 0; i < JOB_KEYS; i++)
		known[i + 1] = job_keys[i].name;
	if (!json_is_object(object))
		return err_expected(err, at, object, "an object, such as {\"ib_timeout\": 22}");
	ok = err_part(err, json_only_keys(object, known, at, err));
	ok = err_part(err, json_check_comment(object, at, err)) && ok;
	for (size_t i = 0; i < JOB_KEYS; i++) {
		const json_t *value = json_object_get(object, job_keys[i].name);

		ok = err_part(err, !value || key_from_json(ret, &job_keys[i], value, at, err)) &&
		     ok;
	}
	return ok;
}

static json_t *key_schema(const struct job_key *k)
{
	if (k->type == JOB_NUMBER)
		return json_pack("{s:s, s:i, s:i, s:s}", "type", "integer", "minimum", (int)k->min,
				 "maximum", (int)k->max, "description", k->doc);
	return json_pack("{s:s, s:s, s:i, s:s}", "type", "string", "pattern",
			 k->type == JOB_VERSION ? "^[2-9]\\.[0-9]{1,2}(\\.[0-9]+)*$"
						: IFNAME_PATTERN,
			 "maxLength", JOB_TEXT_MAX - 1, "description", k->doc);
}

json_t *job_schema(void)
{
	json_t *properties = json_pack("{s:{s:s}}", "comment", "type", "string");

	for (size_t i = 0; i < JOB_KEYS; i++)
		json_object_set_new(properties, job_keys[i].name, key_schema(&job_keys[i]));
	return json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
			 "additionalProperties", 0);
}
