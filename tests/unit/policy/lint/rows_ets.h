/* Configs that break or pass the lints of policy/lint/lint_ets.c. */
#ifndef LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_ETS_H
#define LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_ETS_H

#include "tests/support/lint_rows.h"

#define ALL_ETS	    "['ets','ets','ets','ets','ets','ets','ets','ets']"
#define OWN_CLASSES "'prio_tc': [0,0,0,3,0,0,6,0]"

static const struct lint_row ets_rows[] = {
	{ "shares of 100 add up", "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [50,50,0,0,0,0,0,0]}}",
	  "" },
	{ "shares of 99 do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [50,49,0,0,0,0,0,0]}}",
	  "ets-bandwidth-sum-not-100" },
	{ "shares of 101 do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [50,51,0,0,0,0,0,0]}}",
	  "ets-bandwidth-sum-not-100" },
	{ "shares of 356, which is 100 in a byte, do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [100,100,100,56,0,0,0,0]}}",
	  "ets-bandwidth-sum-not-100" },
	{ "shares of nothing do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [0,0,0,0,0,0,0,0]}}",
	  "ets-bandwidth-sum-not-100" },
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
	  "ets-bandwidth-on-non-ets-tc" },
	{ "a strict class's share does not count towards 100",
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','strict'],"
	  " 'bandwidth': [90,0,0,0,0,0,0,10]}}",
	  "ets-bandwidth-sum-not-100 ets-bandwidth-on-non-ets-tc" },
	{ "a vendor class with a share is wrong",
	  "{'ets': {'tsa': ['ets','vendor','ets','ets','ets','ets','ets','ets'],"
	  " 'bandwidth': [100,1,0,0,0,0,0,0]}}",
	  "ets-bandwidth-on-non-ets-tc" },
	{ "the credit-based shaper is wrong",
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','cbs']}}", "ets-tsa-cbs" },
	{ "every other selection is no credit-based shaper",
	  "{'ets': {'tsa': ['ets','strict','vendor','ets','ets','ets','ets','ets']}}", "" },
	{ "a lossless priority with its own class is well",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES "}}", "" },
	{ "a lossless priority that shares a class is wrong",
	  "{'pfc': {'priorities': [3]}, 'ets': {'prio_tc': [0,0,0,3,3,0,6,0]}}",
	  "lossless-tc-shared" },
	{ "lossless priorities may share a class among themselves",
	  "{'pfc': {'priorities': [3,4]}, 'ets': {'prio_tc': [0,0,0,3,3,0,6,0]}}", "" },
	{ "a lossless priority 7 that shares a class is wrong",
	  "{'pfc': {'priorities': [7]}, 'ets': {'prio_tc': [0,1,2,3,4,5,6,6]}}",
	  "lossless-tc-shared" },
	{ "a lossless priority in a strict class is wrong",
	  "{'pfc': {'priorities': [6]}, 'ets': {" OWN_CLASSES ","
	  " 'tsa': ['ets','ets','ets','ets','ets','ets','strict','ets']}}",
	  "lossless-tc-strict" },
	{ "the class is judged, not the priority",
	  "{'pfc': {'priorities': [3]}, 'ets': {'prio_tc': [0,0,0,6,0,0,3,0],"
	  " 'tsa': ['ets','ets','ets','strict','ets','ets','ets','ets']}}",
	  "" },
	{ "a lossless priority with a share is well",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES ", 'tsa': " ALL_ETS ","
	  " 'bandwidth': [99,0,0,1,0,0,0,0]}}",
	  "" },
	{ "a lossless priority without a share is wrong",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES ", 'tsa': " ALL_ETS ","
	  " 'bandwidth': [100,0,0,0,0,0,0,0]}}",
	  "lossless-bandwidth-zero" },
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
	  "strict-tc-carries-data" },
	{ "lossy data in a strict class is wrong where something else is lossless",
	  "{'pfc': {'priorities': [3]}, 'ets': {'prio_tc': [0,0,0,3,0,5,0,0],"
	  " 'tsa': ['ets','ets','ets','ets','ets','strict','ets','ets']}}",
	  "strict-tc-carries-data" },
	{ "a priority of data that is not the CNPs' is data",
	  "{'cnp': {'priority': 4}, 'ets': {'prio_tc': [0,0,0,0,4,5,0,0],"
	  " 'tsa': ['ets','ets','ets','ets','strict','strict','ets','ets']}}",
	  "strict-tc-carries-data" },
	{ "CNPs in a strict class are no data",
	  "{'cnp': {'priority': 5}, 'ets': {'prio_tc': [0,0,0,0,0,5,0,0],"
	  " 'tsa': ['ets','ets','ets','ets','ets','strict','ets','ets']}}",
	  "" },
	{ "strict classes without ets starve no share",
	  "{'ets': {'prio_tc': [0,1,2,3,4,5,6,7], 'tsa': ['strict','strict','strict','strict',"
	  "'strict','strict','strict','strict']}}",
	  "" },
	{ "a strict class that no priority has is well",
	  "{'ets': {'prio_tc': [0,0,0,0,0,0,0,0],"
	  " 'tsa': ['ets','strict','ets','ets','ets','ets','ets','ets']}}",
	  "" },
	{ "CNPs that wait behind data are advised against",
	  "{'cnp': {'priority': 6}, 'ets': {" OWN_CLASSES ", 'tsa': " ALL_ETS "}}",
	  "cnp-not-strict" },
	{ "a limit on a lossy class is well",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES "},"
	  " 'maxrate': {'tc_mbps': [1000,0,0,0,0,0,0,0]}}",
	  "" },
	{ "a limit on a lossless class is wrong",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES "},"
	  " 'maxrate': {'tc_mbps': [0,0,0,1000,0,0,0,0]}}",
	  "lossless-rate-limited" },
	{ "a limit of 25599 Mb/s does not wrap", "{'maxrate': {'tc_mbps': [25599,0,0,0,0,0,0,0]}}",
	  "" },
	{ "a limit of 25600 Mb/s wraps", "{'maxrate': {'tc_mbps': [0,0,0,0,0,0,0,25600]}}",
	  "maxrate-wraps" },
	{ "a limit of 25999 Mb/s wraps", "{'maxrate': {'tc_mbps': [25999,0,0,0,0,0,0,0]}}",
	  "maxrate-wraps" },
	{ "a limit of 255000 Mb/s fits into 8 bits",
	  "{'maxrate': {'tc_mbps': [255000,0,0,0,0,0,0,0]}}", "" },
	{ "a limit of 255001 Mb/s needs 16 bits",
	  "{'maxrate': {'tc_mbps': [0,0,0,0,0,0,0,255001]}}", "maxrate-above-255-gbps" },
	{ "a limit of 26000 Mb/s does not wrap", "{'maxrate': {'tc_mbps': [26000,0,0,0,0,0,0,0]}}",
	  "" },
};

static const struct lint_port_row ets_ports[] = {
	{ { "shares of a port without rate objects are well",
	    "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','ets'],"
	    " 'bandwidth': [100,0,0,0,0,0,0,0]}}",
	    "" },
	  { .rate_object = "" } },
	{ { "shares beside a rate object of devlink",
	    "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','ets'],"
	    " 'bandwidth': [100,0,0,0,0,0,0,0]}}",
	    "ets-beside-devlink-tc-bw" },
	  { .rate_object = "pci/0000:c1:00.0/group1" } },
};

#endif
