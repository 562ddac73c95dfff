#include "ready_probe.h"

#include <stdarg.h>
#include <stdio.h>

#define FORMAT(buf, fmt) \
	do { \
		va_list args_; \
		va_start(args_, fmt); \
		vsnprintf((buf), sizeof(buf), (fmt), args_); \
		va_end(args_); \
	} while (0)

void ready_found(struct ready_reading *r, uint64_t value, const char *fmt, ...)
{
	r->status = READY_MET;
	r->value = value;
	FORMAT(r->actual, fmt);
}

void ready_unknown(struct ready_reading *r, const char *fmt, ...)
{
	r->status = READY_UNKNOWN;
	FORMAT(r->reason, fmt);
}

void ready_not_applicable(struct ready_reading *r, const char *reason)
{
	r->status = READY_NOT_APPLICABLE;
	snprintf(r->reason, sizeof(r->reason), "%s", reason);
}

void ready_fix(struct ready_reading *r, const char *fmt, ...)
{
	FORMAT(r->fix, fmt);
}

void ready_reason(struct ready_reading *r, const char *fmt, ...)
{
	FORMAT(r->reason, fmt);
}
