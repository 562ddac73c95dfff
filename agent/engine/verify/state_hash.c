#include "state_hash.h"

#include <stdlib.h>
#include <string.h>

#include "../../../policy/document/settings_json.h"
#include "../../../policy/util/json_dump.h"
#include "../../../policy/util/oom.h"
#include "../../host/cleanup.h"

static bool digest_of(const struct config *c, char ret[SHA256_HEX])
{
	json_auto_t *object = config_to_json(c, SETUP_SETTINGS);
	_free_ char *text =
		object ? json_dump_sanitized(object, JSON_COMPACT | JSON_SORT_KEYS) : NULL;

	if (text)
		sha256_hex(text, strlen(text), ret);
	return text;
}

/* True if both have the same digest: the same settings, to the byte. */
static bool are_identical(const struct config *a, const struct config *b)
{
	if ((a->has & SETUP_SETTINGS) != (b->has & SETUP_SETTINGS))
		return false;
	for (size_t k = 0; k < SETTING_COUNT; k++)
		if ((a->has & SETUP_SETTINGS & SETTING(k)) &&
		    !setting_bytes_equal(&settings[k], a, b))
			return false;
	return true;
}

static bool is_known(const struct setup *s)
{
	return s->digest && s->digest[0];
}

/* Finds the first port that is set up as port `i`, whose digest is known; `i`: there is none. */
static size_t same_as(const struct setup *setups, size_t i)
{
	size_t at = 0;

	while (at < i && !are_identical(setups[at].actual, setups[i].actual))
		at++;
	return at;
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, SHA256_HEX);
}

/* Makes the digest of port `i`, or takes the known one of a port like it. */
static bool make_digest(const struct setup *setups, size_t i, char (*each)[SHA256_HEX])
{
	size_t same;

	if (is_known(&setups[i])) {
		memcpy(each[i], setups[i].digest, SHA256_HEX);
		return true;
	}
	same = same_as(setups, i);
	if (same < i)
		memcpy(each[i], each[same], SHA256_HEX);
	else if (!digest_of(setups[i].actual, each[i]))
		return false;
	if (setups[i].digest)
		memcpy(setups[i].digest, each[i], SHA256_HEX);
	return true;
}

bool state_hash(const struct setup *setups, size_t count, char ret[SHA256_HEX])
{
	_free_ char(*each)[SHA256_HEX] = oom_calloc(count + 1, sizeof(*each));

	for (size_t i = 0; each && i < count; i++)
		if (!make_digest(setups, i, each))
			return false;
	if (!each || count == 0)
		return false;
	qsort(each, count, sizeof(*each), compare);
	sha256_hex(each, count * sizeof(*each), ret);
	return true;
}
