#include "engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct captured_port *captured_find(const struct captured *c, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->ports[i].port.id.name, name) == 0)
			return &c->ports[i];
	return NULL;
}

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
