#include "find_writers.h"

#include <string.h>

#include "../../policy/model/setting.h"
#include "../../agent/host/proc/process.h"
#include "known_programs.h"

#define QOS \
	(SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX) | \
	 SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_DSCP_REST) | \
	 SETTING(SETTING_ROCE_TOS) | SETTING(SETTING_ROCE_TRAFFIC_CLASS))

/*
 * nic-configuration-operator, pkg/dms: trust, PFC and ToS of "roceOptimized", and NVConfig; a new
 * PFC mask ends global pause. DOCA's DMS has a path for most settings of a port.
 * sriov-network-operator, pkg/host: the MTU of physical functions.
 */
static const struct other_writer programs[] = {
	{ "nic-configuration-daemon", QOS | SETTING(SETTING_FIRMWARE_NVCONFIG),
	  "remove roceOptimized and spectrumXOptimized from this node's NicConfigurationTemplate, "
	  "or "
	  "these settings from the policy" },
	{ "dmsd",
	  QOS | SETTING(SETTING_MTU) | SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) |
		  SETTING(SETTING_ETS_BANDWIDTH) | SETTING(SETTING_MAXRATE_TC_MBPS) |
		  SETTING(SETTING_CNP_DSCP) | SETTING(SETTING_CNP_PRIORITY) |
		  SETTING(SETTING_FIRMWARE_NVCONFIG),
	  "DOCA's management service does so when a client asks: run `systemctl disable --now "
	  "dmsd.service`, or leave these settings to losslessctl" },
	{ "sriov-network-config-daemon", SETTING(SETTING_MTU),
	  "remove mtu from the SriovNetworkNodePolicy of these ports, or from the policy" },
};

#define PROGRAMS (sizeof(programs) / sizeof(programs[0]))

_Static_assert(PROGRAMS <= OTHER_WRITERS_MAX, "each program has a place");

static bool is_listed(const struct other_writers *all, const struct other_writer *w)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].writer == w)
			return true;
	return false;
}

/* Compares the whole name: other programs may have the same 15 bytes. */
static void check_process(const struct process *p, void *arg)
{
	struct other_writers *all = arg;
	const char *slash = strrchr(p->words, '/');
	const char *program = slash ? slash + 1 : p->words;

	for (size_t i = 0; i < PROGRAMS; i++)
		if (strcmp(program, programs[i].name) == 0 && !is_listed(all, &programs[i]))
			all->list[all->count++] = (struct running_writer){ &programs[i], p->pid };
}

void other_writers_find(struct host *h, struct other_writers *ret)
{
	const char *names[PROGRAMS + 1] = { NULL };

	*ret = (struct other_writers){ .count = 0 };
	for (size_t i = 0; i < PROGRAMS; i++)
		names[i] = programs[i].name;
	if (known_programs_run(h, names))
		(void)!process_each_of(h, names, check_process, ret);
}
