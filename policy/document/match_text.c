/* The keys of a match as text and as JSON. */
#include <stdio.h>

#include "match.h"
#include "pattern.h"

static const char *text_of(const struct match *m, size_t i, char buf[SPAN_TEXT_MAX])
{
	if (match_keys[i].offset == offsetof(struct identity, speed_mbps))
		return span_to_text(m->speed_mbps.min, m->speed_mbps.max, buf);
	return match_text(m, i);
}

const char *match_to_text(const struct match *m, char buf[MATCH_TEXT_MAX])
{
	char span[SPAN_TEXT_MAX];
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < MATCH_COUNT; i++)
		if (match_has_key(m, &match_keys[i]))
			used += (size_t)snprintf(buf + used, MATCH_TEXT_MAX - used, "%s%s %s",
						 used ? ", " : "", match_keys[i].name,
						 text_of(m, i, span));
	return buf;
}

json_t *match_to_json(const struct match *m)
{
	const struct span *speed = &m->speed_mbps;
	json_t *out = json_object();
	char text[SPAN_TEXT_MAX];

	for (size_t i = 0; i < MATCH_COUNT; i++)
		if (match_has_key(m, &match_keys[i]))
			json_object_set_new(out, match_keys[i].name,
					    json_string(text_of(m, i, text)));
	if (speed->max && speed->min == speed->max)
		json_object_set_new(out, "speed_mbps", json_integer(speed->max));
	return out;
}
