/* Tests of the rounds of a probe of several hosts: every pair once, no host twice at a time. */
#include "cli/probe/probe_plan.h"
#include "tests/support/unit.h"

#define HOSTS_MAX 130

static unsigned char met[HOSTS_MAX][HOSTS_MAX];
static size_t begun[HOSTS_MAX];

/* Record the pairs of one round; false: a host is in two pairs. */
static bool meet(size_t hosts, size_t round)
{
	bool busy[HOSTS_MAX] = { false };
	size_t from, to;

	for (size_t place = 0; place < round_robin_places(hosts); place++) {
		if (!round_robin_pair(hosts, round, place, &from, &to))
			continue;
		assert_true(from < hosts && to < hosts && from != to);
		if (busy[from] || busy[to])
			return false;
		busy[from] = busy[to] = true;
		met[from][to]++;
		begun[from]++;
	}
	return true;
}

static void meet_all(size_t hosts)
{
	memset(met, 0, sizeof(met));
	memset(begun, 0, sizeof(begun));
	for (size_t round = 0; round < round_robin_rounds(hosts); round++)
		if (!meet(hosts, round))
			fail_msg("%zu hosts, round %zu: a host is in two pairs", hosts, round);
}

static void each_pair_meets_once_and_no_host_twice_at_a_time(void **state)
{
	(void)state;
	for (size_t hosts = 2; hosts <= HOSTS_MAX; hosts++) {
		meet_all(hosts);
		for (size_t a = 0; a < hosts; a++)
			for (size_t b = 0; b < a; b++)
				assert_int_equal(met[a][b] + met[b][a], 1);
	}
}

static void each_host_begins_half_of_its_pairs(void **state)
{
	(void)state;
	for (size_t hosts = 2; hosts <= HOSTS_MAX; hosts++) {
		meet_all(hosts);
		for (size_t a = 0; a < hosts; a++)
			assert_in_range(begun[a], (hosts - 1) / 2, hosts / 2);
	}
}

static void rounds_are_as_few_as_can_be(void **state)
{
	(void)state;
	assert_int_equal(round_robin_rounds(2), 1);
	assert_int_equal(round_robin_rounds(3), 3);
	assert_int_equal(round_robin_rounds(4), 3);
	assert_int_equal(round_robin_rounds(128), 127);
	assert_int_equal(round_robin_places(2), 1);
	assert_int_equal(round_robin_places(3), 2);
}

static void the_first_of_two_begins(void **state)
{
	size_t from = 9, to = 9;

	(void)state;
	assert_true(round_robin_pair(2, 0, 0, &from, &to));
	assert_int_equal(from, 0);
	assert_int_equal(to, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_pair_meets_once_and_no_host_twice_at_a_time),
		cmocka_unit_test(each_host_begins_half_of_its_pairs),
		cmocka_unit_test(rounds_are_as_few_as_can_be),
		cmocka_unit_test(the_first_of_two_begins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
