/* Tests of drawing a probe between many hosts: marks, numbers, sums and lists. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/probe/probe_report.h"
#include "tests/support/unit.h"

#define HOSTS_MOST 41

static const struct style plain = { "", "", "", "", "", "", "->", false };
static struct probe_endpoint hosts[HOSTS_MOST];
static char names[HOSTS_MOST][16];
static struct probe_port port = { .name = "ens1f0np0" };
static struct probe_pair pairs[HOSTS_MOST * HOSTS_MOST / 2];
static struct probe_endpoints all = { hosts, 0 };
static struct probe_plan plan = { .hosts = &all, .pairs = pairs };

static struct probe_run in_class(enum probe_path path)
{
	return (struct probe_run){ .path = path,
				   .state = PERFTEST_CONNECTED,
				   .data = { .measured = { 3, 3 } },
				   .acknowledgements = { .measured = { 3, 3 } } };
}

static void plan_for(size_t count)
{
	size_t places = round_robin_places(count);

	all.count = count;
	plan.rounds = round_robin_rounds(count);
	plan.count = 0;
	for (size_t i = 0; i < count; i++) {
		snprintf(names[i], sizeof(names[i]), "gpu-%u", (unsigned)(i + 1) & 0xffff);
		hosts[i] = (struct probe_endpoint){ .address = names[i] };
	}
	for (size_t i = 0; i < plan.rounds * places; i++) {
		struct probe_pair *p = &pairs[plan.count];

		*p = (struct probe_pair){ .from = &port, .to = &port, .count = 2 };
		p->runs[0] = in_class(PROBE_VERBS);
		p->runs[1] = in_class(PROBE_RDMA_CM);
		if (round_robin_pair(count, i / places, i % places, &p->from_host, &p->to_host))
			plan.count++;
	}
}

static struct probe_pair *pair_of(size_t from, size_t to)
{
	for (size_t i = 0; i < plan.count; i++)
		if (pairs[i].from_host == from && pairs[i].to_host == to)
			return &pairs[i];
	fail();
	return NULL;
}

/* Draw the matrix; the caller frees the text. */
static char *draw(void)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	probe_matrix_draw(to, &plain, &plan);
	fclose(to);
	return text;
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void two_hosts_in_class_are_all_that_is_drawn(void **state)
{
	char *text;

	(void)state;
	plan_for(2);
	text = draw();
	assert_string_equal(text, "          1 2\n"
				  "  1 gpu-1 - .\n"
				  "  2 gpu-2 . -\n"
				  "rows send, columns receive:  . in_class\n"
				  "2 hosts, 2 directions: 2 in_class\n");
	free(text);
}

/* Data and acknowledgements of one pair are in two cells. */
static void each_direction_has_its_mark_and_its_reason(void **state)
{
	struct probe_pair *p;
	char *text;

	(void)state;
	plan_for(3);
	p = pair_of(1, 2);
	p->runs[0].data.verdict = p->runs[1].data.verdict = PROBE_REWRITTEN;
	p->runs[0].data.measured[1] = p->runs[1].data.measured[1] = 0;
	p->runs[0].acknowledgements.verdict = PROBE_MASKED_BY_TRAFFIC;
	text = draw();
	expect(text, "  1 gpu-1 - . .\n  2 gpu-2 . - R\n  3 gpu-3 . T -\n");
	expect(text, "receive:  . in_class  T masked_by_traffic  R rewritten\n");
	expect(text, "3 hosts, 6 directions: 4 in_class, 1 masked_by_traffic, 1 rewritten\n"
		     "\nR rewritten: the mark was rewritten on the way\n"
		     "    check trust and DSCP maps of the switches between the hosts\n"
		     "  gpu-2 ens1f0np0 -> gpu-3 ens1f0np0  verbs, rdma_cm  priority 3 -> 0\n"
		     "\nT masked_by_traffic: other traffic is too strong to tell\n"
		     "    repeat it when no job runs\n"
		     "  gpu-3 ens1f0np0 -> gpu-2 ens1f0np0  verbs  priority 3 -> 3\n");
	free(text);
}

static void the_worst_run_marks_the_cell_and_no_connection_has_its_reason(void **state)
{
	struct probe_pair *p;
	char *text;

	(void)state;
	plan_for(2);
	p = pair_of(0, 1);
	p->runs[0].state = PERFTEST_NO_CONNECTION;
	strcpy(p->runs[0].why, "no route");
	strcpy(p->runs[0].fix, "add one");
	p->runs[1].data.verdict = PROBE_WRONG_MAP;
	text = draw();
	expect(text, "  1 gpu-1 - X\n  2 gpu-2 X -\n");
	expect(text, "  gpu-1 ens1f0np0 -> gpu-2 ens1f0np0  verbs\n    no route\n    add one\n"
		     "\nM wrong_map: ");
	free(text);
}

static void a_wrong_map_names_the_end_that_has_it(void **state)
{
	char *text;

	(void)state;
	plan_for(3);
	pair_of(0, 1)->runs[0].data.verdict = PROBE_WRONG_MAP;
	pair_of(0, 1)->runs[0].acknowledgements.verdict = PROBE_WRONG_MAP_OF_SENDER;
	pair_of(1, 2)->runs[0].data.verdict = PROBE_MAPS_DIFFER;
	text = draw();
	expect(text, "receive:  . in_class  M wrong_map\n");
	expect(text, "3 hosts, 6 directions: 3 in_class, 3 wrong_map\n");
	expect(text, "\nM wrong_map: the receiver maps this mark to another priority\n"
		     "    run `losslessctl verify` at the host that receives\n  gpu-1 ");
	expect(text, "\nM wrong_map: the sender maps this mark to another priority\n"
		     "    run `losslessctl verify` at the host that sends\n  gpu-2 ");
	expect(text, "\nM wrong_map: the sender's map and the receiver's differ for this mark\n"
		     "    run `losslessctl verify` at both hosts\n  gpu-2 ");
	free(text);
}

