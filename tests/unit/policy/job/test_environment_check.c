/* Tests of checking jobs' environments: each mistake gets its remark. */
#include <string.h>

#include "policy/job/environment_check.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

static const char devices[][ID_MAX] = { "mlx5_0", "mlx5_1", "mlx5_10" };
static const struct job_policy none = { .ib_timeout = 22, .socket_ifname = "=eth0" };
static struct config actual;
static struct job_port ports[2];
static struct environment desired;
static struct environment_source source, second;
static struct environment_report report;
static struct environment_input input;

/* Set up two lossless ports, mlx5_0 and mlx5_1; the policy does not cover mlx5_10. */
static void prepare(unsigned version, const char *more)
{
	struct config want = config_of("{'roce':{'tos':106}}");
	struct err err = { 0 };

	actual = config_of("{'pfc':{'priorities':[3]},'trust':'dscp',"
			   "'dscp':{'prio':{'26':3,'27':3},'rest':0}}");
	assert_true(amend(&actual, more, &err));
	for (int i = 0; i < 2; i++) {
		ports[i] = (struct job_port){ .name = i ? "ens2" : "ens1",
					      .rdma_port = 1,
					      .gids = { 1 << 3, 1 << 1 } };
		snprintf(ports[i].rdma, sizeof(ports[i].rdma), "mlx5_%d", i);
		snprintf(ports[i].device, sizeof(ports[i].device), "mlx5_%d:1", i);
		job_port_classify(&ports[i], &want, &actual);
	}
	input = (struct environment_input){ ports, 2, &none, version };
	assert_true(environment_derive(&input, &desired, &err));
	report.count = 0;
}

static struct environment_check check(const struct environment_sources *sources)
{
	return (struct environment_check){
		&input, &desired, sources, devices, COUNT(devices), true
	};
}

static void judge(const char *text, bool complete)
{
	const struct environment_sources all = { { &source }, 1 };
	struct environment_check c = check(&all);

	nccl_conf_parse(text, strlen(text), &source.assignments);
	source.is_complete = complete;
	environment_judge(&c, &report);
}

/* Write an item as "VARIABLE LINT TRAP"; without a lint "note", without a trap "-". */
static const char *word_of(size_t i)
{
	static char buf[96];
	const struct environment_item *item = &report.items[i];
	const char *trap = trap_name(item->trap);

	snprintf(buf, sizeof(buf), "%s %s %s", variables[item->variable].name,
		 item->lint ? item->lint->name : "note", trap ? trap : "-");
	return buf;
}

#define GOOD "NCCL_IB_TC=106\nNCCL_GIN_IB_TC=106\nNCCL_IB_HCA==mlx5_0,mlx5_1\n"

