#include "run_facts.h"

#include <string.h>

bool run_fact_recall(const struct run_facts *all, enum run_fact fact, void *ret, size_t size)
{
	if (!all->known[fact] || size > FACT_BYTES)
		return false;
	memcpy(ret, all->value[fact], size);
	return true;
}

void run_fact_remember(struct run_facts *all, enum run_fact fact, const void *value, size_t size)
{
	all->known[fact] = all->is_kept && size <= FACT_BYTES;
	if (all->known[fact])
		memcpy(all->value[fact], value, size);
}

void run_facts_forget(struct run_facts *all)
{
	memset(all->known, 0, sizeof(all->known));
}
