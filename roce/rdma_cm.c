#include "rdma_cm.h"

#include <errno.h>

#include "device.h"

#define RDMA_CM "/sys/kernel/config/rdma_cm"

bool rdma_cm_read(struct host *h, const struct port *port, const char *file, char *buf, size_t size,
		  struct err *err)
{
	struct err why = { 0 };

	if (!rdma_has_roce(port, err))
		return false;
	if (host_read_file(h, buf, size, &why, RDMA_CM "/%s/ports/%u/%s", port->id.rdma,
			   port->rdma_port, file))
		return true;
	if (why.kind == ERR_UNSUPPORTED) {
		err_record(err, ERR_MISSING, ENOENT, RDMA_CM "/%s does not exist", port->id.rdma);
		return err_fix(err, "run `losslessctl apply`, which creates it");
	}
	/*
	 * The directory outlives its RDMA device and then returns ENODEV: do not report the port as
	 * gone.
	 */
	return err_set(err, why.kind == ERR_GONE ? ERR_UNKNOWN : why.kind, why.code, "%s",
		       why.text);
}

bool rdma_cm_write(struct host *h, const struct port *port, const char *file, const char *value,
		   struct err *err)
{
	if (!rdma_has_roce(port, err))
		return false;
	return host_write_file(h, value, err, RDMA_CM "/%s/ports/%u/%s", port->id.rdma,
			       port->rdma_port, file);
}

/* To create it again would count as a change: all facts of the host would then be asked anew. */
static bool is_there(struct host *h, const struct port *port)
{
	char text[32];
	struct err quiet = { 0 };

	return rdma_cm_read(h, port, "default_roce_tos", text, sizeof(text), &quiet);
}

bool rdma_cm_prepare(struct host *h, const struct port *port, struct err *err)
{
	struct err first = { 0 }, second = { 0 };

	if (!rdma_has_roce(port, &first) || is_there(h, port))
		return true;
	first = (struct err){ 0 };
	if (host_make_dir(h, &first, RDMA_CM "/%s", port->id.rdma))
		return true;
	if (host_load_module(h, "rdma_cm", &second) &&
	    host_make_dir(h, err, RDMA_CM "/%s", port->id.rdma))
		return true;
	err_record(err, first.kind, first.code, "%s", first.text);
	return err_fix(err, "mount configfs on /sys/kernel/config, and run `modprobe rdma_cm`");
}
