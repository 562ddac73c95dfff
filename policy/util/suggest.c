#include "suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

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
