/*
 * Memory for documents. Where jansson finds none it leaves a value out, and nobody asks at each of
 * hundreds: once it did, no document is written or believed any more. What else allocates says so
 * itself, as ERR_SYSTEM and ENOMEM.
 */
#ifndef LOSSLESSCTL_POLICY_UTIL_OOM_H
#define LOSSLESSCTL_POLICY_UTIL_OOM_H

#include <stddef.h>

#include "err.h"

/* Has jansson tell; before its first use. */
void memory_watch(void);

/* Did it find none since? */
bool memory_was_short(void);

/* calloc(), for what a document is made of: where it finds none that counts, too. */
void *memory_room(size_t count, size_t size);

/* No document of before is left: begins anew. For what runs on. */
void memory_begin(void);

/* ERR_SYSTEM and ENOMEM, in one way of saying it; always false. */
bool err_no_memory(struct err *err) __attribute__((cold));

#endif
