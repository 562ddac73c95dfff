#include "setting_table.h"

#include <stddef.h>
#include <string.h>

/* ---- parameters of firmware ---- */

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

const char *const parameter_bool_words[] = { "False", "True" };

static const char *const lldp_mode_words[] = { "OFF", "MANDATORY", "ALL" };
static const char *const trust_words[] = { [0] = "DEVICE_DEFAULT",
					   [4] = "TRUST_PORT",
					   [5] = "TRUST_PCP",
					   [6] = "TRUST_DSCP",
					   [7] = "TRUST_DSCP_PCP" };
static const char *const offload_words[] = { "ENABLED", "DISABLED" };

#define BOOL	    .words = parameter_bool_words, .max = 1
#define WORDS(list) .words = (list), .max = COUNT_OF(list) - 1

/* Names, values and widths are those of mlxconfig_host.db of mstflint 4.21. */
const struct parameter_row nvconfig_rows[NVCONFIG_COUNT] = {
	{ "LLDP_NB_DCBX", BOOL, .of_port = true },
	{ "LLDP_NB_RX_MODE", WORDS(lldp_mode_words), .of_port = true },
	{ "LLDP_NB_TX_MODE", WORDS(lldp_mode_words), .of_port = true },
	{ "QOS_TRUST_STATE", WORDS(trust_words), .of_port = true },
	{ "ROCE_CC_PRIO_MASK", .max = 255, .of_port = true },
	{ "CNP_DSCP", .max = 63, .of_port = true },
	{ "CNP_802P_PRIO", .max = 7, .of_port = true },
	{ "KEEP_ETH_LINK_UP", BOOL, .of_port = true },
	{ "INTERNAL_CPU_OFFLOAD_ENGINE", WORDS(offload_words) },
};

/* Names are those of register_access_table.adb of mstflint 4.21. */
#define FIELD(name, select) \
	{ \
		name, BOOL, .field_select = select "_field_select" \
	}
const struct parameter_row roce_accl_rows[ROCE_ACCL_COUNT] = {
	FIELD("roce_adp_retrans_en", "roce_adp_retrans"),
	FIELD("roce_tx_window_en", "roce_tx_window"),
	FIELD("roce_slow_restart_en", "roce_slow_restart"),
	FIELD("roce_slow_restart_idle_en", "roce_slow_restart_idle"),
	FIELD("min_ack_timeout_limit_disabled", "min_ack_timeout_limit_disabled"),
	FIELD("adaptive_routing_forced_en", "adaptive_routing_forced_en"),
	FIELD("selective_repeat_forced_en", "selective_repeat_forced_en"),
};

/* ---- setting table ---- */

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
static const char *const rest_names[] = { "class_selector", "keep", "none", NULL };
static const char *const roce_names[] = { "v1", "v2", NULL };
static const char *const storm_names[] = { "auto", NULL };
static const char *const unset_names[] = { "unset", NULL };
static const char *const agree_names[] = { "pfc", "ets", "app", NULL };
static const char *const selector_names[] = {
	"ethertype", "tcp", "udp", "any", "dscp", "pcp", NULL
};

/* mlx5 stores a rate in 16 bits, in steps of 100 Mb/s (en_dcbnl.c). */
static uint32_t rate_rounded(uint32_t mbps)
{
	return mbps && mbps < 100 ? 100 : mbps / 100 * 100;
}

/* Drivers before 2026 have 8 bits: steps of 100 Mb/s up to 25.5 Gb/s, of 1 Gb/s up to 255 Gb/s. */
static uint32_t rate_rounded_by_older(uint32_t mbps)
{
	return mbps <= 25500 || mbps > RATE_8_BITS_MBPS ? rate_rounded(mbps) : mbps / 1000 * 1000;
}

/* The adapter stores the timeout that "auto" stands for, not the word. */
static uint32_t storm_rounded(uint32_t ms)
{
	return ms == STORM_AUTO ? STORM_AUTO_MS : ms;
}

/* The interface of a parameter of DCQCN, and the note that all of them have. */
#define DCQCN(name) \
	"debugfs cc_params/rp_" name ", or sysfs ecn/roce_rp", \
		.note = "In sync, it does not say which algorithm a connection uses: newer " \
			"firmware negotiates that per connection (ZTR-RTT needs no CNPs)."

const struct setting settings[SETTING_COUNT] = {
#define ROW(id, ...) [id] = { __VA_ARGS__ },
#include "setting_table.def"
#undef ROW
};

static const void *setting_value(const struct setting *k, const struct config *c)
{
	return (const char *)c + k->offset;
}

/*
 * Uses memcpy, because the elements of app.entries and vlan.egress, which are structs, are not
 * aligned. No caller needs the number that it yields for those two.
 */
int64_t setting_element(const struct setting *k, const struct config *c, size_t i)
{
	const char *p = (const char *)setting_value(k, c) + i * k->size;
	uint32_t word;
	uint16_t half;

	if (k->type == T_DSCPMAP)
		return *(const int8_t *)p;
	switch (k->size) {
	case 1:
		return *(const uint8_t *)p;
	case 2:
		memcpy(&half, p, sizeof(half));
		return half;
	default:
		memcpy(&word, p, sizeof(word));
		return word;
	}
}

void setting_set_element(const struct setting *k, struct config *c, size_t i, int64_t v)
{
	char *p = (char *)c + k->offset + i * k->size;
	uint32_t word = (uint32_t)v;
	uint16_t half = (uint16_t)v;

	switch (k->size) {
	case 1:
		*(uint8_t *)p = (uint8_t)v;
		break;
	case 2:
		memcpy(p, &half, sizeof(half));
		break;
	default:
		memcpy(p, &word, sizeof(word));
		break;
	}
}

void setting_copy_bytes(const struct setting *k, struct config *to, const struct config *from)
{
	memcpy((char *)to + k->offset, setting_value(k, from), (size_t)k->size * k->count);
}

bool setting_bytes_equal(const struct setting *k, const struct config *a, const struct config *b)
{
	return memcmp(setting_value(k, a), setting_value(k, b), (size_t)k->size * k->count) == 0;
}
