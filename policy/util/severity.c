#include "severity.h"

#include <string.h>

static const struct {
	const char *name;
	int syslog;
} severities[SEVERITIES] = {
	[SEVERITY_IGNORE] = { "ignore", 6 },
	[SEVERITY_INFO] = { "info", 6 },
	[SEVERITY_WARNING] = { "warning", 4 },
	[SEVERITY_CRITICAL] = { "critical", 2 },
};

const char *severity_name(enum severity s)
{
	return severities[s].name;
}

enum severity severity_from_name(const char *name)
{
	enum severity s = SEVERITY_IGNORE;

	while (s < SEVERITIES && strcmp(severities[s].name, name) != 0)
		s++;
	return s;
}

int severity_syslog(enum severity s)
{
	return severities[s].syslog;
}
