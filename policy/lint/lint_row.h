/*
 * Lints: checks of one port's whole configuration. They check the settings that a port ends up
 * with, not those a policy asks for: PFC with global pause is wrong only if both are in effect at
 * once.
 */
#ifndef LOSSLESSCTL_POLICY_LINT_LINT_ROW_H
#define LOSSLESSCTL_POLICY_LINT_LINT_ROW_H

#include <stddef.h>

#include "../model/marking.h"
#include "../util/status_word.h"

struct congestion_control;
struct switch_map;

/* The maker of the mlx5 driver that runs: the kernel, or NVIDIA (DOCA, MLNX_OFED). */
enum driver_maker { MAKER_UNKNOWN, MAKER_KERNEL, MAKER_NVIDIA };

#define LINT_TEXT_MAX 512
#define LINTS_MAX     80 /* upper bound for arrays with a byte for each lint */

/*
 * Properties of a port that are not settings. An unknown property is 0, and lints then assume its
 * best possible value, so that a finding never depends on a guess. Hardly a port has mqprio: one of
 * which nothing is known counts as a port without it.
 */
struct capabilities {
	uint32_t speed_mbps;
	uint32_t max_mtu;	 /* the largest MTU that the port supports */
	uint8_t pfc_cap;	 /* number of traffic classes that can be lossless at once */
	uint8_t traffic_classes; /* number of traffic classes */
	bool types; /* credit-based shaping is supported; valid only if traffic_classes is known */
	uint32_t min_mtu;	   /* the smallest MTU that the port supports */
	uint32_t buffer_bytes;	   /* total size of all receive buffers */
	uint32_t cell_bytes;	   /* size of their cells, as small as their sizes allow */
	char upper[VLAN_NAME_MAX]; /* the bond or VLAN device on this port with the smallest MTU */
	uint32_t upper_mtu;	   /* MTU of `upper` */
	char largest_upper[VLAN_NAME_MAX]; /* the device on this port with the largest MTU */
	uint32_t largest_upper_mtu;	   /* its MTU */
	const struct switch_map
		*switch_map; /* the map of the switches that the port is connected to; borrowed */
	const struct congestion_control *congestion_control; /* the policy's; borrowed */
	char congestion_program[16]; /* a program that replaces DCQCN on this port */
	bool lldpad_running;	     /* lldpad runs on this host */
	bool lldpad_starts_at_boot;  /* lldpad does not run, but is enabled at boot */
	enum driver_maker maker;
	char rate_object[64]; /* a devlink rate object that divides bandwidth by traffic class */
	char slow_kernel[72]; /* release of a kernel whose mlx5 driver slows this port down */
	char no_lag[384];     /* the bond has no RoCE LAG, and why */
	struct mqprio mqprio; /* the port's own, not its bond's */
	struct vf_vlan vf_vlans[PRIOS]; /* the first VF with each PCP (qos); of trust pcp alone */
	/* A program that runs and writes settings that the policy sets, and how to stop that. */
	char other_writer[LINT_TEXT_MAX];
};

struct lint {
	const char *name;
	enum severity severity;
	setting_set needs;   /* the lint is checked only if all of these are known */
	const char *message; /* the message of the finding */
	const char *fix;     /* how to fix it */
	const char *why;

	/*
	 * True if the lint passes; set one of the two. A lint about the document itself has
	 * neither: see lint_of_document().
	 */
	bool (*passes)(const struct config *c);
	bool (*passes_on)(const struct config *c, const struct capabilities *f);

	/* The fields below are optional. */
	bool of_host; /* about the host: found on each port that the policy sets, reported once */
	setting_set also_reads;	  /* settings also read if they are known */
	setting_set if_desired;	  /* settings of a port that count only if the policy sets them */
	const char *not_of_ports; /* why no port has the finding, and which verb finds it */
	void (*describe)(const struct config *c, const struct capabilities *f,
			 char text[LINT_TEXT_MAX]);
};

/*
 * Lints about a document, not about a port's settings: code that reads the policy, or the
 * environment of a job, finds them.
 */
enum document_lint {
	LINT_CLASS_OVERRIDDEN,
	LINT_RULE_UNREACHABLE,
	LINT_RULES_EMPTY,
	LINT_PROFILE_UNUSED,
	LINT_PROFILE_EMPTY,
	LINT_LOWERED,
	LINT_ENV_OFF_POLICY,
	LINT_FORCED_CLASS_HIDES_ENV,
	LINT_GIN_CLASS_UNSET
};

#endif
