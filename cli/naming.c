#include "naming.h"

#include <string.h>

#include "../policy/pattern.h"

enum naming word_names(const char *word, const struct identity *id)
{
	const char *const names[] = { id->name, id->pci, id->bond };
	enum naming best = NAMED_NOT;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i][0] && strcmp(word, names[i]) == 0)
			return NAMED_BY_NAME;
		else if (glob_holds(word, names[i]))
			best = NAMED_BY_PATTERN;
	return best;
}

enum naming words_name(const struct options *o, const struct identity *id)
{
	enum naming best = NAMED_NOT;

	for (size_t i = 0; i < o->words_count; i++) {
		enum naming now = word_names(o->words[i], id);

		if (now > best)
			best = now;
	}
	return best;
}

bool words_ask_for(const struct options *o, const struct identity *id)
{
	return o->words_count == 0 || words_name(o, id) != NAMED_NOT;
}
