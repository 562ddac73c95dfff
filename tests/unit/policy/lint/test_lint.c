#include <string.h>

#include "policy/model/dscp_map.h"
#include "policy/model/switch_map.h"
#include "policy/model/setting.h"
#include "policy/lint/lint.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define ALL_ETS	    "['ets','ets','ets','ets','ets','ets','ets','ets']"
#define OWN_CLASSES "'prio_tc': [0,0,0,3,0,0,6,0]"
#define MARKED \
	"{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}}, 'trust': 'dscp'," \
	" 'roce': {'tos': 106}"
#define OWN_BUFFERS "'prio_buffer': [0,0,0,1,0,0,0,0]"

/* Which rules a config breaks, by name, in the order of rules[]; "": none. */
static const struct rule_row {
	const char *sentence, *config, *breaks;
} rows[] = {
	{ "shares of 100 add up", "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [50,50,0,0,0,0,0,0]}}",
	  "" },
	{ "shares of 99 do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [50,49,0,0,0,0,0,0]}}", "ets-shares-add-up" },
	{ "shares of 101 do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [50,51,0,0,0,0,0,0]}}", "ets-shares-add-up" },
	{ "shares of 356, which is 100 in a byte, do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [100,100,100,56,0,0,0,0]}}",
	  "ets-shares-add-up" },
	{ "shares of nothing do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [0,0,0,0,0,0,0,0]}}", "ets-shares-add-up" },
	{ "without an ets class there is nothing to add up",
	  "{'ets': {'tsa': "
	  "['strict','strict','vendor','vendor','strict','strict','strict','strict'],"
	  " 'bandwidth': [0,0,0,0,0,0,0,0]}}",
	  "" },
	{ "a strict class without a share is well",
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','strict'],"
	  " 'bandwidth': [100,0,0,0,0,0,0,0]}}",
	  "" },
	{ "a strict class with a share is wrong",
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','strict'],"
	  " 'bandwidth': [100,0,0,0,0,0,0,10]}}",
	  "ets-shares-only-for-ets" },
	{ "a strict class's share does not count towards 100",
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','strict'],"
	  " 'bandwidth': [90,0,0,0,0,0,0,10]}}",
	  "ets-shares-add-up ets-shares-only-for-ets" },
	{ "a vendor class with a share is wrong",
	  "{'ets': {'tsa': ['ets','vendor','ets','ets','ets','ets','ets','ets'],"
	  " 'bandwidth': [100,1,0,0,0,0,0,0]}}",
	  "ets-shares-only-for-ets" },
	{ "the credit-based shaper is wrong",
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','cbs']}}",
	  "ets-no-credit-based-shaper" },
	{ "every other selection is no credit-based shaper",
	  "{'ets': {'tsa': ['ets','strict','vendor','ets','ets','ets','ets','ets']}}", "" },
	{ "PFC without pause is well",
	  "{'pfc': {'priorities': [3]}, 'pause': {'rx': false, 'tx': false}}", "" },
	{ "pause without PFC is well",
	  "{'pfc': {'priorities': []}, 'pause': {'rx': true, 'tx': true}}", "" },
	{ "PFC beside pause.rx is wrong",
	  "{'pfc': {'priorities': [3]}, 'pause': {'rx': true, 'tx': false}}",
	  "pfc-excludes-pause" },
	{ "PFC beside pause.tx is wrong",
	  "{'pfc': {'priorities': [0]}, 'pause': {'rx': false, 'tx': true}}",
	  "pfc-excludes-pause" },
	{ "a lossless priority with its own class is well",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES "}}", "" },
	{ "a lossless priority that shares a class is wrong",
	  "{'pfc': {'priorities': [3]}, 'ets': {'prio_tc': [0,0,0,3,3,0,6,0]}}",
	  "lossless-has-own-class" },
	{ "lossless priorities may share a class among themselves",
	  "{'pfc': {'priorities': [3,4]}, 'ets': {'prio_tc': [0,0,0,3,3,0,6,0]}}", "" },
	{ "a lossless priority 7 that shares a class is wrong",
	  "{'pfc': {'priorities': [7]}, 'ets': {'prio_tc': [0,1,2,3,4,5,6,6]}}",
	  "lossless-has-own-class" },
	{ "a lossless priority in a strict class is wrong",
	  "{'pfc': {'priorities': [6]}, 'ets': {" OWN_CLASSES ","
	  " 'tsa': ['ets','ets','ets','ets','ets','ets','strict','ets']}}",
	  "lossless-is-not-strict" },
	{ "the class is judged, not the priority",
	  "{'pfc': {'priorities': [3]}, 'ets': {'prio_tc': [0,0,0,6,0,0,3,0],"
	  " 'tsa': ['ets','ets','ets','strict','ets','ets','ets','ets']}}",
	  "" },
	{ "a ToS whose DSCP maps to a lossless priority is well",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}}, 'roce': {'tos': 106}}", "" },
	{ "a ToS whose DSCP maps to a lossy priority is wrong",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 4}}, 'roce': {'tos': 106}}",
	  "tos-reaches-lossless" },
	{ "a ToS whose DSCP is kept out of judgement is not judged",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'48': 6}, 'rest': 'keep'}, 'roce': "
	  "{'tos': 106}}",
	  "" },
	{ "a ToS is not wrong where nothing is lossless",
	  "{'pfc': {'priorities': []}, 'dscp': {'prio': {'26': 4}}, 'roce': {'tos': 106}}", "" },
	{ "a ToS of 0 is well", "{'roce': {'tos': 0}}", "" },
	{ "a ToS with ECT(0) is well", "{'roce': {'tos': 106}}", "" },
	{ "a ToS with ECT(1) is well", "{'roce': {'tos': 105}}", "" },
	{ "a ToS that is not ECN capable is wrong", "{'roce': {'tos': 104}}",
	  "tos-is-ecn-capable" },
	{ "a ToS with congestion experienced is wrong", "{'roce': {'tos': 107}}",
	  "tos-is-ecn-capable" },
	{ "RoCE v2 on a port that trusts DSCP is well", "{'trust': 'dscp', 'roce': {'mode': 'v2'}}",
	  "" },
	{ "RoCE v1 on a port that trusts DSCP is wrong",
	  "{'trust': 'dscp', 'roce': {'mode': 'v1'}}", "roce-is-routable" },
	{ "RoCE v1 on a port that trusts PCP is well", "{'trust': 'pcp', 'roce': {'mode': 'v1'}}",
	  "" },
	{ "two lossless priorities are few", "{'pfc': {'priorities': [3,4]}}", "" },
	{ "three lossless priorities are many", "{'pfc': {'priorities': [3,4,5]}}",
	  "lossless-are-few" },
	{ "a storm that ends is well", "{'pfc': {'priorities': [3], 'storm_timeout_ms': 8000}}",
	  "" },
	{ "a storm that ends by itself is well",
	  "{'pfc': {'priorities': [3], 'storm_timeout_ms': 'auto'}}", "" },
	{ "a storm that never ends is wrong", "{'pfc': {'priorities': [3], 'storm_timeout_ms': 0}}",
	  "pfc-storm-ends" },
	{ "without PFC there is no storm", "{'pfc': {'priorities': [], 'storm_timeout_ms': 0}}",
	  "" },
	{ "PFC in host mode is well", "{'dcbx': {'mode': 'host'}, 'pfc': {'priorities': [3]}}",
	  "" },
	{ "PFC in firmware mode is wrong",
	  "{'dcbx': {'mode': 'firmware'}, 'pfc': {'priorities': [3]}}", "dcbx-is-host" },
	{ "ETS in firmware mode is wrong",
	  "{'dcbx': {'mode': 'firmware'}, 'ets': {'prio_tc': [0,1,2,3,4,5,6,7]}}", "dcbx-is-host" },
	{ "firmware mode is well where DCBX sets nothing of ours",
	  "{'dcbx': {'mode': 'firmware'}, 'mtu': 9000}", "" },
	{ "a host that decides and is willing is wrong",
	  "{'dcbx': {'mode': 'host', 'willing': true}}", "host-is-not-willing" },
	{ "a host that decides and is not willing is well",
	  "{'dcbx': {'mode': 'host', 'willing': false, 'advertise': true}}", "" },
	{ "firmware's port may be willing",
	  "{'dcbx': {'mode': 'firmware', 'willing': true, 'advertise': true}}", "" },
	{ "who follows the switch and is not willing is wrong",
	  "{'dcbx': {'mode': 'switch', 'willing': false}}", "follower-is-willing" },
	{ "who follows the switch, is willing and tells it is well",
	  "{'dcbx': {'mode': 'switch', 'willing': true, 'advertise': true}}", "" },
	{ "willing, and telling nothing, is wrong",
	  "{'dcbx': {'mode': 'switch', 'willing': true, 'advertise': false}}", "willing-is-told" },
	{ "PFC where the switch decides is what it should say",
	  "{'dcbx': {'mode': 'switch'}, 'pfc': {'priorities': [3]}}", "" },
	{ "an MTU of 4200 fits RDMA packets of 4096", "{'mtu': 4200, 'pfc': {'priorities': [3]}}",
	  "" },
	{ "an MTU of 4199 does not fit them", "{'mtu': 4199, 'pfc': {'priorities': [3]}}",
	  "mtu-fits-rdma" },
	{ "without lossless RDMA the MTU is not judged", "{'mtu': 1500, 'pfc': {'priorities': []}}",
	  "" },

	{ "at an unknown speed a buffer is judged for 40 Gb/s",
	  "{'mtu': 4200, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [100000,33408,0,0,0,0,0,0]}}",
	  "" },
	{ "what is too small for 40 Gb/s is too small at any speed",
	  "{'mtu': 4200, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [100000,33407,0,0,0,0,0,0]}}",
	  "lossless-has-headroom" },
	{ "without a cable length the shortest counts",
	  "{'mtu': 4200, 'pfc': {'priorities': [3]}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [100000,32896,0,0,0,0,0,0]}}",
	  "" },
	{ "without an MTU the smallest counts",
	  "{'pfc': {'priorities': [3]}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [100000,21504,0,0,0,0,0,0]}}",
	  "" },
	{ "what is too small for any cable and MTU is too small",
	  "{'pfc': {'priorities': [3]}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [100000,21503,0,0,0,0,0,0]}}",
	  "lossless-has-headroom" },
	{ "a lossless priority without a buffer is wrong",
	  "{'pfc': {'priorities': [3]}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [100000,0,0,0,0,0,0,0]}}",
	  "lossless-has-buffer" },
	{ "a lossy priority may have a small buffer, or none",
	  "{'pfc': {'priorities': [3]}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [128,200000,0,0,0,0,0,0]}}",
	  "" },
	{ "a lossless priority that shares its buffer is wrong",
	  "{'pfc': {'priorities': [3]}, 'buffer': {'prio_buffer': [0,0,0,1,1,0,0,0]}}",
	  "lossless-has-own-buffer" },
	{ "lossless priorities may share a buffer among themselves",
	  "{'pfc': {'priorities': [3,4]}, 'buffer': {'prio_buffer': [0,0,0,1,1,0,0,0]}}", "" },

	{ "a lossless priority with a share is well",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES ", 'tsa': " ALL_ETS ","
	  " 'bandwidth': [99,0,0,1,0,0,0,0]}}",
	  "" },
	{ "a lossless priority without a share is wrong",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES ", 'tsa': " ALL_ETS ","
	  " 'bandwidth': [100,0,0,0,0,0,0,0]}}",
	  "lossless-has-bandwidth" },
	{ "a vendor class needs no share",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES ","
	  " 'tsa': ['ets','ets','ets','vendor','ets','ets','ets','ets'],"
	  " 'bandwidth': [100,0,0,0,0,0,0,0]}}",
	  "" },
	{ "network control in a strict class is well",
	  "{'ets': {'prio_tc': [0,0,0,0,0,0,6,7],"
	  " 'tsa': ['ets','ets','ets','ets','ets','ets','strict','strict']}}",
	  "" },
	{ "data in a strict class beside ets classes is wrong",
	  "{'ets': {'prio_tc': [0,0,0,0,0,5,0,0],"
	  " 'tsa': ['ets','ets','ets','ets','ets','strict','ets','ets']}}",
	  "strict-carries-no-data" },
	{ "lossy data in a strict class is wrong where something else is lossless",
	  "{'pfc': {'priorities': [3]}, 'ets': {'prio_tc': [0,0,0,3,0,5,0,0],"
	  " 'tsa': ['ets','ets','ets','ets','ets','strict','ets','ets']}}",
	  "strict-carries-no-data" },
	{ "a priority of data that is not the CNPs' is data",
	  "{'cnp': {'priority': 4}, 'ets': {'prio_tc': [0,0,0,0,4,5,0,0],"
	  " 'tsa': ['ets','ets','ets','ets','strict','strict','ets','ets']}}",
	  "strict-carries-no-data" },
	{ "CNPs in a strict class are no data",
	  "{'cnp': {'priority': 5}, 'ets': {'prio_tc': [0,0,0,0,0,5,0,0],"
	  " 'tsa': ['ets','ets','ets','ets','ets','strict','ets','ets']}}",
	  "" },
	{ "strict classes without ets starve nobody's share",
	  "{'ets': {'prio_tc': [0,1,2,3,4,5,6,7], 'tsa': ['strict','strict','strict','strict',"
	  "'strict','strict','strict','strict']}}",
	  "" },
	{ "a strict class that no priority has is well",
	  "{'ets': {'prio_tc': [0,0,0,0,0,0,0,0],"
	  " 'tsa': ['ets','strict','ets','ets','ets','ets','ets','ets']}}",
	  "" },
	{ "CNPs that wait behind data are advised against",
	  "{'cnp': {'priority': 6}, 'ets': {" OWN_CLASSES ", 'tsa': " ALL_ETS "}}",
	  "cnp-is-strict" },
	{ "a limit on a lossy class is well",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES "},"
	  " 'maxrate': {'tc_mbps': [1000,0,0,0,0,0,0,0]}}",
	  "" },
	{ "a limit on a lossless class is wrong",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES "},"
	  " 'maxrate': {'tc_mbps': [0,0,0,1000,0,0,0,0]}}",
	  "maxrate-spares-lossless" },
	{ "a limit of 25599 Mb/s does not wrap", "{'maxrate': {'tc_mbps': [25599,0,0,0,0,0,0,0]}}",
	  "" },
	{ "a limit of 25600 Mb/s wraps", "{'maxrate': {'tc_mbps': [0,0,0,0,0,0,0,25600]}}",
	  "maxrate-does-not-wrap" },
	{ "a limit of 25999 Mb/s wraps", "{'maxrate': {'tc_mbps': [25999,0,0,0,0,0,0,0]}}",
	  "maxrate-does-not-wrap" },
	{ "a limit of 26000 Mb/s does not wrap", "{'maxrate': {'tc_mbps': [26000,0,0,0,0,0,0,0]}}",
	  "" },

	{ "a traffic class that reaches a lossless priority is well",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}}, 'roce': {'traffic_class': "
	  "106}}",
	  "" },
	{ "a traffic class that reaches a lossy priority is wrong",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 4}}, 'roce': {'traffic_class': "
	  "106}}",
	  "traffic-class-reaches-lossless" },
	{ "no traffic class reaches nothing",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 4}},"
	  " 'roce': {'tos': 0, 'traffic_class': 'unset'}}",
	  "tos-reaches-lossless" },
	{ "a traffic class that is not ECN capable is wrong", "{'roce': {'traffic_class': 104}}",
	  "traffic-class-is-ecn-capable" },
	{ "a traffic class of the same DSCP is well",
	  "{'roce': {'tos': 105, 'traffic_class': 106}}", "" },
	{ "a traffic class of another DSCP is wrong",
	  "{'roce': {'tos': 106, 'traffic_class': 110}}", "tos-is-the-traffic-class" },
	{ "a lossless priority that a DSCP reaches is well",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}, 'rest': 0}}", "" },
	{ "a lossless priority that no DSCP reaches is wrong",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 4}, 'rest': 0}}",
	  "lossless-is-reached" },
	{ "a lossless priority 0 is reached like any other",
	  "{'pfc': {'priorities': [0]}, 'dscp': {'prio': {'26': 0}, 'rest': 'none'}}", "" },
	{ "a DSCP that is kept may reach it",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 4}, 'rest': 'keep'}}", "" },
	{ "with trust pcp no DSCP need reach it",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'3': 3}}}}", "" },
	{ "an APP entry that puts RoCE v2 on a lossless priority is well",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'udp', 'protocol': 4791,"
	  " 'priority': 3}]}}",
	  "" },
	{ "an APP entry that puts RoCE v2 on a lossy priority is wrong",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'udp', 'protocol': 4791,"
	  " 'priority': 4}]}}",
	  "app-reaches-lossless" },
	{ "an APP entry that puts RoCE v1 on a lossy priority is wrong",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'ethertype',"
	  " 'protocol': 35093, 'priority': 0}]}}",
	  "app-reaches-lossless" },
	{ "an APP entry of another UDP port may be lossy",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'udp', 'protocol': 53,"
	  " 'priority': 4}]}}",
	  "" },
	{ "an APP entry of another ethertype may be lossy",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'ethertype',"
	  " 'protocol': 35078, 'priority': 4}]}}",
	  "" },
	{ "an APP entry puts RoCE anywhere where nothing is lossless",
	  "{'pfc': {'priorities': []}, 'app': {'entries': [{'selector': 'udp', 'protocol': 4791,"
	  " 'priority': 4}]}}",
	  "" },
	{ "an APP entry of something else may be lossy",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'tcp', 'protocol': 4791,"
	  " 'priority': 4}]}}",
	  "" },

	{ "trust pcp without a map is advised against",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp'}", "pcp-trust-has-a-map" },
	{ "a map of zeros is no map",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'3': 0}}}}",
	  "pcp-trust-has-a-map" },
	{ "a lossless priority that leaves as a lossy PCP is wrong",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'3': 4}}}}",
	  "egress-keeps-lossless" },
	{ "one VLAN device of two without a map is well",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'3': 3}, 'w': "
	  "{'3': 0}}}}",
	  "" },
	{ "with trust dscp a priority that DSCPs reach may have a PCP",
	  "{'trust': 'dscp', 'vlan': {'egress': {'v': {'3': 3}}}}", "" },
	{ "a priority without a PCP needs no DSCP",
	  "{'dscp': {'prio': {'26': 3}, 'rest': 0}, 'vlan': {'egress': {'v': {'3': 3}}}}", "" },
	{ "with trust dscp a priority that only a PCP reaches is wrong",
	  "{'dscp': {'prio': {'26': 3}, 'rest': 0}, 'vlan': {'egress': {'v': {'4': 4}}}}",
	  "egress-has-dscps" },

	{ "PFC with ECN is well",
	  "{'pfc': {'priorities': [3]}, 'ecn': {'np': true, 'rp_priorities': [3]}}", "" },
	{ "PFC with DCQCN off is advised against, and no more",
	  "{'pfc': {'priorities': [3]}, 'ecn': {'np': false, 'rp_priorities': []}}",
	  "pfc-has-ecn" },
	{ "ECN without PFC is advised against, and no more",
	  "{'pfc': {'priorities': []}, 'ecn': {'np': true, 'rp_priorities': [3]}}", "ecn-has-pfc" },
	{ "neither PFC nor ECN is well",
	  "{'pfc': {'priorities': []}, 'ecn': {'np': false, 'rp_priorities': []}}", "" },
	{ "ECN that leaves out a lossless priority is wrong",
	  "{'pfc': {'priorities': [3,4]}, 'ecn': {'rp_priorities': [3]}}", "ecn-covers-lossless" },
	{ "ECN may have more priorities than PFC",
	  "{'pfc': {'priorities': [3]}, 'ecn': {'rp_priorities': [0,3]}}", "" },
	{ "CNPs that nobody heeds are wrong", "{'ecn': {'np': true, 'rp_priorities': []}}",
	  "ecn-has-both-ends" },
	{ "CNPs that nobody sends are wrong", "{'ecn': {'np': false, 'rp_priorities': [3]}}",
	  "ecn-has-both-ends" },
	{ "CNPs on a lossy priority are well",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'48': 6}}, 'cnp': {'dscp': 48, "
	  "'priority': 6}}",
	  "" },
	{ "CNPs with a lossless priority are wrong",
	  "{'pfc': {'priorities': [3]}, 'cnp': {'priority': 3}}", "cnp-is-not-lossless" },
	{ "CNPs with a DSCP of a lossless priority are wrong",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'48': 3}}, 'cnp': {'dscp': 48}}",
	  "cnp-is-not-lossless" },
	{ "CNPs with a DSCP of which the priority is unknown are not judged",
	  "{'pfc': {'priorities': [0]}, 'cnp': {'dscp': 48}}", "" },
	{ "CNPs with a DSCP of another priority are wrong",
	  "{'dscp': {'prio': {'48': 5}}, 'cnp': {'dscp': 48, 'priority': 6}}",
	  "cnp-dscp-is-its-priority" },
	{ "CNPs with a DSCP that has no entry are wrong",
	  "{'dscp': {'prio': {'26': 3}, 'rest': 'none'}, 'cnp': {'dscp': 48, 'priority': 6}}",
	  "cnp-dscp-is-its-priority" },
	{ "CNPs with a DSCP that is kept are not judged",
	  "{'dscp': {'prio': {'26': 3}, 'rest': 'keep'}, 'cnp': {'dscp': 48, 'priority': 6}}", "" },
	{ "with trust pcp CNPs need no DSCP",
	  "{'trust': 'pcp', 'cnp': {'dscp': 48, 'priority': 6}}", "" },
	{ "CNPs every 300 us come in time", "{'cnp': {'min_interval_us': 300}}", "" },
	{ "CNPs every 301 us come too late", "{'cnp': {'min_interval_us': 301}}",
	  "cnps-come-in-time" },
	{ "for a sender that waits longer they come in time",
	  "{'cnp': {'min_interval_us': 301}, 'dcqcn': {'rpg_time_reset_us': 400}}", "" },
	{ "for a sender that waits less they come too late",
	  "{'cnp': {'min_interval_us': 4}, 'dcqcn': {'rpg_time_reset_us': 3}}",
	  "cnps-come-in-time" },
	{ "DCQCN at its documented bounds is well",
	  "{'dcqcn': {'rpg_threshold': 31, 'rpg_ai_rate_mbps': 1, 'rpg_byte_reset': 0}}", "" },
	{ "DCQCN above a documented bound is wrong", "{'dcqcn': {'rpg_threshold': 32}}",
	  "dcqcn-is-documented" },
	{ "DCQCN below a documented bound is wrong", "{'dcqcn': {'rpg_ai_rate_mbps': 0}}",
	  "dcqcn-is-documented" },
	{ "a CNP interval beyond its width is wrong",
	  "{'cnp': {'min_interval_us': 131072}, 'dcqcn': {'rpg_time_reset_us': 131072}}",
	  "dcqcn-is-documented" },
	{ "TCP with ECN is well", "{'host': {'tcp_ecn': 2}}", "" },
	{ "TCP without ECN is advised against", "{'host': {'tcp_ecn': 0}}", "tcp-takes-ecn" },
};

