#include "short_text.h"

#include <stdio.h>
#include <string.h>

#define DSCPS_SPELLED 3

/* Writes "26:3 48:6", or the number of entries if the map is too long. */
static void short_dscp(const struct config *c, char buf[SHORT_TEXT_MAX])
{
	int count = 0;
	size_t used = 0;

	for (int d = 0; d < DSCPS; d++)
		count += c->dscp.prio[d] >= 0;
	snprintf(buf, SHORT_TEXT_MAX, count ? "%d DSCPs" : "none", count);
	for (int d = 0; d < DSCPS && count && count <= DSCPS_SPELLED; d++)
		if (c->dscp.prio[d] >= 0)
			used += (size_t)snprintf(buf + used, SHORT_TEXT_MAX - used, "%s%d:%d",
						 used ? " " : "", d, c->dscp.prio[d]);
}

static int64_t most_common(const struct setting *k, const struct config *c)
{
	int64_t most = 0;
	size_t most_count = 0;

	for (size_t i = 0; i < k->count; i++) {
		size_t same = 0;

		for (size_t j = 0; j < k->count; j++)
			same += setting_element(k, c, i) == setting_element(k, c, j);
		if (same > most_count) {
			most = setting_element(k, c, i);
			most_count = same;
		}
	}
	return most;
}

/* Returns the last index of the run of equal elements that starts at `from`. */
static size_t run_end(const struct setting *k, const struct config *c, size_t from)
{
	size_t to = from;

	while (to + 1 < k->count && setting_element(k, c, to + 1) == setting_element(k, c, from))
		to++;
	return to;
}

/* Writes the most common name and the exceptions: "ets, 6:strict", "strict, 0-2:ets". */
static void short_words(const struct setting *k, const struct config *c, char buf[SHORT_TEXT_MAX])
{
	int64_t most = most_common(k, c);
	size_t used = (size_t)snprintf(buf, SHORT_TEXT_MAX, "%s", k->names[most]);

	for (size_t i = 0, to; i < k->count && used < SHORT_TEXT_MAX; i = to + 1) {
		char last[8] = "";

		to = run_end(k, c, i);
		if (setting_element(k, c, i) == most)
			continue;
		if (to > i)
			snprintf(last, sizeof(last), "-%zu", to);
		used += (size_t)snprintf(buf + used, SHORT_TEXT_MAX - used, ", %zu%s:%s", i, last,
					 k->names[setting_element(k, c, i)]);
	}
	if (used >= SHORT_TEXT_MAX)
		memcpy(buf + SHORT_TEXT_MAX - 4, "...", 4);
}

static void short_numbers(const struct setting *k, const struct config *c, char buf[SHORT_TEXT_MAX])
{
	size_t used = 0;

	for (size_t i = 0; i < k->count && used < SHORT_TEXT_MAX; i++)
		used += (size_t)snprintf(buf + used, SHORT_TEXT_MAX - used, "%s%d", i ? "," : "",
					 (int)setting_element(k, c, i));
}

const char *short_text(unsigned setting, const struct config *c, char buf[SHORT_TEXT_MAX])
{
	const struct setting *k = &settings[setting];
	char text[SETTING_TEXT_MAX];

	if (!(c->has & SETTING(setting)))
		snprintf(buf, SHORT_TEXT_MAX, "-");
	else if (k->type == T_DSCPMAP)
		short_dscp(c, buf);
	else if (k->count > 1 && k->names)
		short_words(k, c, buf);
	else if (k->count > 1)
		short_numbers(k, c, buf);
	else
		snprintf(buf, SHORT_TEXT_MAX, "%.23s", setting_text(k, c, text));
	return buf;
}
