/* Judges one direction of a probe: which class carried its bytes, and at which end it was lost. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_PROBE_PROBE_VERDICT_H
#define LOSSLESSCTL_AGENT_ENGINE_PROBE_PROBE_VERDICT_H

#include "../../../policy/model/marking.h"
#include "../../monitor/counter.h"
#include "probe_port.h"

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
