/* Cleanup attributes: what a scope owns is released when it ends. */
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

	memcpy(&owned, p, sizeof(owned)); /* *p is a pointer of another type */
	free(owned);
}

#define _close_ __attribute__((cleanup(cleanup_fd)))
#define _free_	__attribute__((cleanup(cleanup_free)))

/* Hands over what a cleanup attribute owns. */
#define take(p) \
	__extension__({ \
		__auto_type taken_ = (p); \
		(p) = NULL; \
		taken_; \
	})

#endif
