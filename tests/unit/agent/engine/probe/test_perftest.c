/* Tests of perftest's command line, and of refusing bad values from a peer. */
#include <string.h>

#include "agent/engine/probe/perftest.h"
#include "tests/support/unit.h"

static struct perftest server(void)
{
	return (struct perftest){ .path = PROBE_VERBS,
				  .device = "mlx5_0",
				  .ib_port = 1,
				  .gid_index = 3,
				  .traffic_class = 106,
				  .tcp_port = 18515,
				  .messages = 100,
				  .size = 65536 };
}

/* Join all words into one line. */
static const char *line_of(const struct perftest *p)
{
	static char line[PERFTEST_TEXT_MAX + PERFTEST_WORDS_MAX];
	struct perftest_words w;
	struct err err = { 0 };

	assert_true(perftest_check(p, &err));
	perftest_write_words(p, &w);
	assert_null(w.list[w.count]);
	line[0] = '\0';
	for (size_t i = 0; i < w.count; i++) {
		strcat(line, i ? " " : "");
		strcat(line, w.list[i]);
	}
	return line;
}

#define BEGIN "--CPU-freq --ib-dev=mlx5_0 --ib-port=1 --port=18515 --size=65536 --iters=100 "

static void each_path_sets_the_class_in_its_way(void **s)
{
	struct perftest p = server();

	(void)s;
	assert_string_equal(line_of(&p), BEGIN "--tclass=106 --gid-index=3");
	p.path = PROBE_RDMA_CM;
	assert_string_equal(line_of(&p), BEGIN "--rdma_cm");
	p.path = PROBE_RDMA_CM_TOS;
	assert_string_equal(line_of(&p), BEGIN "--rdma_cm --tos=106");
	p.path = PROBE_GPU;
	assert_string_equal(line_of(&p), BEGIN "--tclass=106 --gid-index=3 --use_cuda=0");
	p.service_level = 3;
	assert_string_equal(line_of(&p), BEGIN "--tclass=106 --gid-index=3 --sl=3 --use_cuda=0");
	p.path = PROBE_RDMA_CM_TOS; /* it has the kernel's */
	assert_string_equal(line_of(&p), BEGIN "--rdma_cm --tos=106");
	p = (struct perftest){ .asks_help = 1 };
	assert_string_equal(line_of(&p), "--help");
}

static void the_client_names_the_server_last(void **s)
{
	struct perftest p = server();

	(void)s;
	strcpy(p.peer, "2001:db8::1");
	assert_string_equal(line_of(&p), BEGIN "--tclass=106 --gid-index=3 2001:db8::1");
}

static void the_longest_words_fit(void **s)
{
	struct perftest p = server();

	(void)s;
	p.path = PROBE_RDMA_CM_TOS;
	p.ib_port = p.gid_index = p.traffic_class = 255;
	p.tcp_port = 65535;
	p.messages = PERFTEST_MESSAGES_MAX;
	p.size = PERFTEST_BYTES_MAX / PERFTEST_MESSAGES_MAX;
	memset(p.device, 'x', sizeof(p.device) - 1);
	strcpy(p.peer, "1111:2222:3333:4444:5555:6666:255.255.255.255");
	assert_int_equal(strlen(p.peer), PERFTEST_ADDRESS_MAX - 1);
	assert_non_null(strstr(line_of(&p), "--tos=255 1111:"));
}

static void refuse(const struct perftest *p, const char *why)
{
	struct err err = { 0 };

	assert_false(perftest_check(p, &err));
	assert_non_null(strstr(err.text, why));
}

static void numbers_out_of_range_are_refused(void **s)
{
	struct perftest p;

	(void)s;
	p = server(), p.path = PROBE_PATHS, refuse(&p, "path 4 is not in 0 to 3");
	p = server(), p.ib_port = 0, refuse(&p, "port of the RDMA device 0");
	p = server(), p.gid_index = 256, refuse(&p, "GID index 256");
	p = server(), p.traffic_class = 256, refuse(&p, "traffic class 256 is not in 0 to 255");
	p = server(), p.service_level = 8, refuse(&p, "service level 8 is not in 0 to 7");
	p = server(), p.tcp_port = 1023, refuse(&p, "TCP port 1023");
	p = server(), p.tcp_port = 65536, refuse(&p, "TCP port 65536");
	p = server(), p.messages = 4, refuse(&p, "number of messages 4 is not in 5");
	p = server(), p.messages = PERFTEST_MESSAGES_MAX + 1, refuse(&p, "number of messages");
	p = server(), p.size = 0, refuse(&p, "size of messages 0");
	p = server(), p.size = PERFTEST_SIZE_MAX, p.messages = 1024, (void)line_of(&p);
	p = server(), p.size = PERFTEST_SIZE_MAX, p.messages = 1025, refuse(&p, "1024 MiB");
}

static void texts_that_are_no_names_are_refused(void **s)
{
	static const char *const devices[] = { "", "-d", "--tclass", "mlx5 0", "a;b", "a/b", "$x" };
	static const char *const peers[] = {
		"-h",	"--help", "host", "1.2.3.4 x",	    "fe80::1%eth0",
		"face", "1.2.3",  ":",	  "192.0.2.1:18515"
	};
	struct perftest p;

	(void)s;
	for (size_t i = 0; i < COUNT(devices); i++) {
		p = server();
		strcpy(p.device, devices[i]);
		refuse(&p, "no name of an RDMA device");
	}
	for (size_t i = 0; i < COUNT(peers); i++) {
		p = server();
		strcpy(p.peer, peers[i]);
		refuse(&p, "no address");
	}
	p = server(), memset(p.device, 'x', sizeof(p.device)), refuse(&p, "no name");
	p = server(), memset(p.peer, '1', sizeof(p.peer)), refuse(&p, "no address");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_path_sets_the_class_in_its_way),
		cmocka_unit_test(the_client_names_the_server_last),
		cmocka_unit_test(the_longest_words_fit),
		cmocka_unit_test(numbers_out_of_range_are_refused),
		cmocka_unit_test(texts_that_are_no_names_are_refused),
	};

	return cmocka_run_group_tests_name("perftest", tests, NULL, NULL);
}
