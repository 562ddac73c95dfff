/* Sorts what is equal into groups, whatever it is and whatever "equal" means. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_GROUPS_H
#define LOSSLESSCTL_CLI_OUTPUT_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* Are the entries `a` and `b` of `all` equal? */
typedef bool (*equal_entries)(const void *all, size_t a, size_t b);

/* Fills ret_first[i] with the first of the `count` entries that equals entry i. */
void groups_find(const void *all, size_t count, equal_entries equal, size_t *ret_first);

/* The number of entries in the group of entry i. */
size_t group_size(const size_t *first, size_t count, size_t i);

#endif
