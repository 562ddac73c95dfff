#include "fix_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Returns the length of the word in capitals that starts here. */
static size_t capitals(const char *text)
{
	size_t n = 0;

	while (isupper((unsigned char)text[n]))
		n++;
	return n;
}

/* NULL: the word stays. */
static const char *instead_of(const char *word, size_t length, const struct fix_word *words,
			      size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (words[i].instead && words[i].instead[0] && strlen(words[i].word) == length &&
		    memcmp(word, words[i].word, length) == 0)
			return words[i].instead;
	return NULL;
}

char *fix_text(const char *fix, const struct fix_word *words, size_t count, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (const char *at = fix; *at && used < size;) {
		size_t length = capitals(at) ? capitals(at) : 1;
		const char *text = instead_of(at, length, words, count);
		int bytes = (int)(text ? strlen(text) : length);

		used += (size_t)snprintf(buf + used, size - used, "%.*s", bytes, text ? text : at);
		at += length;
	}
	return buf;
}

/* ---- the nearest word ---- */

#define WORD_MAX	48
#define PREFIX_MIN	3
#define PREFIX_DISTANCE 1 /* one word begins the other */

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

static bool differ(char a, char b)
{
	return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/*
 * Edit distance between two words without regard to case; a transposition of neighbours counts as
 * one edit.
 */
static size_t distance(const char *a, const char *b)
{
	size_t row[3][WORD_MAX + 1], la = strlen(a), lb = strlen(b);

	if (la > WORD_MAX || lb > WORD_MAX)
		return WORD_MAX;
	for (size_t j = 0; j <= lb; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *now = row[i % 3], *up = row[(i - 1) % 3], *up2 = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			now[j] = min3(now[j - 1] + 1, up[j] + 1,
				      up[j - 1] + differ(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) &&
			    !differ(a[i - 2], b[j - 1]))
				now[j] = min3(now[j], now[j], up2[j - 2] + 1);
		}
	}
	return row[la % 3][lb];
}

struct suggestion suggest_for(const char *word)
{
	size_t n = strlen(word);

	return (struct suggestion){ word, NULL, n < 3 ? 1 : n < 6 ? 2 : 2 + n / 3 };
}

/* "settings" for "set", "thres" for "thresholds": the whole of one word begins the other. */
static bool begins_other(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), shorter = la < lb ? la : lb;

	return shorter >= PREFIX_MIN && strncmp(a, b, shorter) == 0;
}

void suggest_offer(struct suggestion *s, const char *candidate)
{
	size_t la = strlen(s->word), lb = strlen(candidate), apart = la < lb ? lb - la : la - lb;
	size_t d = apart < s->distance ? distance(s->word, candidate) : WORD_MAX;

	if (d > PREFIX_DISTANCE && begins_other(s->word, candidate))
		d = PREFIX_DISTANCE;
	if (d < s->distance && d < lb) {
		s->distance = d;
		s->best = candidate;
	}
}

/* ---- words of a shell ---- */

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/.:,=@%_+-"

/* A word that begins with "-" is quoted to show that it is no option; "-" is standard input. */
static bool is_plain(const char *word)
{
	return word[0] && (word[0] != '-' || !word[1]) && !word[strspn(word, PLAIN)];
}

const char *shell_word(const char *word, char *buf, size_t size)
{
	static const char quote[] = "'\\''";
	size_t used = 0;

	if (is_plain(word))
		return strlen(word) < size ? word : NULL;
	buf[used++] = '\'';
	for (const char *at = word; *at; at++) {
		size_t n = *at == '\'' ? sizeof(quote) - 1 : 1;

		if (used + n + sizeof("'") > size)
			return NULL;
		memcpy(buf + used, *at == '\'' ? quote : at, n);
		used += n;
	}
	memcpy(buf + used, "'", sizeof("'"));
	return buf;
}

const char *shell_operand(const char *word, char *buf, size_t size)
{
	const char *quoted = word[0] == '-' ? NULL : shell_word(word, buf + 1, size - 1);

	if (quoted == word)
		snprintf(buf + 1, size - 1, "%s", word);
	buf[0] = quoted ? ' ' : '\0';
	return buf;
}
