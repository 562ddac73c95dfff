/*
 * Parameters of the firmware: an object {NAME: value} in JSON, one struct parameter per row of the
 * setting internally. Those that are not named are neither compared nor shown as differing.
 */
#include <stdio.h>
#include <string.h>

#include "../util/json_util.h"
#include "../util/unknown_key.h"
#include "firmware_parameter.h"
#include "type.h"

#define VALUE_MAX 64

static bool is_bool(const struct parameter_row *row)
{
	return row->words == parameter_bool_words;
}

static bool has_value(const struct parameter_row *row, json_int_t value)
{
	return value >= 0 && value <= row->max && (!row->words || row->words[value]);
}

/* Writes a value as mstconfig prints it: "TRUST_DSCP(6)", "48". */
static const char *printed(const struct parameter_row *row, unsigned value, char buf[VALUE_MAX])
{
	snprintf(buf, VALUE_MAX, "%s(%u)", row->words[value], value);
	return buf;
}

/* Finds "TRUST_DSCP" and "TRUST_DSCP(6)". */
static bool value_from_word(const struct parameter_row *row, const char *word, uint8_t *ret)
{
	char buf[VALUE_MAX];

	for (unsigned v = 0; word && row->words && v <= row->max; v++)
		if (row->words[v] &&
		    (strcmp(word, row->words[v]) == 0 || strcmp(word, printed(row, v, buf)) == 0)) {
			*ret = (uint8_t)v;
			return true;
		}
	return false;
}

/* Writes the valid values: "0 to 63", "OFF, MANDATORY or ALL". */
static void add_values(const struct parameter_row *row, const char *quote, struct text *out)
{
	if (!row->words)
		text_add(out, "0 to %u", row->max);
	else if (is_bool(row))
		text_add(out, "true or false");
	for (unsigned v = 0; row->words && !is_bool(row) && v <= row->max; v++)
		if (row->words[v])
			text_add(out, "%s%s%s%s",
				 !v		 ? ""
				 : v == row->max ? " or "
						 : ", ",
				 quote, row->words[v], quote);
}

static bool value_from_json(const struct parameter_row *row, const json_t *j, uint8_t *ret,
			    const struct json_path *at, struct err *err)
{
	char expected[SETTING_TEXT_MAX] = "";
	struct text out = { expected, 0 };

	if (json_is_boolean(j) && is_bool(row)) {
		*ret = json_is_true(j);
		return true;
	}
	if (json_is_integer(j) && has_value(row, json_integer_value(j))) {
		*ret = (uint8_t)json_integer_value(j);
		return true;
	}
	if (value_from_word(row, json_string_value(j), ret))
		return true;
	add_values(row, "\"", &out);
	if (!row->words && !json_is_integer(j))
		return err_expected_number(err, at, j, expected);
	return err_expected(err, at, j, "%s", expected);
}

static bool unknown_parameter(const struct setting *k, const struct json_path *at, struct err *err)
{
	struct suggestion near = suggest_for(at->key);

	for (size_t i = 0; i < k->count; i++)
		suggest_offer(&near, k->rows[i].name);
	return err_unknown_key(err, at, &near);
}

static bool parameter_from_json(const struct setting *k, struct config *c, const json_t *j,
				const struct json_path *at, struct err *err)
{
	struct parameter p = { .state = PARAMETER_SET };

	for (size_t i = 0; i < k->count; i++) {
		if (strcmp(k->rows[i].name, at->key) != 0)
			continue;
		if (!value_from_json(&k->rows[i], j, &p.current, at, err))
			return false;
		p.next_boot = p.current;
		parameter_put(k, c, i, &p);
		return true;
	}
	return unknown_parameter(k, at, err);
}

static bool parameters_from_json(const struct setting *k, struct config *c, json_t *j,
				 const struct json_path *at, struct err *err)
{
	const struct parameter absent = { .state = PARAMETER_ABSENT };
	json_t *item;
	bool ok = true;

	if (!json_is_object(j))
		return err_expected(err, at, j, "an object of parameters, such as {\"%s\": %s}",
				    k->rows[0].name, "true");
	for (size_t i = 0; i < k->count; i++)
		parameter_put(k, c, i, &absent);
	json_member_foreach (j, at, here, item)
		ok = err_part(err, parameter_from_json(k, c, item, &here, err)) && ok;
	return ok;
}

static json_t *value_to_json(const struct parameter_row *row, uint8_t value)
{
	if (is_bool(row))
		return json_boolean(value);
	return has_value(row, value) && row->words ? json_string(row->words[value])
						   : json_integer(value);
}