enum { CUMULUS, ONYX, SONIC, NXOS }; /* in fabrics[] */

/* The same on ports of which something is known. */
static const struct port_row {
	struct rule_row row;
	struct capabilities capabilities;
} ports[] = {
	{ { "a port that can have two lossless priorities has two",
	    "{'pfc': {'priorities': [3,4]}}", "" },
	  { .pfc_cap = 2 } },
	{ { "a port that can have one lossless priority has no second",
	    "{'pfc': {'priorities': [3,4]}}", "lossless-fit-the-port" },
	  { .pfc_cap = 1 } },
	{ { "two lossless priorities of one class count once",
	    "{'pfc': {'priorities': [3,4]}, 'ets': {'prio_tc': [0,0,0,1,1,0,0,0]}}", "" },
	  { .pfc_cap = 1 } },
	{ { "a bond with the port's MTU is well", "{'mtu': 9000}", "" },
	  { .upper = "bond0", .upper_mtu = 9000 } },
	{ { "a VLAN device with a smaller MTU is warned of", "{'mtu': 9000}",
	    "upper-mtu-too-small" },
	  { .upper = "vlan5", .upper_mtu = 1500 } },
	{ { "an lldpad beside firmware that runs DCBX is one too many",
	    "{'dcbx': {'mode': 'firmware'}}", "lldp-agent-is-alone" },
	  { .lldpad_running = true } },
	{ { "an lldpad where the host decides is well", "{'dcbx': {'mode': 'host'}}", "" },
	  { .lldpad_running = true } },
	{ { "an lldpad that starts with the next boot is a danger to PFC",
	    "{'pfc': {'priorities': [3]}}", "lldpad-is-wanted" },
	  { .lldpad_starts_at_boot = true } },
	{ { "without PFC it is none", "{'pfc': {'priorities': []}}", "" },
	  { .lldpad_starts_at_boot = true } },
	{ { "a lossless buffer of its own with room for all is well",
	    "{'mtu': 1500, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	    " 'size_bytes': [100000,45824,0,0,0,0,0,0]}}",
	    "mtu-fits-rdma" },
	  { .speed_mbps = 100000, .max_mtu = 9978 } },
	{ { "one byte less is too small",
	    "{'mtu': 1500, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	    " 'size_bytes': [100000,45823,0,0,0,0,0,0]}}",
	    "lossless-has-headroom mtu-fits-rdma" },
	  { .speed_mbps = 100000, .max_mtu = 9978 } },
	{ { "DSCP 26 on a switch that keeps it lossless is well", MARKED "}", "" },
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ { "DSCP 26 on a switch that drops it is wrong", MARKED "}", "fabric-lossless" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "DSCP 3 on a switch that keeps it lossless is well",
	    "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'3': 3}}, 'roce': {'tos': 14}}", "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "a traffic class that the switch drops is wrong",
	    "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}}, 'roce': {'traffic_class': "
	    "106}}",
	    "fabric-lossless" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "no traffic class is nowhere dropped",
	    "{'pfc': {'priorities': [3]}, 'roce': {'traffic_class': 'unset'}}", "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "what the host has lossy already is not said twice",
	    "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 1}}, 'roce': {'tos': 106}}",
	    "tos-reaches-lossless" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "lossy RoCE may be lossy there",
	    "{'pfc': {'priorities': []}, 'dscp': {'prio': {'26': 3}}, 'roce': {'tos': 106}}", "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "a DSCP of which nobody says anything is not judged",
	    "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'30': 3}}, 'roce': {'tos': 122}}", "" },
	  { .switch_map = &switch_maps[ONYX] } },
	{ { "a priority that the switch does not pause is wrong", "{'pfc': {'priorities': [5]}}",
	    "fabric-pfc" },
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ { "one of the priorities that the switch pauses is well", "{'pfc': {'priorities': [4]}}",
	    "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "a switch that goes by PCP takes the priority for the mark",
	    "{'pfc': {'priorities': [5]}}", "fabric-lossless" },
	  { .switch_map = &switch_maps[NXOS] } },
	{ { "a lossless PCP is well", "{'pfc': {'priorities': [3]}}", "" },
	  { .switch_map = &switch_maps[NXOS] } },
	{ { "trust dscp before a switch that goes by PCP is wrong", "{'trust': 'dscp'}",
	    "fabric-trust" },
	  { .switch_map = &switch_maps[NXOS] } },
	{ { "trust pcp before a switch that goes by PCP is well", "{'trust': 'pcp'}", "" },
	  { .switch_map = &switch_maps[NXOS] } },
	{ { "trust pcp before a switch that goes by DSCP is wrong", "{'trust': 'pcp'}",
	    "fabric-trust" },
	  { .switch_map = &switch_maps[ONYX] } },
	{ { "CNPs in their own class of the switch are well", "{'cnp': {'dscp': 48}}", "" },
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ { "CNPs in another class of the switch are wrong", "{'cnp': {'dscp': 4}}", "fabric-cnp" },
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ { "CNPs in a lossless class of the switch are wrong", "{'cnp': {'dscp': 4}}",
	    "fabric-cnp" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "CNPs in any lossy class are well where none is theirs", "{'cnp': {'dscp': 26}}", "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "CNPs with a lossless PCP are wrong", "{'cnp': {'priority': 3}}", "fabric-cnp" },
	  { .switch_map = &switch_maps[NXOS] } },
	{ { "CNPs with a lossy PCP are well", "{'cnp': {'priority': 6}}", "" },
	  { .switch_map = &switch_maps[NXOS] } },
};

