#include "type.h"

#include <stdarg.h>
#include <stdio.h>

void text_add(struct text *out, const char *fmt, ...)
{
	size_t room = SETTING_TEXT_MAX - out->used;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(out->buf + out->used, room, fmt, ap);
	va_end(ap);
	out->used += (size_t)n < room ? (size_t)n : room - 1;
}
