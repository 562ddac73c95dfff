#include "account.h"

#include <errno.h>
#include <stdlib.h>

#include "uniform.h"
#include "../policy/memory.h"

const struct status_word status_words[STATUS_COUNT] = {
	[STATUS_OK] = { "ok", "ok", "OK", EXIT_AS_WISHED, 0 },
	[STATUS_ADVICE] = { "advice", "ok", "WARNING", EXIT_AS_WISHED, 1 },
	[STATUS_UNSUPPORTED] = { "unsupported", "unknown", "UNKNOWN", EXIT_CANNOT_TELL, 3 },
	[STATUS_UNKNOWN] = { "unknown", "unknown", "UNKNOWN", EXIT_CANNOT_TELL, 3 },
	[STATUS_SYMPTOM] = { "symptom", "symptom", "CRITICAL", EXIT_DIFFERS, 2 },
	[STATUS_DRIFT] = { "drift", "drift", "CRITICAL", EXIT_DIFFERS, 2 },
};

void accounts_free(struct accounts *a)
{
	free(a->list);
}

bool accounts_make(struct accounts *ret, struct host *h, const struct targets *all,
		   const struct counterpart *found, const struct counted *counted, struct err *err)
{
	ret->list = calloc(all->count + 1, sizeof(*ret->list));
	if (!ret->list)
		return err_no_memory(err);
	for (size_t i = 0; i < all->count; i++) {
		struct account *a = &ret->list[ret->count++];

		a->target = &all->list[i];
		a->count = items_of(h, a->target, &found[i], &a->peer, a->items);
		if (counted)
			a->count += items_of_counted(&counted[i], a->items + a->count);
	}
	return true;
}

enum status account_status(const struct account *a)
{
	enum status worst = a->target->refusals_count ? STATUS_UNKNOWN : STATUS_OK;

	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].status > worst)
			worst = a->items[i].status;
	return worst;
}

struct tally accounts_tally(const struct accounts *all)
{
	struct tally n = { .ports = all->count };

	for (size_t i = 0; i < all->count; i++) {
		const struct account *a = &all->list[i];

		n.settings[STATUS_UNKNOWN] += a->target->refusals_count;
		for (size_t k = 0; k < a->count; k++)
			if (a->items[k].kind == ITEM_SYMPTOM)
				n.counted[a->items[k].status]++;
			else
				n.settings[a->items[k].status]++;
	}
	for (int s = 0; s < STATUS_COUNT; s++)
		n.items += n.settings[s];
	return n;
}

enum status tally_worst(const struct tally *n)
{
	for (int s = STATUS_COUNT - 1; s > STATUS_OK; s--)
		if (n->settings[s] || n->counted[s])
			return (enum status)s;
	return STATUS_OK;
}

size_t tally_symptoms(const struct tally *n)
{
	return n->counted[STATUS_ADVICE] + n->counted[STATUS_SYMPTOM];
}

size_t tally_unclear(const struct tally *n)
{
	return n->settings[STATUS_UNKNOWN] + n->settings[STATUS_UNSUPPORTED] +
	       n->counted[STATUS_UNKNOWN];
}

struct setup *accounts_setups(const struct accounts *all)
{
	struct setup *setups = memory_room(all->count + 1, sizeof(*setups));

	for (size_t i = 0; setups && i < all->count; i++)
		setups[i] = (struct setup){ all->list[i].target->task.port.id.name,
					    &all->list[i].target->seen.have };
	return setups;
}
