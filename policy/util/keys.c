#include "keys.h"

#include <stdio.h>
#include <string.h>

#include "unknown_key.h"

#define EXPECTED_MAX 160

bool ignored_from_json(const struct key *k, void *field, json_t *j, const struct json_path *at,
		       struct err *err)
{
	(void)k;
	(void)field;
	return json_is_string(j) || err_expected(err, at, j, "a string in double quotes");
}

const struct key key_comment = {
	.name = "comment",
	.type = KEY_OTHER,
	.from_json = ignored_from_json,
	.doc = "A comment, in any object but those of settings and match; losslessctl ignores it.",
	.more = "JSON has no comments of its own.",
};

bool key_at(const struct key_object *o, size_t i, struct key *ret)
{
	if (o->row)
		return o->row(i, ret);
	*ret = o->keys[i];
	return ret->name;
}

/* ---- read ---- */

static void store(const struct key *k, void *field, uint64_t value)
{
	switch (k->size) {
	case 1:
		*(uint8_t *)field = (uint8_t)value;
		break;
	case 2:
		*(uint16_t *)field = (uint16_t)value;
		break;
	case 4:
		*(uint32_t *)field = (uint32_t)value;
		break;
	default:
		*(uint64_t *)field = value;
		break;
	}
}

static bool key_number(const struct key *k, void *field, const json_t *j,
		       const struct json_path *at, struct err *err)
{
	json_int_t n = json_integer_value(j);
	char bounds[EXPECTED_MAX];

	snprintf(bounds, sizeof(bounds), "%llu to %llu%s%s", (unsigned long long)k->min,
		 (unsigned long long)k->max, k->unit ? " " : "", k->unit ? k->unit : "");
	if (!json_is_integer(j))
		return err_expected_number(err, at, j, bounds);
	if (n < (json_int_t)k->min || n > (json_int_t)k->max)
		return err_expected(err, at, j, "%s", bounds);
	store(k, field, (uint64_t)n + k->plus);
	return true;
}

bool number_from_json(const json_t *j, int64_t min, int64_t max, int64_t *ret,
		      const struct json_path *at, struct err *err)
{
	struct key k = { .size = sizeof(*ret), .min = (uint64_t)min, .max = (uint64_t)max };

	return key_number(&k, ret, j, at, err);
}

static bool key_word(const struct key *k, void *field, const json_t *j, const struct json_path *at,
		     struct err *err)
{
	const char *word = json_string_value(j);
	char list[EXPECTED_MAX];
	size_t used = 0;

	for (size_t i = 0; word && k->words[i]; i++)
		if (strcmp(k->words[i], word) == 0) {
			store(k, field, i + k->plus);
			return true;
		}
	for (size_t i = 0; k->words[i] && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s\"%s\"",
					 !i		   ? ""
					 : k->words[i + 1] ? ", "
							   : " or ",
					 k->words[i]);
	return err_expected(err, at, j, "%s", k->expected ? k->expected : list);
}

/* Reads the key of an object whose path is `up`. */
static bool key_from_json(const struct key *k, void *ret, json_t *object,
			  const struct json_path *up, struct err *err)
{
	json_t *j = json_object_get(object, k->name);
	struct json_path at = { up, k->name, 0 };
	void *field = (char *)ret + k->offset;

	if (!j && k->missing) {
		err_policy(err, up, "%s", k->missing);
		return k->missing_fix && err_fix(err, "%s", k->missing_fix);
	}
	if (!j)
		return true;
	switch (k->type) {
	case KEY_BOOL:
		return json_read_bool(object, k->name, field, up, err);
	case KEY_NUMBER:
		return key_number(k, field, j, &at, err);
	case KEY_WORD:
		return key_word(k, field, j, &at, err);
	case KEY_TEXT:
		return json_read_string(object, k->name, field, k->size, up, err);
	case KEY_OBJECT:
		return object_from_json(k->objects, field, j, &at, err);
	case KEY_LIST:
	case KEY_MAP:
		return true;
	case KEY_OTHER:
		return !k->from_json || k->from_json(k, field, j, &at, err);
	}
	return false;
}

