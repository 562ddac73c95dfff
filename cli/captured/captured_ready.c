#include "captured_ready.h"

#include <string.h>

#include "../../agent/engine/ready/ready.h"
#include "../../policy/util/json_util.h"

static const json_t *find_row(const json_t *part, const char *check, const struct port *port)
{
	const json_t *row;
	size_t i;

	json_array_foreach (json_object_get(part, "checks"), i, row) {
		const char *of = json_string_value(json_object_get(row, "port"));

		if (strcmp(json_text(row, "check"), check) == 0 &&
		    (port ? of && strcmp(of, port->id.name) == 0 : !of))
			return row;
	}
	return NULL;
}

/* Words that the check has for each such value are left to the judge, who may expect another. */
static void take_value(const struct ready_check *check, const struct port *port, const json_t *row,
		       uint64_t value, struct ready_reading *ret)
{
	const char *reason = json_text(row, "message"), *fix = json_text(row, "fix");
	char general[READY_FIX_MAX] = "";
	uint64_t expected;

	ready_found(ret, value, "%s", json_text(row, "details"));
	if (strcmp(reason, ready_reason_of(check, value)) != 0)
		ready_reason(ret, "%s", reason);
	if (ready_value_from_json(check, json_object_get(row, "expected"), &expected))
		ready_general_fix(check, expected, port, general);
	if (strcmp(fix, general) != 0)
		ready_fix(ret, "%s", fix);
}

static void take_row(const struct ready_check *check, const struct port *port, const json_t *row,
		     struct ready_reading *ret)
{
	const json_t *actual = json_object_get(row, "actual");
	const char *message = json_text(row, "message");
	uint64_t value;

	if (ready_value_from_json(check, actual, &value)) {
		take_value(check, port, row, value, ret);
	} else if (strcmp(json_text(row, "status"), "not_applicable") == 0) {
		ready_not_applicable(ret, message);
	} else {
		ready_unknown(ret, "%s",
			      message[0] ? message : "the document has another kind of value");
		ready_fix(ret, "%s", json_text(row, "fix"));
	}
}

void captured_ready_read(const struct captured *c, enum ready_id id, const struct port *port,
			 struct ready_reading *ret)
{
	const struct ready_check *check = &ready_checks[id];
	struct err err = { 0 };
	const json_t *row;
	json_t *part;

	if (!captured_host_part(c->document, "ready", &part, &err)) {
		ready_unknown(ret, "%s", err.text);
		ready_fix(ret, "%s", err.fix);
		return;
	}
	row = find_row(part, check->name, port);
	if (row)
		take_row(check, port, row, ret);
	else
		ready_unknown(ret, "the document does not have this check%s",
			      port ? " of this port" : "");
}
