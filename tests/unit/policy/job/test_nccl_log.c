/* Tests of reading the log of NCCL, in the formats of its versions. */
#include <string.h>

#include "policy/job/nccl_log.h"
#include "tests/support/unit.h"

#define AT   "node1:4711:4720 [2] NCCL INFO "
#define WARN "[2026-03-03 12:11:38] node1:4711:4720 [2] transport/net_ib.cc:2453 NCCL WARN "

static struct nccl_log log_read;

static const struct log_process *read_text(const char *text)
{
	memset(&log_read, 0, sizeof(log_read));
	nccl_log_set_host(&log_read, "Node1.example.com");
	nccl_log_parse(&log_read, text, strlen(text));
	return &log_read.processes[0];
}

static void a_job_over_roce_is_read(void **s)
{
	const struct log_process *p = read_text(
		"NCCL version 2.27.3+cuda12.9\n" AT "NCCL_IB_TC set by environment to 106.\n" AT
		"NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/IB [RO]; OOB eth0:10.0.0.1<0>\n" AT
		"Using network IB\n" AT
		"NET/IB: NCCL Dev 0 IbDev 0 Port 1 qpn 291 mtu 5 GID 3 (80FE/1) fifoRkey=0x1\n" AT
		"Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA\n" AT
		"Channel 01/0 : 0[0] -> 8[0] [send] via NET/IB/1\n"
		"a line of the program\n");

	(void)s;
	assert_string_equal(log_read.version, "2.27.3");
	assert_int_equal(log_read.devices_count, 2);
	assert_string_equal(log_read.devices[0], "mlx5_0:1");
	assert_string_equal(log_read.devices[1], "mlx5_1:1");
	assert_int_equal(log_read.processes_count, 2);
	p++; /* the first line names no process */
	assert_true(p->pid == 4711 && p->gpu == 2);
	assert_int_equal(p->devices, 3);
	assert_int_equal(p->infiniband, 2);
	assert_int_equal(p->uses_line, 3);
	assert_int_equal(p->env_line, 2);
	assert_int_equal(p->set[VARIABLE_NCCL_IB_TC].value, 106);
	assert_int_equal(p->set[VARIABLE_NCCL_IB_TC].line, 2);
	assert_true(p->gid.line == 5 && p->gid.value == 3 && !p->gid_differs);
	assert_int_equal(p->ib_channels, 2);
	assert_int_equal(p->gdrdma_channels, 1);
	assert_int_equal(p->no_gdrdma_line, 7);
	assert_int_equal(p->socket_line, 0);
	assert_false(p->no_device);
	assert_int_equal(log_read.lines, 7);
}

static void a_job_over_tcp_is_read(void **s)
{
	const struct log_process *p =
		read_text(AT "NET/IB : No device found.\n" AT "Using network Socket\n" AT
			     "Channel 00/0 : 0[0] -> 8[0] [send] via NET/Socket/0");

	(void)s;
	assert_true(p->no_device);
	assert_int_equal(p->socket_line, 1);
	assert_int_equal(p->ib_channels + log_read.devices_count, 0);
	p = read_text(AT "Channel 00/0 : 0[0] -> 8[0] [send] via NET/Socket/0\n");
	assert_int_equal(p->socket_line, 1);
	p = read_text("\n" AT "Using network Socket\n");
	assert_int_equal(p->socket_line, 2);
}

/* A list of devices as NCCL prints it, and the devices in it. */
static const struct {
	const char *list, *first, *second;
} lists[] = {
	{ "[0]mlx5_0:1/RoCE [RO]; OOB eth0:10.0.0.1<0>", "mlx5_0:1", "" },
	{ "[0]={[0] mlx5_0:1/RoCE, [1] mlx5_1:1/RoCE} [RO]; OOB eth0:10.0.0.1<0>", "mlx5_0:1",
	  "mlx5_1:1" },
	{ "[0]mlx5_0:1:3:1/RoCE [1]mlx5_1:1::2/RoCE ; OOB eth0:10.0.0.1<0>", "mlx5_0:1",
	  "mlx5_1:1" },
	{ "[0]mlx5_0_dma:1/RoCE [RO]; OOB", "mlx5_0:1", "" },
	{ "[0]rocep139s0f0:2/RoCE/SHARP [RO]; OOB", "rocep139s0f0:2", "" },
	{ "[0]_dma:1/RoCE [1]:1/RoCE [2]mlx5_2/RoCE [3]mlx5_3:/RoCE", "_dma:1", "" },
};

