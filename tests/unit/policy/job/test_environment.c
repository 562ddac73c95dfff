/* Tests of deriving a job's environment from ports and policy. */
#include <string.h>

#include "policy/job/environment.h"
#include "policy/model/setting.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define LOSSLESS \
	"{'pfc':{'priorities':[3]},'trust':'dscp','dscp':{'prio':{'26':3,'48':6},'rest':0}}"

static struct config actual[3];
static struct job_port ports[3];
static struct environment env;

/* Add a port with RoCE v2 GIDs, IPv6 at 1 and IPv4 at 3, whose policy is `desired`. */
static void add_port(size_t i, const char *desired)
{
	static const char *const names[] = { "ens1", "ens2", "ens3" }, *const devices[] = {
		"mlx5_0", "mlx5_1", "mlx5_2"
	};
	struct config want = config_of(desired);

	actual[i] = config_of(LOSSLESS);
	ports[i] =
		(struct job_port){ .name = names[i], .rdma_port = 1, .gids = { 1 << 3, 1 << 1 } };
	snprintf(ports[i].rdma, sizeof(ports[i].rdma), "%s", devices[i]);
	snprintf(ports[i].device, sizeof(ports[i].device), "%s:1", devices[i]);
	job_port_classify(&ports[i], &want, &actual[i]);
}

static bool derive(size_t count, const struct job_policy *job, unsigned version, struct err *err)
{
	struct environment_input in = { ports, count, job, version };

	return environment_derive(&in, &env, err);
}

static void derives(size_t count, const struct job_policy *job, unsigned version)
{
	struct err err = { 0 };

	if (!derive(count, job, version, &err))
		fail_msg("%s", err.text);
}

static const char *value(enum variable_id id)
{
	return env.of[id].is_set ? env.of[id].text : NULL;
}

static void the_class_comes_from_the_policy(void **s)
{
	const struct job_policy none = { 0 };

	(void)s;
	add_port(0, "{'roce':{'tos':106}}");
	derives(1, &none, 0);
	assert_string_equal(value(VARIABLE_NCCL_IB_TC), "106");
	assert_string_equal(value(VARIABLE_NCCL_GIN_IB_TC), "106");
	assert_string_equal(value(VARIABLE_UCX_IB_TRAFFIC_CLASS), "106");
	assert_string_equal(env.of[VARIABLE_NCCL_IB_TC].from,
			    "roce.tos: DSCP 26 << 2 | ECN 2, priority 3");
	assert_null(value(VARIABLE_NCCL_IB_FIFO_TC));
	add_port(0, "{'roce':{'tos':106,'traffic_class':41}}");
	derives(1, &none, 0);
	assert_string_equal(value(VARIABLE_NCCL_IB_TC), "41");
	add_port(0, "{'roce':{'traffic_class':'unset'}}");
	derives(1, &none, 0);
	assert_string_equal(value(VARIABLE_NCCL_IB_TC), "106");
	assert_string_equal(env.of[VARIABLE_NCCL_IB_TC].from,
			    "pfc.priorities and dscp.prio: DSCP 26 << 2 | ECN 2, priority 3");
}

