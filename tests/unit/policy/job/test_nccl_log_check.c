/* Logs of jobs, and what is wrong with each. */
#include <string.h>

#include "policy/job/environment_check.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define AT   "n:1:1 [0] NCCL INFO "
#define TC   AT "NCCL_IB_TC set by environment to 106.\n"
#define USES AT "NET/IB : Using [0]mlx5_0:1/RoCE [RO]; OOB eth0:10.0.0.1<0>\n"
#define GDR  AT "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA\n"

/* A log, and the first remark on it; NULL: none. */
static const struct {
	const char *text, *first, *says;
} logs[] = {
	{ TC USES GDR, NULL, NULL },
	{ AT "NCCL_IB_TC set by environment to 104.\n" USES GDR, NULL, NULL },
	{ AT "Using network Socket\n", "NCCL_NET env-off-policy", "TCP" },
	{ AT "NET/IB : No device found.\n", "NCCL_NET env-off-policy", "found no device" },
	{ TC USES GDR AT "Channel 01/0 : 0[0] -> 8[0] via NET/Socket/0\n",
	  "NCCL_NET env-off-policy", "TCP" },
	{ TC USES GDR AT "Channel 01/0 : 0[0] -> 8[0] via NET/IB/0\n", "NCCL_NET note",
	  "1 of 2 channels" },
	{ USES GDR, "NCCL_IB_TC note", "does not say" },
	{ AT "NCCL_IB_TC set by environment to 0.\n" USES GDR, "NCCL_IB_TC env-off-policy",
	  "DSCP 0" },
	{ TC AT "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_9:1/RoCE; OOB\n" GDR,
	  "NCCL_IB_HCA env-off-policy", "mlx5_9:1" },
	{ TC USES GDR AT "NET/IB: Dev 0 Port 1 GID 3 (1/2)\n", NULL, NULL },
	{ TC USES GDR AT "NET/IB: Dev 0 Port 1 GID 0 (1/2)\n", "NCCL_IB_GID_INDEX env-off-policy",
	  "GID 0" },
};

static void each_log_is_judged(void **s)
{
	static struct environment desired;
	static struct environment_report report;
	static struct environment_source source = { .label = "job.log" };
	const struct job_policy none = { 0 };
	struct config actual = config_of("{'pfc':{'priorities':[3]},'trust':'dscp',"
					 "'dscp':{'prio':{'26':3},'rest':0},'roce':{'tos':106}}");
	struct config empty = { 0 };
	struct job_port port = { .name = "ens1",
				 .rdma = "mlx5_0",
				 .device = "mlx5_0:1",
				 .rdma_port = 1,
				 .gids = { 1 << 3, 0 } };
	struct environment_input in = { &port, 1, &none, 0 };
	struct environment_check c = { .input = &in, .desired = &desired };
	struct err err = { 0 };

	(void)s;
	job_port_classify(&port, &empty, &actual);
	assert_true(environment_derive(&in, &desired, &err));
	for (size_t i = 0; i < COUNT(logs); i++) {
		struct nccl_log log = { 0 };
		const struct environment_item *item = &report.items[0];
		char word[64];

		report.count = 0;
		nccl_log_parse(&log, logs[i].text, strlen(logs[i].text));
		nccl_log_judge(&c, &log, &source, &report);
		snprintf(word, sizeof(word), "%s %s", variables[item->variable].name,
			 item->lint ? item->lint->name : "note");
		assert_int_equal(report.count > 0, logs[i].first != NULL);
		if (!logs[i].first)
			continue;
		assert_string_equal(word, logs[i].first);
		assert_non_null(strstr(item->message, logs[i].says));
		assert_ptr_equal(item->source, &source);
		assert_true(item->fix[0]);
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, each_log_is_judged);
	return suite_run(&s, "nccl_log_check");
}
