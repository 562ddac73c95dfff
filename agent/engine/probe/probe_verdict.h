/* Judges one direction of a probe: which class carried its bytes, and at which end it was lost. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_PROBE_PROBE_VERDICT_H
#define LOSSLESSCTL_AGENT_ENGINE_PROBE_PROBE_VERDICT_H

#include "../../../policy/model/marking.h"
#include "../../monitor/counter.h"
#include "../job_environment.h"
#include "perftest.h"

/* A port as the other end of a probe has to know it. */

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
	struct mqprio mqprio;	  /* the port's, if it is one of this host */
};

/* Describes a port of this host: its first GID of RoCE v2, IPv4 before IPv6. */
void probe_port_read(const struct engine *e, const struct target *t, const struct job_port *job,
		     struct probe_port *ret);

/*
 * The PCP in the tags of a run that begins at this port. The other end takes the class of the one
 * that begins.
 */
int probe_pcp(const struct probe_port *from, const struct perftest *run);

enum probe_verdict {
	PROBE_IN_CLASS,
	PROBE_WRONG_AT_SENDER, /* the sender put the bytes into another priority */
	PROBE_REWRITTEN, /* the receiver's map does not explain the priority that it counted */
	/* The two maps give this mark different priorities. */
	PROBE_WRONG_MAP,	   /* the sender's one is lossless there, not the receiver's */
	PROBE_WRONG_MAP_OF_SENDER, /* the other way round */
	PROBE_MAPS_DIFFER,	   /* both or neither are: no end can be blamed */
	PROBE_NOT_LOSSLESS,	   /* right priority at both ends, without PFC at one of them */
	PROBE_CONTROL_LOSSLESS,	   /* unmarked bytes travel in a lossless priority */
	PROBE_LOST,		   /* the sender counted bytes that the receiver did not */
	PROBE_MASKED_BY_TRAFFIC,   /* other traffic is too strong to tell */
	PROBE_NOT_COUNTED,	   /* an end does not count by priority, or counted nothing */
	PROBE_NO_CLASS,		   /* an end's trust, its DSCP map or the PCP is unknown */
	PROBE_VERDICTS
};

/* One end of a direction. */
struct probe_end {
	const struct config *actual; /* trust, dscp.prio and pfc.priorities decide; borrowed */
	bool counts;		     /* the port counts bytes by priority */
	uint64_t bytes[PRIOS];	     /* sent or received during the run */
	uint64_t background[PRIOS];  /* the same in as long a time without the run */
};

struct probe_direction {
	struct probe_end sender, receiver;
	uint8_t traffic_class; /* that the packets should carry */
	int pcp;	       /* in their tags, or PCP_NONE */
	bool is_control;       /* unmarked traffic, which must stay out of lossless priorities */
	double min_share; /* 0 to 1: share of the bytes that must be in class (probe.min_share) */
};

/* A verdict, with the priorities and shares that it rests on. */
struct probe_judgement {
	enum probe_verdict verdict;
	int expected[2];       /* priority at the sender and at the receiver; -1: unknown */
	int measured[2];       /* priority with the most bytes; -1: no bytes */
	double share[2];       /* share of the bytes in the expected priority */
	uint64_t rewritten_to; /* bits by DSCP: those that explain what the receiver counted */
};

/* Bytes by priority that a port has sent and received so far. */
struct probe_counts {
	uint64_t at_ms;
	bool known; /* false: the port does not count them */
	uint64_t sent[PRIOS], received[PRIOS];
};

/* Takes the counts out of a sample. */
struct probe_counts probe_counts_from(const struct sample *s);

/* Counts at four times, in their order: the run is between the last two. */
enum { BEFORE_QUIET, AFTER_QUIET, BEFORE_RUN, AFTER_RUN, PROBE_TIMES };

/*
 * One end of a direction. The background is that of the quiet time, as long as the run. Counters
 * that went backwards were reset: the end does not count.
 */
struct probe_end probe_end_from(const struct config *actual, bool sent,
				const struct probe_counts counts[PROBE_TIMES]);

/* Judges a direction. */
struct probe_judgement probe_judge(const struct probe_direction *d);

/*
 * The verdict as a word for JSON, such as "wrong_map", which three of them share, and as a sentence
 * without full stop.
 */
const char *probe_verdict_name(enum probe_verdict v);
const char *probe_verdict_text(enum probe_verdict v);

/* True if the verdict says that the path does not carry the class as it should. */
bool probe_verdict_is_fault(enum probe_verdict v);

#endif
