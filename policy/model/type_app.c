/* Entries of the APP table other than DSCP: a list of objects, kept sorted. */
#include "setting.h"

#include <stdlib.h>
#include <string.h>

#include "../util/keys.h"
#include "type.h"

/* By selector number (IEEE 802.1Qaz, D.2.11.3). Selector 5, DSCP, has a map of its own. */
static const char *const selectors[] = { NULL, "ethertype", "tcp", "udp", "any", NULL };

#define SELECTORS (sizeof(selectors) / sizeof(selectors[0]) - 1)

static size_t app_count(const struct config *c)
{
	size_t n = 0;

	while (n < APPS_MAX && c->app.entries[n].selector && c->app.entries[n].selector < SELECTORS)
		n++;
	return n;
}

static int compare_app_entries(const void *a, const void *b)
{
	const struct app_entry *x = a, *y = b;

	if (x->selector != y->selector)
		return x->selector - y->selector;
	return x->protocol != y->protocol ? x->protocol - y->protocol : x->priority - y->priority;
}

bool app_entry_put(struct config *c, const struct app_entry *e)
{
	size_t n = app_count(c);

	if (n == APPS_MAX)
		return false;
	c->app.entries[n++] = *e;
	qsort(c->app.entries, n, sizeof(*e), compare_app_entries);
	return true;
}

bool app_entry_has(const struct config *c, const struct app_entry *e)
{
	for (size_t i = 0; i < app_count(c); i++)
		if (compare_app_entries(&c->app.entries[i], e) == 0)
			return true;
	return false;
}

#define ENTRY(member) KEY_FIELD(struct app_entry, member)

/* clang-format off */
static const struct key entry_keys[] = {
	{ "selector", NULL, KEY_WORD, ENTRY(selector), .plus = 1, .words = &selectors[1],
	  .missing = "an entry needs a \"selector\"" },
	{ "protocol", NULL, KEY_NUMBER, ENTRY(protocol), 0, UINT16_MAX,
	  .missing = "an entry needs a \"protocol\"" },
	{ "priority", NULL, KEY_NUMBER, ENTRY(priority), 0, PRIOS - 1,
	  .missing = "an entry needs a \"priority\"" },
	{ .name = NULL },
};
/* clang-format on */

static const struct key_object entry_object = {
	.keys = entry_keys,
	.expected = "an object, such as {\"selector\": \"udp\", \"protocol\": 4791, "
		    "\"priority\": 3}",
	.no_comment = true,
};

static bool entry_from_json(struct config *c, json_t *j, const struct json_path *at,
			    struct err *err)
{
	struct app_entry e = { 0 };

	if (!object_from_json(&entry_object, &e, j, at, err))
		return false;
	if (app_entry_has(c, &e))
		return err_policy(err, at, "this entry is listed twice");
	return app_entry_put(c, &e) || err_policy(err, at, "more than %d entries", APPS_MAX);
}

static bool app_from_json(const struct setting *k, struct config *c, json_t *j,
			  const struct json_path *at, struct err *err)
{
	json_t *item;
	bool ok = true;

	(void)k;
	if (!json_is_array(j))
		return err_expected(err, at, j,
				    "a list of objects with selector, protocol and priority");
	memset(c->app.entries, 0, sizeof(c->app.entries));
	json_item_foreach (j, at, here, item)
		ok = err_part(err, entry_from_json(c, item, &here, err)) && ok;
	return ok;
}

static json_t *app_to_json(const struct setting *k, const struct config *c)
{
	json_t *out = json_array();

	(void)k;
	for (size_t i = 0; i < app_count(c); i++) {
		const struct app_entry *e = &c->app.entries[i];

		json_array_append_new(out, json_pack("{s:s, s:i, s:i}", "selector",
						     selectors[e->selector], "protocol",
						     e->protocol, "priority", e->priority));
	}
	return out;
}

static json_t *app_schema(const struct setting *k)
{
	(void)k;
	return json_pack(
		"{s:s, s:b, s:i, s:{s:s, s:{s:{s:o}, s:{s:s, s:i, s:i}, s:{s:s, s:i, s:i}}, "
		"s:[s, s, s], s:b}}",
		"type", "array", "uniqueItems", 1, "maxItems", APPS_MAX, "items", "type", "object",
		"properties", "selector", "enum", json_words(&selectors[1]), "protocol", "type",
		"integer", "minimum", 0, "maximum", UINT16_MAX, "priority", "type", "integer",
		"minimum", 0, "maximum", PRIOS - 1, "required", "selector", "protocol", "priority",
		"additionalProperties", 0);
}

static void app_range(const struct setting *k, struct text *out)
{
	(void)k;
	text_add(out,
		 "a list of up to %d objects: selector (ethertype, tcp, udp or any), protocol 0 to "
		 "65535, priority 0 to 7",
		 APPS_MAX);
}

static void app_text(const struct setting *k, const struct config *c, struct text *out)
{
	(void)k;
	if (!app_count(c))
		text_add(out, "none");
	for (size_t i = 0; i < app_count(c); i++) {
		const struct app_entry *e = &c->app.entries[i];

		text_add(out, e->selector == 1 ? "%s%s 0x%04x:%u" : "%s%s %u:%u", i ? ", " : "",
			 selectors[e->selector], e->protocol, e->priority);
	}
}

const struct type_ops type_app_list = {
	.from_json = app_from_json,
	.to_json = app_to_json,
	.schema = app_schema,
	.range = app_range,
	.text = app_text,
};
