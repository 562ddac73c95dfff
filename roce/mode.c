#include <errno.h>
#include <string.h>

#include "../policy/model/setting.h"
#include "registry.h"
#include "rdma_cm.h"

#define FILE_NAME "default_roce_mode"

/* The kernel's names (drivers/infiniband/core/cache.c). */
static const char *const words[] = { [ROCE_V1] = "IB/RoCE v1", [ROCE_V2] = "RoCE v2" };

static bool mode_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	char word[32];

	if (!rdma_cm_read(h, port, FILE_NAME, word, sizeof(word), err))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i]) == 0) {
			out->roce.mode = (uint8_t)i;
			out->has |= feature_roce_mode.owns;
			return true;
		}
	return err_set(err, ERR_UNKNOWN, EINVAL, "\"%s\" is not a RoCE mode", word);
}

static bool mode_write(struct host *h, const struct port *port, const struct config *from,
		       const struct config *to, struct err *err)
{
	(void)from;
	return rdma_cm_write(h, port, FILE_NAME, words[to->roce.mode], err);
}

const struct feature feature_roce_mode = {
	.name = "roce-mode",
	.phase = PHASE_ROCE,
	.needs_no_interface = true,
	.owns = SETTING(SETTING_ROCE_MODE),
	.source = "configfs " FILE_NAME,
	.read = mode_read,
	.write = mode_write,
	.prepare = rdma_cm_prepare,
};
