/* A port as the other end of a probe has to know it. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_PROBE_PROBE_PORT_H
#define LOSSLESSCTL_AGENT_ENGINE_PROBE_PROBE_PORT_H

#include "../../../policy/model/marking.h"
#include "../job_environment.h"
#include "perftest.h"

/* The settings that decide about the class of a packet. */
#define PROBE_SETTINGS \
	(SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_PFC_PRIORITIES) | \
	 SETTING(SETTING_VLAN_EGRESS))

struct probe_port {
	char name[ID_MAX];
	struct alt_names alt_names;
	char device[PERFTEST_DEVICE_MAX]; /* "mlx5_0" */
	uint32_t ib_port, gid_index;
	char address[PERFTEST_ADDRESS_MAX]; /* that of the GID */
	char lacks[GUARD_WHY_MAX];	    /* reason why it cannot be probed; "": it can */
	char busy[GUARD_WHY_MAX]; /* reason why traffic would disturb others; "": it does not */
	struct config actual;	  /* PROBE_SETTINGS */
	bool has_class;		  /* the policy or the port says which class carries RoCE */
	uint32_t traffic_class;	  /* that class, if it is known */
	uint32_t service_level;	  /* the PCP of RoCE on a port that trusts PCP */
	char vlan[VLAN_NAME_MAX]; /* the VLAN device of the GID; "": packets have no tag */
	struct mqprio mqprio;	  /* the port's */
};

/* Describes a port of this host: its first GID of RoCE v2, IPv4 before IPv6. */
void probe_port_read(const struct engine *e, const struct target *t, const struct job_port *job,
		     struct probe_port *ret);

/*
 * The PCP in the tags of a run that begins at this port. The other end takes the class of the one
 * that begins.
 */
int probe_pcp(const struct probe_port *from, const struct perftest *run);

#endif
