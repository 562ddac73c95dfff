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

bool run_links_recall(const struct run_facts *all, struct link_list *ret)
{
	if (!all->links.links)
		return false;
	*ret = all->links;
	ret->borrowed = true;
	return true;
}

void run_links_remember(struct run_facts *all, struct link_list *links)
{
	link_list_free(&all->links);
	if (!all->is_kept)
		return;
	all->links = *links;
	links->borrowed = links->links != NULL;
}

struct link *run_link(const struct run_facts *all, const char *name)
{
	for (size_t i = 0; i < all->links.count; i++)
		if (strcmp(all->links.links[i].name, name) == 0)
			return &all->links.links[i];
	return NULL;
}

void run_facts_forget(struct run_facts *all)
{
	link_list_free(&all->links);
	memset(all->known, 0, sizeof(all->known));
}
