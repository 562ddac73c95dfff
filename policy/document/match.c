#include "match.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "pattern.h"

/* ---- alternative names ---- */

void alt_names_add(struct alt_names *to, const char *name)
{
	size_t used = 0, size = strlen(name) + 1;

	for (const char *n = to->text; *n; n += strlen(n) + 1)
		used += strlen(n) + 1;
	if (used + size < sizeof(to->text))
		memcpy(to->text + used, name, size);
}

bool alt_names_have(const struct alt_names *all, const char *name)
{
	for (const char *n = all->text; *n; n += strlen(n) + 1)
		if (strcmp(n, name) == 0)
			return true;
	return false;
}

bool alt_names_match(const struct alt_names *all, const char *pattern)
{
	for (const char *n = all->text; *n; n += strlen(n) + 1)
		if (glob_matches(pattern, n))
			return true;
	return false;
}

json_t *alt_names_to_json(const struct alt_names *all)
{
	json_t *array = json_array();

	for (const char *n = all->text; *n; n += strlen(n) + 1)
		json_array_append_new(array, json_from_text(n));
	return array;
}

bool alt_names_from_json(struct alt_names *ret, const json_t *array, const struct json_path *at,
			 struct err *err)
{
	const json_t *name;
	size_t i;

	*ret = (struct alt_names){ "" };
	if (array && !json_is_array(array))
		return err_expected(err, at, array, "a list of names");
	json_array_foreach (array, i, name) {
		if (!json_is_string(name))
			return err_expected(err, at, name, "a name");
		alt_names_add(ret, json_string_value(name));
	}
	return true;
}

/* ---- keys ---- */

static const char *field(const struct identity *id, const struct match_key *k)
{
	return (const char *)id + k->offset;
}

static const char *pattern_of(const struct match *m, const struct match_key *k)
{
	return (const char *)&m->pattern + k->pattern;
}

static bool glob_from_json(struct match *m, const struct match_key *k, const json_t *j,
			   const struct json_path *at, struct err *err)
{
	if (!json_is_string(j) || json_string_length(j) == 0)
		return err_expected(err, at, j, "a pattern in double quotes");
	if (json_string_length(j) >= PATTERN_MAX)
		return err_policy(err, at, "longer than %d bytes", PATTERN_MAX - 1);
	snprintf((char *)&m->pattern + k->pattern, PATTERN_MAX, "%s", json_string_value(j));
	return true;
}

static bool pattern_from_json(struct match *m, const struct match_key *k, const json_t *j,
			      const struct json_path *at, struct err *err)
{
	return glob_from_json(m, k, j, at, err) &&
	       pattern_can_match(k->name, pattern_of(m, k), at, err);
}

/* sysfs prints addresses in lower case. */
static bool address_from_json(struct match *m, const struct match_key *k, const json_t *j,
			      const struct json_path *at, struct err *err)
{
	char *pattern = (char *)&m->pattern + k->pattern;

	if (!glob_from_json(m, k, j, at, err))
		return false;
	for (char *c = pattern; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return pattern_can_match(k->name, pattern, at, err);
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
	err_policy(err, at, "no port can match: found no PCI domain, expected one as in 0000:%s",
		   pattern);
	return err_fix(err, "did you mean 0000:%s?", pattern);
}

static json_t *pci_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:s, s:i, s:s}", "type", "string", "maxLength", PATTERN_MAX - 1,
			 "pattern", "^(.*[*].*|.{1,6}|.{8,})$");
}

static enum match_result match_if(bool holds)
{
	return holds ? MATCH_YES : MATCH_NO;
}

static enum match_result glob_result(const struct match *m, const struct match_key *k,
				     const struct identity *id)
{
	return match_if(glob_matches(pattern_of(m, k), field(id, k)));
}

