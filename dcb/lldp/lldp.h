/*
 * Decodes LLDPDUs of a neighbour (IEEE 802.1AB-2016) and their DCBX TLVs (IEEE 802.1Q-2022, Annex
 * D). The bytes are untrusted: each field is checked before use, nothing is allocated, and all
 * texts are safe to print on a terminal.
 */
#ifndef LOSSLESSCTL_DCB_LLDP_LLDP_H
#define LOSSLESSCTL_DCB_LLDP_LLDP_H

#include <stddef.h>
#include <stdint.h>

#include "../../agent/host/host.h"
#include "../../policy/util/err.h"

#define LLDP_TEXT_MAX 64
#define LLDP_APPS_MAX 168 /* the most that fit a TLV of 511 bytes */
#define LLDP_ID_MAX   516 /* two TLVs of 256 bytes with their headers */
#define LLDP_RAW_MAX  64  /* bytes that are kept of a TLV that is not decoded */
#define LLDP_RAWS_MAX 16

/* ETS configuration or recommendation; the latter has no flags and no max_tcs. */
struct lldp_ets {
	bool willing, cbs;
	uint8_t max_tcs; /* 1 to 8 */
	uint8_t prio_tc[8], bandwidth[8], tsa[8];
};

struct lldp_pfc {
	bool willing, mbc;
	uint8_t cap;	 /* maximum number of lossless priorities */
	uint8_t enabled; /* bit n is priority n */
};

struct lldp_app {
	uint8_t selector, priority;
	uint16_t protocol;
};

/* An organizationally specific TLV that is not decoded. */
struct lldp_raw {
	uint8_t oui[3], subtype;
	uint16_t len;		     /* bytes behind the subtype */
	uint8_t bytes[LLDP_RAW_MAX]; /* the first of them; the rest is 0 */
};

/* The TLVs that DCBX may use. CEE and CIN are not IEEE's: only their presence is recorded. */
enum lldp_tlv { LLDP_ETS, LLDP_ETS_RECO, LLDP_PFC, LLDP_APP, LLDP_CEE, LLDP_CIN, LLDP_TLV_COUNT };

#define LLDP_BIT(tlv) (1u << (tlv))

/*
 * One LLDPDU. Its texts are printable ASCII: other bytes become \xNN, and longer texts end in
 * "...".
 */
struct lldp {
	char chassis[LLDP_TEXT_MAX], port[LLDP_TEXT_MAX];
	char system[LLDP_TEXT_MAX], port_description[LLDP_TEXT_MAX]; /* "" if absent */
	char system_description[LLDP_TEXT_MAX];			     /* "" if absent */
	uint16_t id_len;    /* length of the sender's ID, which begins the PDU */
	uint16_t ttl_s;	    /* 0: the sender shut down */
	unsigned has;	    /* LLDP_BIT()s of the valid TLVs */
	unsigned malformed; /* LLDP_BIT()s of invalid TLVs; their fields are 0 */
	struct lldp_ets ets, reco;
	struct lldp_pfc pfc;
	struct lldp_app apps[LLDP_APPS_MAX]; /* in the order sent */
	unsigned app_count;
	struct lldp_raw raws[LLDP_RAWS_MAX]; /* in the order sent */
	unsigned raw_count, raws_omitted;    /* kept; beyond LLDP_RAWS_MAX */
};

/*
 * Decodes `len` bytes that follow the Ethernet header; padding is allowed. Fails with ERR_UNKNOWN
 * if the PDU itself is invalid: a TLV exceeds its end, or chassis ID, port ID and TTL are not the
 * first three or occur twice. An invalid or repeated DCBX TLV is only marked as malformed.
 */
bool lldp_decode(const uint8_t *pdu, size_t len, struct lldp *ret, struct err *err) must_check;

/* The name for messages: "PFC", "ETS configuration". */
const char *lldp_tlv_name(enum lldp_tlv tlv);

/* Finds the neighbours of ports by listening for LLDP. */

#define NEIGHBOURS_MAX 4

struct neighbour {
	uint8_t id[LLDP_ID_MAX]; /* chassis and port ID TLVs as sent; said.id_len bytes */
	struct lldp pdu;	 /* content of its last frame */
	uint64_t heard_ms;	 /* time of its last frame, by host.now_ms() */
	unsigned frames;
};

/*
 * The neighbours heard on one port. DCBX needs exactly one peer: among several neighbours none
 * counts as the peer.
 */
struct neighbours {
	unsigned ifindex; /* the port, set by the caller */
	struct neighbour list[NEIGHBOURS_MAX];
	unsigned count;
	unsigned more;	    /* frames of neighbours beyond NEIGHBOURS_MAX */
	unsigned malformed; /* frames that are not valid LLDPDUs */
	struct err why;	    /* the error of the first of these */
};

/*
 * Listens on `count` ports at once, until `wait_ms` are over or each port has heard `enough`
 * neighbours; 0 listens until the end. Neighbours send every 30 s. After a failure no neighbour is
 * reported. Errors are those of host_listen_lldp().
 */
bool neighbours_listen(struct host *h, struct neighbours *ports, size_t count, unsigned wait_ms,
		       unsigned enough, struct err *err) must_check;

/* False once the neighbour has shut down or its time to live is over. */
bool neighbour_is_present(const struct neighbour *n, uint64_t now_ms);

/* The number of present neighbours; all beyond NEIGHBOURS_MAX count as one. */
unsigned neighbours_present(const struct neighbours *n, uint64_t now_ms);

#endif
