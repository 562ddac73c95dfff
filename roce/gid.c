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
static bool read_type(struct host *h, const struct port *port, unsigned index, const char **ret,
		      struct err *err)
{
	char type[32];

	if (!host_read_file_once(h, type, sizeof(type), err, PLACE "gid_attrs/types/%u",
				 port->id.rdma, port->rdma_port, index))
		return false;
	*ret = strcmp(type, "RoCE v2") == 0 ? "v2" : "v1";
	return true;
}

static bool read_text(struct host *h, const struct port *port, struct gid *ret, struct err *err)
{
	return host_read_file(h, ret->text, sizeof(ret->text), err, PLACE "gids/%u", port->id.rdma,
			      port->rdma_port, ret->index);
}

/* An unused entry reads as zeros. */
static bool is_used(struct host *h, const struct port *port, struct gid *g)
{
	struct err quiet = { 0 };
	const char *type;

	if (strspn(g->text, "0:") == strlen(g->text) ||
	    !read_type(h, port, g->index, &type, &quiet))
		return false;
	snprintf(g->type, sizeof(g->type), "%s", type);
	return true;
}

bool gid_list(struct host *h, const struct port *port, struct gid_list *ret, struct err *err)
{
	ret->count = 0;
	if (!rdma_is_there(port, err))
		return false;
	for (unsigned i = 0, empty = 0; i < GIDS_MAX && empty < GAP_MAX; i++) {
		struct gid *g = &ret->gids[ret->count];
		struct err why = { 0 };

		*g = (struct gid){ .index = i };
		if (!read_text(h, port, g, &why)) {
			if (i > 0)
				return true; /* the end of the table */
			*err = why;
			return false;
		}
		empty = is_used(h, port, g) ? 0 : empty + 1;
		ret->count += empty == 0;
	}
	return true;
}

/* An IPv4 address as in RFC 4291, section 2.5.5.2, and as the kernel prints it. */
static bool is_ipv4(const struct gid *g)
{
	static const char prefix[] = "0000:0000:0000:0000:0000:ffff:";

	return strncmp(g->text, prefix, sizeof(prefix) - 1) == 0;
}

/* NCCL refuses these (linkLocalGid() of src/transport/net_ib/init.cc): no router forwards them. */
static bool is_link_local(const struct gid *g)
{
	return strncmp(g->text, "fe80:", 5) == 0;
}

struct gids_v2 gid_list_v2(const struct gid_list *list)
{
	struct gids_v2 v2 = { 0, 0 };

	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->gids[i].type, "v2") == 0 && !is_link_local(&list->gids[i]))
			*(is_ipv4(&list->gids[i]) ? &v2.ipv4 : &v2.ipv6) |= UINT64_C(1)
									    << list->gids[i].index;
	return v2;
}

bool gid_read_v2(struct host *h, const struct port *port, struct gids_v2 *ret, struct err *err)
{
	struct gid_list list;

	*ret = (struct gids_v2){ 0, 0 };
	if (!gid_list(h, port, &list, err))
		return false;
	*ret = gid_list_v2(&list);
	return true;
}

static bool gid_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	bool found = false;

	if (!rdma_is_there(port, err))
		return false;
	for (unsigned i = 0, empty = 0; !found && i < GIDS_MAX && empty < GAP_MAX; i++) {
		struct err why = { 0 };
		const char *type = "";
		bool used = read_type(h, port, i, &type, &why);

		if (i == 0 && !used && why.code != EINVAL) {
			if (rdma_has_roce(port, err))
				*err = why;
			return false;
		}
		found = strcmp(type, "v2") == 0;
		empty = used ? 0 : empty + 1;
	}

	out->roce.v2_gid = found;
	out->has |= feature_roce_gid.owns;
	return true;
}

const struct feature feature_roce_gid = {
	.name = "roce-v2-gid",
	.owns = SETTING(SETTING_ROCE_V2_GID),
	.source = "sysfs gid_attrs/types",
	.read = gid_read,
	.readonly_hint = "bring the port up and give it an address",
};