#define ALL_ROWS (COUNT(rows) + COUNT(ports))

static const struct rule_row *row_at(size_t n)
{
	return n < COUNT(rows) ? &rows[n] : &ports[n - COUNT(rows)].row;
}

static const struct capabilities *capabilities_at(size_t n)
{
	static const struct capabilities none = { 0 };

	return n < COUNT(rows) ? &none : &ports[n - COUNT(rows)].capabilities;
}

static struct config completed(const char *text)
{
	struct config c = config_of(text);
	struct err err = { 0 };

	assert_true(dscp_complete(&c, &err));
	return c;
}

/* Every row's config, read once: the tests below look at each of them very often. */
static struct config parsed[ALL_ROWS];

static void parse_all(void)
{
	for (size_t n = 0; n < ALL_ROWS; n++)
		parsed[n] = completed(row_at(n)->config);
}

static bool named(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += n)
		if ((at == list || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' '))
			return true;
	return false;
}

static size_t words_of(const char *list)
{
	size_t words = list[0] != '\0';

	for (; *list; list++)
		words += *list == ' ';
	return words;
}

static void breaks_those(const struct rule_row *row, const struct capabilities *capabilities)
{
	struct config c = completed(row->config);
	const struct lint *r;
	size_t broken = 0;

	for (size_t i = 0; (r = lint_at(i)); i++) {
		if (lint_fails(r, &c, capabilities) != named(row->breaks, r->name))
			fail_msg("%s", r->name);
		broken += named(row->breaks, r->name);
	}
	assert_int_equal(broken, words_of(row->breaks));
}

