/* Ports and what their counters did, with the symptoms that must show. */
#ifndef LOSSLESSCTL_TESTS_UNIT_AGENT_MONITOR_ROWS_SYMPTOM_H
#define LOSSLESSCTL_TESTS_UNIT_AGENT_MONITOR_ROWS_SYMPTOM_H

#include "agent/monitor/symptom.h"

#define SECONDS 10
#define CHANGES 8

/* A difference from a quiet port; a count of UNKNOWN: the port does not count it. */
struct change {
	int id; /* 0 with a count of 0 ends the list */
	unsigned prio;
	uint64_t count;
};

#define UNKNOWN (UINT64_MAX)

/* A port that sends and receives 1 GB/s of RDMA on priority 3, as it should. */
#define BUSY \
	{ COUNT_RX_RDMA_BYTES, 0, 10000000000 }, { COUNT_RX_RDMA_PACKETS, 0, 2500000 }, \
		{ COUNT_TX_RDMA_BYTES, 0, 10000000000 }, { COUNT_TX_RDMA_PACKETS, 0, 2500000 }, \
		{ COUNT_RX_BYTES, 3, 10010000000 }, \
	{ \
		COUNT_TX_BYTES, 3, 10010000000 \
	}

/* CNPs of long ago. */
#define DCQCN_RUNS .latest = { { COUNT_CNP_HANDLED, 0, 1 } }

enum setup {
	AS_WANTED,    /* PFC on 3, wanted and had; no other wish */
	NO_POLICY,    /* the port has PFC on 3 */
	NOT_LOSSLESS, /* no PFC at all, and no policy */
	PFC_UNREAD,   /* and no policy */
	SAYS_NOTHING_OF_PFC,
	CLASSES_UNREAD,
	WANTS_NO_CNPS,
	WANTS_NO_REACTION,
	WANTS_CNPS_AND_REACTION,
	WANTS_GLOBAL_PAUSE,
	WANTS_GLOBAL_PAUSE_HEARD,
	WANTS_NO_GLOBAL_PAUSE,
};

