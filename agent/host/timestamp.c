#include "timestamp.h"

#include <string.h>

#define FORMAT "%Y-%m-%dT%H:%M:%SZ"

const char *timestamp_text(int64_t when_s, char buf[TIMESTAMP_MAX])
{
	time_t when = (time_t)when_s;
	struct tm utc;

	if (when != when_s || !gmtime_r(&when, &utc) || !strftime(buf, TIMESTAMP_MAX, FORMAT, &utc))
		buf[0] = '\0';
	return buf;
}

/* Only as it is written: strptime() would take much else. */
bool timestamp_parse(const char *text, int64_t *ret_s)
{
	struct tm utc = { 0 };
	char again[TIMESTAMP_MAX];

	if (!strptime(text, FORMAT, &utc))
		return false;
	*ret_s = timegm(&utc);
	return strcmp(timestamp_text(*ret_s, again), text) == 0;
}

const char *timestamp_now(char buf[TIMESTAMP_MAX])
{
	return timestamp_text(time(NULL), buf);
}