static void a_run_that_was_killed_is_unknown_with_its_reason(void **state)
{
	struct probe_pair *p;
	char *text;

	(void)state;
	plan_for(2);
	p = pair_of(0, 1);
	p->runs[1].state = PERFTEST_UNKNOWN;
	strcpy(p->runs[1].why, "killed");
	text = draw();
	expect(text, "  1 gpu-1 - K\n  2 gpu-2 K -\n");
	expect(text, "\nK unknown: perftest was killed at one end\n"
		     "  gpu-1 ens1f0np0 -> gpu-2 ens1f0np0  rdma_cm\n    killed\n");
	free(text);
}

static void a_run_that_is_unsupported_counts_only_if_a_policy_names_it(void **state)
{
	struct probe_pair *p;
	char *text;

	(void)state;
	plan_for(2);
	p = pair_of(0, 1);
	p->runs[1].state = PERFTEST_UNSUPPORTED;
	strcpy(p->runs[1].why, "no CUDA");
	text = draw();
	expect(text, "2 directions: 2 in_class\n");
	assert_null(strstr(text, "CUDA"));
	assert_int_equal(probe_exit_code(&plan), EXIT_SUCCESS);
	free(text);
	p->runs[1].is_named = true;
	text = draw();
	expect(text, "  1 gpu-1 - G\n  2 gpu-2 G -\n");
	expect(text, "gpu-2 ens1f0np0  rdma_cm\n    no CUDA\n");
	assert_int_equal(probe_exit_code(&plan), EXIT_UNKNOWN);
	free(text);
}

static void a_host_that_is_gone_stands_for_its_pairs(void **state)
{
	char *text;

	(void)state;
	plan_for(3);
	hosts[2].why.kind = ERR_GONE;
	strcpy(hosts[2].why.text, "No route to host \033[2J");
	for (size_t i = 0; i < plan.count; i++)
		if (pairs[i].from_host == 2 || pairs[i].to_host == 2) {
			pairs[i].count = 0;
			pairs[i].why = hosts[2].why;
		}
	text = draw();
	expect(text, "  1 gpu-1 - . ?\n  2 gpu-2 . - ?\n  3 gpu-3 ? ? -\n");
	expect(text, "\n  gpu-3\n    No route to host ");
	assert_null(strchr(text, '\033'));
	assert_null(strstr(text, "-> gpu-3"));
	free(text);
}

static void an_unused_port_is_no_fault_unless_there_is_no_other(void **state)
{
	char *text;

	(void)state;
	plan_for(2);
	pairs[0].count = 0;
	pairs[0].is_unused = true;
	pairs[0].why.kind = ERR_UNKNOWN;
	text = draw();
	expect(text, "  1 gpu-1 - ?\n");
	free(text);
}

static void columns_of_many_hosts_have_tens_above_units(void **state)
{
	char *text;

	(void)state;
	plan_for(12);
	text = draw();
	expect(text, "                             1 1 1\n"
		     "           1 2 3 4 5 6 7 8 9 0 1 2\n"
		     "  1 gpu-1  - . ");
	free(text);
}

static void more_than_forty_hosts_are_not_drawn(void **state)
{
	char *text;

	(void)state;
	plan_for(41);
	pair_of(4, 5)->runs[0].data.verdict = PROBE_WRONG_MAP;
	text = draw();
	expect(text, "  5 gpu-5   sends:    39 in_class, 1 wrong_map\n"
		     "            receives: 40 in_class\n"
		     "  6 gpu-6   sends:    40 in_class\n"
		     "            receives: 39 in_class, 1 wrong_map\n"
		     "41 hosts, 1640 directions: 1639 in_class, 1 wrong_map\n");
	assert_null(strstr(text, "gpu-7"));
	free(text);
}

static void long_lists_are_cut(void **state)
{
	char *text;

	(void)state;
	plan_for(41);
	for (size_t i = 0; i < plan.count; i++)
		pairs[i].runs[0].data.verdict = PROBE_WRONG_MAP;
	text = draw();
	expect(text, "\n760 more: see --json\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_hosts_in_class_are_all_that_is_drawn),
		cmocka_unit_test(each_direction_has_its_mark_and_its_reason),
		cmocka_unit_test(the_worst_run_marks_the_cell_and_no_connection_has_its_reason),
		cmocka_unit_test(a_wrong_map_names_the_end_that_has_it),
		cmocka_unit_test(a_run_that_was_killed_is_unknown_with_its_reason),
		cmocka_unit_test(a_run_that_is_unsupported_counts_only_if_a_policy_names_it),
		cmocka_unit_test(a_host_that_is_gone_stands_for_its_pairs),
		cmocka_unit_test(an_unused_port_is_no_fault_unless_there_is_no_other),
		cmocka_unit_test(columns_of_many_hosts_have_tens_above_units),
		cmocka_unit_test(more_than_forty_hosts_are_not_drawn),
		cmocka_unit_test(long_lists_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
