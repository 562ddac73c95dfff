/* Tests of bundle: it prints one document, even if parts of the host cannot be read. */
#include <jansson.h>
#include <string.h>

#include "tests/support/unit.h"
#include "whole.h"

static struct end end; /* too large for a stack */

static json_t *bundle(char *a, char *b)
{
	struct call call = { .words = { "bundle", a, b }, .input = "" };
	json_t *j;

	whole_run(&call, &end);
	j = json_loads(end.out, JSON_REJECT_DUPLICATES, NULL);
	if (end.code == 0 && !json_is_object(j))
		fail_msg("no document: %s", end.out);
	return j;
}

static const char *schema_of(const json_t *j, const char *part)
{
	return json_string_value(json_object_get(json_object_get(j, part), "schema"));
}

static const struct part {
	const char *key, *schema;
	bool needed; /* false: a host may lack it */
} parts[] = {
	{ "show", "losslessctl/show/1", true },
	{ "ready", "losslessctl/ready/1", true },
	{ "verify", "losslessctl/verify/1", false },
	{ "peer", "losslessctl/peer/1", true },
	{ "applies", "losslessctl/rollback-list/1", true },
	{ "history", "losslessctl/history/1", true },
	{ "status", "losslessctl/status/1", false },
};

static void every_part_is_a_document_or_its_error(const json_t *j, bool all)
{
	for (size_t i = 0; i < COUNT(parts); i++) {
		const char *schema = schema_of(j, parts[i].key);

		assert_non_null(schema);
		if (all && parts[i].needed)
			assert_string_equal(schema, parts[i].schema);
		else if (strcmp(schema, parts[i].schema) != 0)
			assert_string_equal(schema, "losslessctl/error/1");
	}
	assert_int_equal(json_array_size(json_object_get(j, "samples")), 1);
	assert_true(json_is_object(json_object_get(j, "files")));
}

static void a_host_that_can_be_read_has_every_part(void **s)
{
	json_t *j = bundle(NULL, NULL);

	(void)s;
	assert_int_equal(end.code, 0);
	every_part_is_a_document_or_its_error(j, true);
	assert_string_equal(schema_of(j, "status"), "losslessctl/error/1");
	json_decref(j);
}

static void a_port_is_shown_as_show_shows_it(void **s)
{
	static const char *const keys[] = { "config", "unavailable_settings", "capabilities" };
	struct call call = { .words = { "show", "--json" }, .input = "" };
	json_t *j = bundle(NULL, NULL), *shown, *port, *other;

	(void)s;
	whole_run(&call, &end);
	shown = json_loads(end.out, 0, NULL);
	port = json_array_get(json_object_get(shown, "ports"), 0);
	other = json_array_get(json_object_get(json_object_get(j, "show"), "ports"), 0);
	assert_non_null(port);
	for (size_t i = 0; i < COUNT(keys); i++) {
		assert_non_null(json_object_get(port, keys[i]));
		assert_true(json_equal(json_object_get(port, keys[i]),
				       json_object_get(other, keys[i])));
	}
	json_decref(j);
	json_decref(shown);
}

/* Each setting is present, or the reason why it is missing. */
static void no_setting_is_forgotten(void **s)
{
	json_t *j = bundle(NULL, NULL),
	       *port = json_array_get(json_object_get(json_object_get(j, "show"), "ports"), 0),
	       *config = json_object_get(port, "config"), *one;
	size_t i;

	(void)s;
	json_array_foreach (json_object_get(port, "unavailable_settings"), i, one) {
		char path[64], *leaf;
		json_t *group;

		snprintf(path, sizeof(path), "%s",
			 json_string_value(json_object_get(one, "setting")));
		leaf = strchr(path, '.');
		if (leaf)
			*leaf++ = '\0';
		group = json_object_get(config, path);
		assert_null(leaf ? json_object_get(group, leaf) : group);
		assert_true(json_string_length(json_object_get(one, "message")) > 0);
	}
	json_decref(j);
}

/* If the inventory fails, there is no host to collect: bundle fails as well. */
static void what_fails_is_said_in_its_part(void **s)
{
	unsigned bundles = 0, errors = 0, calls;

	(void)s;
	whole->fake.calls = 0;
	json_decref(bundle(NULL, NULL));
	calls = whole->fake.calls;
	for (unsigned n = 1; n <= calls; n += (unsigned)times(7, 1)) {
		json_t *j;

		whole->fake.calls = 0;
		whole->fake.fail_at = n;
		j = bundle(NULL, NULL);
		whole->fake.fail_at = 0;
		if (end.code == 0) {
			bundles++;
			every_part_is_a_document_or_its_error(j, false);
		} else {
			errors++;
			assert_true(end.err[0]);
		}
		json_decref(j);
	}
	assert_true(bundles > errors);
}

static void a_port_that_is_not_there_is_no_bundle(void **s)
{
	json_t *j = bundle("nobody0", NULL);

	(void)s;
	assert_int_equal(end.code, 3);
	assert_null(j);
}

static void the_words_are_a_file_and_ports(void **s)
{
	(void)s;
	json_decref(bundle("./a.json", "./b.json"));
	assert_int_equal(end.code, 64);
	assert_non_null(strstr(end.err, "`bundle` takes one file: \"./b.json\""));
	json_decref(bundle("-", "ens1f0np0"));
	assert_int_equal(end.code, 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_host_that_can_be_read_has_every_part);
	SUITE_ADD(&s, a_port_is_shown_as_show_shows_it);
	SUITE_ADD(&s, no_setting_is_forgotten);
	SUITE_ADD(&s, what_fails_is_said_in_its_part);
	SUITE_ADD(&s, a_port_that_is_not_there_is_no_bundle);
	SUITE_ADD(&s, the_words_are_a_file_and_ports);
	return whole_tests("bundle", &s, NULL);
}
