#include "match.h"

#include <assert.h>
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- patterns ---- */

#define DIGITS	   "0123456789"
#define DIGITS_MAX 9

static bool is_special(char c)
{
	return c == '*' || c == '?' || c == '[' || c == '\\';
}

bool glob_is_wild(const char *pattern)
{
	while (*pattern && !is_special(*pattern))
		pattern++;
	return *pattern;
}

bool glob_matches(const char *pattern, const char *text)
{
	return text[0] && fnmatch(pattern, text, 0) == 0;
}

bool glob_covers(const char *wide, const char *narrow)
{
	size_t same = 0;

	while (wide[same] && wide[same] == narrow[same] && !is_special(wide[same]))
		same++;
	if (strcmp(wide + same, narrow + same) == 0)
		return true;
	if (!is_special(wide[same]))
		return false; /* they differ in a literal character */
	if (strcmp(wide + same, "*") == 0)
		return narrow[0]; /* the literal prefix is equal; "*" matches any rest */
	return narrow[0] && !glob_is_wild(narrow) && fnmatch(wide, narrow, 0) == 0;
}

/* Longer operators come first, because ">=" begins with ">". */
static const struct comparison {
	const char *text;
	bool above, equal, below; /* accepts values above, equal to and below the operand */
} comparisons[] = {
	{ ">=", true, true, false },
	{ "<=", false, true, true },
	{ ">", true, false, false },
	{ "<", false, false, true },
};

/* The operator at the start of a text, or NULL. */
static const struct comparison *comparison_of(const char *text)
{
	for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++)
		if (strncmp(text, comparisons[i].text, strlen(comparisons[i].text)) == 0)
			return &comparisons[i];
	return NULL;
}

/* Reads a number and moves *text past it. */
static bool parse_number(const char **text, uint32_t *ret)
{
	size_t n = strspn(*text, DIGITS);

	if (n < 1 || n > DIGITS_MAX)
		return false;
	*ret = (uint32_t)strtoul(*text, NULL, 10);
	*text += n;
	return true;
}

static bool span_between(const char *text, uint32_t *ret_min, uint32_t *ret_max)
{
	if (!parse_number(&text, ret_min) || strncmp(text, "..", 2) != 0)
		return false;
	text += 2;
	return parse_number(&text, ret_max) && !*text && *ret_min <= *ret_max;
}

bool span_from_text(const char *text, uint32_t *ret_min, uint32_t *ret_max)
{
	const struct comparison *comparison = comparison_of(text);
	uint32_t n;

	if (!comparison)
		return span_between(text, ret_min, ret_max);
	text += strlen(comparison->text);
	if (!parse_number(&text, &n) || *text)
		return false;
	*ret_min = comparison->below ? 1 : n + !comparison->equal;
	*ret_max = comparison->above ? UINT32_MAX : n - !comparison->equal;
	return n > 0 && *ret_min <= *ret_max;
}

const char *span_to_text(uint32_t min, uint32_t max, char buf[SPAN_TEXT_MAX])
{
	if (min == max)
		snprintf(buf, SPAN_TEXT_MAX, "%u", min);
	else if (max == UINT32_MAX)
		snprintf(buf, SPAN_TEXT_MAX, ">=%u", min);
	else if (min == 1)
		snprintf(buf, SPAN_TEXT_MAX, "<=%u", max);
	else
		snprintf(buf, SPAN_TEXT_MAX, "%u..%u", min, max);
	return buf;
}

bool version_is_comparison(const char *pattern)
{
	return comparison_of(pattern);
}

bool version_is_well_formed(const char *pattern)
{
	const struct comparison *comparison = comparison_of(pattern);
	const char *p;
	uint32_t n;

	assert(comparison);
	p = pattern + strlen(comparison->text);
	while (parse_number(&p, &n) && *p == '.')
		p++;
	return !*p && isdigit((unsigned char)p[-1]);
}

/*
 * Returns -1, 0 or 1 for below, equal and above. Numbers missing from the actual version count as
 * 0.
 */
