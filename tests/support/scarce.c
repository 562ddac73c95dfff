#include "scarce.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

/* The sanitizers' own start calls these, before there is what their checks read. */
#define EARLY __attribute__((no_sanitize("address", "undefined")))

static struct {
	bool counts, for_good;
	unsigned count, fail_at;
} state;

EARLY static bool fails(void)
{
	if (!state.counts)
		return false;
	state.count++;
	return state.fail_at &&
	       (state.for_good ? state.count >= state.fail_at : state.count == state.fail_at);
}

EARLY static void *nothing(void)
{
	errno = ENOMEM;
	return NULL;
}

/* The next function in the order of loading: the C library's, or a sanitizer's. */
#define NEXT(name, type) \
	static __typeof__(type) *next; \
	if (!next) \
	*(void **)&next = dlsym(RTLD_NEXT, name)

EARLY void *malloc(size_t size)
{
	NEXT("malloc", void *(size_t));
	return fails() ? nothing() : next(size);
}

EARLY void *calloc(size_t count, size_t size)
{
	NEXT("calloc", void *(size_t, size_t));
	return fails() ? nothing() : next(count, size);
}

EARLY void *realloc(void *old, size_t size)
{
	NEXT("realloc", void *(void *, size_t));
	return fails() ? nothing() : next(old, size);
}

void scarce_begin(unsigned n, bool for_good)
{
	state.fail_at = n;
	state.for_good = for_good;
	state.count = 0;
	state.counts = true;
}

unsigned scarce_end(void)
{
	state.counts = false;
	return state.count;
}