static void a_policy_that_does_not_say_the_class_is_unknown(void **s)
{
	const struct job_policy none = { 0 };
	struct err err = { 0 };

	(void)s;
	add_port(0, "{'pfc':{'priorities':[3,4]}}");
	assert_false(derive(1, &none, 0, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_string_equal(err.text, "ens1: two lossless priorities, 3 and 4");
	assert_string_equal(err.fix, "set roce.tos in its profile");
	err = (struct err){ 0 };
	add_port(0, "{'pfc':{'priorities':[3,4,5]}}");
	assert_false(derive(1, &none, 0, &err));
	assert_string_equal(err.text, "ens1: 3 lossless priorities");
	err = (struct err){ 0 };
	add_port(0, "{'pfc':{'priorities':[]}}");
	assert_false(derive(1, &none, 0, &err));
	assert_string_equal(err.text, "ens1: the policy does not say which DSCP carries RoCE");
	err = (struct err){ 0 };
	err = (struct err){ 0 };
	add_port(0, "{'trust':'pcp','pfc':{'priorities':[3,4]}}");
	assert_false(derive(1, &none, 0, &err));
	assert_string_equal(err.text, "ens1: two lossless priorities, 3 and 4");
}

/* The actual settings of a port and its policy; the class, and the service level that env prints.
 */
static const struct {
	const char *actual, *desired;
	const char *class, *level; /* level NULL: none */
} by_pcp[] = {
	{ "{'trust':'pcp','vlan':{'egress':{'v':{'2':3}}}}",
	  "{'pfc':{'priorities':[3]},'roce':{'tos':106}}", "106", "3" },
	{ "{'trust':'pcp','vlan':{'egress':{'v':{'0':3}}}}", "{'pfc':{'priorities':[3]}}", "2",
	  "3" },
	{ "{'trust':'pcp','vlan':{'egress':{'v':{'2':4}}}}",
	  "{'pfc':{'priorities':[3,4]},'roce':{'tos':106}}", "106", "4" }, /* as rdma_cm */
	{ "{'trust':'pcp'}", "{'pfc':{'priorities':[5]},'roce':{'tos':106}}", "106", "5" },
	{ "{'trust':'pcp'}", "{'pfc':{'priorities':[0]},'roce':{'tos':106}}", "106", NULL },
	{ LOSSLESS, "{'pfc':{'priorities':[3]},'roce':{'tos':106}}", "106", NULL },
};

static void a_port_that_trusts_pcp_needs_a_service_level(void **s)
{
	const struct job_policy none = { 0 };

	(void)s;
	for (size_t i = 0; i < COUNT(by_pcp); i++) {
		struct config want = config_of(by_pcp[i].desired);
		const char *level;

		add_port(0, "{}");
		actual[0] = config_of(by_pcp[i].actual);
		job_port_classify(&ports[0], &want, &actual[0]);
		derives(1, &none, 0);
		assert_string_equal(value(VARIABLE_NCCL_IB_TC), by_pcp[i].class);
		level = value(VARIABLE_NCCL_IB_SL);
		if (!level != !by_pcp[i].level || (level && strcmp(level, by_pcp[i].level) != 0))
			fail_msg("%zu: %s", i, level ? level : "none");
		assert_true(!level == !value(VARIABLE_UCX_IB_SL));
	}
}

static void two_service_levels_have_no_environment(void **s)
{
	const struct job_policy none = { 0 };
	struct err err = { 0 };

	(void)s;
	add_port(0, "{'trust':'pcp','roce':{'tos':106}}");
	add_port(1, "{'trust':'pcp','roce':{'tos':106},'pfc':{'priorities':[4]}}");
	assert_false(derive(2, &none, 0, &err));
	assert_string_equal(err.text,
			    "ens1 needs service level 3 and ens2 4: one environment cannot "
			    "have both");
}

static void two_classes_have_no_environment(void **s)
{
	const struct job_policy none = { 0 };
	struct err err = { 0 };

	(void)s;
	add_port(0, "{'roce':{'tos':106}}");
	add_port(1, "{'roce':{'tos':98}}");
	assert_false(derive(2, &none, 0, &err));
	assert_string_equal(err.text, "ens1 needs traffic class 106 and ens2 98: one environment "
				      "cannot have both");
	assert_non_null(strstr(err.fix, "ens1"));
	derives(1, &none, 0);
	ports[1].rdma[0] = '\0'; /* the port has no RDMA device */
	derives(2, &none, 0);
	ports[1].shares_rdma = true; /* the port shares the bond's device */
	assert_false(derive(2, &none, 0, &err));
}

static void all_rails_are_listed_exactly_and_once(void **s)
{
	const struct job_policy none = { 0 };

	(void)s;
	for (size_t i = 0; i < 3; i++)
		add_port(i, "{'roce':{'tos':106}}");
	derives(3, &none, 0);
	assert_string_equal(value(VARIABLE_NCCL_IB_HCA), "=mlx5_0:1,mlx5_1:1,mlx5_2:1");
	assert_string_equal(value(VARIABLE_UCX_NET_DEVICES), "mlx5_0:1,mlx5_1:1,mlx5_2:1");
	ports[1] = ports[0]; /* members of a bond share its device */
	ports[2].rdma[0] = '\0';
	derives(3, &none, 0);
	assert_string_equal(value(VARIABLE_NCCL_IB_HCA), "=mlx5_0:1");
}

static void without_a_device_there_is_none(void **s)
{
	const struct job_policy none = { 0 };
	struct err err = { 0 };

	(void)s;
	add_port(0, "{'roce':{'tos':106}}");
	assert_false(derive(0, &none, 0, &err));
	assert_string_equal(err.text, "no port matches the policy");
	err = (struct err){ 0 };
	ports[0].rdma[0] = '\0';
	assert_false(derive(1, &none, 0, &err));
	assert_string_equal(err.text, "no port has an RDMA device");
	ports[0].shares_rdma = true; /* only a member of a bond, without the bond's device */
	err = (struct err){ 0 };
	assert_false(derive(1, &none, 0, &err));
	assert_string_equal(err.text, "no port has an RDMA device");
	ports[0].shares_rdma = false;
	err = (struct err){ 0 };
	snprintf(ports[0].rdma, sizeof(ports[0].rdma), "mlx5_0\nX=1");
	assert_false(derive(1, &none, 0, &err));
}

static void an_old_nccl_gets_an_index_and_a_new_one_does_not(void **s)
{
	const struct job_policy none = { 0 };

	(void)s;
	add_port(0, "{'roce':{'tos':106}}");
	add_port(1, "{'roce':{'tos':106}}");
	derives(2, &none, NCCL_VERSION(2, 19));
	assert_string_equal(value(VARIABLE_NCCL_IB_GID_INDEX), "3");
	assert_null(value(VARIABLE_NCCL_IB_ADDR_FAMILY));
	assert_null(value(VARIABLE_NCCL_IB_ROCE_VERSION_NUM));
	assert_null(value(VARIABLE_NCCL_GIN_IB_TC));
	derives(2, &none, NCCL_VERSION(2, 21));
	assert_null(value(VARIABLE_NCCL_IB_GID_INDEX));
	assert_string_equal(value(VARIABLE_NCCL_IB_ADDR_FAMILY), "AF_INET");
	assert_string_equal(value(VARIABLE_NCCL_IB_ROCE_VERSION_NUM), "2");
	ports[1].gids = (struct gids_v2){ 1 << 5, 1 << 1 };
	derives(2, &none, NCCL_VERSION(2, 19));
	assert_null(value(VARIABLE_NCCL_IB_GID_INDEX));
	assert_non_null(strstr(env.lacks, "one GID index"));
	ports[1].gids.ipv4 = 0;
	derives(2, &none, NCCL_VERSION(2, 19));
	assert_string_equal(value(VARIABLE_NCCL_IB_GID_INDEX), "1");
	derives(2, &none, 0);
	assert_string_equal(value(VARIABLE_NCCL_IB_ADDR_FAMILY), "AF_INET6");
	ports[0].gids = (struct gids_v2){ .ipv4 = 1 << 3 };
	derives(2, &none, 0);
	assert_null(value(VARIABLE_NCCL_IB_ADDR_FAMILY));
	assert_string_equal(
		env.lacks,
		"NCCL needs RoCE v2 GIDs of one family for all devices: ens2 has no IPv4 "
		"address, and ens1 has no IPv6 address that can be routed");
}

/* Actual and desired settings, and whether the port carries the class as desired. */
static const struct {
	const char *actual, *desired;
	bool carries;
} carrying[] = {
	{ LOSSLESS, "{'roce':{'tos':106}}", true },
	{ "{'pfc':{'priorities':[]},'trust':'dscp','dscp':{'prio':{'26':3},'rest':0}}",
	  "{'roce':{'tos':106}}", false },
	{ "{'pfc':{'priorities':[3]},'trust':'pcp','vlan':{'egress':{}}}", "{'roce':{'tos':106}}",
	  false }, /* without a tag */
	{ "{'pfc':{'priorities':[3]},'trust':'pcp','vlan':{'egress':{}}}",
	  "{'roce':{'tos':106},'pfc':{'priorities':[3]}}", false },
	{ "{'pfc':{'priorities':[3]},'trust':'pcp','vlan':{'egress':{'v':{}}}}",
	  "{'roce':{'tos':106}}", true }, /* the service level is the PCP */
	{ "{'pfc':{'priorities':[]},'trust':'pcp','vlan':{'egress':{'v':{}}}}",
	  "{'roce':{'tos':106},'pfc':{'priorities':[3]}}", false },
	{ "{'pfc':{'priorities':[]},'trust':'dscp','dscp':{'prio':{'26':3},'rest':0}}",
	  "{'roce':{'tos':106},'pfc':{'priorities':[]}}", true }, /* lossy by intent */
	{ LOSSLESS, "{'roce':{'tos':106},'pfc':{'priorities':[]}}", false },
};

static void a_port_carries_its_class_losslessly_unless_the_policy_says(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(carrying); i++) {
		struct config want = config_of(carrying[i].desired);
		struct config now = config_of(carrying[i].actual);
		struct job_port p = { .name = "ens1" };

		job_port_classify(&p, &want, &now);
		if (job_port_carries(&p) != carrying[i].carries)
			fail_msg("%zu", i);
	}
}

/* The GID that a job takes may be that of the port itself, beside a VLAN device. */
static void a_job_without_a_tag_has_priority_0(void **s)
{
	struct config want = config_of("{'roce':{'tos':106}}");
	struct config now = config_of(carrying[4].actual);
	struct job_port p = { .name = "ens1" };

	(void)s;
	job_port_classify(&p, &want, &now);
	assert_int_equal(job_port_priority(&p, &now, 106, 3), 3);
	assert_true(job_port_carries(&p));
	p.is_untagged = true;
	job_port_classify(&p, &want, &now);
	assert_int_equal(job_port_priority(&p, &now, 106, 3), 0);
	assert_false(job_port_carries(&p));
}

/* The VLAN devices of a bond are not its members'. */
static void a_member_of_a_bond_may_tag(void **s)
{
	struct config want = config_of("{'roce':{'tos':106}}");
	struct config now =
		config_of("{'pfc':{'priorities':[3]},'trust':'pcp','vlan':{'egress':{}}}");
	struct job_port p = { .name = "ens1" };

	(void)s;
	job_port_classify(&p, &want, &now);
	assert_false(job_port_tags(&p));
	assert_int_equal(job_port_priority(&p, &now, 106, 3), 0);
	p.of_bond = true;
	assert_true(job_port_tags(&p));
	assert_int_equal(job_port_priority(&p, &now, 106, 3), 3);
	p.is_untagged = true;
	assert_false(job_port_tags(&p));
}

/* One of two lossless priorities is that of rdma_cm: by the map, or by mqprio in its place. */
static void the_service_level_is_the_pcp_of_rdma_cm(void **s)
{
	const struct mqprio m = { true, { [2] = 4 } };
	struct config want = config_of("{'roce':{'tos':106}}");
	struct config now = config_of("{'pfc':{'priorities':[3,4]},'trust':'pcp',"
				      "'vlan':{'egress':{'v':{'2':3}}}}");
	struct job_port p = { .name = "ens1" };

	(void)s;
	job_port_classify(&p, &want, &now);
	assert_int_equal(p.service_level, 3);
	p.mqprio = &m;
	job_port_classify(&p, &want, &now);
	assert_int_equal(p.service_level, 4);
}

/* The settings of a VF's PF cannot be read. */
static void a_vf_is_taken_at_its_policys_word(void **s)
{
	struct config want = config_of(LOSSLESS), now = config_of("{'mtu':9000}");
	struct job_port p = { .name = "ens1v0", .of_vf = true };

	(void)s;
	job_port_classify(&p, &want, &now);
	assert_int_equal(p.source, CLASS_MAP);
	assert_int_equal(p.traffic_class, 106);
	assert_true(job_port_carries(&p));
	p.of_vf = false;
	assert_false(job_port_carries(&p));
}

static void a_port_without_a_gid_is_named(void **s)
{
	const struct job_policy none = { 0 };

	(void)s;
	add_port(0, "{'roce':{'tos':106}}");
	add_port(1, "{'roce':{'tos':106}}");
	ports[1].gids = (struct gids_v2){ 0, 0 };
	derives(2, &none, 0);
	assert_string_equal(env.lacks,
			    "ens2 has no GID of RoCE v2 that can be routed: give it, or its bond, "
			    "an address; if the bond has one, change its active member");
	assert_null(value(VARIABLE_NCCL_IB_ADDR_FAMILY));
	assert_string_equal(value(VARIABLE_NCCL_IB_ROCE_VERSION_NUM), "2");
	derives(2, &none, NCCL_VERSION(2, 19));
	assert_non_null(strstr(env.lacks, "ens2 has no GID"));
	assert_null(value(VARIABLE_NCCL_IB_GID_INDEX));
	ports[1].rdma[0] = '\0';
	derives(2, &none, 0);
	assert_string_equal(env.lacks, "");
}

/* A port without an RDMA device: its desired settings, and whether they need one. */
static const struct {
	const char *desired;
	bool lacks_rdma;
} without_rdma[] = {
	{ "{}", false },
	{ LOSSLESS, false }, /* as of storage */
	{ "{'roce':{'tos':106}}", true },
	{ "{'roce':{'enabled':true}}", true },
	{ "{'roce':{'enabled':false}}", false },
	{ "{'ecn':{'np':true}}", true },
	{ "{'cnp':{'dscp':48}}", true },
	{ "{'dcqcn':{'rpg_gd':11}}", true },
};

static void a_port_without_the_rdma_device_that_its_policy_needs_is_known(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(without_rdma); i++) {
		add_port(0, without_rdma[i].desired);
		assert_false(job_port_lacks_rdma(&ports[0]));
		ports[0].rdma[0] = '\0';
		if (job_port_lacks_rdma(&ports[0]) != without_rdma[i].lacks_rdma)
			fail_msg("%s", without_rdma[i].desired);
		ports[0].shares_rdma = true;
		assert_false(job_port_lacks_rdma(&ports[0]));
	}
}

