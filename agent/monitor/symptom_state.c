#include "symptom_state.h"

#include <string.h>

static unsigned shown_in(const struct symptom_state *s, size_t i, unsigned windows)
{
	return (unsigned)__builtin_popcount(s->windows[i] & ((1u << windows) - 1));
}

/* Adds the newest window; true if the symptom is raised now. */
static bool is_raised(struct symptom_state *s, size_t i, const struct symptom_input *e, bool shows)
{
	const struct symptom *row = &symptoms[i];
	const struct hysteresis *h = &row->windows;

	s->windows[i] = (uint8_t)(s->windows[i] << 1 | shows);
	if (s->raised[i])
		return shown_in(s, i, h->clear) > 0;
	return shows &&
	       (shown_in(s, i, h->of) >= h->raise || (row->is_certain && row->is_certain(e)));
}

static const struct active_symptom *find_active(const struct active_symptom *list, size_t count,
						const struct symptom *symptom)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].symptom == symptom)
			return &list[i];
	return NULL;
}

size_t symptom_state_add(struct symptom_state *s, const struct symptom_input *e,
			 struct active_symptom active_symptoms[SYMPTOMS_MAX], size_t count)
{
	struct thresholds to_clear = thresholds_to_clear(e->thresholds);
	struct active_symptom before[SYMPTOMS_MAX];
	size_t now = 0;

	memcpy(before, active_symptoms, count * sizeof(before[0]));
	for (size_t i = 0; i < symptoms_count; i++) {
		const struct active_symptom *last = find_active(before, count, &symptoms[i]);
		struct active_symptom *c = &active_symptoms[now];
		struct symptom_input judged = *e;
		bool shows;

		judged.thresholds = s->raised[i] ? &to_clear : e->thresholds;
		shows = symptom_shows(&symptoms[i], &judged, c);
		s->raised[i] = is_raised(s, i, &judged, shows);
		if (s->raised[i] && !shows && last)
			*c = *last;
		now += s->raised[i];
	}
	return now;
}
