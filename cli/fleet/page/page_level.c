#include "page_level.h"

#include "../../../policy/util/status_word.h"

const char *const level_names[LEVELS] = {
	[LEVEL_NONE] = "none",	     [LEVEL_GOOD] = "good", [LEVEL_UNKNOWN] = "unknown",
	[LEVEL_WARNING] = "warning", [LEVEL_BAD] = "bad",
};

enum level level_of(const char *word)
{
	static const enum level levels[SEVERITIES] = {
		[SEVERITY_IGNORE] = LEVEL_GOOD,
		[SEVERITY_INFO] = LEVEL_NONE,
		[SEVERITY_WARNING] = LEVEL_WARNING,
		[SEVERITY_CRITICAL] = LEVEL_BAD,
	};
	const struct status_word *w = status_word_named(word);

	return w->is_unknown ? LEVEL_UNKNOWN : levels[w->severity];
}
