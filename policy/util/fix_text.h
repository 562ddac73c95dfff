/* The text of a fix, in which words in capitals stand for the names of a port and for values. */
#ifndef LOSSLESSCTL_POLICY_UTIL_FIX_TEXT_H
#define LOSSLESSCTL_POLICY_UTIL_FIX_TEXT_H

#include <stddef.h>

/* A word such as "PORT", and the text that replaces it; NULL or "": it stays. */
struct fix_word {
	const char *word, *instead;
};

/* Writes a fix with `count` words replaced, cut if it does not fit. Returns `buf`. */
char *fix_text(const char *fix, const struct fix_word *words, size_t count, char *buf, size_t size);

#endif
