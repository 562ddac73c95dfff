/* The traffic class that MLNX_OFED forces on the connections of a port. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../policy/model/setting.h"
#include "device.h"
#include "registry.h"

#define FILE_FORMAT "/sys/class/infiniband/%s/tc/%u/traffic_class"
#define TEXT_MAX    4096

/* Parses "Global tclass=106"; the lines of rules by address that may follow are ignored. */
static bool parse_traffic_class(const char *text, uint16_t *ret, struct err *err)
{
	static const char key[] = "Global tclass=";
	const char *at = strstr(text, key);
	char *end;
	unsigned long v;

	*ret = TRAFFIC_CLASS_UNSET;
	if (!at)
		return true;
	v = strtoul(at + sizeof(key) - 1, &end, 10);
	if (end == at + sizeof(key) - 1 || v > UINT8_MAX)
		return err_set(err, ERR_UNKNOWN, EINVAL, "\"%.40s\" is not a traffic class", at);
	*ret = (uint16_t)v;
	return true;
}

static bool traffic_class_read(struct host *h, const struct port *port, struct config *out,
			       struct err *err)
{
	char text[TEXT_MAX];
	struct err why = { 0 };
	uint16_t v;

	if (!rdma_is_there(port, err))
		return false;
	if (!host_read_file(h, text, sizeof(text), &why, FILE_FORMAT, port->id.rdma,
			    port->rdma_port)) {
		if (why.kind == ERR_UNSUPPORTED)
			return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
				       "only MLNX_OFED can force a traffic class");
		return err_set(err, why.kind, why.code, "%s", why.text);
	}
	if (!parse_traffic_class(text, &v, err))
		return false;

	out->roce.traffic_class = v;
	out->has |= feature_traffic_class.owns;
	return true;
}

static bool traffic_class_write(struct host *h, const struct port *port, const struct config *from,
				const struct config *to, struct err *err)
{
	char word[16];

	(void)from;
	snprintf(word, sizeof(word), "%d",
		 to->roce.traffic_class == TRAFFIC_CLASS_UNSET ? -1 : to->roce.traffic_class);
	return host_write_file(h, word, err, FILE_FORMAT, port->id.rdma, port->rdma_port);
}

/* The driver changes live queue pairs, and not again when the class is unset. */
static const char *traffic_class_irreversible(const struct port *port, const struct config *from,
					      const struct config *to)
{
	(void)port;
	if (from->roce.traffic_class != TRAFFIC_CLASS_UNSET ||
	    to->roce.traffic_class == TRAFFIC_CLASS_UNSET)
		return NULL;
	return "connections that are up keep the new DSCP after a rollback, until they are made "
	       "anew";
}

/* Move new connections off a priority before it loses its guarantee. */
static bool traffic_class_intermediate(const struct config *from, const struct config *to,
				       struct config *mid)
{
	mid->roce.traffic_class = to->roce.traffic_class;
	return config_withdraws_pfc(from, to);
}

const struct feature feature_traffic_class = {
	.name = "roce-traffic-class",
	.needs_no_interface = true,
	.owns = SETTING(SETTING_ROCE_TRAFFIC_CLASS),
	.source = "sysfs tc/N/traffic_class",
	.read = traffic_class_read,
	.write = traffic_class_write,
	.intermediate = traffic_class_intermediate,
	.irreversible = traffic_class_irreversible,
};