/* A file for NCCL 2.30 and the first remark on it (NULL: none). */
static const struct {
	const char *text, *first;
} files[] = {
	{ GOOD, NULL },
	{ "", NULL },
	{ "NCCL_IB_TC=104\nNCCL_GIN_IB_TC=108\n", NULL }, /* the class counts */
	{ "NCCL_IB_TC=96\nNCCL_GIN_IB_TC=106\n", "NCCL_IB_TC env-off-policy -" },
	{ "NCCL_IB_TC=\"106\"\nNCCL_GIN_IB_TC=106\n", "NCCL_IB_TC env-off-policy quotes" },
	{ "NCCL_IB_TC=0106\nNCCL_GIN_IB_TC=106\n", "NCCL_IB_TC env-off-policy octal" },
	{ "NCCL_IB_TC=0152\nNCCL_GIN_IB_TC=106\n", "NCCL_IB_TC note octal" },
	{ "NCCL_IB_TC=high\nNCCL_GIN_IB_TC=106\n", "NCCL_IB_TC env-off-policy not_a_number" },
	{ "NCCL_IB_TC=106 # RoCE\nNCCL_GIN_IB_TC=106\n", "NCCL_IB_TC note trailing_text" },
	{ "NCCL_IB_TC=106\r\nNCCL_GIN_IB_TC=106\n", "NCCL_IB_TC note carriage_return" },
	{ "NCCL_IB_TC=362\nNCCL_GIN_IB_TC=106\n", "NCCL_IB_TC note out_of_range" },
	{ "NCCL_IB_TC=-1\nNCCL_GIN_IB_TC=106\n", "NCCL_IB_TC env-off-policy -" },
	{ "NCCL_IB_TC = 106\n", "NCCL_IB_TC env-off-policy blank_in_name" },
	{ "export NCCL_IB_TC=106\n", "NCCL_IB_TC env-off-policy export" },
	{ GOOD "NCCL_IB_TC=1\n", "NCCL_IB_TC note set_twice" },
	{ "NCCL_IB_TC=106\n", NULL }, /* the default of NCCL_GIN_IB_TC */
	{ "NCCL_IB_TC=106\nNCCL_GIN_IB_TC=-1\n", NULL },
	{ "RCCL_IB_TC=106\nNCCL_IB_TC=106\n", "NCCL_IB_TC note misspelled" },
	{ "NCCL_GIN_IB_TC=0\n", "NCCL_GIN_IB_TC env-off-policy -" },
	{ "NCCL_IB_GID_INDEX=3\n", "NCCL_IB_GID_INDEX note gid_index_set" },
	{ "NCCL_IB_GID_INDEX=0\n", "NCCL_IB_GID_INDEX env-off-policy -" },
	{ "NCCL_IB_GID_INDEX=99\n", "NCCL_IB_GID_INDEX env-off-policy -" },
	{ "NCCL_IB_GID_INDEX=-1\n", NULL },
	{ "NCCL_IB_ADDR_FAMILY=AF_INET6\n", "NCCL_IB_ADDR_FAMILY env-off-policy -" },
	{ "NCCL_IB_ROCE_VERSION_NUM=1\n", "NCCL_IB_ROCE_VERSION_NUM env-off-policy -" },
	{ "NCCL_IB_TIMEOUT=20\n", "NCCL_IB_TIMEOUT env-off-policy -" },
	{ "NCCL_IB_TIMEOUT=22 s\n", "NCCL_IB_TIMEOUT note trailing_text" },
	{ "NCCL_IB_TIMEOUT=22\n", NULL },
	{ "NCCL_IB_RETRY_CNT=1\n", NULL }, /* not in the policy */
	{ "NCCL_SOCKET_IFNAME=eth0\n", "NCCL_SOCKET_IFNAME env-off-policy -" },
	{ "NCCL_SOCKET_IFNAME==eth0\n", NULL },
	{ "NCCL_SOCKET_IFNAME==eth0\r\n", "NCCL_SOCKET_IFNAME env-off-policy carriage_return" },
	{ "NCCL_IB_DISABLE=1\n", "NCCL_IB_DISABLE env-off-policy -" },
	{ "NCCL_IB_DISABLE=0\n", NULL },
	{ "NCCL_NET=Socket\n", "NCCL_NET env-off-policy -" },
	{ "NCCL_NET=IB\n", NULL },
	{ "UCX_IB_TRAFFIC_CLASS=auto\n", NULL },
	{ "UCX_IB_TRAFFIC_CLASS=Auto\n", NULL },
	{ "UCX_IB_TRAFFIC_CLASS=0\n", "UCX_IB_TRAFFIC_CLASS env-off-policy -" },
	{ "UCX_IB_TRAFFIC_CLASS=0106\n", NULL },
	{ "UCX_IB_TRAFFIC_CLASS=0x6a\n", "UCX_IB_TRAFFIC_CLASS env-off-policy trailing_text" },
	{ "NCCL_IB_TCC=106\n", "NCCL_IB_TC env-off-policy misspelled" },
	{ "NCCL_IB_TC:106\n", "NCCL_IB_TC env-off-policy no_equals" },
	{ "\xef\xbb\xbfNCCL_IB_TC=106\n", "NCCL_IB_TC env-off-policy byte_order_mark" },
};

static void each_mistake_is_named(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(files); i++) {
		prepare(NCCL_VERSION(2, 30), "{}");
		judge(files[i].text, false);
		if (!files[i].first && report.count)
			fail_msg("%s: %s", files[i].text, word_of(0));
		if (files[i].first && (!report.count || strcmp(word_of(0), files[i].first) != 0))
			fail_msg("%s: %s", files[i].text, report.count ? word_of(0) : "nothing");
		for (size_t k = 0; k < report.count; k++)
			assert_true(report.items[k].message[0] && report.items[k].fix[0]);
	}
}