static void each_list_of_devices_is_read(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(lists); i++) {
		char line[256];

		snprintf(line, sizeof(line), AT "NET/IB : Using %s\n", lists[i].list);
		read_text(line);
		assert_int_equal(log_read.devices_count, 1 + (lists[i].second[0] != '\0'));
		assert_string_equal(log_read.devices[0], lists[i].first);
		assert_string_equal(log_read.devices[1], lists[i].second);
	}
}

/* The hang, as NCCL 2.12, 2.19 and 2.28 report it, and other failures. */
static const struct {
	const char *line;
	long status;
} completions[] = {
	{ WARN "NET/IB : Got completion from peer 10.2.0.5<33092> with error 12, opcode 0, len 0, "
	       "vendor err 129 (Recv)\n",
	  12 },
	{ WARN "NET/IB: Got completion from peer 10.2.0.5<33092> with status=12 opcode=129 "
	       "len=524288 vendor err 129 (Recv) localGid ::ffff:1.1.2.2 hca mlx5_1\n",
	  12 },
	{ WARN "NET/IB: Got completion from peer 10.2.0.5<4> with status=IBV_WC_RETRY_EXC_ERR(12) "
	       "opcode=IBV_WC_RECV_RDMA_WITH_IMM(129) vendor_err=129 hca mlx5_1\n",
	  12 },
	{ WARN "NET/IB: Got completion from peer 10.99.91.63<51161> with status=4 opcode=32614\n",
	  4 },
	{ WARN "NET/IB: Got completion from peer 10.99.91.63<51161> with status=\n", 0 },
	{ WARN "NET/IB: Got completion from peer 10.99.91.63<51161> with status=X\n", 0 },
};

static void each_completion_is_read(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(completions); i++) {
		const struct log_process *p = read_text(completions[i].line);

		assert_int_equal(p->pid, 4711);
		assert_int_equal(p->failed.line, 1);
		assert_int_equal(p->failed.value, completions[i].status);
	}
}

static void indexes_that_differ_are_noticed(void **s)
{
	(void)s;
	assert_true(read_text(AT "NET/IB: Dev 0 GID 3 (1/2)\n" AT "NET/IB: Dev 1 GID 5 (1/2)\n")
			    ->gid_differs);
}

static void lines_of_other_hosts_are_counted_and_not_read(void **s)
{
	const struct log_process *p =
		read_text("node2:7:7 [0] NCCL INFO NCCL_IB_TC set by environment to 0.\n" AT
			  "NCCL_IB_TC set by environment to 106.\n"
			  "node1:4712:4712 [3] NCCL INFO NCCL_IB_TC set by environment to 104.\n"
			  "node3:7:7 [0] NCCL INFO Using network Socket\n"
			  "node2:8:8 [1] NCCL INFO Using network Socket\n");

	(void)s;
	assert_int_equal(log_read.hosts.count, 3);
	assert_int_equal(log_read.own_lines, 2);
	assert_string_equal(log_read.other, "node2");
	assert_int_equal(log_read.processes_count, 2);
	assert_int_equal(p[0].set[VARIABLE_NCCL_IB_TC].line, 2);
	assert_int_equal(p[0].set[VARIABLE_NCCL_IB_TC].value, 106);
	assert_int_equal(p[1].set[VARIABLE_NCCL_IB_TC].value, 104);
	assert_int_equal(p[1].pid, 4712);
	assert_int_equal(p[0].socket_line, 0);
}

/* Launchers colour the lines of each rank; an incomplete escape is no colour. */
static void colours_are_not_part_of_a_name(void **s)
{
	static const char coloured[] = "\033[1;32mnode1:4711:4720\033[0m [2] NCCL INFO "
				       "NCCL_IB_TC set by environment to \033[1m106.\033[0m\n";
	const struct log_process *p = read_text(coloured);

	(void)s;
	assert_int_equal(log_read.hosts.count, 1);
	assert_int_equal(log_read.own_lines, 1);
	assert_int_equal(p->pid, 4711);
	assert_int_equal(p->set[VARIABLE_NCCL_IB_TC].value, 106);
	read_text("\033node2:1:1 [0] NCCL INFO x\n\033[");
	assert_string_equal(log_read.other, "node2");
	read_text("\033[31");
	assert_int_equal(log_read.lines, 0);
}

