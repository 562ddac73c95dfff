/* Rows about lints: a config and the lints that it breaks, and how to judge them. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_LINT_ROWS_H
#define LOSSLESSCTL_TESTS_SUPPORT_LINT_ROWS_H

#include "policy/lint/lint.h"

/* The lints that a config breaks, by name; "": none. */
struct lint_row {
	const char *sentence, *config, *breaks;
};

/* The same on a port with known capabilities. */
struct lint_port_row {
	struct lint_row row;
	struct capabilities capabilities;
};

/* The message of a lint about one config. */
struct lint_text_row {
	const char *sentence, *config, *rule, *text; /* text NULL: it passes */
	struct capabilities capabilities;
};

/* The config of a text, with all of its DSCPs. */
struct config lint_config_of(const char *text);

/* True if this lint is among those of a row. */
bool lint_is_named(const char *list, const char *name);

/* Tests that a row breaks its lints and no others, on a port with unknown capabilities. */
void lint_breaks_exactly(void **row);

/* Tests the same on the row's port. */
void lint_port_breaks_exactly(void **row);

/* Tests the message of a row's lint. */
void lint_says(void **row);

#endif