/* A file for ports that trust PCP, and the first remark on it (NULL: none). */
static const struct {
	const char *text;
	bool complete;
	const char *first;
} levels[] = {
	{ "NCCL_IB_TC=106\nNCCL_IB_SL=3\n", false, NULL },
	{ "NCCL_IB_TC=106\n", false, "NCCL_IB_SL env-off-policy -" },
	{ "NCCL_IB_TC=106\nNCCL_IB_SL=-1\n", false, "NCCL_IB_SL env-off-policy -" },
	{ "NCCL_IB_TC=106\nNCCL_IB_SL=\n", false, "NCCL_IB_SL env-off-policy -" },
	{ "NCCL_IB_TC=0\nNCCL_IB_SL=3\n", false, NULL }, /* no DSCP decides */
	{ "NCCL_IB_SL=4\n", false, "NCCL_IB_SL env-off-policy -" },
	{ "NCCL_IB_SL=11\n", false, NULL }, /* three bits are in the tag */
	{ "NCCL_IB_SL=\"3\"\n", false, "NCCL_IB_SL env-off-policy quotes" },
	{ "NCCL_IB_SL=259\n", false, "NCCL_IB_SL note out_of_range" },
	{ "", false, NULL },
	{ "", true, "NCCL_IB_SL env-off-policy -" },
	{ "NCCL_IB_SL=3\n", true, NULL },
	{ "UCX_IB_SL=3\n", false, NULL },
	{ "UCX_IB_SL=auto\n", false, "UCX_IB_SL env-off-policy -" },
	{ "UCX_IB_SL=0\n", false, "UCX_IB_SL env-off-policy -" },
	{ "UCX_IB_TRAFFIC_CLASS=106\n", false, "UCX_IB_SL env-off-policy -" },
	{ "UCX_IB_TRAFFIC_CLASS=106\nUCX_IB_SL=3\n", false, NULL },
};

static void where_pcp_decides_the_service_level_is_judged(void **s)
{
	const struct config want = config_of("{'roce':{'tos':106}}");

	(void)s;
	for (size_t i = 0; i < COUNT(levels); i++) {
		struct err err = { 0 };

		prepare(NCCL_VERSION(2, 30), "{}");
		actual = config_of("{'pfc':{'priorities':[3]},'trust':'pcp',"
				   "'vlan':{'egress':{'v':{'2':3}}}}");
		for (size_t k = 0; k < 2; k++)
			job_port_classify(&ports[k], &want, &actual);
		assert_true(environment_derive(&input, &desired, &err));
		judge(levels[i].text, levels[i].complete);
		if (!levels[i].first && report.count)
			fail_msg("%s: %s", levels[i].text, word_of(0));
		if (levels[i].first && (!report.count || strcmp(word_of(0), levels[i].first) != 0))
			fail_msg("%s: %s", levels[i].text, report.count ? word_of(0) : "nothing");
		for (size_t k = 0; k < report.count; k++)
			assert_true(report.items[k].message[0] && report.items[k].fix[0]);
	}
}

static void where_dscp_decides_it_is_not(void **s)
{
	(void)s;
	prepare(NCCL_VERSION(2, 30), "{}");
	judge(GOOD "NCCL_IB_SL=5\n", true);
	assert_int_equal(report.count, 0);
}

static void before_2_30_nothing_reads_a_class_of_gin(void **s)
{
	(void)s;
	prepare(NCCL_VERSION(2, 29), "{}");
	judge("NCCL_GIN_IB_TC=0\n", false);
	assert_int_equal(report.count, 0);
}

static void a_complete_environment_lacks_what_it_does_not_set(void **s)
{
	(void)s;
	prepare(0, "{}");
	judge("NCCL_DEBUG=INFO\n", true);
	assert_int_equal(report.count, 1);
	assert_string_equal(word_of(0), "NCCL_IB_TC env-off-policy -");
	assert_ptr_equal(report.items[0].source, &source);
	prepare(0, "{'dscp':{'prio':{'0':3,'26':3},'rest':0}}");
	judge("", true); /* DSCP 0 is lossless here */
	assert_int_equal(report.count, 0);
}

