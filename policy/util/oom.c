#include "oom.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

/* Global, because jansson's allocation hooks take no argument. */
static bool was_short;

static void *allocate(size_t size)
{
	void *room = malloc(size);

	was_short = was_short || !room;
	return room;
}

void *memory_room(size_t count, size_t size)
{
	void *room = calloc(count, size);

	was_short = was_short || !room;
	return room;
}

void memory_watch(void)
{
	json_set_alloc_funcs(allocate, free);
}

bool memory_was_short(void)
{
	return was_short;
}

void memory_begin(void)
{
	was_short = false;
}

bool err_no_memory(struct err *err)
{
	return err_set(err, ERR_SYSTEM, ENOMEM, "out of memory");
}
