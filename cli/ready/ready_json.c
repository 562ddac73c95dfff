#include "ready_json.h"

#include "../../policy/util/json_util.h"
#include "../output/report_json.h"

enum word ready_word(enum ready_status s)
{
	static const enum word words[READY_STATUS_COUNT] = {
		[READY_MET] = WORD_READY,	  [READY_INFO] = WORD_INFO,
		[READY_UNKNOWN] = WORD_UNKNOWN,	  [READY_NOT_APPLICABLE] = WORD_NOT_APPLICABLE,
		[READY_NOT_MET] = WORD_NOT_READY,
	};

	return words[s];
}

bool ready_row_matters(const struct ready_row *row)
{
	return row->status == READY_NOT_MET || (row->status == READY_UNKNOWN && row->is_judged);
}

static json_t *row_to_json(const struct ready_row *row)
{
	const struct ready_check *c = row->check;
	json_t *expected = row->is_judged ? ready_value_to_json(c, row->expected) : json_null(),
	       *actual = row->has_value ? ready_value_to_json(c, row->value) : json_null();

	return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s}", "check", c->name, "port",
			 row->port ? json_from_text(row->port->id.name) : json_null(), "status",
			 status_words[ready_word(row->status)].name, "expected", expected, "actual",
			 actual, "details", json_text_or_null(row->actual), "message",
			 json_text_or_null(row->reason), "fix", json_text_or_null(row->fix),
			 "kernel_interface", c->source);
}

json_t *ready_to_json(const struct cli *c, const struct policy *p, const struct ready_report *r,
		      const struct ready_runs *l, bool all)
{
	json_t *doc = report_of_host(c, "ready"), *checks = json_array();

	for (size_t i = 0; i < r->count; i++)
		if (all || ready_row_matters(&r->rows[i]))
			json_array_append_new(checks, row_to_json(&r->rows[i]));
	json_object_set_new(doc, "policy", p ? report_policy(p) : json_null());
	json_object_set_new(doc, "verdict", json_string(status_words[ready_word(r->worst)].name));
	json_object_set_new(doc, "totals",
			    json_pack("{s:I, s:I, s:I}", "ready", (json_int_t)r->totals[READY_MET],
				      "not_ready", (json_int_t)r->totals[READY_NOT_MET], "unknown",
				      (json_int_t)r->totals[READY_UNKNOWN]));
	if (l->require.of)
		json_object_set_new(doc, "runs",
				    json_pack("{s:i, s:i, s:i}", "not_ready", (int)l->bad, "of",
					      (int)l->require.of, "required",
					      (int)l->require.least));
	json_object_set_new(doc, "checks", checks);
	return doc;
}