/* An environment on ports that force a class, and the only remark on it (NULL: none). */
static const struct {
	unsigned forced, version;
	const char *text;
	bool complete;
	const char *first, *fix;
} forcing[] = {
	{ 106, 0, GOOD, false, NULL, NULL },
	{ 106, 0, "", false, NULL, NULL },
	{ 106, 0, "NCCL_IB_TC=106\n", true, NULL, NULL },
	{ 106, 0, "NCCL_GIN_IB_TC=106\n", true, NULL, NULL },
	{ 106, 0, "NCCL_IB_TC=0\n", true, "NCCL_IB_TC forced-class-hides-env -",
	  "set NCCL_IB_TC=106" },
	{ 106, 0, "NCCL_IB_TC=\"106\"\n", true, "NCCL_IB_TC forced-class-hides-env quotes",
	  "remove the quotes" },
	{ 96, 0, "NCCL_IB_TC=106\n", true, "NCCL_IB_TC forced-class-hides-env -",
	  "set NCCL_IB_TC=96" },
	{ 106, 0, "UCX_IB_TRAFFIC_CLASS=0\n", false,
	  "UCX_IB_TRAFFIC_CLASS forced-class-hides-env -", "set UCX_IB_TRAFFIC_CLASS=106" },
	/* The forced class does not apply to the queue pairs of GPUs. */
	{ 106, 0, "NCCL_IB_TC=-1\n", true, "NCCL_IB_TC gin-class-unset -", "set NCCL_IB_TC=106" },
	{ 106, 0, "PATH=/bin\n", true, "NCCL_IB_TC gin-class-unset -", "set NCCL_IB_TC=106" },
	{ 106, NCCL_VERSION(2, 27), "PATH=/bin\n", true, NULL, NULL },
	{ 106, 0, "NCCL_IB_TC=106\nNCCL_GIN_IB_TC=0\n", true, "NCCL_GIN_IB_TC env-off-policy -",
	  "set NCCL_GIN_IB_TC=106" },
};

static void a_forced_class_hides_the_environment(void **s)
{
	char more[64];

	(void)s;
	for (size_t i = 0; i < COUNT(forcing); i++) {
		snprintf(more, sizeof(more), "{'roce':{'traffic_class':%u}}", forcing[i].forced);
		prepare(forcing[i].version, more);
		judge(forcing[i].text, forcing[i].complete);
		if (report.count != (forcing[i].first ? 1 : 0))
			fail_msg("%zu: %zu remarks", i, report.count);
		if (!forcing[i].first)
			continue;
		assert_string_equal(word_of(0), forcing[i].first);
		assert_string_equal(report.items[0].fix, forcing[i].fix);
	}
	prepare(0, "{'roce':{'traffic_class':'unset'}}");
	judge("NCCL_IB_TC=108\n", true);
	assert_int_equal(report.count, 0);
}

static void a_policy_that_forces_none_is_to_be_applied(void **s)
{
	struct config want = config_of("{'roce':{'tos':106,'traffic_class':'unset'}}");
	struct err err = { 0 };

	(void)s;
	prepare(0, "{'roce':{'traffic_class':96}}");
	for (int i = 0; i < 2; i++)
		job_port_classify(&ports[i], &want, &actual);
	assert_true(environment_derive(&input, &desired, &err));
	judge("NCCL_IB_TC=106\n", true);
	assert_int_equal(report.count, 1);
	assert_string_equal(word_of(0), "NCCL_IB_TC forced-class-hides-env -");
	assert_string_equal(report.items[0].fix,
			    "run `losslessctl apply`: the policy has another roce.traffic_class");
}

static void one_port_that_forces_none_is_enough(void **s)
{
	struct config free_of;

	(void)s;
	prepare(0, "{'roce':{'traffic_class':106}}");
	free_of = actual;
	free_of.roce.traffic_class = TRAFFIC_CLASS_UNSET;
	ports[1].actual = &free_of;
	judge("PATH=/bin\n", true);
	assert_int_equal(report.count, 1);
	assert_string_equal(word_of(0), "NCCL_IB_TC env-off-policy -");
}

/* An environment for NCCL 2.19, the only remark on it (NULL: none), and its fix. */
static const struct {
	const char *text;
	bool complete;
	const char *first, *fix;
} indexes[] = {
	{ "NCCL_IB_TC=106\nNCCL_IB_GID_INDEX=3\n", true, NULL, NULL },
	{ "NCCL_IB_TC=106\n", false, NULL, NULL },
	{ "NCCL_IB_TC=106\n", true, "NCCL_IB_GID_INDEX env-off-policy -",
	  "set NCCL_IB_GID_INDEX=3" },
	{ "NCCL_IB_TC=106\nNCCL_IB_GID_INDEX=5\n", true, "NCCL_IB_GID_INDEX env-off-policy -",
	  "set NCCL_IB_GID_INDEX=3" },
	{ "NCCL_IB_GID_INDEX=\"3\"\n", false, "NCCL_IB_GID_INDEX env-off-policy quotes",
	  "remove the quotes" },
	{ "NCCL_IB_GID_INDEX=3 # v2\n", false, "NCCL_IB_GID_INDEX note trailing_text",
	  "put the comment on a line of its own" },
};

