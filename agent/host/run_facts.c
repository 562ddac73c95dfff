#include "run_facts.h"

#include <stdlib.h>
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

static bool copy_links(const struct link_list *from, struct link_list *ret)
{
	*ret = (struct link_list){ calloc(from->count + 1, sizeof(*ret->links)), 0 };
	if (!ret->links)
		return false;
	ret->count = from->count;
	memcpy(ret->links, from->links, from->count * sizeof(*ret->links));
	return true;
}

bool run_links_recall(const struct run_facts *all, struct link_list *ret)
{
	return all->links.links && copy_links(&all->links, ret);
}

void run_links_remember(struct run_facts *all, const struct link_list *links)
{
	link_list_free(&all->links);
	if (all->is_kept && links->count)
		copy_links(links, &all->links);
}

void run_facts_forget(struct run_facts *all)
{
	link_list_free(&all->links);
	memset(all->known, 0, sizeof(all->known));
}