static enum match_result name_result(const struct match *m, const struct match_key *k,
				     const struct identity *id)
{
	const char *pattern = pattern_of(m, k);

	return match_if(glob_matches(pattern, id->name) || glob_matches(pattern, id->bond) ||
			alt_names_match(&id->alt_names, pattern) ||
			alt_names_match(&id->bond_alt_names, pattern));
}

static bool covers_glob(const struct match *wide, const struct match *narrow,
			const struct match_key *k)
{
	const char *pattern = pattern_of(wide, k);

	return !pattern[0] || glob_covers(pattern, pattern_of(narrow, k));
}

/* Every port has a name, so that "*" covers a rule that does not name one. */
static bool covers_name(const struct match *wide, const struct match *narrow,
			const struct match_key *k)
{
	const char *pattern = pattern_of(wide, k);

	return !pattern[strspn(pattern, "*")] || covers_glob(wide, narrow, k);
}

static json_t *glob_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:s, s:i, s:i}", "type", "string", "minLength", 1, "maxLength",
			 PATTERN_MAX - 1);
}

/* "400000..200000" */
static bool is_reversed(const char *text)
{
	uint32_t min, max;
	char turned[32];
	const char *dots = strstr(text, "..");

	if (!dots)
		return false;
	snprintf(turned, sizeof(turned), "%s..%.*s", dots + 2, (int)(dots - text), text);
	return span_from_text(turned, &min, &max);
}

static const char *speed_fix(const char *text)
{
	return strchr(text, ' ')   ? "remove the blank"
	       : is_reversed(text) ? "write the smaller one first"
				   : "write speeds in Mb/s: 100000 for 100 Gb/s";
}

/* No RoCE port is slower: a smaller number is of another unit, except ">=1", which is any speed. */
#define SPEED_LEAST_MBPS 1000

static bool speed_can_match(const struct span *s, const struct json_path *at, struct err *err)
{
	if ((s->min <= 1 || s->min >= SPEED_LEAST_MBPS) && s->max >= SPEED_LEAST_MBPS)
		return true;
	err_policy(err, at, "no port can match: found a speed below 1000 Mb/s");
	return err_fix(err, "%s", speed_fix(""));
}

static bool speed_from_json(struct match *m, const struct match_key *k, const json_t *j,
			    const struct json_path *at, struct err *err)
{
	json_int_t n = json_integer_value(j);

	(void)k;
	if (json_is_integer(j) && n > 0 && n < UINT32_MAX) {
		m->speed_mbps = (struct span){ (uint32_t)n, (uint32_t)n };
		return speed_can_match(&m->speed_mbps, at, err);
	}
	if (json_is_string(j) &&
	    span_from_text(json_string_value(j), &m->speed_mbps.min, &m->speed_mbps.max))
		return speed_can_match(&m->speed_mbps, at, err);
	err_record_expected(err, at, j,
			    "a number, or one of the forms \">=100000\", \"<40000\", "
			    "\"25000..50000\"");
	return err_fix(err, "%s", speed_fix(json_is_string(j) ? json_string_value(j) : ""));
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

static json_t *speed_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:[{s:s, s:i, s:I}, {s:s, s:s}]}", "anyOf", "type", "integer", "minimum",
			 SPEED_LEAST_MBPS, "maximum", (json_int_t)UINT32_MAX, "type", "string",
			 "pattern", "^((>=|<=|>|<)[0-9]{1,9}|[0-9]{1,9}\\.\\.[0-9]{1,9})$");
}

static bool firmware_from_json(struct match *m, const struct match_key *k, const json_t *j,
			       const struct json_path *at, struct err *err)
{
	if (!pattern_from_json(m, k, j, at, err))
		return false;
	if (!version_is_comparison(m->pattern.firmware) ||
	    version_is_well_formed(m->pattern.firmware))
		return true;
	err_record_expected(err, at, j, "numbers with dots between them, as in \">=28.39\"");
	return strchr(m->pattern.firmware, ' ') && err_fix(err, "remove the blank");
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

static json_t *firmware_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:s, s:i, s:s}", "type", "string", "maxLength", PATTERN_MAX - 1,
			 "pattern", "^([^<>].*|(>=|<=|>|<)[0-9]{1,9}(\\.[0-9]{1,9})*)$");
}

