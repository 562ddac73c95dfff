/*
 * Detects failed allocations while JSON documents are built. jansson leaves out a value that it
 * cannot allocate, and checking each of hundreds of calls is not practical. Instead, no document is
 * written or trusted once an allocation has failed. Other allocations report ERR_SYSTEM with ENOMEM
 * themselves.
 */
#ifndef LOSSLESSCTL_POLICY_UTIL_OOM_H
#define LOSSLESSCTL_POLICY_UTIL_OOM_H

#include <stddef.h>

#include "err.h"

/* Installs the allocator that detects failures; call it before the first use of jansson. */
void oom_watch_jansson(void);

/* True if an allocation has failed since oom_reset(). */
bool oom_happened(void);

/* calloc() and realloc() for the parts of a document: a failure counts, as one of jansson's does.
 */
void *oom_calloc(size_t count, size_t size);
void *oom_realloc(void *old, size_t size);

/* Forgets earlier failures. For a daemon, once it holds no document from before. */
void oom_reset(void);

/* Records ERR_SYSTEM with ENOMEM, in one wording. */
void err_record_no_memory(struct err *err) __attribute__((cold));

/* The same; yields false. A macro, as err_set() is. */
#define err_no_memory(err) (err_record_no_memory(err), false)

#endif
