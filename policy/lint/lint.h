/* All lints, and how to check one; lint_row.h says what a lint is. */
#ifndef LOSSLESSCTL_POLICY_LINT_LINT_H
#define LOSSLESSCTL_POLICY_LINT_LINT_H

#include "lint_row.h"

/* All lints in reading order; NULL past the last. */
const struct lint *lint_at(size_t i);

/* The lint of this kind. */
const struct lint *lint_of_document(enum document_lint w);

/* The index of a lint, for lint_at(). */
size_t lint_index(const struct lint *r);

/* All settings that a lint reads; for a lint about the host every setting. */
setting_set lint_reads(const struct lint *r);

/* True if all settings that the lint needs are known and it fails. */
bool lint_fails(const struct lint *r, const struct config *c, const struct capabilities *f);

/* The message for this configuration, which must fail the lint. Returns `text`. */
const char *lint_message(const struct lint *r, const struct config *c, const struct capabilities *f,
			 char text[LINT_TEXT_MAX]);

#endif
