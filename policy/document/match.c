#include "match.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "pattern.h"

static const char *field(const struct identity *id, const struct match_key *k)
{
	return (const char *)id + k->offset;
}

static bool glob_from_json(struct match *m, const struct match_key *k, const json_t *j,
			   const struct json_path *at, struct err *err)
{
	if (!json_is_string(j) || json_string_length(j) == 0)
		return err_policy(err, at, "expected a text in quotes");
	if (json_string_length(j) >= ID_MAX)
		return err_policy(err, at, "longer than %d bytes", ID_MAX - 1);
	snprintf((char *)&m->pattern + k->offset, ID_MAX, "%s", json_string_value(j));
	return true;
}

/* sysfs prints addresses in lower case. */
static bool address_from_json(struct match *m, const struct match_key *k, const json_t *j,
			      const struct json_path *at, struct err *err)
{
	char *pattern = (char *)&m->pattern + k->offset;

	if (!glob_from_json(m, k, j, at, err))
		return false;
	for (char *c = pattern; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return true;
}

/* Reject "3b:00.0": lspci prints it for an address in domain 0, but no PCI device has that name. */
static bool pci_from_json(struct match *m, const struct match_key *k, const json_t *j,
			  const struct json_path *at, struct err *err)
{
	const char *pattern = m->pattern.pci;

	if (!address_from_json(m, k, j, at, err))
		return false;
	if (strlen(pattern) != strlen("3b:00.0") || strchr(pattern, '*'))
		return true;
	err_policy(err, at, "a PCI address has a domain");
	return err_fix(err, "did you mean 0000:%s?", pattern);
}

static json_t *pci_schema(void)
{
	return json_pack("{s:s, s:i, s:s}", "type", "string", "maxLength", ID_MAX - 1, "pattern",
			 "^(.*[*].*|.{1,6}|.{8,})$");
}

static enum match_result match_if(bool holds)
{
	return holds ? MATCH_YES : MATCH_NO;
}

static enum match_result glob_result(const struct match *m, const struct match_key *k,
				     const struct identity *id)
{
	return match_if(glob_matches(field(&m->pattern, k), field(id, k)));
}

static enum match_result name_result(const struct match *m, const struct match_key *k,
				     const struct identity *id)
{
	return match_if(glob_matches(field(&m->pattern, k), id->name) ||
			glob_matches(field(&m->pattern, k), id->bond));
}

static bool covers_glob(const struct match *wide, const struct match *narrow,
			const struct match_key *k)
{
	const char *pattern = field(&wide->pattern, k);

	return !pattern[0] || glob_covers(pattern, field(&narrow->pattern, k));
}

static json_t *glob_schema(void)
{
	return json_pack("{s:s, s:i, s:i}", "type", "string", "minLength", 1, "maxLength",
			 ID_MAX - 1);
}

static bool speed_from_json(struct match *m, const struct match_key *k, const json_t *j,
			    const struct json_path *at, struct err *err)
{
	json_int_t n = json_integer_value(j);

	(void)k;
	if (json_is_integer(j) && n > 0 && n < UINT32_MAX) {
		m->speed_mbps = (struct span){ (uint32_t)n, (uint32_t)n };
		return true;
	}
	if (json_is_string(j) &&
	    span_from_text(json_string_value(j), &m->speed_mbps.min, &m->speed_mbps.max))
		return true;
	err_policy(err, at,
		   "expected a number, or a text such as \">=100000\", \"<40000\", "
		   "\"25000..50000\"");
	return err_fix(err, "speeds are in Mb/s: 100 Gb/s is 100000");
}

static enum match_result speed_result(const struct match *m, const struct match_key *k,
				      const struct identity *id)
{
	(void)k;
	if (!m->speed_mbps.max)
		return MATCH_YES;
	if (!id->speed_mbps)
		return MATCH_UNKNOWN;
	return match_if(id->speed_mbps >= m->speed_mbps.min && id->speed_mbps <= m->speed_mbps.max);
}

static bool covers_speed(const struct match *wide, const struct match *narrow,
			 const struct match_key *k)
{
	const struct span *w = &wide->speed_mbps, *n = &narrow->speed_mbps;

	(void)k;
	return !w->max || (n->max && w->min <= n->min && n->max <= w->max);
}

static json_t *speed_schema(void)
{
	return json_pack("{s:[{s:s, s:i, s:I}, {s:s, s:s}]}", "anyOf", "type", "integer", "minimum",
			 1, "maximum", (json_int_t)UINT32_MAX, "type", "string", "pattern",
			 "^((>=|<=|>|<)[0-9]{1,9}|[0-9]{1,9}\\.\\.[0-9]{1,9})$");
}

static bool firmware_from_json(struct match *m, const struct match_key *k, const json_t *j,
			       const struct json_path *at, struct err *err)
{
	if (!glob_from_json(m, k, j, at, err))
		return false;
	return !version_is_comparison(m->pattern.firmware) ||
	       version_is_well_formed(m->pattern.firmware) ||
	       err_policy(err, at, "expected numbers with dots between them, as in \">=28.39\"");
}

/* A glob may match the version alone or the whole text, in which the board's name follows. */
static enum match_result firmware_result(const struct match *m, const struct match_key *k,
					 const struct identity *id)
{
	const char *pattern = m->pattern.firmware;
	char version[ID_MAX];

	(void)k;
	snprintf(version, sizeof(version), "%.*s", (int)strcspn(id->firmware, " "), id->firmware);
	if (!version[0] || (version_is_comparison(pattern) && !isdigit((unsigned char)version[0])))
		return MATCH_UNKNOWN;
	if (version_is_comparison(pattern))
		return match_if(version_satisfies(pattern, version));
	return match_if(glob_matches(pattern, version) || glob_matches(pattern, id->firmware));
}

static bool covers_firmware(const struct match *wide, const struct match *narrow,
			    const struct match_key *k)
{
	const char *w = wide->pattern.firmware, *n = narrow->pattern.firmware;

	if (version_is_comparison(w) || version_is_comparison(n))
		return !w[0] || strcmp(w, n) == 0;
	return covers_glob(wide, narrow, k);
}

static json_t *firmware_schema(void)
{
	return json_pack("{s:s, s:i, s:s}", "type", "string", "maxLength", ID_MAX - 1, "pattern",
			 "^([^<>].*|(>=|<=|>|<)[0-9]{1,9}(\\.[0-9]{1,9})*)$");
}

#define TEXT(field, reader, evaluator, says_schema, sentence) \
	{ \
		.name = #field, .offset = offsetof(struct identity, field), .from_json = reader, \
		.evaluate = evaluator, .covers = covers_glob, .schema = says_schema, \
		.doc = sentence \
	}

const struct match_key match_keys[MATCH_COUNT] = {
	TEXT(name, glob_from_json, name_result, glob_schema,
	     "Name of the port, or of the bond that it is a member of; * and ? match."),
	TEXT(pci, pci_from_json, glob_result, pci_schema,
	     "PCI address, as in 0000:3b:00.0; * and ? match."),
	TEXT(driver, glob_from_json, glob_result, glob_schema,
	     "Kernel driver, as in mlx5_core; * and ? match."),
	TEXT(rdma, glob_from_json, glob_result, glob_schema,
	     "RDMA device, as in mlx5_0; * and ? match."),
	TEXT(mac, address_from_json, glob_result, glob_schema,
	     "MAC address, as in 02:00:00:00:00:01; * and ? match."),
	{
		.name = "speed_mbps",
		.offset = offsetof(struct identity, speed_mbps),
		.in_when = true,
		.from_json = speed_from_json,
		.evaluate = speed_result,
		.covers = covers_speed,
		.schema = speed_schema,
		.doc = "Speed in Mb/s: a number, or >=, <=, > or < and a number, or A..B; without "
		       "carrier the highest that the port supports.",
	},
	{
		.name = "firmware",
		.offset = offsetof(struct identity, firmware),
		.in_when = true,
		.from_json = firmware_from_json,
		.evaluate = firmware_result,
		.covers = covers_firmware,
		.schema = firmware_schema,
		.doc = "Version of the firmware: a glob such as 28.*, or >=, <=, > or < and as "
		       "many of its numbers as count, as in >=28.39.",
	},
};

bool match_has_key(const struct match *m, const struct match_key *k)
{
	return k->covers == covers_speed ? m->speed_mbps.max != 0 : *field(&m->pattern, k);
}

const char *match_text(const struct match *m, size_t i)
{
	return field(&m->pattern, &match_keys[i]);
}

static bool keys_from_json(struct match *ret, json_t *object, bool in_when,
			   const struct json_path *at, struct err *err)
{
	struct match m = { 0 };

	for (size_t i = 0; i < MATCH_COUNT; i++) {
		const json_t *j = json_object_get(object, match_keys[i].name);
		struct json_path here = { at, match_keys[i].name, 0 };

		if (j && (match_keys[i].in_when || !in_when) &&
		    !match_keys[i].from_json(&m, &match_keys[i], j, &here, err))
			return false;
	}
	*ret = m;
	return true;
}

bool match_from_json(struct match *ret, json_t *object, const struct json_path *at, struct err *err)
{
	const char *known[MATCH_COUNT + 1] = { NULL };

	for (size_t i = 0; i < MATCH_COUNT; i++)
		known[i] = match_keys[i].name;
	if (!json_is_object(object) || json_object_size(object) == 0)
		return err_policy(
			err, at,
			"expected an object with at least one of name, pci, driver, rdma, "
			"mac, speed_mbps, firmware");
	return json_only_keys(object, known, at, err) &&
	       keys_from_json(ret, object, false, at, err);
}

bool match_from_when(struct match *ret, json_t *entry, const struct json_path *at, struct err *err)
{
	return keys_from_json(ret, entry, true, at, err);
}

/* NO wins over UNKNOWN: if one key excludes the port, the others do not matter. */
enum match_result match_evaluate(const struct match *m, const struct identity *id)
{
	enum match_result all = MATCH_YES;

	for (size_t i = 0; i < MATCH_COUNT; i++) {
		enum match_result one = match_has_key(m, &match_keys[i])
						? match_keys[i].evaluate(m, &match_keys[i], id)
						: MATCH_YES;

		if (one == MATCH_NO)
			return MATCH_NO;
		if (one == MATCH_UNKNOWN)
			all = MATCH_UNKNOWN;
	}
	return all;
}

const struct match_key *match_unknown_key(const struct match *m, const struct identity *id)
{
	for (size_t i = 0; i < MATCH_COUNT; i++)
		if (match_has_key(m, &match_keys[i]) &&
		    match_keys[i].evaluate(m, &match_keys[i], id) == MATCH_UNKNOWN)
			return &match_keys[i];
	return NULL;
}

bool match_covers(const struct match *wide, const struct match *narrow)
{
	for (size_t i = 0; i < MATCH_COUNT; i++)
		if (!match_keys[i].covers(wide, narrow, &match_keys[i]))
			return false;
	return true;
}

static const char *text_of(const struct match *m, const struct match_key *k,
			   char buf[SPAN_TEXT_MAX])
{
	return k->covers == covers_speed ? span_to_text(m->speed_mbps.min, m->speed_mbps.max, buf)
					 : field(&m->pattern, k);
}

const char *match_to_text(const struct match *m, char buf[MATCH_TEXT_MAX])
{
	char span[SPAN_TEXT_MAX];
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < MATCH_COUNT; i++)
		if (match_has_key(m, &match_keys[i]))
			used += (size_t)snprintf(buf + used, MATCH_TEXT_MAX - used, "%s%s %s",
						 used ? ", " : "", match_keys[i].name,
						 text_of(m, &match_keys[i], span));
	return buf;
}

json_t *match_to_json(const struct match *m)
{
	const struct span *speed = &m->speed_mbps;
	json_t *out = json_object();
	char text[SPAN_TEXT_MAX];

	for (size_t i = 0; i < MATCH_COUNT; i++)
		if (match_has_key(m, &match_keys[i]))
			json_object_set_new(out, match_keys[i].name,
					    json_string(text_of(m, &match_keys[i], text)));
	if (speed->max && speed->min == speed->max)
		json_object_set_new(out, "speed_mbps", json_integer(speed->max));
	return out;
}
