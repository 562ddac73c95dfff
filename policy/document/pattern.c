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
