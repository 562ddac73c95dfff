#include "setting.h"

#include <string.h>

static const void *setting_value(const struct setting *k, const struct config *c)
{
	return (const char *)c + k->offset;
}

const struct setting *setting_find(const char *path)
{
	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (strcmp(settings[i].path, path) == 0)
			return &settings[i];
	return NULL;
}

/*
 * Uses memcpy, because the elements of app.entries and vlan.egress, which are structs, are not
 * aligned. No caller needs the number that it yields for those two.
 */
int64_t setting_element(const struct setting *k, const struct config *c, size_t i)
{
	const char *p = (const char *)setting_value(k, c) + i * k->size;
	uint32_t word;
	uint16_t half;

	if (k->type == T_DSCPMAP)
		return *(const int8_t *)p;
	switch (k->size) {
	case 1:
		return *(const uint8_t *)p;
	case 2:
		memcpy(&half, p, sizeof(half));
		return half;
	default:
		memcpy(&word, p, sizeof(word));
		return word;
	}
}

void setting_set_element(const struct setting *k, struct config *c, size_t i, int64_t v)
{
	char *p = (char *)c + k->offset + i * k->size;
	uint32_t word = (uint32_t)v;
	uint16_t half = (uint16_t)v;

	switch (k->size) {
	case 1:
		*(uint8_t *)p = (uint8_t)v;
		break;
	case 2:
		memcpy(p, &half, sizeof(half));
		break;
	default:
		memcpy(p, &word, sizeof(word));
		break;
	}
}

bool element_equal(const struct setting *k, int64_t desired, int64_t actual)
{
	if (desired == actual)
		return true;
	if (k->rounded && k->rounded((uint32_t)desired) == (uint32_t)actual)
		return true;
	if (k->at_least)
		return actual >= desired;
	return actual < desired && desired - actual < (int64_t)k->tolerance;
}

void setting_copy_bytes(const struct setting *k, struct config *to, const struct config *from)
{
	memcpy((char *)to + k->offset, setting_value(k, from), (size_t)k->size * k->count);
}

bool setting_bytes_equal(const struct setting *k, const struct config *a, const struct config *b)
{
	return memcmp(setting_value(k, a), setting_value(k, b), (size_t)k->size * k->count) == 0;
}

/*
 * The adapter may round a desired number down a little, but restores a value that it had exactly.
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