static int compare_versions(const char *actual, const char *desired)
{
	uint32_t h, w;

	for (;; desired++) {
		if (!parse_number(&actual, &h))
			h = 0;
		if (!parse_number(&desired, &w))
			return 0;
		if (h != w)
			return h < w ? -1 : 1;
		if (*desired != '.')
			return 0;
		actual += *actual == '.';
	}
}

bool version_satisfies(const char *pattern, const char *version)
{
	const struct comparison *comparison = comparison_of(pattern);
	int order;

	assert(comparison);
	order = compare_versions(version, pattern + strlen(comparison->text));
	return order < 0 ? comparison->below : order > 0 ? comparison->above : comparison->equal;
}

/* ---- patterns that no port can match ---- */

#define MAC_LENGTH 17

static bool has_comma(const char *p)
{
	return strchr(p, ',');
}

/* The end of the bracket expression that opens at `p` (glob(7)); NULL if nothing closes it. */
static const char *bracket_end(const char *p)
{
	p++;
	p += *p == '!' || *p == '^';
	return *p ? strchr(p + 1, ']') : NULL;
}

static bool has_braces(const char *p)
{
	const char *open = strchr(p, '{');

	return open && strchr(open, '}');
}

static bool has_open_bracket(const char *p)
{
	for (p = strchr(p, '['); p; p = strchr(p, '[')) {
		p = bracket_end(p);
		if (!p)
			return true;
	}
	return false;
}

/* Finds one of these characters outside brackets. */
static bool has_any(const char *p, const char *characters)
{
	for (; *p; p++) {
		if (strchr(characters, *p))
			return true;
		if (*p == '[' && bracket_end(p))
			p = bracket_end(p);
	}
	return false;
}

/* A name with a literal ".*" or "+" is possible, but nobody has one; "[.]*" still finds it. */
static bool is_expression(const char *p)
{
	return strstr(p, ".*") || has_any(p, "^$()|+{}");
}

/* dev_valid_name() in net/core/dev.c; `ip` refuses most of them in an alternative name, too. */
static bool has_no_name_character(const char *p)
{
	return has_any(p, "/: \t\n");
}

static bool has_dash(const char *p)
{
	return has_any(p, "-");
}

static bool is_no_mac(const char *p)
{
	if (!glob_is_wild(p))
		return strlen(p) != MAC_LENGTH || p[strspn(p, "0123456789abcdef:")];
	return has_any(p, "ghijklmnopqrstuvwxyz._/ ");
}

/* Devices that are not on a PCI bus have other names. */
static bool has_no_function(const char *p)
{
	return strchr(p, ':') && !p[strspn(p, "0123456789abcdef:")];
}

static bool is_version_and(const char *p, const char *rest)
{
	size_t n = strspn(p, "0123456789.");

	return n && strcmp(p + n, rest) == 0;
}

static bool ends_in_plus(const char *p)
{
	return is_version_and(p, "+");
}

static bool ends_in_x(const char *p)
{
	return is_version_and(p, "x");
}

static bool begins_with_equals(const char *p)
{
	return p[0] && strchr("=!~^", p[0]);
}

/* A version is three numbers, which the name of the board may follow: "16.35.2000 (MT_0000000013)".
 */
static bool is_part_of_a_version(const char *p)
{
	return is_version_and(p, "") && (!strchr(p, '.') || strchr(p, '.') == strrchr(p, '.'));
}

static bool begins_with_letter(const char *p)
{
	return (p[0] >= 'a' && p[0] <= 'z') || (p[0] >= 'A' && p[0] <= 'Z');
}

#define TEXTS " name pci driver rdma mac "

