/* Texts of fixes: what was meant, words of commands, and names and values in place of words. */
#ifndef LOSSLESSCTL_POLICY_UTIL_FIX_TEXT_H
#define LOSSLESSCTL_POLICY_UTIL_FIX_TEXT_H

#include <stddef.h>

/* ---- words in capitals, which stand for the names of a port and for values ---- */

/* A word such as "PORT", and the text that replaces it; NULL or "": it stays. */
struct fix_word {
	const char *word, *instead;
};

/* Writes a fix with `count` words replaced, cut if it does not fit. Returns `buf`. */
char *fix_text(const char *fix, const struct fix_word *words, size_t count, char *buf, size_t size);

/* ---- the nearest word ---- */

/* "Did you mean": finds the known word nearest to a mistyped one. */

struct suggestion {
	const char *word; /* as typed; borrowed */
	const char *best; /* nearest candidate so far, or NULL; borrowed */
	size_t distance;
};

/*
 * Starts a search. Candidates are never suggested at an edit distance of more than 0 for a word of
 * one or two letters, 1 for one of up to five, and 1 + a third of its length for others.
 */
struct suggestion suggest_for(const char *word);

/* Offers one candidate, which must outlive the suggestion. */
void suggest_offer(struct suggestion *s, const char *candidate);

/* ---- words of a shell ---- */

/* Words of commands that a user copies. */

/* Room for the name of an interface, of which each character may be a quote. */
#define SHELL_NAME_MAX 68

/*
 * Returns the word as a shell takes it: itself, if all of it is plainly safe, and else in single
 * quotes in `buf`. NULL: it does not fit there.
 */
const char *shell_word(const char *word, char *buf, size_t size);

/*
 * Returns the last operand of a command, with a blank before it. "" for a word that begins with
 * "-", which the command would take for an option although it is quoted, or that does not fit: the
 * command is about all then. A command that needs its operand names it by a keyword: "dev NAME".
 */
const char *shell_operand(const char *word, char *buf, size_t size);

#endif
