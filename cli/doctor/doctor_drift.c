#include "doctor_drift.h"

#include <stdio.h>
#include <string.h>

/* Names a setting once, also if it is alike on several ports. */
static void name_setting(struct doctor_drift *d, const char *setting)
{
	size_t used = strlen(d->named);

	if (strstr(d->named, setting))
		return;
	if (used + strlen(setting) + 3 > sizeof(d->named)) {
		d->more = true;
		return;
	}
	snprintf(d->named + used, sizeof(d->named) - used, "%s%s", used ? ", " : "", setting);
}

void doctor_drift_add(struct doctor_drift *d, const struct identity *port, const char *setting,
		      const char *cause)
{
	d->settings++;
	if (strcmp(d->finding.last_port, port->name) != 0)
		doctor_finding_add_port(&d->finding, port->name);
	name_setting(d, setting);
	if (!d->cause[0])
		snprintf(d->cause, sizeof(d->cause), "%s", cause);
}

void doctor_drift_report(struct doctor_drift *d, const char *fix, struct doctor_findings *ret)
{
	struct doctor_finding *one = &d->finding;

	if (!d->settings)
		return;
	one->level = DOCTOR_CRITICAL;
	one->from = "verify";
	snprintf(one->subject, sizeof(one->subject), "drift");
	snprintf(one->text, sizeof(one->text), "%zu setting%s: %s%s%s%s", d->settings,
		 d->settings == 1 ? "" : "s", d->named, d->more ? ", and others" : "",
		 d->cause[0] ? "; " : "", d->cause);
	snprintf(one->fix, sizeof(one->fix), "%s", fix);
	doctor_findings_append(ret, one);
}