static const struct row {
	const char *sentence;
	const char *shows; /* all names, or "" */
	struct change changes[CHANGES + 6];
	enum setup setup;
	uint64_t link_downs;
	bool unsteady;
	const char *figures;
	enum symptom_origin look;
	const char *before;	 /* another that shows before it, or NULL */
	struct change latest[2]; /* counts since the driver was loaded */
	const char *not_judged;	 /* figures of one that is not judged, or NULL: all are */
} rows[] = {
	{ "an idle host is not sick", "", .changes = { { 0 } } },
	{ "nor is one that counts nothing", "", .changes = { { -1, 0, 0 } } },
	{ "nor is a busy one", "", .changes = { BUSY } },
	{ "nor is one with some pause and some CNPs", "",
	  .changes = { BUSY,
		       { COUNT_RX_PAUSE, 3, 20000 },
		       { COUNT_RX_PAUSE_US, 3, 900000 },
		       { COUNT_TX_PAUSE, 3, 3000 },
		       { COUNT_TX_PAUSE_US, 3, 100000 },
		       { COUNT_CNP_SENT, 0, 500 },
		       { COUNT_ECN_MARKED, 0, 4000 },
		       { COUNT_CNP_HANDLED, 0, 700 } } },
	{ "nor one whose CNPs have a priority of their own", "",
	  .changes = { { COUNT_TX_RDMA_BYTES, 0, 80000000 },
		       { COUNT_TX_RDMA_PACKETS, 0, 1000000 },
		       { COUNT_TX_BYTES, 3, 41000000 },
		       { COUNT_TX_BYTES, 6, 41000000 },
		       { COUNT_CNP_SENT, 0, 500000 } } },

	{ "the watchdog trips", "storm-watchdog-tripped",
	  .changes = { { COUNT_STORM_ERRORS, 0, 1 } }, .figures = "1 time" },
	{ "of any priority", "storm-watchdog-tripped", .changes = { { COUNT_STORM_EVENTS, 0, 3 } },
	  .figures = "3 times" },
	{ "the storms of priority 0 are among those of all", "storm-watchdog-tripped",
	  .changes = { { COUNT_STORM_ERRORS, 0, 2 }, { COUNT_STORM_EVENTS, 0, 3 } },
	  .figures = "off 3 times" },
	{ "read a moment earlier, those of all may lag behind", "storm-watchdog-tripped",
	  .changes = { { COUNT_STORM_ERRORS, 0, 2 }, { COUNT_STORM_EVENTS, 0, 1 } },
	  .figures = "off 2 times" },
	{ "a kernel that counts priority 0 alone says so", "storm-watchdog-tripped",
	  .changes = { { COUNT_STORM_ERRORS, 0, 1 }, { COUNT_STORM_EVENTS, 0, UNKNOWN } },
	  .figures = "1 time (only priority 0 is counted)" },
	{ "also while the link comes and goes", "storm-watchdog-tripped",
	  .changes = { { COUNT_STORM_ERRORS, 0, 2 } }, .unsteady = true, .figures = "2 times" },

	{ "one packet lost on a lossless priority", "lossless-drops",
	  .changes = { { COUNT_RX_DISCARDS, 3, 1 } }, .figures = "1 packet was" },
	{ "for lack of a buffer", "lossless-drops",
	  .changes = { { COUNT_RX_BUFFER_DISCARDS, 1, 5 } },
	  .figures = "5 packets were dropped on arrival in the traffic class" },
	{ "in another class than that of the priority", "",
	  .changes = { { COUNT_RX_BUFFER_DISCARDS, 3, 5 } } },
	{ "in a class whose priorities are unknown", "",
	  .changes = { { COUNT_RX_BUFFER_DISCARDS, 1, 5 } }, .setup = CLASSES_UNREAD },
	{ "to congestion", "lossless-drops",
	  .changes = { { COUNT_RX_CONGESTION_DISCARDS, 1, 5 } } },
	{ "the port's own setup is what counts without a policy", "lossless-drops",
	  .changes = { { COUNT_RX_DISCARDS, 3, 1 } }, .setup = NO_POLICY },
	{ "and where the policy says nothing of it", "lossless-drops",
	  .changes = { { COUNT_RX_DISCARDS, 3, 1 } }, .setup = SAYS_NOTHING_OF_PFC },
	{ "a lossy priority may lose", "", .changes = { { COUNT_RX_DISCARDS, 0, 100000 } } },
	{ "a port without a lossless priority may, too", "",
	  .changes = { { COUNT_RX_DISCARDS, 3, 9 } }, .setup = NOT_LOSSLESS },
	{ "and one whose class is unknown", "", .changes = { { COUNT_RX_DISCARDS, 3, 9 } },
	  .setup = PFC_UNREAD },
	{ "while the link comes and goes packets are lost", "",
	  .changes = { { COUNT_RX_DISCARDS, 3, 9 } }, .unsteady = true },

	{ "half of the time is a storm", "pause-storm-sent",
	  .changes = { { COUNT_TX_PAUSE_US, 3, 5000000 } }, .figures = "priority 3 for 50 %" },
	{ "a little less is none", "", .changes = { { COUNT_TX_PAUSE_US, 3, 4999999 } } },
	{ "priorities do not add up", "",
	  .changes = { { COUNT_TX_PAUSE_US, 3, 4000000 }, { COUNT_TX_PAUSE_US, 4, 4000000 } } },
	{ "the worst priority is named", "pause-storm-sent",
	  .changes = { { COUNT_TX_PAUSE_US, 3, 6000000 }, { COUNT_TX_PAUSE_US, 5, 9000000 } },
	  .figures = "priority 5 for 90 %" },
	{ "there is no more than all the time", "pause-storm-sent",
	  .changes = { { COUNT_TX_PAUSE_US, 3, 10100000 } }, .figures = "100 % of 10 s" },
	{ "global pause storms, too", "pause-storm-sent",
	  .changes = { { COUNT_TX_GLOBAL_PAUSE_US, 0, 9000000 } },
	  .figures = "global pause for 90 %" },
	{ "the adapter's warning is enough", "pause-storm-sent",
	  .changes = { { COUNT_STORM_WARNINGS, 0, 1 } }, .figures = "warned 1 time that" },
	{ "many frames in little time are no storm", "",
	  .changes = { { COUNT_TX_PAUSE, 3, 5000000 } } },

	{ "being held back is a storm suffered", "pause-storm-received",
	  .changes = { { COUNT_RX_PAUSE_US, 3, 5000000 } }, .figures = "this port was paused" },
	{ "a little less is none here either", "",
	  .changes = { { COUNT_RX_PAUSE_US, 3, 4999999 } } },
	{ "by global pause as well", "pause-storm-received",
	  .changes = { { COUNT_RX_GLOBAL_PAUSE_US, 0, 5000000 } } },

	{ "a stall with pause is the host's", "host-congestion",
	  .changes = { { COUNT_PCI_STALLED_WRITE_EVENTS, 0, 1 }, { COUNT_TX_PAUSE_US, 3, 1000 } },
	  .figures = "in 1 of 10 s" },
	{ "a stall with global pause, too", "host-congestion",
	  .changes = { { COUNT_PCI_STALLED_WRITE_EVENTS, 0, 1 },
		       { COUNT_TX_GLOBAL_PAUSE_US, 0, 1 } } },
	{ "pause without a stall or a loss", "", .changes = { { COUNT_TX_PAUSE_US, 3, 1000 } } },
	{ "packets lost on the way to memory, with pause", "host-congestion",
	  .changes = { { COUNT_PCI_OVERFLOW, 0, 3 }, { COUNT_TX_PAUSE_US, 3, 1000 } },
	  .figures = "3 packets were dropped" },
	{ "a stall without an effect", "",
	  .changes = { { COUNT_PCI_STALLED_WRITE_EVENTS, 0, 8 } } },
	{ "a stall of the last second alone", "",
	  .changes = { { COUNT_PCI_STALLED_WRITE, 0, 90 }, { COUNT_TX_PAUSE_US, 3, 1000 } } },
	{ "a stall while the peer pauses us", "",
	  .changes = { { COUNT_PCI_STALLED_WRITE_EVENTS, 0, 8 }, { COUNT_RX_PAUSE_US, 3, 1000 } } },

	{ "much PFC and no mark", "pause-without-cnp",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 1000 } }, .figures = "100 PFC frames",
	  DCQCN_RUNS },
	{ "nor a CNP, of a host that has sent some", "pause-without-cnp",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 1000 } },
	  .latest = { { COUNT_CNP_SENT, 0, 1 } } },
	{ "nor a mark, of a host that has seen some", "pause-without-cnp",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 1000 } },
	  .latest = { { COUNT_ECN_MARKED, 0, 1 } } },
	{ "without a CNP ever, another algorithm may run", "",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 1000 } },
	  .not_judged = "100 PFC frames a second, but no CNP since the driver was loaded" },
	{ "an ignored CNP is no sign of DCQCN", "",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 1000 } },
	  .latest = { { COUNT_CNP_IGNORED, 0, 9 } }, .not_judged = "no CNP since" },
	{ "an unsteady link says nothing of it", "",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 1000 } }, .unsteady = true },
	{ "of both directions", "pause-without-cnp",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 500 }, { COUNT_TX_PAUSE, 3, 500 } }, DCQCN_RUNS },
	{ "of traffic that only the wire shows", "pause-without-cnp",
	  .changes = { { COUNT_TX_PACKETS, 3, 10000000 }, { COUNT_RX_PAUSE, 3, 1000 } },
	  DCQCN_RUNS },
	{ "but not of lossy traffic", "",
	  .changes = { { COUNT_TX_PACKETS, 0, 10000000 }, { COUNT_RX_PAUSE, 3, 1000 } },
	  DCQCN_RUNS },
	{ "little PFC", "", .changes = { BUSY, { COUNT_RX_PAUSE, 3, 999 } }, DCQCN_RUNS },
	{ "little PFC without a CNP ever", "", .changes = { BUSY, { COUNT_RX_PAUSE, 3, 999 } } },
	{ "one CNP shows that ECN works", "",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 9000 }, { COUNT_CNP_HANDLED, 0, 1 } } },
	{ "and so does one that was sent", "",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 9000 }, { COUNT_CNP_SENT, 0, 1 } } },
	{ "and a mark", "",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 9000 }, { COUNT_ECN_MARKED, 0, 1 } } },
	{ "without traffic there is nothing to mark", "",
	  .changes = { { COUNT_RX_PAUSE, 3, 9000 } }, DCQCN_RUNS },
	{ "who counts no CNPs has none to miss", "",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 9000 }, { COUNT_CNP_SENT, 0, UNKNOWN } },
	  DCQCN_RUNS },
	{ "nor who counts none that came", "",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 9000 }, { COUNT_CNP_HANDLED, 0, UNKNOWN } },
	  .latest = { { COUNT_CNP_SENT, 0, 1 } } },
	{ "a policy with ECN misses it", "pause-without-cnp",
	  .changes = { BUSY, { COUNT_RX_PAUSE, 3, 1000 } }, .setup = WANTS_CNPS_AND_REACTION,
	  DCQCN_RUNS },
	{ "a policy without ECN means it so", "", .changes = { BUSY, { COUNT_RX_PAUSE, 3, 9000 } },
	  .setup = WANTS_NO_CNPS, DCQCN_RUNS },
	{ "one without reaction, too", "", .changes = { BUSY, { COUNT_RX_PAUSE, 3, 9000 } },
	  .setup = WANTS_NO_REACTION, DCQCN_RUNS },

	{ "marks without an answer", "ecn-marks-without-cnp",
	  .changes = { { COUNT_ECN_MARKED, 0, 100 } }, .figures = "10 packets a second" },
	{ "too few to tell", "", .changes = { { COUNT_ECN_MARKED, 0, 99 } } },
	{ "one CNP answers many marks", "",
	  .changes = { { COUNT_ECN_MARKED, 0, 100000 }, { COUNT_CNP_SENT, 0, 1 } } },
	{ "who counts no CNPs cannot tell", "",
	  .changes = { { COUNT_ECN_MARKED, 0, 9000 }, { COUNT_CNP_SENT, 0, UNKNOWN } } },
	{ "a policy with NP misses them", "ecn-marks-without-cnp",
	  .changes = { { COUNT_ECN_MARKED, 0, 100 } }, .setup = WANTS_CNPS_AND_REACTION },
	{ "a policy without NP means that so", "", .changes = { { COUNT_ECN_MARKED, 0, 100 } },
	  .setup = WANTS_NO_CNPS },

	{ "notifications that do nothing", "cnp-ignored",
	  .changes = { { COUNT_CNP_IGNORED, 0, 10 } },
	  .figures = "10 CNPs were ignored, 0 handled" },
	{ "too few to matter", "", .changes = { { COUNT_CNP_IGNORED, 0, 9 } } },
	{ "most are handled", "",
	  .changes = { { COUNT_CNP_IGNORED, 0, 100 }, { COUNT_CNP_HANDLED, 0, 100 } } },
	{ "a policy without RP means that so", "", .changes = { { COUNT_CNP_IGNORED, 0, 1000 } },
	  .setup = WANTS_NO_REACTION },

	{ "a twentieth goes astray", "roce-on-wrong-priority",
	  .changes = { { COUNT_TX_RDMA_BYTES, 0, 1000000 },
		       { COUNT_TX_RDMA_PACKETS, 0, 10000 },
		       { COUNT_TX_BYTES, 3, 950000 } },
	  .figures = "5 % of the RDMA bytes sent" },
	{ "a little less does not", "",
	  .changes = { { COUNT_TX_RDMA_BYTES, 0, 1000000 },
		       { COUNT_TX_RDMA_PACKETS, 0, 10000 },
		       { COUNT_TX_BYTES, 3, 950001 } } },
	{ "on the way here, too", "roce-on-wrong-priority",
	  .changes = { { COUNT_RX_RDMA_BYTES, 0, 1000000 },
		       { COUNT_RX_RDMA_PACKETS, 0, 10000 },
		       { COUNT_RX_BYTES, 0, 1000000 } },
	  .figures = "100 % of the RDMA bytes received" },
	{ "a few packets go anywhere", "",
	  .changes = { { COUNT_TX_RDMA_BYTES, 0, 1000000 }, { COUNT_TX_RDMA_PACKETS, 0, 9999 } } },
	{ "a port without a lossless priority has no wrong one", "",
	  .changes = { { COUNT_TX_RDMA_BYTES, 0, 1000000 }, { COUNT_TX_RDMA_PACKETS, 0, 10000 } },
	  .setup = NOT_LOSSLESS },
	{ "where a priority is not counted nothing is astray", "",
	  .changes = { { COUNT_TX_RDMA_BYTES, 0, 1000000 },
		       { COUNT_TX_RDMA_PACKETS, 0, 10000 },
		       { COUNT_TX_BYTES, 3, UNKNOWN } } },

	{ "ten of a million are lost", "rdma-out-of-order",
	  .changes = { BUSY, { COUNT_OUT_OF_SEQUENCE, 0, 50 } }, .figures = "50 of 5000000" },
	{ "whatever tells of it", "rdma-out-of-order",
	  .changes = { BUSY,
		       { COUNT_PACKET_SEQUENCE_ERRORS, 0, 20 },
		       { COUNT_IMPLIED_NAKS, 0, 20 },
		       { COUNT_ACK_TIMEOUTS, 0, 10 } } },
	{ "one less is bearable", "", .changes = { BUSY, { COUNT_OUT_OF_SEQUENCE, 0, 49 } } },
	{ "of few packets none can be said to be many", "",
	  .changes = { { COUNT_RX_RDMA_PACKETS, 0, 100 }, { COUNT_OUT_OF_SEQUENCE, 0, 90 } } },
	{ "a receiver that is slow is no loss", "receiver-not-ready",
	  .changes = { BUSY, { COUNT_OUT_OF_BUFFER, 0, 9000 } },
	  .figures = "9000 packets found no receive buffer posted on this host",
	  .look = ORIGIN_HOST },
	{ "a remote receiver that is slow is known by its NAKs", "receiver-not-ready",
	  .changes = { BUSY, { COUNT_RNR_NAKS, 0, 1000 } }, .figures = "the remote host refused",
	  .look = ORIGIN_REMOTE },
	{ "some packets without a buffer are how applications work", "",
	  .changes = { BUSY, { COUNT_OUT_OF_BUFFER, 0, 999 }, { COUNT_RNR_NAKS, 0, 999 } } },
	{ "losses of a port whose cable has errors point there", "rdma-out-of-order",
	  .changes = { BUSY, { COUNT_OUT_OF_SEQUENCE, 0, 50 }, { COUNT_RX_CRC_ERRORS, 0, 3 } },
	  .figures = "rx_crc_errors_phy of this port rose by 3", .look = ORIGIN_CABLE,
	  .before = "rx-link-errors" },
	{ "and others to the fabric", "rdma-out-of-order",
	  .changes = { BUSY, { COUNT_OUT_OF_SEQUENCE, 0, 50 } }, .look = ORIGIN_FABRIC },

	{ "one frame with a bad checksum in each window", "rx-link-errors",
	  .changes = { { COUNT_RX_CRC_ERRORS, 0, 1 } },
	  .figures = "rx_crc_errors_phy rose by 1 in 10 s", .look = ORIGIN_CABLE },
	{ "symbol errors", "rx-link-errors", .changes = { { COUNT_RX_SYMBOL_ERRORS, 0, 7 } },
	  .figures = "rx_symbol_err_phy rose by 7" },
	{ "symbols that FEC did not correct", "rx-link-errors",
	  .changes = { { COUNT_RX_PCS_SYMBOL_ERRORS, 0, 70 }, { COUNT_RX_CRC_ERRORS, 0, 2 } },
	  .figures = "rx_pcs_symbol_err_phy rose by 70" },
	{ "blocks that FEC could not correct", "rx-link-errors",
	  .changes = { { COUNT_FEC_UNCORRECTABLE_BLOCKS, 0, 8 }, { COUNT_RX_CRC_ERRORS, 0, 2 } },
	  .figures = "uncorrectable_blocks rose by 8 in 10 s", .look = ORIGIN_CABLE },
	{ "blocks that FEC corrected are no errors", "",
	  .changes = { { COUNT_FEC_CORRECTED_BLOCKS, 0, 1000000 } } },
	{ "an unsteady link explains its errors", "",
	  .changes = { { COUNT_RX_CRC_ERRORS, 0, 100 } }, .unsteady = true },
	{ "a packet damaged inside a device", "rdma-icrc-errors",
	  .changes = { BUSY, { COUNT_ICRC_ERRORS, 0, 1 } }, .look = ORIGIN_FABRIC },

	{ "pause where there should be none", "pause-on-lossy-priority",
	  .changes = { { COUNT_TX_PAUSE, 5, 1 } }, .figures = "priority 5" },
	{ "without a policy the priority is unknown", "", .changes = { { COUNT_TX_PAUSE, 5, 100 } },
	  .setup = NO_POLICY },
	{ "nor does one without PFC", "", .changes = { { COUNT_TX_PAUSE, 5, 100 } },
	  .setup = SAYS_NOTHING_OF_PFC },
	{ "on a lossless priority it is at home", "", .changes = { { COUNT_TX_PAUSE, 3, 100 } } },

	{ "global pause at work", "global-pause-active",
	  .changes = { { COUNT_RX_GLOBAL_PAUSE, 0, 1000 } },
	  .figures = "1000 pause frames were received and 0 sent" },
	{ "a few frames of it", "", .changes = { { COUNT_RX_GLOBAL_PAUSE, 0, 999 } } },
	{ "a policy that wants it", "", .changes = { { COUNT_RX_GLOBAL_PAUSE, 0, 9000 } },
	  .setup = WANTS_GLOBAL_PAUSE },
	{ "or just listens to it", "", .changes = { { COUNT_RX_GLOBAL_PAUSE, 0, 9000 } },
	  .setup = WANTS_GLOBAL_PAUSE_HEARD },
	{ "a policy that wants none", "global-pause-active",
	  .changes = { { COUNT_TX_GLOBAL_PAUSE, 0, 1000 } }, .setup = WANTS_NO_GLOBAL_PAUSE },

	{ "a link that goes down three times", "link-flapping", .changes = { { 0 } },
	  .link_downs = 3, .unsteady = true, .figures = "3 times" },
	{ "twice may happen", "", .changes = { { 0 } }, .link_downs = 2 },
	{ "what is not steady shows nothing else", "",
	  .changes = { BUSY,
		       { COUNT_TX_PAUSE_US, 3, 9000000 },
		       { COUNT_RX_PAUSE_US, 3, 9000000 },
		       { COUNT_OUT_OF_SEQUENCE, 0, 9000 },
		       { COUNT_CNP_IGNORED, 0, 90 },
		       { COUNT_TX_PAUSE, 5, 10 },
		       { COUNT_RX_GLOBAL_PAUSE, 0, 9000 } },
	  .unsteady = true },
};

#endif
