#include "shell_word.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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
