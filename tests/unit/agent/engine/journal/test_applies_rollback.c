/* Tests of the last ten applies: rolling a port back to before one of them. */
#include <errno.h>

#include "agent/engine/journal/applies.h"
#include "tests/support/applies_host.h"
#include "tests/support/unit.h"

static void a_port_is_rolled_back_to_before_the_oldest(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	_journal_ struct journal all = { .count = 0 }, two = { .count = 0 };
	struct port pa = port_at("a"), pb = port_at("b");
	struct err err = { 0 };

	(void)s;
	assert_true(applies_load(&w.host, &a, &err));
	assert_true(applies_before(&a, 1, &all, &err));
	assert_int_equal(all.count, 2);
	assert_int_equal(journal_find(&all, &pa)->back.mtu, 1500);
	assert_int_equal(journal_find(&all, &pb)->back.mtu, 1500);
	assert_int_equal(journal_find(&all, &pb)->back.roce.tos, 8); /* only apply 3 changed it */
	assert_true(journal_find(&all, &pb)->back.exact == journal_find(&all, &pb)->back.has);
	assert_int_equal(journal_find(&all, &pb)->before_apply, 1);
	assert_true(applies_before(&a, 2, &two, &err));
	assert_int_equal(journal_find(&two, &pa)->back.mtu, 4200);
}

static void what_is_rolled_back_is_known_and_not_rolled_back_again(void **s)
{
	struct world w = three();
	struct port pa = port_at("a");
	struct err err = { 0 };

	(void)s;
	{
		_applies_ struct applies a = { .count = 0 };

		assert_true(applies_load(&w.host, &a, &err));
		applies_roll_back(&a, 1, &pa, 0);
		assert_true(applies_save(&w.host, &a, &err));
	}
	{
		_applies_ struct applies a = { .count = 0 };
		_journal_ struct journal all = { .count = 0 };

		assert_true(applies_load(&w.host, &a, &err));
		assert_int_equal(applies_of_port(&a, &pa, &err)->number, 2);
		assert_true(applied_is_open(&a.list[0]));
		assert_false(applied_is_open(&a.list[1]));
		assert_true(applied_is_open(&a.list[2]));
		assert_true(applies_before(&a, 1, &all, &err));
		assert_int_equal(all.count, 1);
		assert_string_equal(all.entries[0].pci, "b");
	}
}

static void one_of_another_boot_is_kept_and_not_rolled_back(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	_journal_ struct journal all = { .count = 0 };
	struct port pa = port_at("a");
	struct err err = { 0 };
	char *boot = strstr(file_of(&w, "/apply-2.json")->text, "this-boot");

	(void)s;
	assert_non_null(boot);
	memcpy(boot, "that-boot", 9);
	assert_true(applies_load(&w.host, &a, &err));
	assert_int_equal(a.count, 3);
	assert_true(a.list[1].journal.of_other_boot);
	assert_false(applied_is_open(&a.list[1]));
	assert_int_equal(applies_of_port(&a, &pa, &err)->number, 1);
	assert_true(applies_before(&a, 2, &all, &err));
	assert_null(journal_find(&all, &pa));
}

static void a_damaged_one_stops_what_needs_it(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	_journal_ struct journal all = { .count = 0 }, last = { .count = 0 };
	struct port pa = port_at("a"), pb = port_at("b");
	struct err err = { 0 };

	(void)s;
	snprintf(file_of(&w, "/apply-2.json")->text, 8, "{");
	assert_true(applies_load(&w.host, &a, &err));
	assert_true(applies_before(&a, 3, &last, &err));
	assert_int_equal(applies_of_port(&a, &pb, &err)->number, 3);
	assert_null(applies_of_port(&a, &pa, &err));
	assert_int_equal(err.code, EINVAL);
	err = (struct err){ 0 };
	assert_false(applies_before(&a, 1, &all, &err));
	assert_int_equal(err.code, EINVAL);
}

/* Reserve more room than the file that rolls everything back takes. */
static void room_is_kept_for_the_whole_way_back(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	_journal_ struct journal all = { .count = 0 };
	struct journal begun = one("c", "", 1500, -1);
	struct err err = { 0 };

	(void)s;
	assert_true(applies_load(&w.host, &a, &err));
	assert_true(applies_reserve(&w.host, &a, &begun, &err));
	assert_true(applies_before(&a, 1, &all, &err));
	assert_true(w.reserved > journal_size(&w.host, &all, &err));
	journal_free(&begun);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_port_is_rolled_back_to_before_the_oldest);
	SUITE_ADD(&s, what_is_rolled_back_is_known_and_not_rolled_back_again);
	SUITE_ADD(&s, one_of_another_boot_is_kept_and_not_rolled_back);
	SUITE_ADD(&s, a_damaged_one_stops_what_needs_it);
	SUITE_ADD(&s, room_is_kept_for_the_whole_way_back);
	return suite_run(&s, "applies_rollback");
}