static void breaks_exactly_those(void **s)
{
	breaks_those(*s, capabilities_at(0));
}

static void port_breaks_exactly_those(void **s)
{
	const struct port_row *port = *s;

	breaks_those(&port->row, &port->capabilities);
}

/* tests/policies has their cases. */
static bool is_written(const struct lint *r)
{
	return r == lint_of_document(LINT_CLASS_OVERRIDDEN) ||
	       r == lint_of_document(LINT_RULE_CAN_WIN) || r == lint_of_document(LINT_LOWERED);
}

/* Holding counts only where the rule does judge. */
static void every_rule_has_a_config_that_breaks_it_and_one_that_holds(void **s)
{
	const struct lint *r;

	(void)s;
	for (size_t i = 0; (r = lint_at(i)); i++) {
		unsigned breaking = 0, holding = 0;

		if (is_written(r))
			continue;
		for (size_t n = 0; n < ALL_ROWS; n++) {
			struct config c = parsed[n];
			bool judged = (c.has & r->needs) == r->needs && (c.has & lint_reads(r));

			breaking += named(row_at(n)->breaks, r->name);
			holding += judged && !named(row_at(n)->breaks, r->name);
		}
		if (!breaking || !holding)
			fail_msg("%s: %u configs break it, %u hold", r->name, breaking, holding);
	}
}