#define TEXT(field, reader, evaluator, coverer, says_schema, sentence) \
	{ \
		.name = #field, .offset = offsetof(struct identity, field), \
		.pattern = offsetof(struct patterns, field), .from_json = reader, \
		.evaluate = evaluator, .covers = coverer, .schema = says_schema, .doc = sentence \
	}

const struct match_key match_keys[MATCH_COUNT] = {
	TEXT(name, pattern_from_json, name_result, covers_name, glob_schema,
	     "Name of the port, or of the bond that it is a member of, or an alternative name of "
	     "one of them (`ip link property`); *, ? and [12] match."),
	TEXT(pci, pci_from_json, glob_result, covers_glob, pci_schema,
	     "PCI address, as in 0000:3b:00.0; *, ? and [12] match."),
	TEXT(driver, pattern_from_json, glob_result, covers_glob, glob_schema,
	     "Kernel driver, as in mlx5_core; *, ? and [12] match."),
	TEXT(rdma, pattern_from_json, glob_result, covers_glob, glob_schema,
	     "RDMA device, as in mlx5_0; *, ? and [12] match."),
	TEXT(mac, address_from_json, glob_result, covers_glob, glob_schema,
	     "MAC address, as in 02:00:00:00:00:01; *, ? and [12] match."),
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
		.pattern = offsetof(struct patterns, firmware),
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
	return k->covers == covers_speed ? m->speed_mbps.max != 0 : *pattern_of(m, k);
}

const char *match_text(const struct match *m, size_t i)
{
	return pattern_of(m, &match_keys[i]);
}

static bool key_from_json(const struct key *k, void *field, json_t *j, const struct json_path *at,
			  struct err *err)
{
	return match_keys[k->index].from_json(field, &match_keys[k->index], j, at, err);
}

static bool match_row(size_t i, struct key *ret)
{
	const struct match_key *k = &match_keys[i];

	if (i >= MATCH_COUNT)
		return false;
	*ret = (struct key){ k->name,
			     NULL,
			     KEY_OTHER,
			     .index = i,
			     .from_json = key_from_json,
			     .schema = k->schema,
			     .doc = k->doc };
	ret->more = k->in_when ? "In the match of a rule, and in an entry of when."
			       : "In the match of a rule.";
	return true;
}

bool match_when_row(size_t i, struct key *ret)
{
	size_t row = 0;

	while (row < MATCH_COUNT && (!match_keys[row].in_when || i-- > 0))
		row++;
	return match_row(row, ret);
}

static void require_a_key(json_t *schema)
{
	json_object_set_new(schema, "minProperties", json_integer(1));
}

const struct key_object match_object = {
	.row = match_row,
	.no_comment = true,
	.add_to_schema = require_a_key,
};

bool match_from_json(const struct key *k, void *field, json_t *object, const struct json_path *at,
		     struct err *err)
{
	(void)k;
	if (json_object_size(object))
		return object_from_json(&match_object, field, object, at, err);
	err_record_expected(err, at, object,
			    "an object with at least one of name, pci, driver, rdma, mac, "
			    "speed_mbps, firmware");
	return err_fix(err, "for all ports: {\"name\": \"*\"}");
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

/* ---- text ---- */

static const char *text_of(const struct match *m, size_t i, char buf[SPAN_TEXT_MAX])
{
	if (match_keys[i].offset == offsetof(struct identity, speed_mbps))
		return span_to_text(m->speed_mbps.min, m->speed_mbps.max, buf);
	return match_text(m, i);
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
						 text_of(m, i, span));
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
					    json_string(text_of(m, i, text)));
	if (speed->max && speed->min == speed->max)
		json_object_set_new(out, "speed_mbps", json_integer(speed->max));
	return out;
}
