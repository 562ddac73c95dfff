/* Tests of the reasons why perftest failed, from messages that perftest really prints. */
#include "agent/engine/probe/perftest.h"
#include "tests/support/unit.h"

static const struct {
	const char *sentence, *near, *far, *why, *fix;
	enum perftest_state state;
} rows[] = {
	{ "perftest that is missing at the other end is not a firewall",
	  "Couldn't connect to 192.0.2.2:18515\n",
	  "/usr/bin/ib_write_bw is not installed (package perftest)",
	  "perftest is not installed at both ends", "install the package perftest",
	  PERFTEST_NO_CONNECTION },
	{ "a server that does not listen is named", "Couldn't connect to 192.0.2.2:18515\n", "",
	  "the other end's perftest cannot be reached by TCP", "permit TCP 18515",
	  PERFTEST_NO_CONNECTION },
	{ "a server without a route is named as well", "Couldn't connect to 192.0.2.2:18515\n", "",
	  "the other end's perftest cannot be reached by TCP", "ip route get",
	  PERFTEST_NO_CONNECTION },
	{ "rdma_cm without a route is named",
	  "rdma_resolve_addr failed\n Unable to perform rdma_client function\n", "",
	  "rdma_cm finds no route to the other port's address", "ip route get",
	  PERFTEST_NO_CONNECTION },
	{ "rdma_cm that is not answered is named", "Unexpected CM event bl blka 8\n", "",
	  "the other port does not answer rdma_cm, or refuses it", "permit UDP 4791",
	  PERFTEST_NO_CONNECTION },
	{ "a run that was killed late lost its packets",
	  "/usr/bin/ib_write_bw did not end within 15 s", "",
	  "packets, or their acknowledgements, do not arrive",
	  "TCP 18515 in firewalls; see that both ports have the same MTU", PERFTEST_NO_CONNECTION },
	{ "perftest that was killed at the other end is named",
	  "/usr/bin/ib_write_bw did not end within 15 s", "/usr/bin/ib_write_bw was killed\n",
	  "perftest was killed at one end", "lack of memory", PERFTEST_UNKNOWN },
	{ "perftest that was killed before it listened is no firewall",
	  "Couldn't connect to 192.0.2.2:18515\n", "/usr/bin/ib_write_bw was killed\n",
	  "perftest was killed at one end", "lack of memory", PERFTEST_UNKNOWN },
	{ "perftest that this probe ended itself is no reason",
	  "/usr/bin/ib_write_bw did not end within 15 s", "/usr/bin/ib_write_bw was cancelled",
	  "packets, or their acknowledgements, do not arrive", "permit UDP 4791",
	  PERFTEST_NO_CONNECTION },
	{ "retries that are exhausted lost their packets",
	  "Completion with error at client\nFailed status 12: wr_id 0 syndrom 0x81\n", "",
	  "packets of RoCE, or their acknowledgements, do not arrive", "permit UDP 4791",
	  PERFTEST_NO_CONNECTION },
	{ "an address without a neighbour cannot be connected",
	  "Failed to modify QP 17 to RTR\nUnable to Connect the HCA's through the link\n", "",
	  "the queue pairs cannot be connected: the GID, the route or the MTU is wrong",
	  "losslessctl ready", PERFTEST_NO_CONNECTION },
	{ "memory that cannot be locked is named", "Couldn't allocate MR\n", "",
	  "memory cannot be locked", "ulimit -l", PERFTEST_NO_CONNECTION },
	{ "the messages of the other end explain as well", "",
	  "IB device rxe7 not found\nUnable to find the Infiniband/RoCE device\n",
	  "the RDMA device cannot be opened", "/dev/infiniband", PERFTEST_NO_CONNECTION },
	{ "another failure is its last line", "first\n  second \n-------\n \n", "",
	  "perftest failed:   second ", "", PERFTEST_NO_CONNECTION },
	{ "without a last line here, that of the other end counts", "", "far\n",
	  "perftest failed: far", "", PERFTEST_NO_CONNECTION },
	{ "no message at all has no reason", "", "", "perftest failed", "",
	  PERFTEST_NO_CONNECTION },
};

static void explains(void **state)
{
	const size_t i = (size_t)((const char *)*state - (const char *)rows) / sizeof(rows[0]);
	char why[PERFTEST_WHY_MAX], fix[PERFTEST_WHY_MAX];

	assert_int_equal(perftest_explain(rows[i].near, rows[i].far, why, fix), rows[i].state);
	assert_string_equal(why, rows[i].why);
	assert_non_null(strstr(fix, rows[i].fix));
	assert_int_equal(!fix[0], !rows[i].fix[0]);
}

static void a_last_line_of_any_length_is_cut(void **state)
{
	char long_line[4 * PERFTEST_WHY_MAX], why[PERFTEST_WHY_MAX], fix[PERFTEST_WHY_MAX];

	(void)state;
	memset(long_line, 'x', sizeof(long_line) - 1);
	long_line[sizeof(long_line) - 1] = '\0';
	assert_int_equal(perftest_explain(long_line, "", why, fix), PERFTEST_NO_CONNECTION);
	assert_int_equal(strspn(strchr(why, ':') + 2, "x"), 159);
}

static void only_a_server_that_does_not_listen_yet_is_waited_for(void **state)
{
	(void)state;
	assert_true(perftest_must_wait("Couldn't connect to 192.0.2.2:18515\n"));
	assert_true(perftest_must_wait("Unexpected CM event bl blka 8\n"));
	assert_false(perftest_must_wait("Failed status 12: wr_id 0 syndrom 0x81\n"));
	assert_false(perftest_must_wait(""));
}

static void only_a_rejection_makes_both_ends_start_anew(void **state)
{
	(void)state;
	assert_true(perftest_was_too_early("Received event: RDMA_CM_EVENT_REJECTED, error: 8\n"));
	assert_false(perftest_was_too_early("Unexpected CM event bl blka 8\n"));
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, rows, explains);
	SUITE_ADD(&s, a_last_line_of_any_length_is_cut);
	SUITE_ADD(&s, only_a_server_that_does_not_listen_yet_is_waited_for);
	SUITE_ADD(&s, only_a_rejection_makes_both_ends_start_anew);
	return suite_run(&s, "perftest_failure");
}