static void a_port_without_a_device_is_not_among_every_port(void **s)
{
	const struct job_policy none = { 0 };

	(void)s;
	add_port(0, "{'roce':{'tos':106}}");
	add_port(1, "{'roce':{'tos':106}}");
	derives(2, &none, 0);
	assert_string_equal(env.of[VARIABLE_NCCL_IB_ADDR_FAMILY].from,
			    "every port has a RoCE v2 GID with an IPv4 address");
	ports[1].rdma[0] = '\0';
	derives(2, &none, 0);
	assert_string_equal(env.of[VARIABLE_NCCL_IB_ADDR_FAMILY].from,
			    "every RDMA device has a RoCE v2 GID with an IPv4 address");
	derives(2, &none, NCCL_VERSION(2, 19));
	assert_string_equal(env.of[VARIABLE_NCCL_IB_GID_INDEX].from,
			    "the RoCE v2 GID with an IPv4 address of every RDMA device, for NCCL "
			    "before 2.21");
}

static void the_policy_adds_what_jobs_need(void **s)
{
	struct policy *p =
		policy_of("{'version':1,'job':{'control_dscp':48,'socket_ifname':'=eth0',"
			  "'ib_timeout':22,'ib_retry_count':0,'nccl_version':'2.20'},"
			  "'profiles':{'p':{'mtu':1500}},"
			  "'rules':[{'match':{'name':'a'},'profile':'p'}]}");

	(void)s;
	add_port(0, "{'roce':{'tos':106}}");
	derives(1, &p->job, 0);
	assert_string_equal(value(VARIABLE_NCCL_IB_FIFO_TC), "194");
	assert_string_equal(value(VARIABLE_NCCL_SOCKET_IFNAME), "=eth0");
	assert_string_equal(value(VARIABLE_NCCL_IB_TIMEOUT), "22");
	assert_string_equal(value(VARIABLE_NCCL_IB_RETRY_CNT), "0");
	assert_int_equal(p->job.nccl_version, NCCL_VERSION(2, 20));
	derives(1, &p->job, p->job.nccl_version);
	assert_null(value(VARIABLE_NCCL_IB_FIFO_TC));
	free(p);
}

