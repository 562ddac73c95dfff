/* Words of commands that a user copies. */
#ifndef LOSSLESSCTL_POLICY_UTIL_SHELL_WORD_H
#define LOSSLESSCTL_POLICY_UTIL_SHELL_WORD_H

#include <stddef.h>

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
