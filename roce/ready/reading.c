#include "reading.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define WITH_SUDO "run `sudo losslessctl ready`"

void reading_failed(struct ready_reading *r, const struct err *err)
{
	ready_unknown(r, "%s", err->text);
	if (err->kind == ERR_DENIED)
		ready_fix(r, WITH_SUDO);
}

void reading_denied(struct ready_reading *r, const char *reason)
{
	ready_unknown(r, "%s", reason);
	ready_fix(r, WITH_SUDO);
}

bool reading_number(struct host *h, long *ret, const char *fmt, ...)
{
	char path[PATH_TEXT_MAX], text[32], *end;
	struct err quiet = { 0 };
	va_list args;

	va_start(args, fmt);
	vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	if (!host_read_file(h, text, sizeof(text), &quiet, "%s", path))
		return false;
	*ret = strtol(text, &end, 0);
	return end > text && !*end;
}
