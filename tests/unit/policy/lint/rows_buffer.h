/* Configs that break or pass the lints of policy/lint/lint_buffer.c. */
#ifndef LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_BUFFER_H
#define LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_BUFFER_H

#include "tests/support/lint_rows.h"

#define OWN_BUFFERS "'prio_buffer': [0,0,0,1,0,0,0,0]"

static const struct lint_row buffer_rows[] = {
	{ "at an unknown speed a buffer is judged for 40 Gb/s",
	  "{'mtu': 4200, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [100000,33408,0,0,0,0,0,0]}}",
	  "" },
	{ "what is too small for 40 Gb/s is too small at any speed",
	  "{'mtu': 4200, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [100000,33407,0,0,0,0,0,0]}}",
	  "lossless-headroom-too-small" },
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
	  "lossless-headroom-too-small" },
	{ "a lossless priority without a buffer is wrong",
	  "{'pfc': {'priorities': [3]}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [100000,0,0,0,0,0,0,0]}}",
	  "lossless-buffer-size-zero" },
	{ "a lossy priority may have a small buffer, or none",
	  "{'pfc': {'priorities': [3]}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [128,200000,0,0,0,0,0,0]}}",
	  "" },
	{ "a lossless priority that shares its buffer is wrong",
	  "{'pfc': {'priorities': [3]}, 'buffer': {'prio_buffer': [0,0,0,1,1,0,0,0]}}",
	  "lossless-buffer-shared" },
	{ "lossless priorities may share a buffer among themselves",
	  "{'pfc': {'priorities': [3,4]}, 'buffer': {'prio_buffer': [0,0,0,1,1,0,0,0]}}", "" },
};

static const struct lint_port_row buffer_ports[] = {
	{ { "a lossless buffer of its own with room for all is well",
	    "{'mtu': 1500, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	    " 'size_bytes': [100000,45824,0,0,0,0,0,0]}}",
	    "mtu-too-small-for-rdma" },
	  { .speed_mbps = 100000, .max_mtu = 9978 } },
	{ { "one byte less is too small",
	    "{'mtu': 1500, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	    " 'size_bytes': [100000,45823,0,0,0,0,0,0]}}",
	    "lossless-headroom-too-small mtu-too-small-for-rdma" },
	  { .speed_mbps = 100000, .max_mtu = 9978 } },
};

#endif
