/* Selects ports by the words of a command line. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_SELECTION_H
#define LOSSLESSCTL_AGENT_ENGINE_SELECTION_H

#include "../../policy/document/match.h"

/* A list of words, borrowed. An empty list selects every port. */
struct selection {
	const char *const *words;
	size_t count;
};

enum naming { NAMED_NOT, NAMED_BY_PATTERN, NAMED_BY_NAME };

/*
 * Decides how one word names a port: by the name or an alternative name of the port or its bond, by
 * the PCI address, or by a glob of one of them, as in a policy's `match`.
 */
enum naming word_names(const char *word, const struct identity *id);

/* Decides the same for all words: a name takes precedence over a pattern. */
enum naming selection_names(const struct selection *s, const struct identity *id);

/* True if the port is selected. */
bool selection_has(const struct selection *s, const struct identity *id);

#endif
