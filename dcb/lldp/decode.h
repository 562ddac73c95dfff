/*
 * What a neighbour says in LLDP (IEEE 802.1AB-2016), and in the DCBX TLVs of
 * IEEE 802.1Q-2022 Annex D. The bytes are anybody's: nothing is believed before
 * it is checked, nothing is allocated, and no text here can trouble a terminal.
 */
#ifndef LOSSLESSCTL_DCB_LLDP_DECODE_H
#define LOSSLESSCTL_DCB_LLDP_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include "../../policy/util/err.h"

#define LLDP_TEXT_MAX 64
#define LLDP_APPS_MAX 168 /* what a TLV of 511 bytes has room for */
#define LLDP_ID_MAX   516 /* two TLVs of 256 bytes, with their heads */

/* ETS configuration or recommendation; the latter has neither flags nor max_tcs. */
struct lldp_ets {
	bool willing, cbs;
	uint8_t max_tcs; /* 1 to 8 */
	uint8_t prio_tc[8], bandwidth[8], tsa[8];
};

struct lldp_pfc {
	bool willing, mbc;
	uint8_t cap;	 /* how many priorities it can have */
	uint8_t enabled; /* bit n is priority n */
};

struct lldp_app {
	uint8_t selector, priority;
	uint16_t protocol;
};

/* The TLVs that DCBX may consist of; of the last two, which are not IEEE's, only the name. */
enum lldp_tlv { LLDP_ETS, LLDP_ETS_RECO, LLDP_PFC, LLDP_APP, LLDP_CEE, LLDP_CIN, LLDP_TLV_COUNT };

#define LLDP_BIT(tlv) (1u << (tlv))

/* One LLDPDU. Its texts are printable ASCII: the rest is spelled \xNN, too much is "...". */
struct lldp {
	char chassis[LLDP_TEXT_MAX], port[LLDP_TEXT_MAX];
	char system[LLDP_TEXT_MAX], port_description[LLDP_TEXT_MAX]; /* "": it did not say */
	uint16_t id_len;    /* so many bytes, with which the PDU begins, name its sender */
	uint16_t ttl_s;	    /* 0: the sender takes its leave */
	unsigned has;	    /* LLDP_BIT()s of what came and is sound */
	unsigned malformed; /* of what came and is not; it reads as 0, and is not in `has` */
	struct lldp_ets ets, reco;
	struct lldp_pfc pfc;
	struct lldp_app apps[LLDP_APPS_MAX]; /* as sent */
	unsigned app_count;
};

/*
 * Decodes the `len` bytes behind the Ethernet header, which may be padded. Where
 * the PDU itself is wrong (a TLV runs past the end; chassis ID, port ID and TTL
 * are not the first three, or come twice) that is ERR_UNKNOWN. A DCBX TLV that is
 * wrong, or comes twice, is only marked as malformed.
 */
bool lldp_decode(const uint8_t *pdu, size_t len, struct lldp *ret, struct err *err) must_check;

/* What people call it: "PFC", "ETS configuration". */
const char *lldp_tlv_name(enum lldp_tlv tlv);

#endif
