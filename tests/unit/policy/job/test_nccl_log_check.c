/* Tests of checking the logs of jobs. */
#include <string.h>

#include "policy/job/environment_check.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define AT   "n:1:1 [0] NCCL INFO "
#define ENV  AT "NCCL_SOCKET_IFNAME set by environment to eth0\n"
#define TC   AT "NCCL_IB_TC set by environment to 106.\n"
#define USES AT "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>\n"
#define GDR  AT "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA\n"
#define EXT  AT "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IBext/0(8)/GDRDMA\n"
#define OFF  AT "NCCL_IB_DISABLE set by environment to 1.\n"
#define HANG AT "NET/IB: Got completion from peer 10.0.0.2<1> with status=12 vendor err 129\n"

/* A log, the first remark on it (NULL: none), its line and a part of its text. */
static const struct {
	const char *text, *first;
	unsigned line;
	const char *says;
} logs[] = {
	{ TC USES GDR, NULL, 0, NULL },
	{ AT "NCCL_IB_TC set by environment to 104.\n" USES GDR, NULL, 0, NULL },
	{ AT "Using network Socket\n", "NCCL_NET env-off-policy", 1,
	  "process 1, GPU 0: NCCL used" },
	{ AT "NET/IB : No device found.\n", "NCCL_NET env-off-policy", 1, "found no device" },
	{ TC USES GDR AT "Channel 01/0 : 0[0] -> 8[0] via NET/Socket/0\n",
	  "NCCL_NET env-off-policy", 4, "TCP" },
	{ TC USES GDR AT "Channel 01/0 : 0[0] -> 8[0] via NET/IB/0\n", "NCCL_NET note", 4,
	  "1 of 2 channels" },
	{ USES GDR, "NCCL_IB_TC unknown", 2, "does not say which traffic class" },
	{ USES, "NCCL_IB_TC unknown", 1, "does not say which traffic class" },
	{ ENV USES, "NCCL_IB_TC unknown", 2, "connects a channel, and the log has none" },
	{ ENV USES AT "Using network IB\n", "NCCL_IB_TC unknown", 2, "the log has none" },
	{ AT "NCCL_IB_TC set by environment to -1.\n" USES, "NCCL_IB_TC env-off-policy", 1,
	  "-1 stands for not set, so that NCCL marks" },
	{ AT "NCCL_IB_TC set by environment to -2.\n" USES, "NCCL_IB_TC env-off-policy", 1,
	  "NCCL used traffic class -2" },
	{ ENV USES GDR, "NCCL_IB_TC env-off-policy", 3, "it is not set" },
	{ ENV USES AT "Using network IBext_v8\n" EXT, "NCCL_IB_TC env-off-policy", 4,
	  "it is not set" },
	{ TC USES EXT AT "Channel 01/0 : 0[0] -> 8[0] via NET/IBext_v8/1\n", "NCCL_NET note", 4,
	  "1 of 2 channels" },
	{ ENV USES AT "Channel 00/0 : 0[0] -> 8[0] via NET/IB\n", "NCCL_IB_TC unknown", 2,
	  "the log has none" },
	{ AT "NCCL_COLLNET_ENABLE set by environment to 0.\n" USES GDR, "NCCL_IB_TC unknown", 3,
	  "does not say" },
	{ AT "NCCL_IB_TC set by environment to 0.\n" USES GDR, "NCCL_IB_TC env-off-policy", 1,
	  "DSCP 0" },
	{ TC USES GDR "n:2:2 [1] NCCL INFO NCCL_IB_TC set by environment to 0.\n"
		      "n:3:3 [2] NCCL INFO NCCL_IB_TC set by environment to 8.\n",
	  "NCCL_IB_TC env-off-policy", 4, "process 2, GPU 1, and 1 more: NCCL used" },
	{ TC AT "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [2]mlx5_9:1/RoCE; OOB\n" GDR,
	  "NCCL_IB_HCA env-off-policy", 2, "NCCL used mlx5_9:1" },
	{ TC AT "NET/IB : Using [0]mlx5_0:1/RoCE; OOB\n" GDR, "NCCL_IB_HCA env-off-policy", 2,
	  "NCCL did not use mlx5_1:1 of ens2" },
	{ TC USES "n:2:2 [1] NCCL INFO NCCL_IB_TC set by environment to 106.\n"
		  "n:2:2 [1] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE; OOB\n",
	  "NCCL_IB_HCA env-off-policy", 4, "process 2, GPU 1: NCCL did not use mlx5_1:1" },
	{ TC AT "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/IB [RO]; OOB\n" GDR,
	  "NCCL_IB_HCA note", 2, "NCCL used mlx5_1:1 as InfiniBand" },
	{ "NCCL version 2.28.3+cuda12.9\n", "NCCL_NET unknown", 1, "which network" },
	{ OFF, "NCCL_IB_DISABLE env-off-policy", 1, "turns RDMA off" },
	{ OFF AT "Using network Socket\n", "NCCL_IB_DISABLE env-off-policy", 1, "set to 1" },
	{ AT "NCCL_IB_DISABLE set by environment to 0.\n" TC USES GDR, NULL, 0, NULL },
	{ TC USES GDR AT "NCCL_IB_TIMEOUT set by environment to 14.\n",
	  "NCCL_IB_TIMEOUT env-off-policy", 4, "NCCL used 14; the policy has 22" },
	{ TC USES GDR AT "NCCL_IB_TIMEOUT set by environment to 22.\n", NULL, 0, NULL },
	{ TC USES GDR AT "NCCL_IB_RETRY_CNT set by environment to 3.\n", NULL, 0, NULL },
	{ TC USES GDR HANG, "NCCL_IB_RETRY_CNT note", 4, "retries were exceeded" },
	{ HANG, "NCCL_IB_RETRY_CNT note", 1, "retries were exceeded" },
	{ TC USES GDR AT "NET/IB: Got completion from peer x<1> with status=4 vendor err 81\n",
	  NULL, 0, NULL },
	{ TC USES GDR AT "NET/IB: Dev 0 Port 1 GID 3 (1/2)\n", NULL, 0, NULL },
	{ TC USES GDR AT "NET/IB: Dev 1 Port 1 GID 5 (1/2)\n", NULL, 0, NULL },
	{ TC USES GDR AT "NET/IB: Dev 0 Port 1 GID 0 (1/2)\n", "NCCL_IB_GID_INDEX env-off-policy",
	  4, "GID 0, which is not one of RoCE v2 that can be routed" },
};