/* A line, and the process that it names ("": none). */
static const struct {
	const char *line, *host;
	long pid;
} origins[] = {
	{ "node1:12:34 [0] NCCL INFO", "node1", 12 },
	{ "[1,0]<stdout>:node1:12:34 [0] NCCL INFO", "node1", 12 },
	{ "3: node1.example.com:12:34 [0] NCCL INFO", "node1", 12 },
	{ "[2026-03-03 12:11:38] gpu-a_1:12:34 [0] net_ib.cc:1 (f) NCCL WARN", "gpu-a_1", 12 },
	{ "node1:12 [0] NCCL INFO", "", 0 },
	{ "node1:12:34 [] NCCL INFO", "", 0 },
	{ "node1:12:34 NCCL INFO [0] ", "", 0 },
	{ ":12:34 [0] NCCL INFO", "", 0 },
	{ "node1::34 [0] NCCL INFO", "", 0 },
	{ ".x:12:34 [0] NCCL INFO", "", 0 },
	{ "12:34 [0] NCCL INFO", "", 0 },
	{ " [0] NCCL INFO", "", 0 },
};

static void each_origin_is_read(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(origins); i++) {
		struct log_origin o = { .host = "" };
		bool found = log_origin_parse(origins[i].line, strstr(origins[i].line, "NCCL"), &o);

		assert_int_equal(found, origins[i].host[0] != '\0');
		if (!found)
			continue;
		assert_string_equal(o.host, origins[i].host);
		assert_int_equal(o.pid, origins[i].pid);
	}
}

static void more_hosts_than_there_is_room_for_do_no_harm(void **s)
{
	static struct log_hosts all;
	char name[16];

	(void)s;
	for (int i = 0; i < 3 * LOG_HOSTS_MAX; i++) {
		snprintf(name, sizeof(name), "node%d", i);
		log_hosts_add(&all, name);
		log_hosts_add(&all, "node0");
	}
	assert_int_equal(all.count, LOG_HOSTS_MAX);
}

static void hostile_lines_do_no_harm(void **s)
{
	static char text[20000];

	(void)s;
	memset(text, '[', sizeof(text));
	memcpy(text, AT "NET/IB : Using ", sizeof(AT "NET/IB : Using ") - 1);
	memset(&log_read, 0, sizeof(log_read));
	nccl_log_parse(&log_read, text, sizeof(text));
	nccl_log_parse(&log_read, "NCCL \0NET/IB : Using [0]a:1/b\n", 30);
	nccl_log_parse(&log_read, AT "NET/IB : Using [0]", sizeof(AT "NET/IB : Using [0]") - 1);
	nccl_log_parse(&log_read, "", 0);
	assert_int_equal(log_read.devices_count, 0);
}

static void more_than_there_is_room_for_is_left_out(void **s)
{
	char line[4096] = AT "NET/IB : Using ";

	(void)s;
	for (int i = 0; i < LOG_DEVICES_MAX + 5; i++)
		snprintf(line + strlen(line), 40, "[0]mlx5_%d:1/RoCE ", i);
	read_text(line);
	assert_int_equal(log_read.devices_count, LOG_DEVICES_MAX);
	for (int i = 0; i < LOG_PROCESSES_MAX + 5; i++) {
		snprintf(line, sizeof(line), "n:%d:1 [0] NCCL INFO x\n", i + 10);
		nccl_log_set_host(&log_read, "n");
		nccl_log_parse(&log_read, line, strlen(line));
	}
	assert_int_equal(log_read.processes_count, LOG_PROCESSES_MAX);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_job_over_roce_is_read);
	SUITE_ADD(&s, a_job_over_tcp_is_read);
	SUITE_ADD(&s, each_list_of_devices_is_read);
	SUITE_ADD(&s, each_completion_is_read);
	SUITE_ADD(&s, indexes_that_differ_are_noticed);
	SUITE_ADD(&s, lines_of_other_hosts_are_counted_and_not_read);
	SUITE_ADD(&s, colours_are_not_part_of_a_name);
	SUITE_ADD(&s, each_origin_is_read);
	SUITE_ADD(&s, more_hosts_than_there_is_room_for_do_no_harm);
	SUITE_ADD(&s, hostile_lines_do_no_harm);
	SUITE_ADD(&s, more_than_there_is_room_for_is_left_out);
	return suite_run(&s, "nccl_log");
}
