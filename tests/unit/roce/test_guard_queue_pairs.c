/* Tests of the queue pair guard: connected queue pairs block a change. */
#include <errno.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

#include "roce/device.h"
#include "roce/registry.h"
#include "tests/support/rdma_kernel.h"
#include "tests/support/unit.h"

enum { GSI = 1, RC = 2, UD = 4, DRIVER = 255 };		     /* enum ib_qp_type */
enum { RESET = 0, READY_TO_RECEIVE = 2, READY_TO_SEND = 3 }; /* enum ib_qp_state */

static struct port port_with_rdma(void)
{
	struct port p = port_on(7);

	snprintf(p.id.rdma, sizeof(p.id.rdma), "mlx5_0");
	p.rdma_port = 1;
	return p;
}

static const struct qp_row {
	const char *sentence;
	struct qp qps[4];
	size_t count;
	const char *why; /* the guard's reason; NULL: no objection */
} qp_rows[] = {
	{ "no queue pair holds nobody up", { { 0, 0, false } }, 0, NULL },
	{ "those of management are always there",
	  { { 0, READY_TO_SEND, false }, { GSI, READY_TO_SEND, false } },
	  2,
	  NULL },
	{ "mlx5's own for registering memory are always there, once memory was registered",
	  { { DRIVER, READY_TO_SEND, true } },
	  1,
	  NULL },
	{ "a type of the driver counts for an application, any other for the kernel, too",
	  { { DRIVER, READY_TO_SEND, false }, { RC, READY_TO_SEND, true } },
	  2,
	  "2 RDMA queue pairs are connected through this port" },
	{ "one that is not connected does not count",
	  { { RC, RESET, false }, { RC, 1, false } },
	  2,
	  NULL },
	{ "a connected one counts",
	  { { RC, READY_TO_SEND, false } },
	  1,
	  "1 RDMA queue pair is connected through this port" },
	{ "one that receives counts, and a datagram's",
	  { { RC, READY_TO_RECEIVE, false }, { UD, READY_TO_SEND, false }, { RC, 4, false } },
	  3,
	  "2 RDMA queue pairs are connected through this port" },
};

static void what_is_connected_holds_up(void **s)
{
	const struct qp_row *row = *s;
	struct rdma_kernel k = rdma_kernel();
	struct port here = port_with_rdma(), there = port_on(8);
	char why[GUARD_WHY_MAX] = "";

	memcpy(k.qps, row->qps, sizeof(k.qps));
	k.qps_count = row->count;
	assert_int_equal(guard_queue_pairs.objects(&k.host, &here, why), row->why != NULL);
	assert_string_equal(why, row->why ? row->why : "");
	assert_false(guard_queue_pairs.objects(&k.host, &there, why));
}

static void queue_pairs_of_a_virtual_function_hold_up_its_port(void **s)
{
	static const char *const vf[][2] = { { "/sys/class/infiniband/mlx5_0/device/physfn/uevent",
					       "PCI_SLOT_NAME=0000:3b:00.0\n" },
					     { NULL, NULL } };
	struct rdma_kernel k = rdma_kernel();
	struct port p = port_on(9);
	char why[GUARD_WHY_MAX] = "";

	(void)s;
	k.qps[k.qps_count++] = (struct qp){ RC, READY_TO_SEND, false };
	assert_false(guard_queue_pairs.objects(&k.host, &p, why));
	k.files = vf;
	assert_true(guard_queue_pairs.objects(&k.host, &p, why));
	assert_string_equal(why, "1 RDMA queue pair is connected through this port");
}

static void queue_pairs_that_cannot_be_counted_hold_up(void **s)
{
	struct rdma_kernel k = rdma_kernel();
	struct port p = port_with_rdma();
	char why[GUARD_WHY_MAX];
	struct err err = { 0 };
	unsigned active;

	(void)s;
	k.failing = RDMA_NLDEV_CMD_RES_QP_GET;
	k.code = EPERM;
	assert_false(rdma_count_active(&k.host, &p, &active, &err));
	assert_int_equal(err.kind, ERR_DENIED);
	assert_true(guard_queue_pairs.objects(&k.host, &p, why));
	assert_non_null(strstr(why, "cannot be counted"));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, qp_rows, what_is_connected_holds_up);
	SUITE_ADD(&s, queue_pairs_of_a_virtual_function_hold_up_its_port);
	SUITE_ADD(&s, queue_pairs_that_cannot_be_counted_hold_up);
	return suite_run(&s, "guard_qp");
}
