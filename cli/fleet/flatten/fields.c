#include "fields.h"

#include <time.h>

#include "../../../agent/host/log.h"
#include "../../../policy/util/json_util.h"

#define CLOCKS_DIFFER_S 300 /* at most, of a host and of this one: as for Kerberos */

/* Fails with "found ..., expected ...", or with what is missing. */
static bool is_wrong(const json_t *value, const char *expected, const struct json_path *at,
		     struct err *err)
{
	if (value)
		return err_expected(err, at, value, "%s", expected);
	return err_policy(err, at->parent, "\"%s\" is missing", at->key);
}

static bool read_text(const json_t *value, const char **ret, const struct json_path *at,
		      struct err *err)
{
	if (!json_is_string(value) || json_string_length(value) == 0)
		return is_wrong(value, "a text", at, err);
	if (json_string_length(value) > FIELD_TEXT_MAX)
		return err_policy(err, at, "the text is longer than %d bytes", FIELD_TEXT_MAX);
	*ret = json_string_value(value);
	return true;
}

bool time_is_ahead(const char *text)
{
	int64_t when_s;

	return timestamp_parse(text, &when_s) && when_s > (int64_t)time(NULL) + CLOCKS_DIFFER_S;
}

static bool read_time(const json_t *value, const char **ret, const struct json_path *at,
		      struct err *err)
{
	int64_t when_s;

	if (!json_is_string(value) || !timestamp_parse(json_string_value(value), &when_s))
		return is_wrong(value, "a time such as 2026-11-24T09:30:00Z", at, err);
	*ret = json_string_value(value);
	return true;
}

/* A report of a time to come would hide all later ones of its host. */
static bool read_past(const json_t *value, const char **ret, const struct json_path *at,
		      struct err *err)
{
	return read_time(value, ret, at, err) &&
	       (!time_is_ahead(*ret) ||
		err_policy(err, at, "the time is in the future: check the host's clock"));
}

static bool read_number(const json_t *value, json_int_t *ret, const struct json_path *at,
			struct err *err)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return is_wrong(value, "a whole number", at, err);
	*ret = json_integer_value(value);
	return true;
}

static bool is_optional(enum field_type type)
{
	return type != FIELD_TEXT && type != FIELD_TIME && type != FIELD_PAST && type != FIELD_LIST;
}

static bool read_value(const json_t *value, const struct field *f, void *to,
		       const struct json_path *at, struct err *err)
{
	switch (f->type) {
	case FIELD_TEXT:
		return read_text(value, to, at, err);
	case FIELD_OPTIONAL_TEXT:
		return (json_is_string(value) && !json_string_length(value)) ||
		       read_text(value, to, at, err);
	case FIELD_TIME:
		return read_time(value, to, at, err);
	case FIELD_PAST:
		return read_past(value, to, at, err);
	case FIELD_NUMBER:
		return read_number(value, to, at, err);
	case FIELD_LIST:
	case FIELD_OPTIONAL_LIST:
		if (!json_is_array(value))
			return is_wrong(value, "a list", at, err);
		break;
	case FIELD_OBJECT:
		if (!json_is_object(value))
			return is_wrong(value, "an object", at, err);
		break;
	case FIELD_VALUE:
		break;
	}
	*(const json_t **)to = value;
	return true;
}

bool fields_read(const json_t *object, const struct field *fields, size_t count, void *out,
		 const struct json_path *at, struct err *err)
{
	if (!json_is_object(object))
		return err_expected(err, at, object, "an object");
	for (size_t i = 0; i < count; i++) {
		const struct field *f = &fields[i];
		const struct json_path here = { at, f->key, 0 };
		const json_t *value = json_object_get(object, f->key);

		if (is_optional(f->type) && (!value || json_is_null(value)))
			continue;
		if (!read_value(value, f, (char *)out + f->offset, &here, err))
			return false;
	}
	return true;
}

size_t list_size(const json_t *list)
{
	return list ? json_array_size(list) : 0;
}