/* Each lint, each row, each setting. */
static void for_all(void (*ask)(const struct lint *r, size_t n, unsigned k))
{
	const struct lint *r;

	for (size_t i = 0; (r = lint_at(i)); i++)
		for (size_t n = 0; n < ALL_ROWS; n++)
			for (unsigned k = 0; k < SETTING_COUNT; k++)
				ask(r, n, k);
}

static void is_not_judged_without(const struct lint *r, size_t n, unsigned k)
{
	struct config c = parsed[n];

	c.has &= ~SETTING(k);
	if ((r->needs & SETTING(k)) && lint_fails(r, &c, capabilities_at(n)))
		fail_msg("%s judges without %s", r->name, settings[k].path);
}

static void a_rule_does_not_judge_what_is_not_known(void **s)
{
	(void)s;
	for_all(is_not_judged_without);
}

/* Any other value that a setting may have. */
static void set_otherwise(const struct setting *k, struct config *c)
{
	if (k->type == T_VLANMAP || k->type == T_APPS)
		memset((char *)c + k->offset, 1, (size_t)k->size * k->count);
	else
		for (size_t e = 0; e < k->count; e++)
			setting_set_element(k, c, e, k->max);
}

/* One setting of a row otherwise than it was. */
static bool otherwise(const struct lint *r, size_t n, unsigned k)
{
	struct config c = parsed[n], other = c;

	set_otherwise(&settings[k], &other);
	return lint_fails(r, &c, capabilities_at(n)) != lint_fails(r, &other, capabilities_at(n));
}

