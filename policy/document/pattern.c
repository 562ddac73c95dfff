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

bool glob_holds(const char *pattern, const char *text)
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
static const struct sign {
	const char *text;
	bool above, equal, below; /* accepts values above, equal to and below the operand */
} signs[] = {
	{ ">=", true, true, false },
	{ "<=", false, true, true },
	{ ">", true, false, false },
	{ "<", false, false, true },
};

/* The operator at the start of a text, or NULL. */
static const struct sign *sign_of(const char *text)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (strncmp(text, signs[i].text, strlen(signs[i].text)) == 0)
			return &signs[i];
	return NULL;
}

/* Reads a number and moves *text past it. */
static bool number(const char **text, uint32_t *ret)
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
	if (!number(&text, ret_min) || strncmp(text, "..", 2) != 0)
		return false;
	text += 2;
	return number(&text, ret_max) && !*text && *ret_min <= *ret_max;
}

bool span_from_text(const char *text, uint32_t *ret_min, uint32_t *ret_max)
{
	const struct sign *sign = sign_of(text);
	uint32_t n;

	if (!sign)
		return span_between(text, ret_min, ret_max);
	text += strlen(sign->text);
	if (!number(&text, &n) || *text)
		return false;
	*ret_min = sign->below ? 1 : n + !sign->equal;
	*ret_max = sign->above ? UINT32_MAX : n - !sign->equal;
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

bool version_is_compared(const char *pattern)
{
	return sign_of(pattern);
}

bool version_is_sound(const char *pattern)
{
	const struct sign *sign = sign_of(pattern);
	const char *p;
	uint32_t n;

	assert(sign);
	p = pattern + strlen(sign->text);
	while (number(&p, &n) && *p == '.')
		p++;
	return !*p && isdigit((unsigned char)p[-1]);
}

/*
 * Returns -1, 0 or 1 for below, equal and above. Numbers missing from the actual version count as
 * 0.
 */
static int compare(const char *actual, const char *desired)
{
	uint32_t h, w;

	for (;; desired++) {
		if (!number(&actual, &h))
			h = 0;
		if (!number(&desired, &w))
			return 0;
		if (h != w)
			return h < w ? -1 : 1;
		if (*desired != '.')
			return 0;
		actual += *actual == '.';
	}
}

bool version_holds(const char *pattern, const char *version)
{
	const struct sign *sign = sign_of(pattern);
	int order;

	assert(sign);
	order = compare(version, pattern + strlen(sign->text));
	return order < 0 ? sign->below : order > 0 ? sign->above : sign->equal;
}
