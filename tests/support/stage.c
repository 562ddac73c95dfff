#include "policy/model/setting.h"
#include "tests/support/stage.h"

struct stage stage(void)
{
	struct stage g = { .now.at_ms = 0, .thresholds = thresholds_defaults() };

	g.actual.has = SETTING(SETTING_PFC_PRIORITIES);
	g.actual.pfc.priorities = 1u << 3;
	for (size_t i = 0; i < COUNTER_SLOTS; i++)
		g.now.has[i] = true;
	return g;
}

void stage_count(struct stage *g, enum counter_id id, uint64_t n)
{
	g->now.value[counter_slot(id, 3)] += n;
}

bool stage_look(struct stage *g)
{
	bool judged = sampler_add(&g->sampler, &g->now, &g->actual, &g->actual, &g->thresholds);

	g->windows += judged;
	g->active_symptoms += judged ? g->sampler.active_symptoms_count : 0;
	return judged;
}

bool stage_after(struct stage *g, uint64_t ms)
{
	g->now.at_ms += ms;
	return stage_look(g);
}

const char *active_symptom(const struct stage *g)
{
	return g->sampler.active_symptoms_count ? g->sampler.active_symptoms[0].symptom->name
						: "none";
}