static void is_named_or_not_read(const struct lint *r, size_t n, unsigned k)
{
	if (!(lint_reads(r) & SETTING(k)) && otherwise(r, n, k))
		fail_msg("%s looks at %s", r->name, settings[k].path);
}

/* A rule that looks at a setting that it does not name would judge what nobody read. */
static void a_rule_looks_only_at_what_it_names(void **s)
{
	(void)s;
	for_all(is_named_or_not_read);
}

static void is_known_or_not_read(const struct lint *r, size_t n, unsigned k)
{
	if (!(parsed[n].has & SETTING(k)) && otherwise(r, n, k))
		fail_msg("%s looks at %s, which is unknown in: %s", r->name, settings[k].path,
			 row_at(n)->sentence);
}

static void a_rule_looks_only_at_what_is_known(void **s)
{
	(void)s;
	for_all(is_known_or_not_read);
}

/* Nothing is wrong with an unknown port that would be right on some port. */
static void without_facts_no_more_is_wrong(void **s)
{
	const struct capabilities none = { 0 };
	const struct lint *r;

	(void)s;
	for (size_t i = 0; (r = lint_at(i)); i++)
		for (size_t n = 0; n < ALL_ROWS; n++) {
			struct config c = parsed[n];

			if (lint_fails(r, &c, &none) && !lint_fails(r, &c, capabilities_at(n)))
				fail_msg("%s: %s", r->name, row_at(n)->sentence);
		}
}

