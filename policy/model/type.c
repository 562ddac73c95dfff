#include "type.h"

#include <stdarg.h>
#include <stdio.h>

static const struct type_ops *const types[] = {
	[T_BOOL] = &type_scalar,	[T_INT] = &type_scalar,	     [T_ENUM] = &type_scalar,
	[T_WORD_OR_INT] = &type_scalar, [T_PRIOSET] = &type_prioset, [T_DSCPMAP] = &type_dscp_map,
	[T_VLANMAP] = &type_vlan_map,	[T_APPS] = &type_app_list,   [T_ORDER] = &type_order,
	[T_WORDS] = &type_words,
};

const struct type_ops *type_of(const struct setting *k)
{
	return types[k->type];
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
	type_of(k)->text(k, c, &out);
	return buf;
}

const char *setting_range(const struct setting *k, char buf[SETTING_TEXT_MAX])
{
	struct text out = { buf, 0 };

	buf[0] = '\0';
	type_of(k)->range(k, &out);
	return buf;
}

bool setting_equal(const struct setting *k, const struct config *desired,
		   const struct config *actual)
{
	/* Fast path: the bytes are mostly identical, and comparing by type takes longer. */
	if (setting_bytes_equal(k, desired, actual))
		return true;
	if (type_of(k)->equal)
		return type_of(k)->equal(k, desired, actual);
	for (size_t i = 0; i < k->count; i++)
		if (!element_equal(k, setting_element(k, desired, i),
				   setting_element(k, actual, i)))
			return false;
	return true;
}

void setting_copy(const struct setting *k, struct config *to, const struct config *from)
{
	if (type_of(k)->overlay && (to->has & SETTING(k - settings)))
		type_of(k)->overlay(k, to, from);
	else
		setting_copy_bytes(k, to, from);
	to->has |= SETTING(k - settings);
}

void setting_drop_equal(const struct setting *k, struct config *a, struct config *b)
{
	if (type_of(k)->drop_equal && (a->has & b->has & SETTING(k - settings)))
		type_of(k)->drop_equal(k, a, b);
}
