/*
 * The flight recorder of a port: the rates of its last ten minutes, in memory that is allocated
 * once, so that the minutes before an incident can be read afterwards.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_FLIGHT_SAMPLES_H
#define LOSSLESSCTL_AGENT_DAEMON_FLIGHT_SAMPLES_H

#include "../monitor/rates.h"
#include "../monitor/symptom.h"

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

#endif
