#include "setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "type.h"

#define NAMES_SHOWN 4

static const struct type_ops *const types[] = {
	[T_BOOL] = &type_scalar,	   [T_INT] = &type_scalar,
	[T_ENUM] = &type_scalar,	   [T_WORD_OR_INT] = &type_scalar,
	[T_PRIOSET] = &type_prioset,	   [T_DSCPMAP] = &type_dscp_map,
	[T_VLANMAP] = &type_vlan_map,	   [T_APPS] = &type_app_list,
	[T_ORDER] = &type_order,	   [T_WORDS] = &type_words,
	[T_PARAMETERS] = &type_parameters,
};

const struct type_ops *type_of(const struct setting *k)
{
	return types[k->type];
}

const struct setting *setting_find(const char *path)
{
	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (strcmp(settings[i].path, path) == 0)
			return &settings[i];
	return NULL;
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

bool element_equal(const struct setting *k, int64_t desired, int64_t actual)
{
	if (desired == actual)
		return true;
	if (k->rounded && k->rounded((uint32_t)desired) == (uint32_t)actual)
		return true;
	if (k->rounded_by_older && k->rounded_by_older((uint32_t)desired) == (uint32_t)actual)
		return true;
	if (k->at_least)
		return actual >= desired;
	return llabs(actual - desired) < (int64_t)k->tolerance;
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

/* Writes "unknown" for a value that is not known. */
static size_t text_or_unknown(const struct setting *k, const struct config *c,
			      char buf[SETTING_TEXT_MAX])
{
	if (c->has & SETTING(k - settings))
		return strlen(setting_text(k, c, buf));
	return (size_t)snprintf(buf, SETTING_TEXT_MAX, "unknown");
}

void setting_change_text(const struct setting *k, const struct config *from,
			 const struct config *to, char before[SETTING_TEXT_MAX],
			 char after[SETTING_TEXT_MAX])
{
	size_t whole = text_or_unknown(k, from, before) + text_or_unknown(k, to, after);
	struct config a = *from, b = *to;
	char x[SETTING_TEXT_MAX], y[SETTING_TEXT_MAX];

	if (!type_of(k)->drop_equal || !(from->has & to->has & SETTING(k - settings)))
		return;
	type_of(k)->drop_equal(k, &a, &b);
	setting_text(k, &a, x);
	setting_text(k, &b, y);
	/* Nothing is left on a side if all its entries are equal: the whole map says more. */
	if (!x[0] || !y[0] || strlen(x) + strlen(y) > whole)
		return;
	snprintf(before, SETTING_TEXT_MAX, "%s", x);
	snprintf(after, SETTING_TEXT_MAX, "%s", y);
}

/*
 * The adapter may round a desired number a little, but restores a value that it had exactly.
 */
static bool setting_in_sync(const struct setting *k, const struct config *desired,
			    const struct config *actual)
{
	bool exact = k->tolerance && (desired->exact & SETTING(k - settings));

	return exact ? setting_bytes_equal(k, desired, actual) : setting_equal(k, desired, actual);
}

setting_set config_diff(const struct config *desired, const struct config *actual)
{
	setting_set differ = desired->has & ~actual->has;

	for (size_t i = 0; i < SETTING_COUNT; i++)
		if ((desired->has & actual->has & SETTING(i)) &&
		    !setting_in_sync(&settings[i], desired, actual))
			differ |= SETTING(i);
	return differ;
}

bool config_withdraws_pfc(const struct config *from, const struct config *to)
{
	unsigned lost = from->pfc.priorities & ~to->pfc.priorities;
	unsigned gained = to->pfc.priorities & ~from->pfc.priorities;

	return lost && !gained;
}

struct config config_overlay(const struct config *base, const struct config *over)
{
	struct config out = *base;

	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (over->has & SETTING(i))
			setting_copy(&settings[i], &out, over);
	out.exact = (base->exact & ~over->has) | (over->exact & over->has);
	return out;
}

const char *setting_first(setting_set set)
{
	return set ? settings[__builtin_ctzll(set)].path : "";
}

void setting_names(setting_set set, char buf[SETTING_NAMES_MAX])
{
	int named = 0, more = __builtin_popcountll(set) - NAMES_SHOWN;

	buf[0] = '\0';
	for (size_t i = 0; i < SETTING_COUNT && named < NAMES_SHOWN; i++)
		if (set & SETTING(i))
			snprintf(buf + strlen(buf), SETTING_NAMES_MAX - strlen(buf), "%s%s",
				 named++ ? ", " : "", settings[i].path);
	if (more > 0)
		snprintf(buf + strlen(buf), SETTING_NAMES_MAX - strlen(buf), " and %d more", more);
}

struct config config_zeroed(const struct config *c, setting_set set)
{
	return config_overlay(c, &(struct config){ .has = set & c->has });
}
