#include "type.h"

#include <stdarg.h>
#include <stdio.h>

static const struct shape *const shapes[] = {
	[T_BOOL] = &shape_scalar,      [T_INT] = &shape_scalar,
	[T_ENUM] = &shape_scalar,      [T_WORD_OR_INT] = &shape_scalar,
	[T_PRIOSET] = &shape_prioset,  [T_DSCPMAP] = &shape_dscp_map,
	[T_VLANMAP] = &shape_vlan_map, [T_APPS] = &shape_app_list,
	[T_ORDER] = &shape_order,      [T_WORDS] = &shape_words,
};

const struct shape *shape_of(const struct setting *k)
{
	return shapes[k->type];
}

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

const char *setting_text(const struct setting *k, const struct config *c,
			 char buf[SETTING_TEXT_MAX])
{
	struct text out = { buf, 0 };

	buf[0] = '\0';
	shape_of(k)->text(k, c, &out);
	return buf;
}

const char *setting_range(const struct setting *k, char buf[SETTING_TEXT_MAX])
{
	struct text out = { buf, 0 };

	buf[0] = '\0';
	shape_of(k)->range(k, &out);
	return buf;
}

bool setting_equal(const struct setting *k, const struct config *want, const struct config *have)
{
	if (setting_is_same(k, want, have))
		return true; /* it mostly is, and shapes take longer to tell */
	if (shape_of(k)->equal)
		return shape_of(k)->equal(k, want, have);
	for (size_t i = 0; i < k->count; i++)
		if (!element_equal(k, setting_element(k, want, i), setting_element(k, have, i)))
			return false;
	return true;
}

void setting_copy(const struct setting *k, struct config *to, const struct config *from)
{
	if (shape_of(k)->overlay && (to->has & SETTING(k - settings)))
		shape_of(k)->overlay(k, to, from);
	else
		setting_move(k, to, from);
	to->has |= SETTING(k - settings);
}

void setting_narrow(const struct setting *k, struct config *a, struct config *b)
{
	if (shape_of(k)->narrow && (a->has & b->has & SETTING(k - settings)))
		shape_of(k)->narrow(k, a, b);
}
