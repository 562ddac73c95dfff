#include "scarce.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

static struct {
	bool counts, for_good;
	unsigned count, fail_at;
} state;

static bool fails(void)
{
	if (!state.counts)
		return false;
	state.count++;
	return state.fail_at &&
	       (state.for_good ? state.count >= state.fail_at : state.count == state.fail_at);
}

static void *nothing(void)
{
	errno = ENOMEM;
	return NULL;
}

/* The next function in the order of loading: the C library's, or a sanitizer's. */
#define NEXT(name, type) \
	static __typeof__(type) *next; \
	if (!next) \
	*(void **)&next = dlsym(RTLD_NEXT, name)

void *malloc(size_t size)
{
	NEXT("malloc", void *(size_t));
	return fails() ? nothing() : next(size);
}

void *calloc(size_t count, size_t size)
{
	NEXT("calloc", void *(size_t, size_t));
	return fails() ? nothing() : next(count, size);
}

void *realloc(void *old, size_t size)
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
