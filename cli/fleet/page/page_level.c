#include "page_level.h"

#include <string.h>

const char *const level_names[LEVELS] = {
	[LEVEL_NONE] = "none",	     [LEVEL_GOOD] = "good", [LEVEL_UNKNOWN] = "unknown",
	[LEVEL_WARNING] = "warning", [LEVEL_BAD] = "bad",
};

enum level level_of(const char *word)
{
	static const struct row {
		const char *word;
		enum level level;
	} rows[] = {
		{ "in_sync", LEVEL_GOOD },
		{ "agrees", LEVEL_GOOD },
		{ "ready", LEVEL_GOOD },
		{ "in_class", LEVEL_GOOD },
		{ "differs_allowed", LEVEL_NONE },
		{ "unsupported", LEVEL_NONE },
		{ "info", LEVEL_NONE },
		{ "unknown", LEVEL_UNKNOWN },
		{ "never_verified", LEVEL_UNKNOWN },
		{ "not_attempted", LEVEL_UNKNOWN },
		{ "masked_by_traffic", LEVEL_UNKNOWN },
		{ "not_counted", LEVEL_UNKNOWN },
		{ "no_class", LEVEL_UNKNOWN },
		{ "drift", LEVEL_WARNING },
		{ "warning", LEVEL_WARNING },
		{ "not_ready", LEVEL_WARNING },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].word, word) == 0)
			return rows[i].level;
	return LEVEL_BAD;
}
