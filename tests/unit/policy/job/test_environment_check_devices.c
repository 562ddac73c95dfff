/* Tests of checking the devices and transports that jobs select. */
#include <string.h>

#include "policy/job/environment_check.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

static const char devices[][ID_MAX] = { "mlx5_0", "mlx5_1", "mlx5_10" };
static const struct job_policy none;
static struct config actual;
static struct job_port ports[2];
static struct environment desired;
static struct environment_source source;
static struct environment_report report;

static const char *stem = "mlx5_";
static const char *policy_text = "{'roce':{'tos':106}}";
static const char *port_text = "{'pfc':{'priorities':[3]},'trust':'dscp',"
			       "'dscp':{'prio':{'26':3,'27':3},'rest':0}}";

/* Judge a file on two lossless ports, mlx5_0 and mlx5_1; the policy does not cover mlx5_10. */
static void judge(const char *text, bool knows_devices)
{
	const struct environment_sources all = { { &source }, 1 };
	const struct environment_input in = { ports, COUNT(ports), &none, 0 };
	struct config want = config_of(policy_text);
	struct err err = { 0 };

	actual = config_of(port_text);
	for (int i = 0; i < 2; i++) {
		ports[i] = (struct job_port){ .name = i ? "ens2" : "ens1",
					      .rdma_port = 1,
					      .gids = { 1 << 3, 1 << 1 } };
		snprintf(ports[i].rdma, sizeof(ports[i].rdma), "%s%d", stem, i);
		snprintf(ports[i].device, sizeof(ports[i].device), "%s%d:1", stem, i);
		job_port_classify(&ports[i], &want, &actual);
	}
	assert_true(environment_derive(&in, &desired, &err));
	nccl_conf_parse(text, strlen(text), &source.assignments);
	report.count = 0;
	environment_judge(&(struct environment_check){ &in, &desired, &all, devices, COUNT(devices),
						       knows_devices },
			  &report);
}

/* Write the first remark as "VARIABLE LINT TRAP"; "" without remarks. */
static const char *first_word(void)
{
	static char buf[96];
	const struct environment_item *item = &report.items[0];
	const char *trap = trap_name(item->trap);

	if (!report.count)
		return "";
	snprintf(buf, sizeof(buf), "%s %s %s", variables[item->variable].name,
		 item->lint ? item->lint->name : "note", trap ? trap : "-");
	return buf;
}

