/* Tests of the levels of verdicts: no verdict that needs a look is drawn as good. */
#include "cli/fleet/page/page_section.h"
#include "tests/support/unit.h"

static const struct level_row {
	const char *sentence, *words[10];
	enum level level;
} rows[] = {
	{ "what is as it should be is good",
	  { "in_sync", "agrees", "ready", "in_class" },
	  LEVEL_GOOD },
	{ "what is allowed, or not there, needs no look",
	  { "differs_allowed", "advice", "info", "skipped", "not_applicable" },
	  LEVEL_NONE },
	{ "what was not measured is unknown",
	  { "unknown", "unsupported", "never_verified", "not_attempted", "masked_by_traffic",
	    "not_counted", "no_class" },
	  LEVEL_UNKNOWN },
	{ "what warns is a warning", { "warning" }, LEVEL_WARNING },
	{ "symptoms and faults are bad",
	  { "symptom", "critical", "differs", "rewritten", "wrong_map", "lost", "no_connection",
	    "drift", "not_ready" },
	  LEVEL_BAD },
	{ "a word of another version is unknown",
	  { "in_sync_soon", "IN_SYNC", "in sync", " in_sync", "" },
	  LEVEL_UNKNOWN },
};

static void is_of_its_level(void **state)
{
	const struct level_row *row = *state;

	for (size_t i = 0; row->words[i]; i++)
		if (level_of(row->words[i]) != row->level)
			fail_msg("\"%s\" is %s", row->words[i],
				 level_names[level_of(row->words[i])]);
}

static void each_level_has_a_class_of_its_own(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEVELS; i++) {
		assert_non_null(level_names[i]);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(level_names[i], level_names[k]);
	}
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, rows, is_of_its_level);
	SUITE_ADD(&s, each_level_has_a_class_of_its_own);
	return suite_run(&s, "page_level");
}
