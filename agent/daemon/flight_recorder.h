/*
 * The flight recorders of the monitored ports: the agent writes a recording for each incident, not
 * too many and not too often.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_FLIGHT_RECORDER_H
#define LOSSLESSCTL_AGENT_DAEMON_FLIGHT_RECORDER_H

#include "recording.h"

struct monitored_port;
struct monitored_ports;

/* Time until a port has another recording, and until a file may be replaced. */
#define RECORDING_PAUSE_MS (10 * 60 * 1000)

/* A recording is saved at its symptom, and again with the minute after it. */
#define RECORDING_AFTER_MS (60 * 1000)

/* The flight recorder of one port. */
struct recorder {
	char port[LINK_NAME_MAX], pci[ID_MAX];
	struct flight flight;
	struct incident incident; /* the last one that has a recording */
	uint64_t incident_ms;	  /* its sample, by the clock of the host */
	unsigned number;	  /* its file; 0: none yet */
	bool is_new;		  /* it is not yet saved */
	bool reported;		  /* its file is logged */
	uint64_t saved;		  /* recordings since the agent started */
	uint64_t again_ms;	  /* time to save it again; 0: never */
	unsigned withheld;	  /* incidents since, without a recording */
};

/* A file, as far as it matters for the next recording. */
struct recorded {
	bool exists;
	bool saved; /* false: its number is taken, and nothing is in it yet */
	char port[LINK_NAME_MAX], pci[ID_MAX], symptom[64];
	int64_t detected_s; /* Unix time; 0: unknown */
	uint64_t until_ms;  /* kept until then, by the clock of the host */
};

/* Plain data; initialise it with zeros, release it with recorders_free(). */
struct recorders {
	struct recorder **list; /* one for each monitored port; an entry may be NULL */
	size_t count;
	struct recorded files[RECORDINGS_MAX]; /* file 1 comes first */
};

/* Learns from the files, so that the limits hold across restarts. Errors: as recordings_each(). */
bool recorders_load(struct recorders *all, struct host *h, struct err *err) must_check;

/* Gives each monitored port its recorder. A port without memory for it is not recorded. */
void recorders_follow(struct recorders *all, const struct monitored_ports *ports);

/* The flight recorder of one of the ports. NULL: there was no memory for it. */
struct recorder *recorders_of_port(const struct recorders *all, const struct monitored_ports *ports,
				   const struct monitored_port *mp);

/* Releases all recorders; keeps what is known of the files. */
void recorders_free(struct recorders *all);

/*
 * Takes a file for an incident of this port; returns its number. 0: withheld, because the port's
 * last recording, or every file, is too new.
 */
unsigned recorders_take_file(struct recorders *all, const struct recorder *r, uint64_t now_ms);

/* The newest saved recording of a port; NULL if there is none. */
const struct recorded *recorded_last(const struct recorded files[RECORDINGS_MAX],
				     const struct port *port);

#endif
