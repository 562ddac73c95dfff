/* The ports that a caller names, by words of a command line. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_SELECTION_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_SELECTION_H

#include "../../../policy/document/match.h"

/* Borrows the words. Without any, every port is selected. */
struct selection {
	const char *const *words;
	size_t count;
};

enum naming { NAMED_NOT, NAMED_BY_PATTERN, NAMED_BY_NAME };

/*
 * How one word names a port. A word is a port's name, its PCI address, or the name of its bond; or
 * a glob of one of them, as in a policy's `match`.
 */
enum naming word_names(const char *word, const struct identity *id);

/* The same for all words: by name wins over by pattern. */
enum naming selection_names(const struct selection *s, const struct identity *id);

/* Is the port selected? */
bool selection_has(const struct selection *s, const struct identity *id);

#endif
