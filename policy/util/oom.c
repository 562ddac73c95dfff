#include "oom.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

/* Global, because jansson's allocation hooks take no argument. */
static bool allocation_failed;

static void *allocate(size_t size)
{
	void *p = malloc(size);

	allocation_failed = allocation_failed || !p;
	return p;
}

void *oom_calloc(size_t count, size_t size)
{
	void *p = calloc(count, size);

	allocation_failed = allocation_failed || !p;
	return p;
}

void *oom_realloc(void *old, size_t size)
{
	void *p = realloc(old, size);

	allocation_failed = allocation_failed || !p;
	return p;
}

void oom_watch_jansson(void)
{
	json_set_alloc_funcs(allocate, free);
}

bool oom_happened(void)
{
	return allocation_failed;
}

void oom_reset(void)
{
	allocation_failed = false;
}

void err_record_no_memory(struct err *err)
{
	err_record(err, ERR_SYSTEM, ENOMEM, "out of memory");
}
