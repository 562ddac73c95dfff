#include "suggest.h"

#include <string.h>

#define WORD_MAX 48

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/* Edit distance between two words; a transposition of neighbours counts as one edit. */
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
			now[j] =
				min3(now[j - 1] + 1, up[j] + 1, up[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = min3(now[j], now[j], up2[j - 2] + 1);
		}
	}
	return row[la % 3][lb];
}

struct suggestion suggest_for(const char *word)
{
	return (struct suggestion){ word, NULL, 2 + strlen(word) / 3 };
}

void suggest_offer(struct suggestion *s, const char *candidate)
{
	size_t d = distance(s->word, candidate);

	if (d < s->distance && d < strlen(candidate)) {
		s->distance = d;
		s->best = candidate;
	}
}
