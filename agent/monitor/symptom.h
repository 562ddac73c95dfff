/*
 * Symptoms: one row each, with a predicate over the difference of two samples, and advice.
 * `explain` prints the rows.
 */
#ifndef LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_H
#define LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_H

#include "../../policy/document/thresholds.h"
#include "../../policy/lint/finding.h"
#include "counter.h"

/*
 * Builds the input of all symptom checks from a window of counters, for the agent, `watch` and
 * `verify --sample-for` alike; and calculations that several checks share.
 */

#define SYMPTOM_TEXT_MAX 192

/* Locations of the cause. */
enum symptom_origin { ORIGIN_HOST, ORIGIN_FABRIC, ORIGIN_CABLE, ORIGIN_REMOTE };

/* The input of symptom checks. */
struct symptom_input {
	const struct counter_delta *delta;
	const struct config *actual;  /* the port's settings; unknown ones are ignored */
	const struct config *desired; /* NULL: no policy applies to the port */
	const struct thresholds *thresholds;
	uint64_t link_downs; /* within thresholds.link_down_window_s, or since sampling began */
	bool steady;	     /* the link was up throughout, and nobody changed the settings */
};

/*
 * The input for one window; borrows its arguments. `desired` may be NULL. Link downs are those of
 * this window: by the driver's counter, else by the kernel's carrier_down_count.
 */
struct symptom_input symptom_input_of(const struct counter_delta *s, const struct config *actual,
				      const struct config *desired, const struct thresholds *l);

/*
 * Hysteresis in windows: a symptom is raised once it shows in `raise` of the last `of` windows, and
 * cleared after `clear` windows without it. While raised it is checked at thresholds_to_clear().
 * Windows that could not be judged do not count.
 */
struct hysteresis {
	uint8_t raise, of, clear;
};

struct symptom {
	const char *name;
	enum severity severity;
	enum symptom_origin origin;
	bool even_unsteady; /* a flapping link does not explain it */
	struct hysteresis windows;
	/* True if the symptom shows; writes its figures to `text`. */
	bool (*shows)(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
	const char *description; /* one sentence: the symptom */
	const char *cause;	 /* likely causes, most likely first */
	const char *next;	 /* next steps */
	/* True if a single window suffices to raise it. NULL: `windows` decides. */
	bool (*is_certain)(const struct symptom_input *e);
	/* The location of the cause in this case. NULL: `origin`. */
	enum symptom_origin (*origin_of)(const struct symptom_input *e);
	/* True if it would show, but may not apply; writes why. NULL: it always applies. */
	bool (*cannot_judge)(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
	bool from_rdma; /* a reset of the RDMA device's counters leaves it unknown */
};

#define SYMPTOMS_MAX SYMPTOM_NAMES_MAX

extern const struct symptom symptoms[];
extern const size_t symptoms_count;

/* A symptom that shows, with its figures. */
struct active_symptom {
	const struct symptom *symptom;
	enum symptom_origin origin; /* the row's, or where this case points to */
	enum severity severity;	    /* the symptom's own, until active_symptoms_set_severity() */
	char text[SYMPTOM_TEXT_MAX];
};

/* Checks one symptom in one window; if false, *ret is unchanged. */
bool symptom_shows(const struct symptom *s, const struct symptom_input *e,
		   struct active_symptom *ret);

/* Checks all symptoms in one window; returns the number that show, in the order of the table. */
size_t symptoms_check(const struct symptom_input *e, struct active_symptom ret[SYMPTOMS_MAX]);

/* Lists the symptoms that would show, but may not apply; the text says why. */
size_t symptoms_not_judged(const struct symptom_input *e, struct active_symptom ret[SYMPTOMS_MAX]);

/* The severity of a symptom: the policy's, else its own. `s` may be NULL. */
enum severity symptom_severity_of(const struct symptom *symptom, const struct severities *s);

/* Applies the severities of the policy; callers leave out symptoms of severity ignore. */
void active_symptoms_set_severity(struct active_symptom *list, size_t count,
				  const struct severities *s);

/* The name in JSON: "host", "remote_host". */
const char *symptom_origin_name(enum symptom_origin o);
/* The origin for people: "this host". */
const char *symptom_origin_text(enum symptom_origin o);

/*
 * Hysteresis of symptoms, so that one near its threshold is not raised and cleared in turn. Certain
 * symptoms are raised at the first window.
 */

/* The state of one port, indexed like symptoms[]. Plain data; initialise it with zeros. */
struct symptom_state {
	uint8_t windows[SYMPTOMS_MAX]; /* bit per window in which it showed, newest lowest */
	bool raised[SYMPTOMS_MAX];
};

/*
 * Checks another window. active_symptoms[] holds the `count` symptoms raised before, and the raised
 * ones on return. A symptom that stays raised without showing keeps its figures.
 */
size_t symptom_state_add(struct symptom_state *s, const struct symptom_input *e,
			 struct active_symptom active_symptoms[SYMPTOMS_MAX], size_t count);

#endif
