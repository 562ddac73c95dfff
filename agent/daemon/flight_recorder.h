/*
 * The flight recorder: a recording has the minutes of a port before a critical symptom. The agent
 * writes it as a document, one for each incident, not too many and not too often; history, doctor
 * and bundle read it. The files survive restarts and reboots, and only root reads and writes them.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_FLIGHT_RECORDER_H
#define LOSSLESSCTL_AGENT_DAEMON_FLIGHT_RECORDER_H

#include <jansson.h>

#include "../host/host.h"
#include "../monitor/rates.h"
#include "../monitor/symptom.h"

/* ---- samples ---- */

/*
 * The flight recorder of a port: the rates of its last ten minutes, in memory that is allocated
 * once, so that the minutes before an incident can be read afterwards.
 */

/* Ten minutes of samples at the agent's default interval, 5 s; longer ones cover more. */
#define FLIGHT_SAMPLES 120

/* Samples that are closer are merged. The agent's timer may be early by some milliseconds. */
#define FLIGHT_STEP_MS 4500

/* One row. Its rates are rounded, and have no overflow. */
struct flight_sample {
	uint64_t at_ms; /* the end of the interval, by the clock of the host; in a file Unix time */
	uint32_t interval_ms;
	uint32_t symptoms;		     /* bit per row of symptoms[]: raised at the end */
	uint16_t rate[RATE_COUNT];	     /* see flight_rate() */
	uint16_t link_downs, watchdog_trips; /* within the interval; 65535: or more */
	int8_t sent_on, received_on;	     /* as in struct rates */
};

/* Plain data; initialise it with flight_begin(). */
struct flight {
	struct sample from; /* the end of the newest row */
	bool begun;
	size_t newest, count;
	struct flight_sample ring[FLIGHT_SAMPLES];
};

/* Empties the recorder, and touches its memory, so that an agent takes all that it needs at once.
 */
void flight_begin(struct flight *f);

/* The next sample does not continue those before: the driver was restarted. */
void flight_interrupt(struct flight *f);

/*
 * Adds a sample. `raised` are the symptoms, as in struct flight_sample. A sample that is closer
 * than FLIGHT_STEP_MS to the last row waits for the next one, unless `at_once` is set.
 */
void flight_add(struct flight *f, const struct sample *s, uint32_t raised, bool at_once);

/* Row `i` of flight->count, the oldest first. */
const struct flight_sample *flight_row(const struct flight *f, size_t i);

/* A rate of a row, to within 0.2 percent. NAN: unknown. */
double flight_rate(const struct flight_sample *row, enum rate which);

/* All rates of a row. */
struct rates flight_rates(const struct flight_sample *row);

/* Sets the rates of a row. */
void flight_set_rates(struct flight_sample *row, const struct rates *r);

/* ---- flight recorder ---- */

struct monitored_port;
struct monitored_ports;

/* ---- a recording ---- */

#define RECORDING_SCHEMA "losslessctl/recording/1"

/* The incident of a recording. Times are seconds since 1970, UTC. */
struct incident {
	char port[LINK_NAME_MAX], pci[ID_MAX];
	char symptom[64], origin[16], message[SYMPTOM_TEXT_MAX];
	int64_t detected_s;
	unsigned withheld; /* critical symptoms since the port's recording before, without their own
			    */
};

struct flight_recording {
	unsigned number; /* from 1, as in the name of its file; 0: not in a file */
	struct incident incident;
	size_t count;
	struct flight_sample samples[FLIGHT_SAMPLES]; /* oldest first; at_ms is Unix time */
};

/*
 * Returns the document as text, which the caller frees; NULL without memory. `head` is the
 * beginning of a report on the host with its schema; takes ownership.
 */
char *recording_to_text(const struct flight_recording *r, json_t *head);

/* Reads a document. Fails with ERR_POLICY; ERR_UNSUPPORTED: of another version. */
bool recording_from_json(const json_t *j, struct flight_recording *ret, struct err *err) must_check;

/* Returns the incident with the number and sample_count, but without the samples. The caller owns
 * it. */
json_t *recording_summary(const struct flight_recording *r);

/* Returns the first sample at or after the incident; count if there is none. */
size_t recording_incident_row(const struct flight_recording *r);

/* ---- their files ---- */

#define RECORDINGS_DIR "/var/lib/losslessctl/recordings"
#define RECORDING_FILE RECORDINGS_DIR "/%u.json"

/* A host with eight rails can have an incident on all of them at once. */
#define RECORDINGS_MAX 8

/* Receives recordings. */
struct recording_visitor {
	/* Borrows. `document` is the whole file. */
	void (*found)(const struct flight_recording *r, const json_t *document, void *arg);
	/* A file that is damaged, of another version or not ours; `why` names it. */
	void (*skipped)(unsigned number, const struct err *why, void *arg);
	void *arg;
};

/*
 * Calls the visitor for each file, by number; none is no error. Errors: ERR_REFUSED if users other
 * than root can change the directory, ERR_DENIED, or no memory.
 */
bool recordings_each(struct host *h, const struct recording_visitor *v, struct err *err) must_check;

/*
 * Reads one recording; the caller owns *document. Errors: ERR_MISSING without such a file,
 * ERR_POLICY for a damaged one, and those of recordings_each().
 */
bool recording_load(struct host *h, unsigned number, struct flight_recording *ret,
		    json_t **document, struct err *err) must_check;

/*
 * Replaces a file atomically by the text of recording_to_text(). Makes the directory. Errors: as of
 * host_save_file().
 */
bool recording_save(struct host *h, unsigned number, const char *text, struct err *err) must_check;

/* ---- the recorders of the monitored ports ---- */

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

/* The newest recording of a port; NULL if there is none. */
const struct recorded *recorded_last(const struct recorded files[RECORDINGS_MAX],
				     const struct port *port);

#endif