static void an_empty_config_breaks_nothing(void **s)
{
	const struct capabilities none = { 0 };
	struct config c = { 0 };
	const struct lint *r;

	(void)s;
	for (size_t i = 0; (r = lint_at(i)); i++)
		assert_false(lint_fails(r, &c, &none));
}

static void assert_sentence(const char *text, bool has_stop)
{
	assert_true(text[0]);
	assert_true((text[strlen(text) - 1] == '.') == has_stop);
}

static void every_rule_has_a_name_and_explains_itself(void **s)
{
	const struct lint *r;

	(void)s;
	for (size_t i = 0; (r = lint_at(i)); i++) {
		assert_int_equal(strspn(r->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(r->name));
		assert_true((lint_reads(r) == 0) == is_written(r));
		assert_true((lint_reads(r) & ~EVERY_SETTING) == 0);
		assert_true((r->needs & r->also_reads) == 0);
		assert_int_equal(!r->passes + !r->passes_on, is_written(r) ? 2 : 1);
		assert_sentence(r->message, false);
		assert_sentence(r->fix, false);
		assert_sentence(r->why, true);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(r->name, lint_at(j)->name);
	}
}

static void every_severity_has_a_name(void **s)
{
	(void)s;
	assert_string_equal(severity_name(SEVERITY_IGNORE), "ignore");
	assert_string_equal(severity_name(SEVERITY_INFO), "advice");
	assert_string_equal(severity_name(SEVERITY_WARNING), "warning");
	assert_string_equal(severity_name(SEVERITY_ERROR), "error");
}

/* What is said of one setup in particular. */
static const struct text_row {
	const char *sentence, *config, *rule, *text;
	struct capabilities capabilities;
} texts[] = {
	{ "a rule without particulars says what it always says",
	  "{'host': {'tcp_ecn': 0}}",
	  "tcp-takes-ecn",
	  "TCP of this host ignores ECN",
	  { 0 } },
	{ "every DCQCN parameter beyond its range is named, with the range",
	  "{'dcqcn': {'rpg_threshold': 32, 'rpg_ai_rate_mbps': 0, 'rpg_hai_rate_mbps': 50}}",
	  "dcqcn-is-documented",
	  "outside what is documented: dcqcn.rpg_threshold (1 to 31), dcqcn.rpg_ai_rate_mbps (1 to "
	  "131071)",
	  { 0 } },
	{ "a short buffer is said with what it needs",
	  "{'mtu': 1500, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [0,40000,0,0,0,0,0,0]}}",
	  "lossless-has-headroom",
	  "buffer 1 of lossless priority 3 has 40000 bytes and needs 140672 at 400 Gb/s",
	  { .speed_mbps = 400000, .max_mtu = 9978 } },
	{ "without a speed it is said for 40 Gb/s",
	  "{'mtu': 1500, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [0,4000,0,0,0,0,0,0]}}",
	  "lossless-has-headroom",
	  "buffer 1 of lossless priority 3 has 4000 bytes and needs 26112 even at 40 Gb/s",
	  { 0 } },
	{ "the device with the smaller MTU is named with its remedy",
	  "{'mtu': 9000}",
	  "upper-mtu-too-small",
	  "vlan5 above the port has an MTU of 1500, and the port has 9000: run `ip link set vlan5 "
	  "mtu 9000`",
	  { .upper = "vlan5", .upper_mtu = 1500 } },
	{ "what a switch drops is said with what it keeps",
	  MARKED "}",
	  "fabric-lossless",
	  "on a switch with SONiC's default map, DSCP 26 lands in TC 1, which is lossy; lossless "
	  "there: DSCP 3, 4",
	  { .switch_map = &switch_maps[SONIC] } },
	{ "a PCP that a switch drops is said with what it keeps",
	  "{'pfc': {'priorities': [5]}}",
	  "fabric-lossless",
	  "on a switch with Microsoft's NX-OS policy for Azure Local, PCP 5 lands in TC 0, which "
	  "is "
	  "lossy; lossless there: PCP 3",
	  { .switch_map = &switch_maps[NXOS] } },
	{ "a priority that a switch does not pause is named",
	  "{'pfc': {'priorities': [3,5]}}",
	  "fabric-pfc",
	  "priority 5 is lossless here and TC 5 is lossy on a switch with Cumulus Linux's lossless "
	  "RoCE mode",
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ "what the switch and the port go by is named",
	  "{'trust': 'dscp'}",
	  "fabric-trust",
	  "a switch with Microsoft's NX-OS policy for Azure Local goes by PCP, and this port by "
	  "DSCP",
	  { .switch_map = &switch_maps[NXOS] } },
	{ "CNPs beside their class are said with the class",
	  "{'cnp': {'dscp': 4}}",
	  "fabric-cnp",
	  "on a switch with Cumulus Linux's lossless RoCE mode, CNPs (DSCP 4) land in TC 0; TC 6 "
	  "is theirs",
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ "CNPs in a lossless class are said so",
	  "{'cnp': {'dscp': 4}}",
	  "fabric-cnp",
	  "on a switch with SONiC's default map, CNPs (DSCP 4) land in TC 4, which is lossless",
	  { .switch_map = &switch_maps[SONIC] } },
};

static void says_so(void **s)
{
	const struct text_row *row = *s;
	struct config c = completed(row->config);
	char text[LINT_TEXT_MAX];
	const struct lint *r;
	size_t i;

	for (i = 0; (r = lint_at(i)) && strcmp(r->name, row->rule) != 0; i++)
		;
	assert_true(lint_fails(r, &c, &row->capabilities));
	assert_string_equal(lint_message(r, &c, &row->capabilities, text), row->text);
}

/* A setting whose documented range is narrower than what it takes would else go unsaid. */
static void every_documented_range_is_judged(void **s)
{
	const struct capabilities none = { 0 };
	const struct lint *r;
	size_t i;

	(void)s;
	for (i = 0; (r = lint_at(i)) && strcmp(r->name, "dcqcn-is-documented") != 0; i++)
		;
	for (size_t k = 0; k < SETTING_COUNT; k++) {
		struct config c = { .has = SETTING(k) };

		if (!settings[k].documented_max || settings[k].documented_max >= settings[k].max)
			continue;
		setting_set_element(&settings[k], &c, 0, settings[k].documented_max);
		assert_false(lint_fails(r, &c, &none));
		setting_set_element(&settings[k], &c, 0, (int64_t)settings[k].documented_max + 1);
		if (!lint_fails(r, &c, &none))
			fail_msg("%s", settings[k].path);
	}
}

int main(void)
{
	struct suite s = { 0 };

	parse_all();
	SUITE_ADD_ROWS(&s, rows, breaks_exactly_those);
	for (size_t i = 0; i < COUNT(ports); i++)
		suite_add(&s, ports[i].row.sentence, port_breaks_exactly_those, &ports[i]);
	SUITE_ADD_ROWS(&s, texts, says_so);
	SUITE_ADD(&s, every_rule_has_a_config_that_breaks_it_and_one_that_holds);
	SUITE_ADD(&s, a_rule_does_not_judge_what_is_not_known);
	SUITE_ADD(&s, a_rule_looks_only_at_what_it_names);
	SUITE_ADD(&s, a_rule_looks_only_at_what_is_known);
	SUITE_ADD(&s, without_facts_no_more_is_wrong);
	SUITE_ADD(&s, an_empty_config_breaks_nothing);
	SUITE_ADD(&s, every_rule_has_a_name_and_explains_itself);
	SUITE_ADD(&s, every_severity_has_a_name);
	SUITE_ADD(&s, every_documented_range_is_judged);
	return suite_run(&s, "rules");
}