static void an_old_nccl_needs_an_index(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(indexes); i++) {
		prepare(NCCL_VERSION(2, 19), "{}");
		judge(indexes[i].text, indexes[i].complete);
		if (report.count != (indexes[i].first ? 1 : 0))
			fail_msg("%zu: %zu remarks", i, report.count);
		if (!indexes[i].first)
			continue;
		assert_string_equal(word_of(0), indexes[i].first);
		assert_string_equal(report.items[0].fix, indexes[i].fix);
	}
	prepare(NCCL_VERSION(2, 19), "{}");
	ports[0].gids = ports[1].gids = (struct gids_v2){ 1 << 0, 0 };
	judge("NCCL_IB_TC=106\n", true); /* GID 0 is a RoCE v2 GID here */
	assert_int_equal(report.count, 0);
}

static void the_first_source_counts(void **s)
{
	const struct environment_sources all = { { &source, &second }, 2 };
	struct environment_check c = check(&all);
	static const char mine[] = "NCCL_IB_TC=106", host[] = "NCCL_IB_TC=0\nNCCL_IB_DISABLE=1\n";

	(void)s;
	prepare(0, "{}");
	environ_parse(mine, sizeof(mine), &source.assignments);
	nccl_conf_parse(host, sizeof(host) - 1, &second.assignments);
	environment_judge(&c, &report);
	assert_int_equal(report.count, 1);
	assert_string_equal(word_of(0), "NCCL_IB_DISABLE env-off-policy -");
	assert_ptr_equal(report.items[0].source, &second);
	assert_int_equal(report.items[0].line, 2);
}

static void a_value_is_compared_with_the_policy(void **s)
{
	static const char *const lines[][2] = {
		{ "NCCL_IB_TIMEOUT=14", "it reads as 14: the policy has 22" },
		{ "NCCL_IB_ROCE_VERSION_NUM=1", "it reads as 1: RoCE v1 has no DSCP" },
		{ "NCCL_IB_TC=-1",
		  "-1 stands for not set, so that NCCL marks its packets with DSCP 0" },
		{ "NCCL_SOCKET_IFNAME=ib0", "the policy has =eth0" },
		{ "NCCL_IB_ADDR_FAMILY=AF_INET6",
		  "every port has a RoCE v2 GID with an IPv4 address" },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(lines); i++) {
		prepare(0, "{}");
		judge(lines[i][0], false);
		assert_string_equal(report.items[0].message, lines[i][1]);
	}
}

static void remarks_come_in_the_order_of_lines(void **s)
{
	(void)s;
	prepare(0, "{}");
	judge("NCCL_IB_TIMEOUT=14\nexport NCCL_NET=IB\nNCCL_NET=Socket\nNCCL_IB_HCA==mlx5_0\n"
	      "NCCL_IB_ROCE_VERSION_NUM=1\n",
	      true);
	assert_int_equal(report.count, 6);
	for (unsigned i = 0; i < report.count; i++)
		assert_int_equal(report.items[i].line, i);
}

static void more_remarks_than_there_is_room_for_are_bounded(void **s)
{
	char text[ASSIGNMENTS_MAX * 16] = "";

	(void)s;
	for (size_t i = 0; i < ASSIGNMENTS_MAX; i++)
		strcat(text, " NCCL_IB_TC=1\n");
	prepare(0, "{}");
	judge(text, false);
	assert_int_equal(report.count, ENVIRONMENT_ITEMS_MAX);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, each_mistake_is_named);
	SUITE_ADD(&s, where_pcp_decides_the_service_level_is_judged);
	SUITE_ADD(&s, where_dscp_decides_it_is_not);
	SUITE_ADD(&s, before_2_30_nothing_reads_a_class_of_gin);
	SUITE_ADD(&s, a_complete_environment_lacks_what_it_does_not_set);
	SUITE_ADD(&s, a_forced_class_hides_the_environment);
	SUITE_ADD(&s, a_policy_that_forces_none_is_to_be_applied);
	SUITE_ADD(&s, one_port_that_forces_none_is_enough);
	SUITE_ADD(&s, an_old_nccl_needs_an_index);
	SUITE_ADD(&s, the_first_source_counts);
	SUITE_ADD(&s, a_value_is_compared_with_the_policy);
	SUITE_ADD(&s, remarks_come_in_the_order_of_lines);
	SUITE_ADD(&s, more_remarks_than_there_is_room_for_are_bounded);
	return suite_run(&s, "environment_check");
}
