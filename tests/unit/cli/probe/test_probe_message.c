/* Tests of the messages of a probe: an end reads only what the other end writes. */
#include "cli/probe/probe_server.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

static json_t *from_text(const char *text)
{
	json_t *j = json_loads(text, 0, NULL);

	assert_non_null(j);
	return j;
}

static void a_port_arrives_as_it_was_sent(void **state)
{
	const struct json_path at = { NULL, NULL, 0 };
	struct probe_port sent = { .name = "ens1f0np0",
				   .device = "mlx5_0",
				   .ib_port = 1,
				   .gid_index = 3,
				   .address = "2001:db8::1",
				   .lacks = "no link",
				   .busy = "2 queue pairs",
				   .has_class = true,
				   .traffic_class = 106,
				   .service_level = 3,
				   .vlan = "ens1f0np0.7",
				   .mqprio = { true, { 0, 1, 3, 2, 4, 5, 6, 7 } } },
			  received;
	struct err err = { 0 };
	json_t *j;

	(void)state;
	sent.actual.has = PROBE_SETTINGS;
	sent.actual.trust = TRUST_DSCP;
	sent.actual.pfc.priorities = 1 << 3;
	sent.actual.dscp.prio[26] = 3;
	j = probe_port_to_json(&sent);
	assert_true(probe_port_from_json(j, &at, &received, &err));
	assert_string_equal(received.name, sent.name);
	assert_string_equal(received.device, sent.device);
	assert_string_equal(received.address, sent.address);
	assert_string_equal(received.lacks, sent.lacks);
	assert_string_equal(received.busy, sent.busy);
	assert_int_equal(received.ib_port, 1);
	assert_true(received.has_class);
	assert_int_equal(received.traffic_class, 106);
	assert_int_equal(received.gid_index, 3);
	assert_int_equal(received.service_level, 3);
	assert_string_equal(received.vlan, sent.vlan);
	assert_memory_equal(&received.mqprio, &sent.mqprio, sizeof(sent.mqprio));
	assert_int_equal(received.actual.has, PROBE_SETTINGS);
	assert_memory_equal(received.actual.dscp.prio, sent.actual.dscp.prio, DSCPS);
	assert_int_equal(received.actual.pfc.priorities, 1 << 3);
	json_decref(j);
}

static void counts_arrive_as_they_were_sent(void **state)
{
	struct probe_counts sent = { .at_ms = 12345, .known = true }, received;
	struct err err = { 0 };
	json_t *j;

	(void)state;
	for (unsigned prio = 0; prio < PRIOS; prio++) {
		sent.sent[prio] = prio;
		sent.received[prio] = INT64_MAX - prio;
	}
	j = probe_counts_to_json(&sent);
	assert_true(probe_counts_from_json(j, &received, &err));
	assert_int_equal(received.at_ms, sent.at_ms);
	assert_int_equal(received.known, sent.known);
	assert_memory_equal(received.sent, sent.sent, sizeof(sent.sent));
	assert_memory_equal(received.received, sent.received, sizeof(sent.received));
	json_decref(j);
}

static void the_client_chooses_neither_device_nor_gid(void **state)
{
	struct perftest ours = { .device = "mlx5_0", .ib_port = 1, .gid_index = 3 };
	struct err err = { 0 };
	json_t *j = from_text(
		"{\"path\":1,\"traffic_class\":106,\"service_level\":0,\"tcp_port\":18515,"
		"\"messages\":500,\"size\":4096,\"device\":\"mlx5_9\","
		"\"ib_port\":9,\"gid_index\":9,\"peer\":\"192.0.2.9\"}");

	(void)state;
	assert_true(probe_run_from_json(j, &ours, &err));
	assert_int_equal(ours.path, PROBE_RDMA_CM);
	assert_int_equal(ours.messages, 500);
	assert_string_equal(ours.device, "mlx5_0");
	assert_string_equal(ours.peer, "192.0.2.9");
	assert_int_equal(ours.ib_port, 1);
	assert_int_equal(ours.gid_index, 3);
	json_decref(j);
}

enum reader { COUNTS, RUN, PORT };

#define EIGHT "[0,0,0,0,0,0,0,0]"
#define REST  "\"path\":0,\"traffic_class\":0,\"service_level\":0,\"tcp_port\":18515,\"size\":1"

