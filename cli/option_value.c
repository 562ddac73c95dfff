#include "option_value.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/daemon/flight_recorder.h"

static const struct range { /* for the numeric types */
	unsigned min, max;
	const char *unit;
} ranges[] = {
	[TIMEOUT] = { 0, 86400, " seconds" },	   [INTERVAL] = { 1, 60, " seconds" },
	[WINDOW] = { 1, 3600, " seconds" },	   [PERIOD] = { 1, 86400, " seconds" },
	[SAMPLES] = { 1, 1000000000, " samples" }, [APPLY] = { 1, 999999999, "" },
	[RECORDING] = { 1, RECORDINGS_MAX, "" },   [MESSAGES] = { 500, 100000, " messages" },
};

const char *const colour_words[COLOURS] = { "auto", "always", "never" };

#define usage(err, ...) err_set(err, ERR_USAGE, EINVAL, __VA_ARGS__)

/* Rejects 0 for --listen-for: listening for no time would report a silent switch. */
static bool number(unsigned *field, const struct range *r, const char *name, const char *value,
		   struct err *err)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (end == value || *end || value[0] == '-' || n < r->min || n > r->max)
		return usage(err, "%s takes %u to %u%s, not \"%s\"", name, r->min, r->max, r->unit,
			     value);
	*field = (unsigned)n;
	return true;
}

static bool share(struct option_share *field, const char *name, const char *value, struct err *err)
{
	char *slash, *end;
	unsigned long least = strtoul(value, &slash, 10),
		      of = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;

	if (!of || *end || strspn(value, "0123456789/") != strlen(value) || !least || least > of ||
	    of > SHARE_MAX)
		return usage(err, "%s expects N/M with 1 <= N <= M <= %d, not \"%s\"", name,
			     SHARE_MAX, value);
	*field = (struct option_share){ (unsigned)least, (unsigned)of };
	return true;
}

static bool colour(unsigned *field, const char *value, struct err *err)
{
	for (unsigned i = 0; i < COLOURS; i++)
		if (strcmp(colour_words[i], value) == 0) {
			*field = i;
			return true;
		}
	return usage(err, "--color takes auto, always or never, not \"%s\"", value);
}

bool option_value_store(void *field, enum option_type type, const char *name, const char *value,
			struct err *err)
{
	assert(value || type == FLAG);
	switch (type) {
	case FLAG:
		*(bool *)field = true;
		return true;
	case TEXT:
	case OPTIONAL_TEXT:
		*(const char **)field = value;
		return true;
	case TIMEOUT:
	case INTERVAL:
	case WINDOW:
	case PERIOD:
	case SAMPLES:
	case APPLY:
	case RECORDING:
	case MESSAGES:
		return number(field, &ranges[type], name, value, err);
	case SHARE:
		return share(field, name, value, err);
	case COLOUR:
		return colour(field, value, err);
	}
	return false;
}
