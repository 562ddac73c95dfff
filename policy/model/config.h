/*
 * The lossless configuration of one port. The same struct holds the desired, the actual and the
 * previous settings; `has` lists the valid ones. Plain data: copy it with =, never free it.
 */
#ifndef LOSSLESSCTL_POLICY_MODEL_CONFIG_H
#define LOSSLESSCTL_POLICY_MODEL_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t setting_set; /* one bit per setting, SETTING(id) */

#define PRIOS 8	 /* IEEE 802.1Q priorities; also the number of traffic classes */
#define DSCPS 64 /* RFC 2474 code points */

/* Entries of dscp.prio that are not a priority. */
#define DSCP_NONE (-1) /* the port has no entry */
#define DSCP_KEEP (-2) /* neither compared nor written; only in desired settings */

/*
 * Values of dscp.rest above the priorities 0 to 7, in the order of its names in the setting table.
 */
enum dscp_rest { REST_CLASS_SELECTOR = PRIOS, REST_KEEP, REST_NONE };

enum dcbx_mode { DCBX_FIRMWARE, DCBX_HOST, DCBX_SWITCH };
enum trust { TRUST_PCP, TRUST_DSCP };
enum fec { FEC_OFF, FEC_BASER, FEC_RS, FEC_LLRS };
enum roce_mode { ROCE_V1, ROCE_V2 };
enum tsa { TSA_STRICT, TSA_CBS, TSA_ETS, TSA_VENDOR };

/* Settings that peer.must_agree can name, in the order of its names in the setting table. */
enum agreement { AGREE_PFC, AGREE_ETS, AGREE_APP, AGREE_COUNT };

#define STORM_AUTO	    8001   /* pfc.storm_timeout_ms "auto": the largest number + 1 */
#define STORM_AUTO_MS	    100U   /* its value (MLX5E_PFC_PREVEN_AUTO_TOUT_MSEC) */
#define TRAFFIC_CLASS_UNSET 256	   /* roce.traffic_class: "unset" */
#define RATE_8_BITS_MBPS    255000 /* the largest maxrate.tc_mbps that fits into 8 bits of mlx5 */
#define RTT_RESP_DSCP_UNSET 64	   /* cnp.rtt_resp_dscp: "unset" */

#define VLANS_MAX     16 /* VLAN devices of one port */
#define VLAN_NAME_MAX 16
#define APPS_MAX      32 /* APP entries other than DSCP */
#define SELECTORS_MAX 6

#define NVCONFIG_COUNT	9 /* parameters of firmware.nvconfig, nvconfig_rows */
#define ROCE_ACCL_COUNT 7 /* fields of firmware.roce_accl, roce_accl_rows */

/* The PCP of each priority's frames sent through one VLAN device; a name of "" ends the list. */
struct vlan_egress {
	char name[VLAN_NAME_MAX];
	uint16_t id; /* actual: the VLAN ID; 0: unknown, or desired */
	uint8_t pcp[PRIOS];
};

/* Selectors are 1 to 4 (IEEE_8021QAZ_APP_SEL_*); 0 ends the list. */
struct app_entry {
	uint8_t selector, priority;
	uint16_t protocol;
};

enum parameter_state { PARAMETER_ABSENT, PARAMETER_SET, PARAMETER_UNREADABLE };

/* A parameter of the firmware; desired: both values are the desired one. */
struct parameter {
	uint8_t state; /* enum parameter_state; desired: set, or absent */
	uint8_t current, next_boot;
	uint8_t port; /* actual: the number in its name (NAME_P1); 0: it has none */
};

struct config {
	setting_set has;   /* desired: the policy sets it; actual: the port has it */
	setting_set exact; /* desired values once read from the port: it can restore them exactly */
	struct {
		uint32_t min_speed_mbps; /* actual: the current speed */
		bool up;
		uint8_t fec; /* enum fec */
	} link;
	uint32_t mtu;
	struct {
		uint8_t mode;
		bool advertise, willing;
	} dcbx;
	struct {
		bool rx, tx;
	} pause;
	struct {
		uint8_t priorities; /* bit per priority */
		uint16_t cable_m;
		uint16_t storm_timeout_ms;
	} pfc;
	struct {
		uint32_t size_bytes[PRIOS];
		uint8_t prio_buffer[PRIOS];
	} buffer;
	struct {
		uint8_t prio_tc[PRIOS], tsa[PRIOS], bandwidth[PRIOS];
		uint8_t reco_prio_tc[PRIOS], reco_tsa[PRIOS], reco_bandwidth[PRIOS];
	} ets;
	struct {
		uint32_t tc_mbps[PRIOS];
	} maxrate;
	uint8_t trust;
	struct {
		int8_t prio[DSCPS];
		uint8_t rest;
	} dscp;
	struct {
		struct app_entry entries[APPS_MAX];
		/*
		 * Selectors in order of precedence: 1 + the index of the setting's name; 0 ends the
		 * list.
		 */
		uint8_t trust[SELECTORS_MAX];
	} app;
	struct {
		struct vlan_egress egress[VLANS_MAX];
	} vlan;
	struct {
		bool np;
		uint8_t rp_priorities; /* bit per priority */
	} ecn;
	struct {
		uint32_t min_interval_us;
		uint8_t dscp, priority, priority_mode;
		uint8_t rtt_resp_dscp;
	} cnp;
	struct {
		bool clamp_tgt_rate, clamp_tgt_rate_after_time_inc;
		uint32_t rpg_time_reset, rpg_byte_reset, rpg_threshold, rpg_ai_rate, rpg_max_rate,
			rpg_hai_rate, rpg_min_dec_fac, rpg_min_rate, rate_to_set_on_first_cnp,
			dce_tcp_g, dce_tcp_rtt, rate_reduce_monitor_period, initial_alpha_value,
			rpg_gd;
	} dcqcn;
	struct {
		struct parameter nvconfig[NVCONFIG_COUNT], roce_accl[ROCE_ACCL_COUNT];
	} firmware;
	struct {
		uint8_t mode, tos;
		uint16_t traffic_class;
		bool enabled, v2_gid;
	} roce;
	struct {
		uint8_t tcp_ecn;
	} host;
	struct {
		uint8_t must_agree; /* bit per enum agreement; only in desired settings */
	} peer;
};

#endif
