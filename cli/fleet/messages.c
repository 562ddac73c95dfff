#include "messages.h"

#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_dump.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/sanitize.h"
#include "../output/print.h"

void print_text(FILE *to, const char *text)
{
	char next[SANITIZED_CHAR_MAX];

	while (*sanitize_next(&text, next))
		fputs(next, to);
}

void print_document(json_t *document)
{
	_free_ char *text = json_dump_sanitized(document, isatty(STDOUT_FILENO) ? JSON_INDENT(2)
										: JSON_COMPACT);

	json_decref(document);
	if (text)
		puts(text);
}

void error_print(const struct err *err)
{
	struct report_row row = { .indent = 2 };
	char where[sizeof(err->where) + 2];

	error_row_add(&row, 0, "", "losslessctl-fleet:", "");
	snprintf(where, sizeof(where), "%s:", err->where);
	if (err->where[0])
		error_row_add(&row, 1, "", where, "");
	snprintf(where, sizeof(where), "%.*s:", (int)sizeof(err->where) - 1, err->at.pointer);
	if (err->at.pointer[0])
		error_row_add(&row, 1, "", where, "");
	error_row_add(&row, 1, "", err->text, "");
	fputc('\n', stderr);
	if (!err->fix[0])
		return;
	row = (struct report_row){ .indent = 2 };
	error_row_add(&row, 2, "", err->fix, "");
	fputc('\n', stderr);
}

json_t *error_to_json(const struct err *err)
{
	json_t *out = json_pack("{s:s, s:s, s:o, s:o}", "schema", "losslessctl/error/1", "kind",
				err_kind_name(err->kind), "where", json_from_text(err->where),
				"message", json_from_text(err->text));

	if (out && err->fix[0])
		json_object_set_new(out, "fix", json_from_text(err->fix));
	return out;
}
