#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../policy/model/setting.h"
#include "registry.h"
#include "rdma_cm.h"

#define FILE_NAME "default_roce_tos"

static bool tos_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	char word[16], *end;
	unsigned long v;

	if (!rdma_cm_read(h, port, FILE_NAME, word, sizeof(word), err))
		return false;
	v = strtoul(word, &end, 10);
	if (end == word || *end || v > UINT8_MAX)
		return err_set(err, ERR_UNKNOWN, EINVAL, "\"%s\" is not a ToS", word);

	out->roce.tos = (uint8_t)v;
	out->has |= feature_roce_tos.owns;
	return true;
}

static bool tos_write(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err)
{
	char word[16];

	(void)from;
	snprintf(word, sizeof(word), "%u", to->roce.tos);
	return rdma_cm_write(h, port, FILE_NAME, word, err);
}

/* Move new connections off a priority before it loses its guarantee. */
static bool tos_intermediate(const struct config *from, const struct config *to, struct config *mid)
{
	mid->roce.tos = to->roce.tos;
	return config_withdraws_pfc(from, to);
}

const struct feature feature_roce_tos = {
	.name = "roce-tos",
	.phase = PHASE_ROCE,
	.needs_no_interface = true,
	.owns = SETTING(SETTING_ROCE_TOS),
	.source = "configfs " FILE_NAME,
	.read = tos_read,
	.write = tos_write,
	.prepare = rdma_cm_prepare,
	.intermediate = tos_intermediate,
};
