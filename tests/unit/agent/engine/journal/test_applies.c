/* Tests of the last ten applies, and of their files. */
#include "agent/engine/journal/applies.h"
#include "tests/support/applies_host.h"
#include "tests/support/unit.h"

static void numbers_rise_and_ten_are_kept(void **s)
{
	struct world w = fresh();
	struct err err = { 0 };

	(void)s;
	for (unsigned i = 0; i < 13; i++)
		end_apply(&w, one("a", "", 1500 + i, -1));
	{
		_applies_ struct applies a = { .count = 0 };

		assert_true(applies_load(&w.host, &a, &err));
		assert_int_equal(a.count, APPLIES_MAX);
		for (unsigned i = 0; i < APPLIES_MAX; i++)
			assert_int_equal(a.list[i].number, 13 - i);
		assert_int_equal(a.list[0].journal.entries[0].back.mtu, 1512);
	}
	assert_null(file_of(&w, "/apply-3.json"));
	assert_non_null(file_of(&w, "/apply-4.json"));
	err = (struct err){ 0 };
	assert_false(applies_keep(&w.host, &err)); /* no run is in progress */
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
}

static void end_undone(struct world *w, const char *pci, enum undone why)
{
	_journal_ struct journal j = { .entries = NULL };
	struct journal_entry e = { .rolled_back = true,
				   .undone = why,
				   .left_by = { "p", "then", "apply", "root", false } };
	struct err err = { 0 };

	snprintf(e.pci, sizeof(e.pci), "%s", pci);
	assert_true(journal_add(&j, &e, &err));
	assert_true(applies_end_undone(&w->host, &j, &err));
	assert_null(file_of(w, "/pending.json"));
}

/* Undone applies are numbered, but are not among the ten. A damaged file is no error. */
static void undone_applies_are_kept_besides(void **s)
{
	struct world w = fresh();
	_applies_ struct applies a = { .count = 0 };
	_journal_ struct journal all = { .count = 0 };
	struct port pa = port_at("a");
	struct err err = { 0 };

	(void)s;
	end_apply(&w, one("a", "", 1500, -1));
	for (unsigned i = 0; i < 12; i++)
		end_undone(&w, "a", i % 2 ? UNDONE_FAILED : UNDONE_NOT_CONFIRMED);
	snprintf(file_of(&w, "/undone-12.json")->text, 8, "{");
	assert_true(applies_load(&w.host, &a, &err));
	assert_int_equal(a.count, 1 + APPLIES_MAX);
	assert_int_equal(a.list[0].number, 13);
	assert_int_equal(a.list[0].journal.entries[0].undone, UNDONE_FAILED);
	assert_string_equal(a.list[0].journal.run.user, "root");
	assert_int_equal(a.list[3].journal.entries[0].undone, UNDONE_NOT_CONFIRMED);
	assert_int_equal(applies_newest(&a)->number, 1);
	assert_int_equal(applies_of_port(&a, &pa, &err)->number, 1);
	assert_true(applies_before(&a, 1, &all, &err));
	assert_int_equal(journal_find(&all, &pa)->back.mtu, 1500);
}

/* An apply that was rolled back on a port does not count as the port's last apply. */
static void a_port_that_failed_was_not_applied(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	struct journal j = one("a", "b", 1500, -1);
	struct port pa = port_at("a"), pb = port_at("b");
	struct err err = { 0 };

	(void)s;
	j.entries[0].rolled_back = true;
	j.entries[0].undone = UNDONE_FAILED;
	end_apply(&w, j);
	assert_true(applies_load(&w.host, &a, &err));
	assert_int_equal(applies_of_port(&a, &pa, &err)->number, 2);
	assert_int_equal(applies_of_port(&a, &pb, &err)->number, 4);
}

static void other_files_are_none(void **s)
{
	static const char *const names[] = { "apply-.json",	      "apply-0.json",
					     "apply-07.json",	      "apply-7.json~",
					     "apply- 7.json",	      ".apply-7.json.new",
					     "apply-9999999999.json", "undone-7",
					     "undo-7.json",	      "reserve" };
	struct world w = fresh();
	_applies_ struct applies a = { .count = 0 };
	struct err err = { 0 };

	(void)s;
	for (size_t i = 0; i < COUNT(names); i++)
		snprintf(w.files[i].name, sizeof(w.files[i].name), "%s", names[i]);
	assert_true(applies_load(&w.host, &a, &err));
	assert_int_equal(a.count, 0);
}

static void the_last_apply_of_a_port_is_found(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	struct port pa = port_at("a"), pb = port_at("b"), pc = port_at("c");
	struct err err = { 0 };

	(void)s;
	assert_true(applies_load(&w.host, &a, &err));
	assert_int_equal(applies_of_port(&a, &pa, &err)->number, 2);
	assert_int_equal(applies_of_port(&a, &pb, &err)->number, 3);
	assert_null(applies_of_port(&a, &pc, &err));
	assert_int_equal(err.kind, ERR_NONE);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, numbers_rise_and_ten_are_kept);
	SUITE_ADD(&s, undone_applies_are_kept_besides);
	SUITE_ADD(&s, a_port_that_failed_was_not_applied);
	SUITE_ADD(&s, other_files_are_none);
	SUITE_ADD(&s, the_last_apply_of_a_port_is_found);
	return suite_run(&s, "applies");
}
