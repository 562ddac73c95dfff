/* Tests of the page's sections: each is drawn for any fleet, and names the view of its rows. */
#include "cli/fleet/database.h"
#include "cli/fleet/page/page_section.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

static void of_an_empty_fleet_each_says_that_it_is_empty(void **state)
{
	struct drawing drawn;
	struct err err = { 0 };
	struct page_count count;

	(void)state;
	drawing_open(&drawn, fleet_base(""));
	for (size_t i = 0; i < page_section_count; i++) {
		if (!page_section_write(&drawn.page, &page_sections[i], &count, &err))
			fail_msg("%s: %s", page_sections[i].id, err.text);
		assert_int_equal(count.rows + count.trouble, 0);
	}
	drawing_close(&drawn);
	assert_int_equal(count_of(drawn.text, "<p class=empty>") +
				 count_of(drawn.text, "<p class=\"plain empty\">"),
			 page_section_count);
	assert_non_null(strstr(drawn.text, ">No host has reported <code>ready</code>.</p>"));
	assert_int_equal(count_of(drawn.text, ">Every "), 2); /* id of its own, document read */
	assert_int_equal(count_of(drawn.text, "<table"), 0);
	drawing_free(&drawn);
}

static void each_names_a_view_that_exists(void **state)
{
	(void)state;
	for (size_t i = 0; i < page_section_count; i++) {
		const struct view *v = views;

		while (v->name && strcmp(v->name, page_sections[i].view) != 0)
			v++;
		if (!v->name && strcmp(page_sections[i].view, "rejected_documents") != 0)
			fail_msg("%s: no view %s", page_sections[i].id, page_sections[i].view);
	}
}

static void each_has_an_id_of_its_own(void **state)
{
	(void)state;
	for (size_t i = 0; i < page_section_count; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(page_sections[i].id, page_sections[k].id);
}

static void a_cut_table_says_how_many_rows_are_missing(void **state)
{
	struct drawing drawn;
	struct err err = { 0 };
	struct page_count count;

	(void)state;
	drawing_open(&drawn, fleet_base("INSERT INTO rejected_documents WITH RECURSIVE c (n) AS "
					"(SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000) "
					"SELECT n, 'a', 'b', 'c' FROM c"));
	for (size_t i = 0; i < page_section_count; i++)
		assert_true(page_section_write(&drawn.page, &page_sections[i], &count, &err));
	drawing_close(&drawn);
	assert_int_equal(count_of(drawn.text, "<p class=more>"), 1);
	assert_non_null(strstr(drawn.text, "and <b>1,750</b> more"));
	drawing_free(&drawn);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, of_an_empty_fleet_each_says_that_it_is_empty);
	SUITE_ADD(&s, each_names_a_view_that_exists);
	SUITE_ADD(&s, each_has_an_id_of_its_own);
	SUITE_ADD(&s, a_cut_table_says_how_many_rows_are_missing);
	return suite_run(&s, "page_sections");
}