static const struct job_policy job = { .ib_timeout = 22 };
static struct config actual;
static struct job_port ports[2];
static struct environment desired;
static struct environment_report report;
static struct environment_source source = { .label = "job.log" };
static const struct environment_input input = { ports, 2, &job, 0 };

static void set_up(const char *text)
{
	static const char *const names[] = { "ens1", "ens2" };
	const struct config empty = { 0 };
	struct err err = { 0 };

	actual = config_of(text);
	for (int i = 0; i < 2; i++) {
		ports[i] = (struct job_port){ .name = names[i],
					      .rdma_port = 1,
					      .gids = { i ? 1 << 3 | 1 << 5 : 1 << 3, 0 } };
		snprintf(ports[i].rdma, sizeof(ports[i].rdma), "mlx5_%d", i);
		snprintf(ports[i].device, sizeof(ports[i].device), "mlx5_%d:1", i);
		job_port_classify(&ports[i], &empty, &actual);
	}
	assert_true(environment_derive(&input, &desired, &err));
}

static void judge(const char *text)
{
	static struct nccl_log log;
	struct environment_check c = { .input = &input, .desired = &desired };

	memset(&log, 0, sizeof(log));
	report.count = 0;
	nccl_log_parse(&log, text, strlen(text));
	nccl_log_judge(&c, &log, &source, &report);
}

/* A log of ports that trust PCP, as above. */
static const struct {
	const char *text, *first, *says;
} levels[] = {
	{ TC AT "NCCL_IB_SL set by environment to 3.\n" USES GDR, NULL, NULL },
	{ AT "NCCL_IB_SL set by environment to 3.\n" USES GDR, NULL, NULL },
	{ TC USES GDR, "NCCL_IB_SL", "NCCL used 0; the policy has 3" },
	{ ENV USES GDR, "NCCL_IB_SL", "NCCL used 0; the policy has 3" },
	{ TC AT "NCCL_IB_SL set by environment to 4.\n" USES GDR, "NCCL_IB_SL", "NCCL used 4" },
};

static void where_pcp_decides_the_service_level_is_judged(void **s)
{
	(void)s;
	set_up("{'pfc':{'priorities':[3]},'trust':'pcp','vlan':{'egress':{'v':{'2':3}}},"
	       "'roce':{'tos':106}}");
	for (size_t i = 0; i < COUNT(levels); i++) {
		judge(levels[i].text);
		assert_int_equal(report.count, levels[i].first != NULL);
		if (!levels[i].first)
			continue;
		assert_string_equal(variables[report.items[0].variable].name, levels[i].first);
		assert_non_null(strstr(report.items[0].message, levels[i].says));
	}
}

static void each_log_is_judged(void **s)
{
	(void)s;
	set_up("{'pfc':{'priorities':[3]},'trust':'dscp','dscp':{'prio':{'26':3},'rest':0},"
	       "'roce':{'tos':106}}");
	for (size_t i = 0; i < COUNT(logs); i++) {
		const struct environment_item *item = &report.items[0];
		char word[64];

		judge(logs[i].text);
		assert_int_equal(report.count, logs[i].first != NULL);
		if (!logs[i].first)
			continue;
		snprintf(word, sizeof(word), "%s %s", variables[item->variable].name,
			 item->is_unknown ? "unknown"
			 : item->lint	  ? item->lint->name
					  : "note");
		assert_string_equal(word, logs[i].first);
		assert_non_null(strstr(item->message, logs[i].says));
		assert_int_equal(item->line, logs[i].line);
		assert_ptr_equal(item->source, &source);
		assert_true(item->fix[0]);
	}
}

/* The adapter overrides NCCL's class, or sets it if NCCL sets none. */
static void a_port_that_forces_a_class_needs_none(void **s)
{
	(void)s;
	set_up("{'pfc':{'priorities':[3]},'trust':'dscp','dscp':{'prio':{'26':3},'rest':0},"
	       "'roce':{'tos':106,'traffic_class':106}}");
	judge(ENV USES GDR);
	assert_int_equal(report.count, 0);
	judge(AT "NCCL_IB_TC set by environment to 0.\n" USES GDR);
	assert_int_equal(report.count, 0);
	judge(AT "NCCL_IB_TC set by environment to -1.\n" USES GDR);
	assert_int_equal(report.count, 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, each_log_is_judged);
	SUITE_ADD(&s, where_pcp_decides_the_service_level_is_judged);
	SUITE_ADD(&s, a_port_that_forces_a_class_needs_none);
	return suite_run(&s, "nccl_log_check");
}
