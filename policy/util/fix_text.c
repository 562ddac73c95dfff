#include "fix_text.h"

#include <ctype.h>
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