static json_t *parameter_to_json(const struct parameter_row *row, const struct parameter *p)
{
	if (p->state == PARAMETER_UNREADABLE)
		return json_null();
	if (p->current == p->next_boot)
		return value_to_json(row, p->current);
	return json_pack("{s:o, s:o}", "current", value_to_json(row, p->current), "next_boot",
			 value_to_json(row, p->next_boot));
}

static json_t *parameters_to_json(const struct setting *k, const struct config *c)
{
	json_t *out = json_object();

	for (size_t i = 0; i < k->count; i++) {
		struct parameter p = parameter_get(k, c, i);

		if (p.state != PARAMETER_ABSENT)
			json_object_set_new(out, k->rows[i].name,
					    parameter_to_json(&k->rows[i], &p));
	}
	return out;
}

static json_t *value_schema(const struct parameter_row *row)
{
	json_t *values = json_array();
	char buf[VALUE_MAX];

	if (!row->words) {
		json_decref(values);
		return json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 0, "maximum",
				 row->max);
	}
	for (unsigned v = 0; v <= row->max; v++) {
		if (!row->words[v])
			continue;
		if (is_bool(row))
			json_array_append_new(values, json_boolean(v));
		json_array_append_new(values, json_string(row->words[v]));
		json_array_append_new(values, json_string(printed(row, v, buf)));
		json_array_append_new(values, json_integer(v));
	}
	return json_pack("{s:o}", "enum", values);
}

static json_t *parameters_schema(const struct setting *k)
{
	json_t *properties = json_object();

	for (size_t i = 0; i < k->count; i++)
		json_object_set_new(properties, k->rows[i].name, value_schema(&k->rows[i]));
	return json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
			 "additionalProperties", 0);
}

static void parameters_range(const struct setting *k, struct text *out)
{
	text_add(out, "an object: ");
	for (size_t i = 0; i < k->count; i++) {
		text_add(out, "%s%s: ", i ? "; " : "", k->rows[i].name);
		add_values(&k->rows[i], "", out);
	}
}

static void add_value(const struct parameter_row *row, uint8_t value, struct text *out)
{
	if (row->words && has_value(row, value))
		text_add(out, "%s", row->words[value]);
	else
		text_add(out, "%u", value);
}

static void parameters_text(const struct setting *k, const struct config *c, struct text *out)
{
	const char *sep = "";

	for (size_t i = 0; i < k->count; i++) {
		struct parameter p = parameter_get(k, c, i);

		if (p.state == PARAMETER_ABSENT)
			continue;
		text_add(out, "%s%s ", sep, k->rows[i].name);
		sep = ", ";
		if (p.state == PARAMETER_UNREADABLE) {
			text_add(out, "unknown");
			continue;
		}
		add_value(&k->rows[i], p.current, out);
		if (p.next_boot == p.current)
			continue;
		text_add(out, " (next boot ");
		add_value(&k->rows[i], p.next_boot, out);
		text_add(out, ")");
	}
	if (!*sep)
		text_add(out, "none");
}

static bool parameters_equal(const struct setting *k, const struct config *desired,
			     const struct config *actual)
{
	for (size_t i = 0; i < k->count; i++) {
		struct parameter d = parameter_get(k, desired, i), a = parameter_get(k, actual, i);

		if (d.state == PARAMETER_SET && !parameter_in_sync(&d, &a))
			return false;
	}
	return true;
}

static void parameters_overlay(const struct setting *k, struct config *to,
			       const struct config *from)
{
	for (size_t i = 0; i < k->count; i++) {
		struct parameter p = parameter_get(k, from, i);

		if (p.state == PARAMETER_SET)
			parameter_put(k, to, i, &p);
	}
}

/* Drops parameters that `a`, the desired settings, does not name as well. */
static void parameters_drop_equal(const struct setting *k, struct config *a, struct config *b)
{
	const struct parameter absent = { .state = PARAMETER_ABSENT };

	for (size_t i = 0; i < k->count; i++) {
		struct parameter d = parameter_get(k, a, i), p = parameter_get(k, b, i);

		if (d.state == PARAMETER_SET && !parameter_in_sync(&d, &p))
			continue;
		parameter_put(k, a, i, &absent);
		parameter_put(k, b, i, &absent);
	}
}

const struct type_ops type_parameters = {
	.from_json = parameters_from_json,
	.to_json = parameters_to_json,
	.schema = parameters_schema,
	.range = parameters_range,
	.text = parameters_text,
	.equal = parameters_equal,
	.overlay = parameters_overlay,
	.drop_equal = parameters_drop_equal,
};