static const struct {
	const char *sentence;
	enum reader reader;
	const char *text;
} refused[] = {
	{ "counts without a time are refused", COUNTS,
	  "{\"known\":true,\"sent\":" EIGHT ",\"received\":" EIGHT "}" },
	{ "a time below zero is refused", COUNTS,
	  "{\"at_ms\":-1,\"known\":true,\"sent\":" EIGHT ",\"received\":" EIGHT "}" },
	{ "counts whose knowledge is a number are refused", COUNTS,
	  "{\"at_ms\":1,\"known\":1,\"sent\":" EIGHT ",\"received\":" EIGHT "}" },
	{ "counts of seven priorities are refused", COUNTS,
	  "{\"at_ms\":1,\"known\":true,\"sent\":[0,0,0,0,0,0,0],\"received\":" EIGHT "}" },
	{ "a count below zero is refused", COUNTS,
	  "{\"at_ms\":1,\"known\":true,\"sent\":" EIGHT ",\"received\":[0,0,0,-1,0,0,0,0]}" },
	{ "a count with a fraction is refused", COUNTS,
	  "{\"at_ms\":1,\"known\":true,\"sent\":[0.5,0,0,0,0,0,0,0],\"received\":" EIGHT "}" },
	{ "no counts are refused", COUNTS, "null" },
	{ "a run without messages is refused", RUN, "{" REST "}" },
	{ "messages below zero are refused", RUN, "{" REST ",\"messages\":-1}" },
	{ "messages beyond 32 bits are refused", RUN, "{" REST ",\"messages\":4294967301}" },
	{ "messages as text are refused", RUN, "{" REST ",\"messages\":\"500\"}" },
	{ "a peer that is a number is refused", RUN, "{" REST ",\"messages\":500,\"peer\":1}" },
	{ "an empty peer is refused", RUN, "{" REST ",\"messages\":500,\"peer\":\"\"}" },
	{ "no run is refused", RUN, "null" },
	{ "a port that is no object is refused", PORT, "\"ens1f0np0\"" },
	{ "a port with another key is refused", PORT,
	  "{\"port\":\"a\",\"ib_port\":1,\"gid_index\":0,\"config\":{},\"shell\":\"x\"}" },
	{ "a GID index beyond a byte is refused", PORT,
	  "{\"port\":\"a\",\"ib_port\":1,\"gid_index\":256,\"config\":{}}" },
	{ "a class beyond a byte is refused", PORT,
	  "{\"port\":\"a\",\"ib_port\":1,\"gid_index\":0,\"config\":{},\"service_level\":0,"
	  "\"traffic_class\":256}" },
	{ "an address that is too long is refused", PORT,
	  "{\"port\":\"a\",\"ib_port\":1,\"gid_index\":0,\"config\":{},\"address\":"
	  "\"11111111111111111111111111111111111111111111111111\"}" },
	{ "a priority that there is not is refused", PORT,
	  "{\"port\":\"a\",\"ib_port\":1,\"gid_index\":0,\"config\":{\"pfc\":{\"priorities\":[8]}}"
	  "}" },
};

static bool read_as(enum reader reader, json_t *j, struct err *err)
{
	const struct json_path at = { NULL, NULL, 0 };
	struct probe_counts counts;
	struct probe_port port;
	struct perftest run = { .path = 0 };

	switch (reader) {
	case COUNTS:
		return probe_counts_from_json(j, &counts, err);
	case RUN:
		return probe_run_from_json(j, &run, err);
	case PORT:
		return probe_port_from_json(j, &at, &port, err);
	}
	return true;
}

static void is_refused(void **state)
{
	const size_t i =
		(size_t)((const char *)*state - (const char *)refused) / sizeof(refused[0]);
	json_t *j = json_loads(refused[i].text, JSON_DECODE_ANY, NULL);
	struct err err = { 0 };

	assert_non_null(j);
	assert_false(read_as(refused[i].reader, j, &err));
	assert_int_equal(err.kind, ERR_POLICY);
	assert_true(err.text[0]);
	json_decref(j);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, a_port_arrives_as_it_was_sent);
	SUITE_ADD(&s, counts_arrive_as_they_were_sent);
	SUITE_ADD(&s, the_client_chooses_neither_device_nor_gid);
	SUITE_ADD_ROWS(&s, refused, is_refused);
	return suite_run(&s, "probe_message");
}