/* A file, the first remark on it, and the number of remarks. */
static const struct {
	const char *text, *first;
	size_t count;
} files[] = {
	{ "NCCL_IB_HCA=mlx5_0,mlx5_1\n", "NCCL_IB_HCA env-off-policy hca_prefix", 1 },
	{ "NCCL_IB_HCA=mlx5_0,mlx5_1,mlx5_10\n", "NCCL_IB_HCA env-off-policy -", 1 },
	{ "NCCL_IB_HCA=mlx5_10:1,mlx5_0,mlx5_1\n", "NCCL_IB_HCA env-off-policy -", 1 },
	{ "NCCL_IB_HCA=mlx5_0,mlx5_1,mlx5\n", "NCCL_IB_HCA env-off-policy hca_prefix", 1 },
	{ "NCCL_IB_HCA==mlx5_0\n", "NCCL_IB_HCA env-off-policy -", 1 },
	{ "NCCL_IB_HCA==mlx5_0,mlx5_1\r\n", "NCCL_IB_HCA env-off-policy carriage_return", 1 },
	{ "NCCL_IB_HCA=\"=mlx5_0,mlx5_1\"\n", "NCCL_IB_HCA env-off-policy quotes", 1 },
	{ "NCCL_IB_HCA=^=mlx5_10\n", "", 0 },
	{ "NCCL_IB_HCA=^mlx5_10\n", "NCCL_IB_HCA note hca_prefix", 1 },
	{ "NCCL_IB_HCA==mlx5_0,mlx5_1,mlx5_9\n", "NCCL_IB_HCA env-off-policy -", 1 },
	{ "NCCL_IB_HCA==mlx5_0,mlx5_1,:1\n", "", 0 },
	{ "NCCL_IB_HCA==mlx5_0:1,mlx5_1:1,mlx5:1\n", "NCCL_IB_HCA env-off-policy -", 1 },
	{ "NCCL_IB_HCA=^mlx5_10,mlx5_9\n", "NCCL_IB_HCA env-off-policy -", 1 },
	{ "NCCL_IB_HCA=^=mlx5_10,mlx5_9:1\n", "NCCL_IB_HCA env-off-policy -", 1 },
	{ "UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1\n", "", 0 },
	{ "UCX_NET_DEVICES=all\n", "", 0 },
	{ "UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1,eth0\n", "", 0 },
	{ "UCX_NET_DEVICES=mlx5_[0-1]\n", "", 0 }, /* UCX 1.21 */
	{ "UCX_NET_DEVICES=eth0,eth1\n", "UCX_NET_DEVICES env-off-policy -", 1 },
	{ "UCX_NET_DEVICES=^eth0\n", "", 0 },
	{ "UCX_NET_DEVICES=eth0,mlx5_0:1\n", "UCX_NET_DEVICES note -", 1 },
	{ "UCX_NET_DEVICES=^mlx5_10:1\n", "", 0 },
	{ "UCX_NET_DEVICES=^mlx5_1:1\n", "UCX_NET_DEVICES note -", 1 },
	{ "UCX_NET_DEVICES=mlx5_0:1\n", "UCX_NET_DEVICES note -", 1 },
	{ "UCX_NET_DEVICES=mlx5_0:1,mlx5_10:1\n", "UCX_NET_DEVICES note -", 1 }, /* not a prefix */
	{ "UCX_NET_DEVICES=mlx5_0,mlx5_1\n", "UCX_NET_DEVICES note -", 1 },
	{ "UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1,mlx5_9:1\n", "UCX_NET_DEVICES env-off-policy -", 1 },
	{ "UCX_NET_DEVICES=all,mlx5_9:1\n", "UCX_NET_DEVICES env-off-policy -", 1 },
	{ "UCX_NET_DEVICES=\"mlx5_0:1,mlx5_1:1\"\n", "UCX_NET_DEVICES env-off-policy quotes", 1 },
	{ "UCX_TLS=all\n", "", 0 },
	{ "UCX_TLS=rc,cuda_copy\n", "", 0 },
	{ "UCX_TLS=self,ud_verbs\n", "", 0 },
	{ "UCX_TLS=\\rc_mlx5,tcp\n", "", 0 },
	{ "UCX_TLS=^tcp,rc,dc\n", "", 0 }, /* UD remains */
	{ "UCX_TLS=^ib,tcp\n", "UCX_TLS env-off-policy -", 1 },
	{ "UCX_TLS=^rc,ud_v,ud_x,dc_x\n", "UCX_TLS env-off-policy -", 1 },
	{ "UCX_TLS=^rc_verbs,rc_mlx5,dc_mlx5,ud_verbs,ud_mlx5\n", "UCX_TLS env-off-policy -", 1 },
	{ "UCX_TLS=\n", "UCX_TLS env-off-policy -", 1 },
	{ "UCX_TLS=tcp,self\n", "UCX_TLS env-off-policy -", 1 },
	{ "UCX_TLS=tcp,ud:aux\n", "UCX_TLS env-off-policy -", 1 },
	{ "UCX_TLS=rcx\n", "UCX_TLS env-off-policy -", 1 },
	{ "UCX_TLS=\"rc\"\n", "UCX_TLS env-off-policy quotes", 1 },
};

static void each_selection_is_judged(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(files); i++) {
		judge(files[i].text, true);
		if (strcmp(first_word(), files[i].first) != 0 || report.count != files[i].count)
			fail_msg("%s: %zu, %s", files[i].text, report.count, first_word());
		for (size_t k = 0; k < report.count; k++)
			assert_true(report.items[k].message[0] && report.items[k].fix[0]);
	}
}

static void each_name_of_a_transport_is_enough(void **s)
{
	static const char *const names[] = { "rc_verbs", "rc_mlx5", "dc_mlx5", "ud_verbs",
					     "ud_mlx5",	 "rc",	    "rc_v",    "rc_x",
					     "dc",	 "dc_x",    "ud",      "ud_v",
					     "ud_x",	 "ib" };
	char text[64];

	(void)s;
	for (size_t i = 0; i < COUNT(names); i++) {
		snprintf(text, sizeof(text), "UCX_TLS=tcp,%s\n", names[i]);
		judge(text, true);
		if (report.count)
			fail_msg("%s", text);
	}
}

