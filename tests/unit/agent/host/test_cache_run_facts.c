/* Tests of facts that a run reads once from the host: only a run that only reads keeps them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/host/host.h"
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

static void do_not_sleep(struct host *h, unsigned ms)
{
	(void)h;
	(void)ms;
}

/* A restarted lldpad has another process id. */
static void what_was_known_before_a_wait_is_forgotten(void **s)
{
	struct host h = { .sleep_ms = do_not_sleep, .facts.is_kept = true };
	int number = 7;

	(void)s;
	run_fact_remember(&h.facts, FACT_LLDPAD, &number, sizeof(number));
	assert_true(run_fact_recall(&h.facts, FACT_LLDPAD, &number, sizeof(number)));
	host_sleep(&h, 100);
	assert_false(run_fact_recall(&h.facts, FACT_LLDPAD, &number, sizeof(number)));
}

static void who_keeps_nothing_has_none(void **s)
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

static struct link_list two_links(void)
{
	struct link_list l = { .links = calloc(2, sizeof(*l.links)), .count = 2 };

	assert_non_null(l.links);
	l.links[1].ifindex = 7;
	snprintf(l.links[1].name, sizeof(l.links[1].name), "eth7");
	return l;
}

static void links_are_kept_likewise(void **s)
{
	_link_list_ struct link_list links = two_links(), got = { .links = NULL };
	struct run_facts f = { .is_kept = true }, writes = { .is_kept = false };

	(void)s;
	assert_false(run_links_recall(&f, &got));
	run_links_remember(&f, &links);
	assert_true(run_links_recall(&f, &got));
	assert_int_equal(got.count, 2);
	assert_int_equal(got.links[1].ifindex, 7);
	assert_ptr_equal(run_link(&f, "eth7"), &got.links[1]);
	assert_null(run_link(&f, "eth8"));
	run_facts_forget(&f);
	assert_null(run_link(&f, "eth7"));
	link_list_free(&got);
	assert_false(run_links_recall(&f, &got));
	run_links_remember(&writes, &links);
	assert_false(run_links_recall(&writes, &got));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_fact_is_kept_until_it_is_forgotten);
	SUITE_ADD(&s, what_was_known_before_a_wait_is_forgotten);
	SUITE_ADD(&s, who_keeps_nothing_has_none);
	SUITE_ADD(&s, a_fact_without_room_is_not_kept);
	SUITE_ADD(&s, links_are_kept_likewise);
	return suite_run(&s, "run_facts");
}
