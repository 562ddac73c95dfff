#include "firmware_parameter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct parameter parameter_get(const struct setting *k, const struct config *c, size_t i)
{
	struct parameter p;

	memcpy(&p, (const char *)c + k->offset + i * sizeof(p), sizeof(p));
	return p;
}

void parameter_put(const struct setting *k, struct config *c, size_t i, const struct parameter *p)
{
	memcpy((char *)c + k->offset + i * sizeof(*p), p, sizeof(*p));
}

bool parameter_in_sync(const struct parameter *desired, const struct parameter *actual)
{
	return actual->state == PARAMETER_SET && actual->current == desired->current &&
	       actual->next_boot == desired->next_boot;
}

static bool is_to_be_set(const struct parameter *desired, const struct parameter *actual)
{
	return desired->state == PARAMETER_SET && actual->state == PARAMETER_SET &&
	       actual->next_boot != desired->next_boot;
}

bool parameters_await_reset(const struct setting *k, const struct config *desired,
			    const struct config *actual)
{
	for (size_t i = 0; i < k->count; i++) {
		struct parameter d = parameter_get(k, desired, i), a = parameter_get(k, actual, i);

		if (is_to_be_set(&d, &a))
			return false;
	}
	return true;
}

/* Appends " NAME_P1=6" as mstconfig takes it, or ",NAME=0x1" as mstreg does. */
static void add_assignment(const struct parameter_row *row, const struct parameter *desired,
			   unsigned port, char buf[SETTING_TEXT_MAX])
{
	size_t used = strlen(buf);
	char suffix[16] = "";

	if (port)
		snprintf(suffix, sizeof(suffix), "_P%u", port);
	snprintf(buf + used, SETTING_TEXT_MAX - used,
		 row->field_select ? "%s%s%s=0x%x" : "%s%s%s=%u",
		 !used		     ? ""
		 : row->field_select ? ","
				     : " ",
		 row->name, suffix, desired->next_boot);
}

const char *parameters_to_set(const struct setting *k, const struct config *desired,
			      const struct config *actual, char buf[SETTING_TEXT_MAX])
{
	buf[0] = '\0';
	for (size_t i = 0; i < k->count; i++) {
		struct parameter d = parameter_get(k, desired, i), a = parameter_get(k, actual, i);

		if (is_to_be_set(&d, &a))
			add_assignment(&k->rows[i], &d, a.port, buf);
	}
	return buf;
}

static bool any_differs(const struct setting *k, const struct config *desired,
			const struct config *actual)
{
	for (size_t i = 0; i < k->count; i++) {
		struct parameter d = parameter_get(k, desired, i), a = parameter_get(k, actual, i);

		if (d.state == PARAMETER_SET && a.state == PARAMETER_SET &&
		    !parameter_in_sync(&d, &a))
			return true;
	}
	return false;
}

bool parameters_are_reported(const struct setting *k, const struct config *desired,
			     const struct config *actual, struct err *err)
{
	for (size_t i = 0; i < k->count && !any_differs(k, desired, actual); i++) {
		struct parameter d = parameter_get(k, desired, i), a = parameter_get(k, actual, i);

		if (d.state != PARAMETER_SET || a.state == PARAMETER_SET)
			continue;
		if (a.state == PARAMETER_UNREADABLE)
			return err_set(err, ERR_UNKNOWN, EIO, "the value of %s cannot be read",
				       k->rows[i].name);
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "the adapter has no %s",
			       k->rows[i].name);
	}
	return true;
}
