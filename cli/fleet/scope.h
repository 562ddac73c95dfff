/* The times that a report is about. */
#ifndef LOSSLESSCTL_CLI_FLEET_SCOPE_H
#define LOSSLESSCTL_CLI_FLEET_SCOPE_H

/* RFC 3339 in UTC, as the tables have them; borrowed. */
struct fleet_scope {
	const char *since; /* timelines begin here; NULL: with the first report */
	const char *now;
	const char *silent_before; /* a host without a report since then is silent */
};

#endif
