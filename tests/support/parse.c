#include "parse.h"

#include <string.h>

#include "unit.h"

const char *json_quoted(const char *text, char buf[JSON_TEXT_MAX])
{
	size_t i;

	for (i = 0; text[i] && i + 1 < JSON_TEXT_MAX; i++)
		buf[i] = text[i];
	buf[i] = '\0';
	for (char *c = strchr(buf, '\''); c; c = strchr(c, '\''))
		*c = '"';
	return buf;
}

json_t *json_of(const char *text)
{
	char quoted[JSON_TEXT_MAX];
	json_error_t where;
	json_t *j = json_loads(json_quoted(text, quoted), JSON_DECODE_ANY, &where);

	if (!j)
		fail_msg("%s: %s", text, where.text);
	return j;
}

bool amend(struct config *c, const char *text, struct err *err)
{
	json_t *j = json_of(text);
	bool ok = config_amend(c, j, NULL, err);

	json_decref(j);
	return ok;
}

struct config config_of(const char *text)
{
	struct config c = { 0 };
	struct err err = { 0 };

	if (!amend(&c, text, &err))
		fail_msg("%s: %s at %s", text, err.text, err.at.pointer);
	return c;
}

struct policy *policy_of(const char *text)
{
	char quoted[JSON_TEXT_MAX];
	struct policy *p = NULL;
	struct err err = { 0 };

	json_quoted(text, quoted);
	if (!policy_parse(&p, quoted, strlen(quoted), "p.json", &err))
		fail_msg("%s: %s: %s", text, err.where, err.text);
	return p;
}

struct config desired_of(const struct policy *p, size_t i)
{
	struct config desired = { 0 };
	struct err err = { 0 };

	if (!rule_desired_of(&p->rules[i], 0, &desired, NULL, &err))
		fail_msg("rule %zu: %s", i, err.text);
	return desired;
}

struct err refusal_of(const char *text)
{
	char quoted[JSON_TEXT_MAX];
	struct policy *p = NULL;
	struct err err = { 0 };

	json_quoted(text, quoted);
	if (policy_parse(&p, quoted, strlen(quoted), "p.json", &err))
		fail_msg("%s: is accepted", text);
	assert_null(p);
	return err;
}
