/* Times as journals, reports and logs have them (RFC 3339, UTC). */
#ifndef LOSSLESSCTL_AGENT_HOST_TIMESTAMP_H
#define LOSSLESSCTL_AGENT_HOST_TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define TIMESTAMP_MAX 32

/*
 * "2026-11-22T21:36:05Z" of seconds since 1970, returned in buf; empty if time_t cannot hold them.
 */
const char *timestamp_text(int64_t when_s, char buf[TIMESTAMP_MAX]);

/* The time of such a text, in seconds since 1970. False if it is not a timestamp. */
bool timestamp_parse(const char *text, int64_t *ret_s);

/* The time now, by the clock of the wall. */
const char *timestamp_now(char buf[TIMESTAMP_MAX]);

#endif
