/* What NCCL says that it used, in the words of its versions. */
#include <string.h>

#include "policy/job/nccl_log.h"
#include "tests/support/unit.h"

#define AT "node1:4711:4711 [0] NCCL INFO "

static struct nccl_log read_text(const char *text)
{
	struct nccl_log log = { 0 };

	nccl_log_parse(&log, text, strlen(text));
	return log;
}

static void a_job_over_roce_is_read(void **s)
{
	struct nccl_log log = read_text(
		"NCCL version 2.27.3+cuda12.9\n" AT "NCCL_IB_TC set by environment to 106.\n" AT
		"NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>\n" AT
		"Using network IB\n" AT
		"NET/IB: NCCL Dev 0 IbDev 0 Port 1 qpn 291 mtu 5 GID 3 (80FE/1) fifoRkey=0x1\n" AT
		"Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA\n" AT
		"Channel 01/0 : 0[0] -> 8[0] [send] via NET/IB/1\n"
		"a line of the program\n");

	(void)s;
	assert_string_equal(log.version, "2.27.3");
	assert_string_equal(log.network, "IB");
	assert_int_equal(log.devices_count, 2);
	assert_string_equal(log.devices[0], "mlx5_0:1");
	assert_string_equal(log.devices[1], "mlx5_1:1");
	assert_true(log.has_traffic_class && log.traffic_class == 106);
	assert_true(log.has_gid_index && log.gid_index == 3 && !log.gid_differs);
	assert_int_equal(log.ib_channels, 2);
	assert_int_equal(log.gdrdma_channels, 1);
	assert_int_equal(log.socket_channels, 0);
	assert_false(log.no_device);
	assert_int_equal(log.lines, 7);
}

static void a_job_over_tcp_is_read(void **s)
{
	struct nccl_log log =
		read_text(AT "NET/IB : No device found.\n" AT "Using network Socket\n" AT
			     "Channel 00/0 : 0[0] -> 8[0] [send] via NET/Socket/0");

	(void)s;
	assert_true(log.no_device);
	assert_string_equal(log.network, "Socket");
	assert_int_equal(log.socket_channels, 1);
	assert_int_equal(log.ib_channels + log.devices_count, 0);
}

static void indexes_that_differ_are_noticed(void **s)
{
	struct nccl_log log =
		read_text(AT "NET/IB: Dev 0 GID 3 (1/2)\n" AT "NET/IB: Dev 1 GID 5 (1/2)\n");

	(void)s;
	assert_true(log.gid_differs);
}

static void hostile_lines_do_no_harm(void **s)
{
	static char text[20000];
	struct nccl_log log = { 0 };

	(void)s;
	memset(text, '[', sizeof(text));
	memcpy(text, AT "NET/IB : Using ", sizeof(AT "NET/IB : Using ") - 1);
	nccl_log_parse(&log, text, sizeof(text));
	nccl_log_parse(&log, "NCCL \0NET/IB : Using [0]a/b\n", 28);
	nccl_log_parse(&log, AT "NET/IB : Using [0]", sizeof(AT "NET/IB : Using [0]") - 1);
	nccl_log_parse(&log, "", 0);
	assert_int_equal(log.devices_count, 0);
}

static void more_devices_than_there_is_room_for_are_left_out(void **s)
{
	char line[4096] = AT "NET/IB : Using ";
	struct nccl_log log = { 0 };

	(void)s;
	for (int i = 0; i < LOG_DEVICES_MAX + 5; i++)
		strcat(line, "[0]mlx5_0:1/RoCE ");
	nccl_log_line(&log, line);
	assert_int_equal(log.devices_count, LOG_DEVICES_MAX);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_job_over_roce_is_read);
	SUITE_ADD(&s, a_job_over_tcp_is_read);
	SUITE_ADD(&s, indexes_that_differ_are_noticed);
	SUITE_ADD(&s, hostile_lines_do_no_harm);
	SUITE_ADD(&s, more_devices_than_there_is_room_for_are_left_out);
	return suite_run(&s, "nccl_log");
}
