#include "engine.h"

#include <stdarg.h>
#include <stdio.h>

#define WARNING_MAX 2048

void engine_warn(const struct engine *e, const char *fmt, ...)
{
	char text[WARNING_MAX];
	va_list args;

	if (!e->warn)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	e->warn(e->arg, text);
}
