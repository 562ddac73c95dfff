#include "groups.h"

static size_t first_equal(const void *all, size_t i, equal_entries equal, const size_t *first)
{
	for (size_t k = 0; k < i; k++)
		if (first[k] == k && equal(all, k, i))
			return k;
	return i;
}

void groups_find(const void *all, size_t count, equal_entries equal, size_t *ret_first)
{
	for (size_t i = 0; i < count; i++)
		ret_first[i] = first_equal(all, i, equal, ret_first);
}

size_t group_size(const size_t *first, size_t count, size_t i)
{
	size_t size = 0;

	for (size_t k = 0; k < count; k++)
		size += first[k] == first[i];
	return size;
}
