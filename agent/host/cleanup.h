/* Cleanup attributes: release a variable's resource at the end of its scope. */
#ifndef LOSSLESSCTL_AGENT_HOST_CLEANUP_H
#define LOSSLESSCTL_AGENT_HOST_CLEANUP_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void cleanup_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_free(void *p)
{
	void *owned;

	memcpy(&owned, p, sizeof(owned)); /* *p has another pointer type, so copy its bytes */
	free(owned);
}

#define _close_ __attribute__((cleanup(cleanup_fd)))
#define _free_	__attribute__((cleanup(cleanup_free)))

/* Moves a value out of a variable with a cleanup attribute. */
#define take(p) \
	__extension__({ \
		__auto_type taken_ = (p); \
		(p) = NULL; \
		taken_; \
	})

#endif
