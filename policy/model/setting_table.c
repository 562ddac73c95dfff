#include "setting.h"

#define AT(member) \
	.offset = offsetof(struct config, member), .size = sizeof(((struct config *)0)->member), \
	.count = 1
#define EACH(member) \
	.offset = offsetof(struct config, member), \
	.size = sizeof(((struct config *)0)->member[0]), \
	.count = sizeof(((struct config *)0)->member) / sizeof(((struct config *)0)->member[0])

static const char *const fec_names[] = { "off", "baser", "rs", "llrs", NULL };
static const char *const dcbx_names[] = { "firmware", "host", "switch", NULL };
static const char *const tsa_names[] = { "strict", "cbs", "ets", "vendor", NULL };
static const char *const trust_names[] = { "pcp", "dscp", NULL };
static const char *const rest_names[] = { "class", "keep", "none", NULL };
static const char *const roce_names[] = { "v1", "v2", NULL };
static const char *const storm_names[] = { "auto", NULL };
static const char *const unset_names[] = { "unset", NULL };
static const char *const agree_names[] = { "pfc", "ets", "app", NULL };
static const char *const selector_names[] = {
	"ethertype", "tcp", "udp", "any", "dscp", "pcp", NULL
};

/*
 * mlx5 stores a rate in 8 bits: in steps of 100 Mb/s up to 25.5 Gb/s, of 1 Gb/s above (en_dcbnl.c).
 */
static uint32_t rate_rounded(uint32_t mbps)
{
	uint32_t step = mbps <= 25500 ? 100 : 1000;

	return mbps && mbps < step ? step : mbps / step * step;
}

/* The adapter stores the timeout that "auto" stands for, not the word. */
static uint32_t storm_rounded(uint32_t ms)
{
	return ms == STORM_AUTO ? 100 : ms;
}

#define DCQCN(name) "debugfs cc_params/rp_" name ", or sysfs ecn/roce_rp"

const struct setting settings[SETTING_COUNT] = {
#define ROW(id, ...) [id] = { __VA_ARGS__ },
#include "setting_table.def"
#undef ROW
};
