/*
 * What the counters say is wrong: one row per symptom, a predicate over what
 * happened between two samples, with advice. `explain` prints the rows.
 */
#ifndef LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_H
#define LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_H

#include "../../policy/document/thresholds.h"
#include "../../policy/lint/severities.h"
#include "counter.h"

#define SYMPTOM_TEXT_MAX 192

/* What a symptom is judged by. */
struct symptom_input {
	const struct interval *interval;
	const struct config *actual;  /* the port's setup; what is not known is not judged */
	const struct config *desired; /* NULL: no policy speaks of the port */
	const struct thresholds *thresholds;
	uint64_t link_downs; /* in the last limits.link_window_s, or as long as it was watched */
	bool steady;	     /* the link was up all along, and nobody changed the setup */
};

/* Ignore: only a policy says so, about a symptom that is not to be reported. */
enum alarm { ALARM_IGNORE, ALARM_INFO, ALARM_WARNING, ALARM_CRITICAL };

/* Where to look for the cause. */
enum direction { LOOK_HERE, LOOK_AT_FABRIC, LOOK_AT_CABLE, LOOK_AT_REMOTE };

/*
 * Hysteresis in windows: a symptom is raised once it shows in `raise` of the last `of` windows, and
 * cleared after `clear` windows without it (there it is judged at thresholds_to_clear()).
 */
struct hysteresis {
	uint8_t raise, of, clear;
};

struct symptom {
	const char *name;
	enum alarm alarm;
	enum direction look;
	bool even_unsteady; /* a link that comes and goes does not explain it */
	struct hysteresis windows;
	/* Does it show? Writes how, with figures. */
	bool (*shows)(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX]);
	const char *says;  /* what it is, in one sentence */
	const char *cause; /* what is behind it, most likely first */
	const char *next;  /* what to do */
	/* Leaves one window no doubt? Then it is raised at once. NULL: `windows` decides. */
	bool (*is_certain)(const struct symptom_input *e);
	/* Where this evidence points to. NULL: `look` decides. */
	enum direction (*look_at)(const struct symptom_input *e);
};

#define SYMPTOMS_MAX SYMPTOM_NAMES_MAX

extern const struct symptom symptoms[];
extern const size_t symptoms_count;

/* One that shows, with its figures. */
struct active_symptom {
	const struct symptom *symptom;
	enum direction look; /* the row's, unless the evidence points elsewhere */
	enum alarm alarm;    /* the symptom's own, until complaints_weigh() */
	char text[SYMPTOM_TEXT_MAX];
};

/* Judges one symptom in one window; false leaves *ret as it is. */
bool symptom_shows(const struct symptom *s, const struct symptom_input *e,
		   struct active_symptom *ret);

/* Judges them all in one window; returns how many show, in the order of the table. */
size_t symptoms_judge(const struct symptom_input *e, struct active_symptom ret[SYMPTOMS_MAX]);

/* The severity of a symptom: the policy's, or its own. `s` may be NULL. */
enum alarm symptom_alarm(const struct symptom *symptom, const struct severities *s);

/* Gives active symptoms the severity that the policy states; whoever reports them passes over those
 * to ignore. */
void active_symptoms_weigh(struct active_symptom *list, size_t count, const struct severities *s);

/* The words for JSON: "ignore", "info", "warning", "critical"; "this host" and so on. */
const char *alarm_name(enum alarm a);
const char *direction_name(enum direction d);

#endif