/* The schema has the same rules. */
static void a_version_has_a_major_and_a_minor_number(void **s)
{
	static const char *const good[] = { "2.4", "2.27", "2.27.3", "9.99.99.1" };
	static const char *const bad[] = { "",	   "2",	    "2.",     "2.27.", "2.027", "2.27..3",
					   "1.27", "2.27a", "27.2.1", " 2.27", "2.-1",	"v2.27" };
	unsigned version = 0;

	(void)s;
	for (size_t i = 0; i < COUNT(good); i++)
		assert_true(nccl_version_parse(good[i], &version));
	assert_int_equal(version, NCCL_VERSION(9, 99));
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_false(nccl_version_parse(bad[i], &version));
}

static void actual_entries_complete_a_partial_map(void **s)
{
	const struct job_policy none = { 0 };

	(void)s;
	add_port(0, "{'dscp':{'prio':{'46':6},'rest':'keep'}}");
	derives(1, &none, 0);
	assert_string_equal(value(VARIABLE_NCCL_IB_TC), "106");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, the_class_comes_from_the_policy);
	SUITE_ADD(&s, a_policy_that_does_not_say_the_class_is_unknown);
	SUITE_ADD(&s, a_port_that_trusts_pcp_needs_a_service_level);
	SUITE_ADD(&s, two_service_levels_have_no_environment);
	SUITE_ADD(&s, two_classes_have_no_environment);
	SUITE_ADD(&s, all_rails_are_listed_exactly_and_once);
	SUITE_ADD(&s, without_a_device_there_is_none);
	SUITE_ADD(&s, an_old_nccl_gets_an_index_and_a_new_one_does_not);
	SUITE_ADD(&s, a_port_carries_its_class_losslessly_unless_the_policy_says);
	SUITE_ADD(&s, a_job_without_a_tag_has_priority_0);
	SUITE_ADD(&s, a_member_of_a_bond_may_tag);
	SUITE_ADD(&s, the_service_level_is_the_pcp_of_rdma_cm);
	SUITE_ADD(&s, a_vf_is_taken_at_its_policys_word);
	SUITE_ADD(&s, a_port_without_a_gid_is_named);
	SUITE_ADD(&s, a_port_without_the_rdma_device_that_its_policy_needs_is_known);
	SUITE_ADD(&s, a_port_without_a_device_is_not_among_every_port);
	SUITE_ADD(&s, the_policy_adds_what_jobs_need);
	SUITE_ADD(&s, a_version_has_a_major_and_a_minor_number);
	SUITE_ADD(&s, actual_entries_complete_a_partial_map);
	return suite_run(&s, "environment");
}
