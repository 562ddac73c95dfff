/* Severities: of lints, symptoms, readiness, environments and events alike. */
#ifndef LOSSLESSCTL_POLICY_UTIL_SEVERITY_H
#define LOSSLESSCTL_POLICY_UTIL_SEVERITY_H

/*
 * Critical: RoCE is not lossless here, or will not be. Warning: it is lossless only without load,
 * or nobody knows. Info: it works, but differs from recommended practice. Ignore: it is not
 * checked; only a policy can set this.
 */
enum severity { SEVERITY_IGNORE, SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_CRITICAL, SEVERITIES };

/* "ignore", "info", "warning" or "critical". */
const char *severity_name(enum severity s);

/* The severity of this name, or SEVERITIES. */
enum severity severity_from_name(const char *name);

/* The priority in syslog(3): 6, 4 or 2. */
int severity_syslog(enum severity s);

#endif
