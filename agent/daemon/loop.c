#include "loop.h"

/* Runs timers that are due; one that overran its interval restarts now. */
static void perform_due(struct loop *l)
{
	for (size_t i = 0; i < l->count; i++) {
		struct loop_timer *d = &l->timers[i];
		uint64_t now = l->h->now_ms(l->h);

		if (!d->every_ms || now < d->due_ms)
			continue;
		d->due_ms = d->due_ms && now - d->due_ms < d->every_ms ? d->due_ms + d->every_ms
								       : now + d->every_ms;
		d->perform(l->arg);
	}
}

static unsigned until_next(const struct loop *l)
{
	uint64_t now = l->h->now_ms(l->h), next = UINT64_MAX;

	for (size_t i = 0; i < l->count; i++)
		if (l->timers[i].every_ms && l->timers[i].due_ms < next)
			next = l->timers[i].due_ms;
	if (next <= now)
		return 0;
	return next - now < UINT32_MAX ? (unsigned)(next - now) : UINT32_MAX;
}

bool loop_run(struct loop *l, struct err *err)
{
	while (l->keep_running(l->arg)) {
		struct event e;

		perform_due(l);
		if (!l->keep_running(l->arg))
			break;
		if (!host_next_event(l->h, until_next(l), &e, err))
			return false;
		if (e.kind != EVENT_NONE)
			l->on_event(&e, l->arg);
	}
	return true;
}