static void the_device_or_port_is_named(void **s)
{
	static const char *const lines[][3] = {
		{ "NCCL_IB_HCA==mlx5_0,mlx5_1,mlx5_9",
		  "it names mlx5_9, which this host does not have",
		  "set NCCL_IB_HCA==mlx5_0:1,mlx5_1:1" },
		{ "UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1,mlx5_9:1",
		  "it names mlx5_9, which this host does not have",
		  "set UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1" },
		{ "UCX_NET_DEVICES=mlx5_0:1", "it leaves out mlx5_1:1 of ens2",
		  "set UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1" },
		{ "UCX_NET_DEVICES=mlx5_1:1,mlx5_0",
		  "UCX before 1.21 does not find mlx5_0 without its port",
		  "set UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1" },
		{ "UCX_NET_DEVICES=eth0", "it names no RDMA device: UCX does not use RoCE",
		  "set UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1" },
		{ "NCCL_IB_HCA=mlx5_0,mlx5_1,mlx5_10",
		  "it selects mlx5_10, which the policy does not cover",
		  "set NCCL_IB_HCA==mlx5_0:1,mlx5_1:1" },
		{ "UCX_TLS=tcp,self", "no RDMA transport: UCX does not use RoCE",
		  "add rc, or remove it" },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(lines); i++) {
		judge(lines[i][0], true);
		assert_string_equal(report.items[0].message, lines[i][1]);
		assert_string_equal(report.items[0].fix, lines[i][2]);
	}
}

/* A list that is cut would be valid, and leave out devices. */
static void a_long_list_is_not_cut(void **s)
{
	char list[512] = "=";

	(void)s;
	stem = "a-device-with-a-name-that-is-longer-than-others-";
	judge("NCCL_IB_HCA==mlx5_9\n", true);
	assert_string_equal(report.items[0].expected, desired.of[VARIABLE_NCCL_IB_HCA].text);
	assert_true(strlen(report.items[0].expected) > 100);
	assert_non_null(strstr(report.items[0].fix, report.items[0].expected));
	stem = "mlx5_";
	memset(list + 1, 'm', sizeof(list) - 2);
	environment_item_set(&report.items[0], VARIABLE_NCCL_IB_HCA, list);
	assert_string_equal(report.items[0].fix, "set NCCL_IB_HCA as `losslessctl env` prints it");
}

/* The list of devices is incomplete if it overflowed or could not be read. */
static void a_device_is_missing_only_if_all_are_known(void **s)
{
	(void)s;
	judge("NCCL_IB_HCA==mlx5_0,mlx5_1,mlx5_9\n", true);
	assert_int_equal(report.count, 1);
	judge("NCCL_IB_HCA==mlx5_0,mlx5_1,mlx5_9\n", false);
	assert_int_equal(report.count, 0);
}

/* UCX uses 106 for auto, independent of the policy. */
static void the_automatic_class_of_ucx_is_judged(void **s)
{
	(void)s;
	judge("UCX_IB_TRAFFIC_CLASS=auto\n", true);
	assert_int_equal(report.count, 0);
	policy_text = "{'roce':{'tos':162}}";
	port_text = "{'pfc':{'priorities':[5]},'trust':'dscp',"
		    "'dscp':{'prio':{'26':0,'40':5},'rest':0}}";
	judge("UCX_IB_TRAFFIC_CLASS=auto\n", true);
	assert_string_equal(first_word(), "UCX_IB_TRAFFIC_CLASS env-off-policy -");
	assert_string_equal(report.items[0].message,
			    "traffic class 106 is DSCP 26, which ens1 puts into priority 0: UCX "
			    "takes this class for auto");
	assert_string_equal(report.items[0].fix, "set UCX_IB_TRAFFIC_CLASS=162");
}

/* The policy covers the standby member of a bond, but a job cannot use its device. */
static void a_standby_device_has_no_gid(void **s)
{
	struct job_port members[] = { { .rdma = "mlx5_0" }, { .standby_rdma = "mlx5_1" } };

	(void)s;
	assert_non_null(strstr(job_ports_foreign_text(members, 2, "mlx5_1"), "no GID"));
	assert_non_null(strstr(job_ports_foreign_text(members, 2, "mlx5_1:1"), "no GID"));
	assert_non_null(strstr(job_ports_foreign_text(members, 2, "mlx5_10"), "not cover"));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, each_selection_is_judged);
	SUITE_ADD(&s, each_name_of_a_transport_is_enough);
	SUITE_ADD(&s, the_device_or_port_is_named);
	SUITE_ADD(&s, a_long_list_is_not_cut);
	SUITE_ADD(&s, a_device_is_missing_only_if_all_are_known);
	SUITE_ADD(&s, the_automatic_class_of_ucx_is_judged);
	SUITE_ADD(&s, a_standby_device_has_no_gid);
	return suite_run(&s, "environment_devices");
}