/* The first row that holds is reported. */
static const struct impossible {
	const char *keys;
	bool (*is)(const char *pattern);
	const char *found, *expected, *fix;
} impossibles[] = {
	{ TEXTS, has_braces, "braces", "a glob, with [12] for one of these characters",
	  "write [12] for {1,2}, or one rule for each" },
	{ TEXTS, has_comma, "a comma", "one pattern", "write one rule for each" },
	{ TEXTS " firmware ", has_open_bracket, "[ without ]", "a list such as [12]", "add ]" },
	{ " name driver rdma ", is_expression, "a regular expression",
	  "a glob: * for any text, ? for one character, [12] for one of these",
	  "write ens* for ens.*, and one rule for each alternative" },
	{ " name ", has_no_name_character, "a slash, colon or blank",
	  "an interface name, which has none", "`ip link` lists the names" },
	{ " pci ", has_no_function, "a PCI address without a function", "one as in 0000:3b:00.0",
	  "add .* for all functions; `lspci -D` lists the addresses" },
	{ " mac ", has_dash, "dashes", "colons, as in 02:00:00:00:00:01", "write : for -" },
	{ " mac ", is_no_mac, "no MAC address", "one as in 02:00:00:00:00:01, or 02:00:*",
	  "`ip link` lists the addresses" },
	{ " firmware ", ends_in_plus, "a version with +", "a comparison such as >=28.39",
	  "write >= before the version instead of + behind it" },
	{ " firmware ", ends_in_x, "x for a number", "* for it, as in 28.*", "write * for x" },
	{ " firmware ", is_part_of_a_version, "a part of a version",
	  "all three numbers, or * for those that may be any, as in 28.*",
	  "write .* behind it, or >= before it" },
	{ " firmware ", begins_with_letter, "a letter at the beginning", "a number, as in 28.39.*",
	  "leave the letter out" },
	{ " firmware ", begins_with_equals, "an operator other than >=, <=, > and <",
	  "28.39.* for one release, or >=28.39", "write one of these" },
};

static bool is_for(const struct impossible *i, const char *key)
{
	char word[32];

	snprintf(word, sizeof(word), " %s ", key);
	return strstr(i->keys, word);
}

/* The kernel modules of ConnectX are not all drivers of network devices. */
static bool is_driver(const char *pattern, const struct json_path *at, struct err *err)
{
	if (strcmp(pattern, "mlx5") != 0 && strcmp(pattern, "mlx5_en") != 0 &&
	    strcmp(pattern, "mlx5_ib") != 0)
		return true;
	err_policy(err, at,
		   "no port can match: found \"%s\", expected the driver of a network device",
		   pattern);
	return err_fix(err, "did you mean \"mlx5_core\"?");
}

bool pattern_can_match(const char *key, const char *pattern, const struct json_path *at,
		       struct err *err)
{
	for (size_t n = 0; n < sizeof(impossibles) / sizeof(impossibles[0]); n++) {
		const struct impossible *i = &impossibles[n];

		if (!is_for(i, key) || !i->is(pattern))
			continue;
		err_policy(err, at, "no port can match: found %s, expected %s", i->found,
			   i->expected);
		return err_fix(err, "%s", i->fix);
	}
	return strcmp(key, "driver") != 0 || is_driver(pattern, at, err);
}

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
	if (!json_is_string(j) || json_string_length(j) == 0) {
		err_expected(err, at, j, "a pattern in double quotes");
		if (json_is_array(j))
			err_add_fix(err, "write one rule for each");
		return false;
	}
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

/* In a LAG the kernel has one RDMA device for all members. */
static enum match_result rdma_result(const struct match *m, const struct match_key *k,
				     const struct identity *id)
{
	const char *pattern = pattern_of(m, k);

	return match_if(glob_matches(pattern, id->rdma) || glob_matches(pattern, id->bond_rdma));
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
	TEXT(rdma, pattern_from_json, rdma_result, covers_glob, glob_schema,
	     "RDMA device, as in mlx5_0; in a LAG it names each member of the bond; *, ? and [12] "
	     "match."),
	TEXT(mac, address_from_json, glob_result, covers_glob, glob_schema,
	     "MAC address, as in 02:00:00:00:00:01, in a bond the port's own; *, ? and [12] "
	     "match."),
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
