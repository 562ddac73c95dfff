/* Expectations of a policy for the checks of `losslessctl ready`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/json_util.h"
#include "ready_checks.h"

#define IGNORE	  "ignore"
#define UNLIMITED "unlimited"

static bool is_number(const struct ready_check *c)
{
	return !c->words[0];
}

static bool word_find(const struct ready_check *c, const char *word, uint64_t *ret)
{
	for (uint64_t i = 0; c->words[i]; i++)
		if (strcmp(c->words[i], word) == 0) {
			*ret = i;
			return true;
		}
	*ret = READY_UNLIMITED;
	return c->may_be_unlimited && strcmp(word, UNLIMITED) == 0;
}

struct ready_expectations ready_defaults(void)
{
	struct ready_expectations e = { 0 };

	for (size_t i = 0; i < READY_COUNT; i++) {
		const struct ready_check *c = &ready_checks[i];

		if (c->default_value && word_find(c, c->default_value, &e.value[i]))
			e.judged |= READY(i);
	}
	return e;
}

struct ready_expectations ready_without_policy(void)
{
	struct ready_expectations e = ready_defaults();

	e.judged &= ~READY(READY_LINK);
	return e;
}

bool ready_meets(const struct ready_check *c, uint64_t expected, uint64_t actual)
{
	switch (c->relation) {
	case READY_IS:
		return actual == expected;
	case READY_AT_LEAST:
		return actual >= expected;
	case READY_AT_MOST:
		return actual <= expected;
	}
	return false;
}

char *ready_value_text(const struct ready_check *c, uint64_t value, char buf[READY_VALUE_TEXT])
{
	if (!is_number(c))
		snprintf(buf, READY_VALUE_TEXT, "%s", c->words[value]);
	else if (value == READY_UNLIMITED)
		snprintf(buf, READY_VALUE_TEXT, UNLIMITED);
	else
		snprintf(buf, READY_VALUE_TEXT, "%" PRIu64 " %s", value, c->unit);
	return buf;
}

const char *ready_reason_of(const struct ready_check *c, uint64_t actual)
{
	return !is_number(c) && c->reasons[actual] ? c->reasons[actual] : c->reason;
}

const char *ready_fix_of(const struct ready_check *c, uint64_t expected)
{
	if (!is_number(c) && c->fixes[expected])
		return c->fixes[expected];
	return c->fix ? c->fix : "";
}

char *ready_fixes_text(const struct ready_check *c, char buf[READY_FIXES_TEXT])
{
	size_t used = (size_t)snprintf(buf, READY_FIXES_TEXT, "%s", c->fix ? c->fix : "");

	for (size_t i = 0; !c->fix && c->words[i]; i++)
		if (c->fixes[i])
			used += (size_t)snprintf(buf + used, READY_FIXES_TEXT - used,
						 "%sfor %s, %s", used ? "; " : "", c->words[i],
						 c->fixes[i]);
	return buf;
}

json_t *ready_value_to_json(const struct ready_check *c, uint64_t value)
{
	if (!is_number(c))
		return json_string(c->words[value]);
	return value == READY_UNLIMITED ? json_string(UNLIMITED) : json_integer((json_int_t)value);
}

bool ready_value_from_json(const struct ready_check *c, const json_t *value, uint64_t *ret)
{
	const char *word = json_string_value(value);

	if (word)
		return word_find(c, word, ret);
	*ret = (uint64_t)json_integer_value(value);
	return is_number(c) && json_is_integer(value) && json_integer_value(value) >= 0;
}

/* As in "\"slot\", \"full\" or \"ignore\"". */
char *ready_range_text(const struct ready_check *c, char buf[READY_RANGE_TEXT])
{
	size_t used = 0;

	for (size_t i = 0; c->words[i]; i++)
		used += (size_t)snprintf(buf + used, READY_RANGE_TEXT - used, "%s\"%s\"",
					 i ? ", " : "", c->words[i]);
	if (is_number(c))
		used = (size_t)snprintf(buf, READY_RANGE_TEXT,
					"a whole number, 0 to %" PRIu64 " %s%s", c->max, c->unit,
					c->may_be_unlimited ? ", \"" UNLIMITED "\"" : "");
	snprintf(buf + used, READY_RANGE_TEXT - used, " or \"" IGNORE "\"");
	return buf;
}

static bool value_from_json(struct ready_expectations *e, size_t i, const json_t *value,
			    const struct json_path *up, struct err *err)
{
	const struct ready_check *c = &ready_checks[i];
	struct json_path at = { up, c->name, 0 };
	const char *word = json_string_value(value);
	char valid[READY_RANGE_TEXT];

	if (word && strcmp(word, IGNORE) == 0) {
		e->ignored |= READY(i);
		return true;
	}
	e->judged |= READY(i);
	e->stated |= READY(i);
	if (ready_value_from_json(c, value, &e->value[i]) && (word || e->value[i] <= c->max))
		return true;
	return err_expected(err, &at, value, "%s", ready_range_text(c, valid));
}

bool ready_from_json(struct ready_expectations *e, json_t *object, const struct json_path *at,
		     struct err *err)
{
	const char *known[READY_COUNT + 2] = { "comment" };
	bool ok;

	if (!object)
		return true;
	for (size_t i = 0; i < READY_COUNT; i++)
		known[i + 1] = ready_checks[i].name;
	if (!json_is_object(object))
		return err_expected(err, at, object,
				    "an object of checks, such as {\"pci-acs\": \"off\"}");
	ok = err_part(err, json_only_keys(object, known, at, err));
	ok = err_part(err, json_check_comment(object, at, err)) && ok;
	for (size_t i = 0; i < READY_COUNT; i++) {
		const json_t *value = json_object_get(object, ready_checks[i].name);

		ok = err_part(err, !value || value_from_json(e, i, value, at, err)) && ok;
	}
	return ok;
}

static json_t *check_schema(const struct ready_check *c)
{
	json_t *words = json_array(), *schema = json_pack("{s:s}", "description", c->doc);

	for (size_t i = 0; c->words[i]; i++)
		json_array_append_new(words, json_string(c->words[i]));
	if (c->may_be_unlimited)
		json_array_append_new(words, json_string(UNLIMITED));
	json_array_append_new(words, json_string(IGNORE));
	if (!is_number(c))
		json_object_set_new(schema, "enum", words);
	else
		json_object_set_new(schema, "anyOf",
				    json_pack("[{s:s, s:i, s:I}, {s:o}]", "type", "integer",
					      "minimum", 0, "maximum", (json_int_t)c->max, "enum",
					      words));
	if (c->default_value)
		json_object_set_new(schema, "default", json_string(c->default_value));
	return schema;
}

json_t *ready_schema(void)
{
	json_t *properties = json_pack("{s:{s:s}}", "comment", "type", "string");

	for (size_t i = 0; i < READY_COUNT; i++)
		json_object_set_new(properties, ready_checks[i].name,
				    check_schema(&ready_checks[i]));
	return json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
			 "additionalProperties", 0);
}
