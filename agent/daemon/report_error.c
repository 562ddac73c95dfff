#include <stdio.h>
#include <string.h>

#include "agent.h"

void agent_report_error(struct agent *a, enum agent_output which, const struct err *err)
{
	char *logged = a->last_error[which];

	if (!err) {
		logged[0] = '\0';
		return;
	}
	if (strcmp(logged, err->text) == 0)
		return;
	snprintf(logged, sizeof(a->last_error[which]), "%s", err->text);
	log_event(&a->log, LOG_AGENT_ERROR, (struct topic){ .fix = err->fix }, "%s%s%s", err->text,
		  err->fix[0] ? "; fix: " : "", err->fix);
}
