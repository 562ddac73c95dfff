#include "gid.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../policy/model/setting.h"
#include "device.h"
#include "registry.h"

/* End the scan after this many empty entries: the kernel uses the first free one. */
#define GAP_MAX 8

#define PLACE "/sys/class/infiniband/%s/ports/%u/"

/* The type of an unused entry cannot be read (EINVAL). */
static bool read_type(struct host *h, const struct port *port, unsigned index, const char **ret)
{
	struct err quiet = { 0 };
	char type[32];

	if (!host_read_file(h, type, sizeof(type), &quiet, PLACE "gid_attrs/types/%u",
			    port->id.rdma, port->rdma_port, index))
		return false;
	*ret = strcmp(type, "RoCE v2") == 0 ? "v2" : "v1";
	return true;
}

/* An unused entry reads as zeros. */
static bool read_gid(struct host *h, const struct port *port, unsigned index, struct gid *ret)
{
	struct err quiet = { 0 };
	const char *type;

	if (!host_read_file(h, ret->text, sizeof(ret->text), &quiet, PLACE "gids/%u", port->id.rdma,
			    port->rdma_port, index) ||
	    strspn(ret->text, "0:") == strlen(ret->text) || !read_type(h, port, index, &type))
		return false;
	ret->index = index;
	snprintf(ret->type, sizeof(ret->type), "%s", type);
	return true;
}

/* Fails if the table cannot be read. */
static bool has_table(struct host *h, const struct port *port, struct err *err)
{
	char first[64];

	return rdma_is_there(port, err) &&
	       host_read_file(h, first, sizeof(first), err, PLACE "gids/0", port->id.rdma,
			      port->rdma_port);
}

bool gid_list(struct host *h, const struct port *port, struct gid_list *ret, struct err *err)
{
	ret->count = 0;
	if (!has_table(h, port, err))
		return false;
	for (unsigned i = 0, empty = 0; i < GIDS_MAX && empty < GAP_MAX; i++) {
		bool taken = read_gid(h, port, i, &ret->gids[ret->count]);

		ret->count += taken;
		empty = taken ? 0 : empty + 1;
	}
	return true;
}

static bool gid_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	bool found = false;
	const char *type;

	if (!has_table(h, port, err))
		return false;
	for (unsigned i = 0, empty = 0; !found && i < GIDS_MAX && empty < GAP_MAX; i++) {
		bool taken = read_type(h, port, i, &type);

		found = taken && strcmp(type, "v2") == 0;
		empty = taken ? 0 : empty + 1;
	}
	out->roce.v2_gid = found;
	out->has |= feature_roce_gid.owns;
	return true;
}

const struct feature feature_roce_gid = {
	.name = "roce-v2-gid",
	.phase = PHASE_STEER,
	.owns = SETTING(SETTING_ROCE_V2_GID),
	.source = "sysfs gid_attrs/types",
	.read = gid_read,
	.readonly_hint = "bring the port up and give it an address",
};
