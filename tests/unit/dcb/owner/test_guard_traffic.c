/* Tests of the traffic guard: RDMA traffic that no queue pair explains blocks a link flap. */
#include <errno.h>
#include <linux/ethtool.h>
#include <string.h>

#include "dcb/registry.h"
#include "tests/support/unit.h"

#define NO_FAILURE 99

struct counting {
	struct host host;
	const char *name;      /* the driver's only counter; NULL: none */
	uint64_t value, step;  /* each reading adds `step` */
	unsigned calls, fails; /* the first call that fails, from 0 */
	int code;
	uint64_t now;
	unsigned slept_ms;
	bool has_function; /* a VF with the interface eth7, whose counter grows instead */
	int function_code; /* its counters cannot be read */
};

static bool answer(struct host *h, const char *port, void *ask, struct err *err)
{
	struct counting *k = (struct counting *)h;
	struct ethtool_gstrings *names = ask;
	struct ethtool_stats *values = ask;
	bool is_function = strcmp(port, "eth7") == 0;
	int code = is_function ? k->function_code : k->calls++ >= k->fails ? k->code : 0;

	if (code)
		return err_set(err, host_err_kind(code), code, "%s", strerror(code));
	switch (names->cmd) {
	case ETHTOOL_GSSET_INFO:
		((struct ethtool_sset_info *)ask)->data[0] = k->name != NULL;
		break;
	case ETHTOOL_GSTRINGS:
		memset(names->data, 0, ETH_GSTRING_LEN); /* the kernel fills it with 0 as well */
		snprintf((char *)names->data, ETH_GSTRING_LEN, "%s", k->name);
		break;
	default:
		values->data[0] = is_function == k->has_function ? (k->value += k->step) : 0;
	}
	return true;
}

static void sleep_ms(struct host *h, unsigned ms)
{
	struct counting *k = (struct counting *)h;

	k->now += ms;
	k->slept_ms += ms;
}

static uint64_t now_ms(struct host *h)
{
	return ((struct counting *)h)->now;
}

static bool list(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		 void *arg, struct err *err)
{
	(void)err;
	if (((struct counting *)h)->has_function)
		each(strstr(path, "virtfn0") ? "eth7" : "virtfn0", arg);
	return true;
}

#define FAKE_HOST \
	.host = { .ethtool = answer, .sleep_ms = sleep_ms, .now_ms = now_ms, .list_dir = list }, \
	.now = 1000

/* As for one port: look, and ask at once. */
static bool objects(struct counting *k, const struct port *port, char why[GUARD_WHY_MAX])
{
	struct guard_look look = { .taken = false };

	guard_traffic.look(&k->host, port, &look);
	return guard_traffic.objects_since(&k->host, port, &look, why);
}

static const struct row {
	const char *sentence, *counter;
	uint64_t step;
	struct port port;
	const char *why; /* a part of the reason; NULL: no objection */
} rows[] = {
	{ "packets that arrive hold up",
	  "rx_vport_rdma_unicast_packets",
	  7,
	  { .rdma_port = 1 },
	  "through this port: 7 packets in 100 ms" },
	{ "packets that leave hold up",
	  "tx_vport_rdma_unicast_packets",
	  1,
	  { .rdma_port = 1 },
	  "1 packet in" },
	{ "packets of the bond's device hold up",
	  "rx_vport_rdma_unicast_packets",
	  7,
	  { .shares_rdma = true },
	  "7 packets" },
	{ "an idle port may flap", "rx_vport_rdma_unicast_packets", 0, { .rdma_port = 1 }, NULL },
	{ "other traffic may be cut off", "rx_packets", 7, { .rdma_port = 1 }, NULL },
	{ "a port without RDMA is not asked",
	  "rx_vport_rdma_unicast_packets",
	  7,
	  { .rdma_port = 0 },
	  NULL },
	{ "a driver without counters has none of these queue pairs",
	  NULL,
	  0,
	  { .rdma_port = 1 },
	  NULL },
};

static void traffic_holds_up(void **s)
{
	const struct row *row = *s;
	struct counting k = { FAKE_HOST, .name = row->counter, .step = row->step,
			      .fails = NO_FAILURE };
	char why[GUARD_WHY_MAX] = "";

	assert_int_equal(objects(&k, &row->port, why), row->why != NULL);
	if (row->why)
		assert_non_null(strstr(why, row->why));
}

static void ports_share_one_wait(void **s)
{
	struct counting k = { FAKE_HOST, .name = "rx_vport_rdma_unicast_packets", .step = 2,
			      .fails = NO_FAILURE };
	struct guard_look looks[3] = { { .taken = false } };
	const struct port port = { .rdma_port = 1 };
	char why[GUARD_WHY_MAX] = "";

	(void)s;
	for (size_t i = 0; i < 3; i++)
		guard_traffic.look(&k.host, &port, &looks[i]);
	k.now += 30;
	for (size_t i = 0; i < 3; i++)
		assert_true(guard_traffic.objects_since(&k.host, &port, &looks[i], why));
	assert_int_equal(k.slept_ms, 70);
	k.now += 500;
	assert_true(guard_traffic.objects_since(&k.host, &port, &looks[0], why));
	assert_int_equal(k.slept_ms, 70);
	assert_non_null(strstr(why, "12 packets in 600 ms"));
}

static void counters_that_cannot_be_read_hold_up(void **s)
{
	const struct port port = { .rdma_port = 1 };

	(void)s;
	for (unsigned n = 0; n < 8; n++) { /* count, names, values and names, twice */
		struct counting k = { FAKE_HOST, .name = "rx_vport_rdma_unicast_packets",
				      .fails = n, .code = EIO };
		char why[GUARD_WHY_MAX] = "";

		assert_true(objects(&k, &port, why));
		assert_non_null(strstr(why, "cannot be counted: Input/output error"));
	}
}

static const struct function_row {
	const char *sentence;
	int code; /* its counters cannot be read */
	const char *why;
} function_rows[] = {
	{ "packets of a VF hold up the port", 0, "through this port: 7 packets in 100 ms" },
	{ "a VF whose counters cannot be read does", EIO, "cannot be counted" },
	{ "a VF without counters does not", EOPNOTSUPP, NULL },
	{ "a VF that is gone does not", ENODEV, NULL },
};

static void a_function_holds_up(void **s)
{
	const struct function_row *row = *s;
	const struct port port = { .rdma_port = 1, .id.pci = "0000:3b:00.0" };
	struct counting k = { FAKE_HOST,
			      .name = "rx_vport_rdma_unicast_packets",
			      .step = 7,
			      .fails = NO_FAILURE,
			      .has_function = true,
			      .function_code = row->code };
	char why[GUARD_WHY_MAX] = "";

	assert_int_equal(objects(&k, &port, why), row->why != NULL);
	if (row->why)
		assert_non_null(strstr(why, row->why));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, traffic_holds_up);
	SUITE_ADD_ROWS(&s, function_rows, a_function_holds_up);
	SUITE_ADD(&s, ports_share_one_wait);
	SUITE_ADD(&s, counters_that_cannot_be_read_hold_up);
	return suite_run(&s, "guard_traffic");
}
