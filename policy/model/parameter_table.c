#include "parameter_table.h"

#include <stddef.h>

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