/* Judges a key of the document. */
static bool is_allowed(const struct key_object *o, const struct json_path *at, struct err *err)
{
	struct suggestion near = suggest_for(at->key);
	struct key k;

	for (size_t i = 0; key_at(o, i, &k); i++) {
		if (strcmp(k.name, at->key) == 0)
			return true;
		suggest_offer(&near, k.name);
	}
	if (!o->no_comment && strcmp(at->key, key_comment.name) == 0)
		return true;
	if (!o->no_comment)
		suggest_offer(&near, key_comment.name);
	return o->other ? o->other(at, &near, err) : err_unknown_key(err, at, &near);
}

bool object_from_json(const struct key_object *o, void *ret, json_t *object,
		      const struct json_path *at, struct err *err)
{
	struct key k;
	bool ok = true;
	json_t *j;

	if (!json_is_object(object))
		return err_expected(err, at, object, "%s", o->expected);
	json_member_foreach (object, at, here, j)
		ok = err_part(err, is_allowed(o, &here, err)) && ok;
	ok = err_part(err, o->no_comment || key_from_json(&key_comment, ret, object, at, err)) &&
	     ok;
	for (size_t i = 0; key_at(o, i, &k); i++)
		ok = err_part(err, key_from_json(&k, ret, object, at, err)) && ok;
	return ok;
}

/* ---- schema ---- */

static json_t *list_schema(const struct key *k)
{
	json_t *list = json_pack("{s:s, s:I, s:o}", "type", "array", "maxItems", (json_int_t)k->max,
				 "items", object_schema(k->objects));

	if (k->min)
		json_object_set_new(list, "minItems", json_integer((json_int_t)k->min));
	return list;
}

static json_t *type_schema(const struct key *k)
{
	switch (k->type) {
	case KEY_BOOL:
		return json_pack("{s:s}", "type", "boolean");
	case KEY_NUMBER:
		return json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum",
				 (json_int_t)k->min, "maximum", (json_int_t)k->max);
	case KEY_WORD:
		return json_pack("{s:o}", "enum", json_words(k->words));
	case KEY_TEXT: /* approximate: JSON Schema counts characters, the reader bytes */
		return json_pack("{s:s, s:i, s:I}", "type", "string", "minLength", 1, "maxLength",
				 (json_int_t)k->size - 1);
	case KEY_OBJECT:
		return object_schema(k->objects);
	case KEY_LIST:
		return list_schema(k);
	case KEY_MAP:
		return json_pack("{s:s, s:I, s:{s:s, s:I}, s:o}", "type", "object", "maxProperties",
				 (json_int_t)k->max, "propertyNames", "type", "string", "maxLength",
				 (json_int_t)k->size - 1, "additionalProperties",
				 object_schema(k->objects));
	case KEY_OTHER:
		return k->schema ? k->schema(k) : json_pack("{s:s}", "type", "string");
	}
	return NULL;
}

static void add_property(json_t *properties, const struct key *k)
{
	json_t *schema = type_schema(k);

	if (k->default_number)
		json_object_set_new(schema, "default", json_integer((json_int_t)k->default_number));
	if (k->doc)
		json_object_set_new(schema, "description", json_string(k->doc));
	json_object_set_new(properties, k->name, schema);
}

json_t *object_schema(const struct key_object *o)
{
	json_t *properties = json_object(), *required = json_array(), *schema;
	struct key k;

	for (size_t i = 0; key_at(o, i, &k); i++) {
		add_property(properties, &k);
		if (k.missing || k.required)
			json_array_append_new(required, json_string(k.name));
	}
	if (!o->no_comment)
		add_property(properties, &key_comment);
	schema = json_pack("{s:s, s:o, s:b, s:o}", "type", "object", "properties", properties,
			   "additionalProperties", 0, "required", required);
	if (!json_array_size(required))
		json_object_del(schema, "required");
	if (o->add_to_schema)
		o->add_to_schema(schema);
	return schema;
}
