/* Groups equal entries of a list, by a given comparison. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_GROUPS_H
#define LOSSLESSCTL_CLI_OUTPUT_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* True if the entries `a` and `b` of `all` are equal. */
typedef bool (*equal_entries)(const void *all, size_t a, size_t b);

/* Fills ret_first[i] with the index of the first of the `count` entries that equals entry i. */
void groups_find(const void *all, size_t count, equal_entries equal, size_t *ret_first);

/* Returns the number of entries in the group of entry i. */
size_t group_size(const size_t *first, size_t count, size_t i);

#endif
