/* Facts of the host that a run finds out once: kept only by runs that only read. */
#include <string.h>

#include "agent/host/run_facts.h"
#include "tests/support/unit.h"

static void a_fact_is_kept_until_it_is_forgotten(void **s)
{
	struct run_facts f = { .is_kept = true };
	int number = 7, other = 0;

	(void)s;
	assert_false(run_fact_recall(&f, FACT_LLDPAD, &other, sizeof(other)));
	run_fact_remember(&f, FACT_LLDPAD, &number, sizeof(number));
	assert_true(run_fact_recall(&f, FACT_LLDPAD, &other, sizeof(other)));
	assert_int_equal(other, 7);
	assert_false(run_fact_recall(&f, FACT_LLDPAD_SOCKET, &other, sizeof(other)));
	run_facts_forget(&f);
	assert_false(run_fact_recall(&f, FACT_LLDPAD, &other, sizeof(other)));
}

static void a_run_that_writes_keeps_none(void **s)
{
	struct run_facts f = { .is_kept = false };
	int number = 7;

	(void)s;
	run_fact_remember(&f, FACT_LLDPAD, &number, sizeof(number));
	assert_false(run_fact_recall(&f, FACT_LLDPAD, &number, sizeof(number)));
}

static void a_fact_without_room_is_not_kept(void **s)
{
	struct run_facts f = { .is_kept = true };
	uint8_t large[FACT_BYTES + 1] = { 0 };

	(void)s;
	run_fact_remember(&f, FACT_LLDPAD, large, sizeof(large));
	assert_false(run_fact_recall(&f, FACT_LLDPAD, large, sizeof(large)));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_fact_is_kept_until_it_is_forgotten);
	SUITE_ADD(&s, a_run_that_writes_keeps_none);
	SUITE_ADD(&s, a_fact_without_room_is_not_kept);
	return suite_run(&s, "run_facts");
}
