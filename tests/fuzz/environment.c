/*
 * Fuzz target: the environment of a job, judged against two ports. The first byte selects
 * nccl.conf, a block of NAME=VALUE, a log of NCCL or ucx.conf.
 */
#include <string.h>

#include "../../policy/job/environment_check.h"
#include "../../policy/model/setting.h"
#include "fuzz.h"

static const char devices[][ID_MAX] = { "mlx5_0", "mlx5_1", "mlx5_10" };
static const struct job_policy job = { .control_dscp_plus_1 = 49, .ib_timeout = 22 };
static struct config actual;
static struct job_port ports[2];
static struct environment desired;
static const struct environment_input input = { ports, 2, &job, 0 };
static struct environment_source source = { .label = "input", .is_complete = true };

static void set_up(void)
{
	const struct config empty = { 0 };
	struct err err = { 0 };

	actual.has = SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_TRUST) |
		     SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_ROCE_TOS) |
		     SETTING(SETTING_ROCE_TRAFFIC_CLASS);
	actual.pfc.priorities = 1 << 3;
	actual.trust = TRUST_DSCP;
	actual.dscp.prio[26] = 3;
	actual.roce.tos = 106;
	actual.roce.traffic_class = 106;
	for (int i = 0; i < 2; i++) {
		ports[i] =
			(struct job_port){ .name = "ens1", .rdma_port = 1, .gids = { 1 << 3, 2 } };
		snprintf(ports[i].rdma, sizeof(ports[i].rdma), "mlx5_%d", i);
		snprintf(ports[i].device, sizeof(ports[i].device), "mlx5_%d:1", i);
		job_port_classify(&ports[i], &empty, &actual);
	}
	MUST(environment_derive(&input, &desired, &err));
}

static void check_assignments(const struct assignments *all)
{
	MUST(all->count <= ASSIGNMENTS_MAX);
	for (size_t i = 0; i < all->count; i++) {
		MUST(all->list[i].variable < VARIABLE_COUNT);
		MUST(memchr(all->list[i].name, '\0', WRITTEN_NAME_MAX));
		MUST(memchr(all->list[i].text, '\0', VALUE_MAX));
	}
}

static void check_report(const struct environment_report *r)
{
	MUST(r->count <= ENVIRONMENT_ITEMS_MAX);
	for (size_t i = 0; i < r->count; i++) {
		const struct environment_item *item = &r->items[i];

		MUST(item->variable < VARIABLE_COUNT && item->trap < TRAP_COUNT);
		MUST(item->message[0] && memchr(item->message, '\0', sizeof(item->message)));
	}
}

static void judge_log(const char *text, size_t size, struct environment_report *ret)
{
	struct environment_check c = { .input = &input, .desired = &desired };
	static struct nccl_log log;

	memset(&log, 0, sizeof(log));
	nccl_log_set_host(&log, size % 2 ? "n" : "");
	nccl_log_parse(&log, text, size);
	MUST(log.devices_count <= LOG_DEVICES_MAX && log.processes_count <= LOG_PROCESSES_MAX);
	MUST(log.hosts.count <= LOG_HOSTS_MAX && log.own_lines <= log.lines);
	nccl_log_judge(&c, &log, &source, ret);
}

typedef void parse(const char *text, size_t size, struct assignments *ret);

static void judge_environment(parse *read, const char *text, size_t size,
			      struct environment_report *ret)
{
	const struct environment_sources all = { { &source }, 1 };
	struct environment_check c = { &input, &desired, &all, devices, 3, true };

	(void)environ_is_plausible(text, size);
	read(text, size, &source.assignments);
	check_assignments(&source.assignments);
	environment_judge(&c, ret);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct environment_report report;
	const char *text = (const char *)data + 1;

	if (!actual.has)
		set_up();
	if (!size)
		return 0;
	report.count = 0;
	if (data[0] % 3 == 2)
		judge_log(text, size - 1, &report);
	else
		judge_environment(data[0] >= 192 ? ucx_conf_parse
				  : data[0] % 3	 ? environ_parse
						 : nccl_conf_parse,
				  text, size - 1, &report);
	check_report(&report);
	return 0;
}
