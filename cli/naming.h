/* The words of a command line that name ports. */
#ifndef LOSSLESSCTL_CLI_NAMING_H
#define LOSSLESSCTL_CLI_NAMING_H

#include "../policy/match.h"
#include "options.h"

enum naming { NAMED_NOT, NAMED_BY_PATTERN, NAMED_BY_NAME };

/*
 * How one word names a port. A word is a port's name, its PCI address, or the name of its bond; or
 * a glob of one of them, as in a policy's `match`.
 */
enum naming word_names(const char *word, const struct identity *id);

/* The same for all words of the command line: by name wins over by pattern. */
enum naming words_name(const struct options *o, const struct identity *id);

/* Does the command line ask for the port? One without words asks for all. */
bool words_ask_for(const struct options *o, const struct identity *id);

#endif
