/*
 * One port's lossless setup. The same struct says what we want, what the
 * kernel has and what it had before; `has` says which of it is known. Plain
 * data: copy it with =, never free it.
 */
#ifndef LOSSLESSCTL_POLICY_CONFIG_H
#define LOSSLESSCTL_POLICY_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t knobset; /* one bit per knob, KNOB(id) */

#define PRIOS 8	 /* IEEE 802.1Q priorities, and traffic classes */
#define DSCPS 64 /* RFC 2474 code points */

/* Entries of dscp.prio that are not a priority. */
#define DSCP_NONE (-1) /* no entry; what the port has */
#define DSCP_KEEP (-2) /* not judged and not touched; only in what is wanted */

/* Values of dscp.rest above the priorities 0..7; the order of its words in the knob table. */
enum dscp_rest { REST_CLASS = PRIOS, REST_KEEP, REST_NONE };

enum dcbx_mode { DCBX_FIRMWARE, DCBX_HOST };
enum trust { TRUST_PCP, TRUST_DSCP };
enum roce_mode { ROCE_V1, ROCE_V2 };
enum tsa { TSA_STRICT, TSA_CBS, TSA_ETS, TSA_VENDOR };

struct config {
	knobset has; /* wanted: "I care"; observed: "the port has it" */
	uint32_t mtu;
	struct {
		uint8_t mode;
	} dcbx;
	struct {
		bool rx, tx;
	} pause;
	struct {
		uint8_t priorities; /* bit per priority */
		uint16_t cable_m;
	} pfc;
	struct {
		uint8_t prio_tc[PRIOS], tsa[PRIOS], bandwidth[PRIOS];
	} ets;
	uint8_t trust;
	struct {
		int8_t prio[DSCPS];
		uint8_t rest;
	} dscp;
	struct {
		uint8_t mode, tos;
	} roce;
};

#endif
