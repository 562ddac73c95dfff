#include "pattern.h"

#include <assert.h>
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
