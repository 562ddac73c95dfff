/*
 * Tests of the edges of JSON and of the policy grammar: each row of tests/policies/edges.tsv
 * is a document that is accepted, or refused at a given line and column. Prints TAP.
 *
 * A row is a sentence, a text and "accept" or LINE:COLUMN. In the text \xNN is a
 * byte, \\ a backslash, and \{WORD*N} a word repeated N times.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/document/policy.h"

#define ROW_MAX	 8192
#define TEXT_MAX (1u << 20)
#define ROWS_MIN 300

struct text {
	char *bytes;
	size_t size;
};

static void fail(const char *why)
{
	fprintf(stderr, "edges.tsv: %s\n", why);
	exit(1);
}

static void put(struct text *t, const char *bytes, size_t size)
{
	if (t->size + size > TEXT_MAX)
		fail("a text that is too long");
	memcpy(t->bytes + t->size, bytes, size);
	t->size += size;
}

static const char *unescape(const char *p, struct text *t);

/* Append the word of "{WORD*N}" N times; the last star separates them. */
static const char *repeat(const char *p, struct text *t)
{
	const char *star = NULL, *end = p;
	size_t from = t->size, size;
	char word[ROW_MAX];

	for (; !star || *end != '}'; end++) {
		if (!*end)
			fail("a word that nobody closes");
		star = *end == '*' ? end : star;
	}
	snprintf(word, sizeof(word), "%.*s", (int)(star - p - 1), p + 1);
	for (const char *c = word; *c;)
		c = unescape(c, t);
	size = t->size - from;
	for (long n = strtol(star + 1, NULL, 10); n > 1; n--)
		put(t, t->bytes + from, size);
	return end + 1;
}

/* Append one character of a row, or one escape. */
static const char *unescape(const char *p, struct text *t)
{
	char digits[3] = "", byte;

	if (*p != '\\') {
		put(t, p, 1);
		return p + 1;
	}
	if (p[1] == '{')
		return repeat(p + 1, t);
	if (p[1] != 'x') {
		put(t, p + 1, 1);
		return p + 2;
	}
	memcpy(digits, p + 2, 2);
	byte = (char)strtoul(digits, NULL, 16);
	put(t, &byte, 1);
	return p + 4;
}

/* Parse a copy of exactly this size, so that sanitizers detect reads beyond its end. */
static void judge(const struct text *t, char *ret, size_t size)
{
	char *exact = malloc(t->size + 1);
	struct policy *p = NULL;
	struct err err = { 0 };

	if (!exact)
		fail("out of memory");
	memcpy(exact, t->bytes, t->size);
	exact[t->size] = '\0';
	if (policy_parse(&p, exact, t->size, "p.json", &err))
		snprintf(ret, size, "accept");
	else
		snprintf(ret, size, "%u:%u", err.at.line, err.at.column);
	free(p);
	free(exact);
}

static bool is_so(char *row, unsigned number, struct text *t)
{
	char *text = strchr(row, '\t'), *expected = text ? strchr(text + 1, '\t') : NULL;
	char got[64];

	if (!expected)
		fail("a row without its three columns");
	*text++ = *expected++ = '\0';
	expected[strcspn(expected, "\n")] = '\0';
	t->size = 0;
	for (const char *p = text; *p;)
		p = unescape(p, t);
	judge(t, got, sizeof(got));
	if (strcmp(got, expected) == 0) {
		printf("ok %u - %s\n", number, row);
		return true;
	}
	printf("not ok %u - %s\n# expected %s, and it was %s\n", number, row, expected, got);
	return false;
}

int main(void)
{
	struct text t = { malloc(TEXT_MAX), 0 };
	FILE *f = fopen(EDGES, "r");
	char row[ROW_MAX];
	unsigned rows = 0;
	bool ok = true;

	if (!t.bytes || !f)
		fail("cannot be read");
	while (fgets(row, sizeof(row), f))
		ok = is_so(row, ++rows, &t) && ok;
	printf("1..%u\n", rows);
	fclose(f);
	free(t.bytes);
	return ok && rows >= ROWS_MIN ? 0 : 1;
}
