/* Tests of reading RDMA counters, by netlink or from files. */
#include <errno.h>
#include <rdma/rdma_netlink.h>

#include "roce/registry.h"
#include "tests/support/rdma_kernel.h"
#include "tests/support/unit.h"

static const struct counter_row {
	const char *sentence;
	struct port port;
	int code; /* the netlink request's errno */
	const char *file;
	enum err_kind kind;
	uint64_t sent;
	const char *counts; /* the counter of the port; NULL: CNPs */
} counter_rows[] = {
	{ "a port's counters come by netlink", { .rdma_port = 1 }, 0, NULL, ERR_NONE, 5, NULL },
	{ "where they are the device's they come from files",
	  { .rdma_port = 1 },
	  EINVAL,
	  "12",
	  ERR_NONE,
	  12,
	  NULL },
	{ "where the port has those of the vport alone, too",
	  { .rdma_port = 1 },
	  0,
	  "12",
	  ERR_NONE,
	  12,
	  "vport_out_of_buffer" },
	{ "a file with more than a number has none",
	  { .rdma_port = 1 },
	  EINVAL,
	  "12 or so",
	  ERR_UNSUPPORTED,
	  0,
	  NULL },
	{ "a device may count nothing",
	  { .rdma_port = 1 },
	  EINVAL,
	  NULL,
	  ERR_UNSUPPORTED,
	  0,
	  NULL },
	{ "a failed request is an error", { .rdma_port = 1 }, EIO, "12", ERR_SYSTEM, 0, NULL },
	{ "a port without a device has none",
	  { .rdma_port = 0 },
	  0,
	  NULL,
	  ERR_UNSUPPORTED,
	  0,
	  NULL },
	{ "a bond's device counts for all its members",
	  { .shares_rdma = true },
	  0,
	  NULL,
	  ERR_ELSEWHERE,
	  0,
	  NULL },
};

static void counters_come_so(void **s)
{
	const struct counter_row *row = *s;
	struct rdma_kernel k = rdma_kernel();
	struct port p = row->port;
	struct sample sample = { .at_ms = 0 };
	size_t slot = counter_slot(COUNT_CNP_SENT, 0);
	struct err err = { 0 };

	snprintf(p.id.rdma, sizeof(p.id.rdma), "mlx5_0");
	k.failing = RDMA_NLDEV_CMD_STAT_GET;
	k.code = row->code;
	k.counter_file = row->file;
	k.counter = row->counts;
	assert_int_equal(counter_reader_rdma.read(&k.host, &p, NULL, &sample, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(sample.has[slot], row->kind == ERR_NONE);
	assert_int_equal(sample.value[slot], row->sent);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, counter_rows, counters_come_so);
	return suite_run(&s, "rdma_counter_reader");
}
