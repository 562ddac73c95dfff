#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void err_record(struct err *e, enum err_kind kind, int code, const char *fmt, ...)
{
	va_list ap;

	if (e->kind != ERR_NONE)
		return;

	e->kind = kind;
	e->code = abs(code);
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
}

void err_locate(struct err *e, const char *fmt, ...)
{
	va_list ap;

	if (e->where[0])
		return;

	va_start(ap, fmt);
	vsnprintf(e->where, sizeof(e->where), fmt, ap);
	va_end(ap);
}

void err_add_fix(struct err *e, const char *fmt, ...)
{
	va_list ap;

	if (e->fix[0])
		return;

	va_start(ap, fmt);
	vsnprintf(e->fix, sizeof(e->fix), fmt, ap);
	va_end(ap);
}

static bool is_listed(const struct err_list *all, const struct err *e)
{
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->list[i].at.pointer, e->at.pointer) == 0 &&
		    ((all->list[i].at.of_key && e->at.of_key) ||
		     strcmp(all->list[i].text, e->text) == 0))
			return true;
	return false;
}

bool err_collect(struct err *e, bool ok)
{
	struct err_list *all = e->all;

	if (ok || !all || e->kind != ERR_POLICY)
		return ok;
	if (all->count == ERRORS_MAX)
		all->omitted++;
	else if (!is_listed(all, e))
		all->list[all->count++] = *e;
	*e = (struct err){ .all = all };
	return false;
}

const char *err_kind_name(enum err_kind kind)
{
	static const char *const names[] = {
		[ERR_NONE] = "none",
		[ERR_USAGE] = "usage",
		[ERR_POLICY] = "invalid_policy",
		[ERR_NO_FILE] = "no_such_file",
		[ERR_UNSUPPORTED] = "unsupported",
		[ERR_ELSEWHERE] = "unsupported", /* here */
		[ERR_MISSING] = "missing",
		[ERR_UNKNOWN] = "unknown",
		[ERR_GONE] = "not_present",
		[ERR_LOCKED] = "locked",
		[ERR_DENIED] = "not_permitted",
		[ERR_REFUSED] = "refused",
		[ERR_SYSTEM] = "system",
		[ERR_VERIFY] = "not_in_effect",
		[ERR_INTERRUPTED] = "interrupted",
		[ERR_ROLLBACK_FAILED] = "rollback_failed",
	};

	return names[kind];
}
