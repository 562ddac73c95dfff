#include "environment_json.h"

#include "../../policy/util/json_util.h"

static json_t *text_or_null(const char *text)
{
	return text && text[0] ? json_from_text(text) : json_null();
}

static json_t *item_to_json(const struct environment_item *item, enum severity s)
{
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "variable",
			 variables[item->variable].name, "severity", severity_name(s), "lint",
			 text_or_null(item->lint ? item->lint->name : NULL), "source",
			 text_or_null(item->source ? item->source->label : NULL), "line",
			 item->line ? json_integer(item->line) : json_null(), "value",
			 text_or_null(item->text), "expected", text_or_null(item->expected), "trap",
			 text_or_null(trap_name(item->trap)), "message", item->message, "fix",
			 text_or_null(item->fix));
}

json_t *environment_verdict_to_json(const struct environment_verdict *v)
{
	json_t *list = json_array();

	for (size_t i = 0; v && i < v->report.count; i++) {
		enum severity s = environment_item_severity(v, &v->report.items[i]);

		if (s != SEVERITY_IGNORE)
			json_array_append_new(list, item_to_json(&v->report.items[i], s));
	}
	return list;
}
