#include "other_writers.h"

#include <string.h>

#include "../../agent/host/namespace.h"
#include "../../policy/model/setting.h"

/* Those below and those of capabilities.c. */
static const char *const known[] = { "nic-configuration-daemon",
				     "dmsd",
				     "sriov-network-config-daemon",
				     "doca_spcx_cc",
				     "doca_pcc",
				     NULL };

/* Returns a bit for each of the names that is known. */
static uint32_t bits_of(const char *const *names)
{
	uint32_t bits = 0;

	for (size_t i = 0; known[i]; i++)
		for (size_t k = 0; names[k]; k++)
			bits |= strcmp(known[i], names[k]) == 0 ? 1u << i : 0;
	return bits;
}

static void note_process(const struct process *p, void *arg)
{
	uint32_t *running = arg;
	const char *const name[] = { p->name, NULL };

	*running |= bits_of(name);
}

bool known_programs_run(struct host *h, const char *const *names)
{
	uint32_t running = 0;

	if (!run_fact_recall(&h->facts, FACT_KNOWN_PROGRAMS, &running, sizeof(running))) {
		/* A host that hides its processes has none to name. */
		(void)!process_each_of(h, known, note_process, &running);
		run_fact_remember(&h->facts, FACT_KNOWN_PROGRAMS, &running, sizeof(running));
	}
	return running & bits_of(names);
}

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
	  "or these settings from the policy" },
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
