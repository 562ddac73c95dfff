#include "selection.h"

#include <string.h>

enum naming word_names(const char *word, const struct identity *id)
{
	const char *const names[] = { id->name, id->pci, id->bond };
	enum naming best = NAMED_NOT;

	if (alt_names_have(&id->alt_names, word) || alt_names_have(&id->bond_alt_names, word))
		return NAMED_BY_NAME;
	if (alt_names_match(&id->alt_names, word) || alt_names_match(&id->bond_alt_names, word))
		best = NAMED_BY_PATTERN;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i][0] && strcmp(word, names[i]) == 0)
			return NAMED_BY_NAME;
		else if (glob_matches(word, names[i]))
			best = NAMED_BY_PATTERN;
	return best;
}

enum naming selection_names(const struct selection *s, const struct identity *id)
{
	enum naming best = NAMED_NOT;

	for (size_t i = 0; i < s->count; i++) {
		enum naming now = word_names(s->words[i], id);

		if (now > best)
			best = now;
	}
	return best;
}

bool selection_has(const struct selection *s, const struct identity *id)
{
	return s->count == 0 || selection_names(s, id) != NAMED_NOT;
}
