/*
 * Management programs of other makers that run on this host and write settings of its ports, beside
 * the one that runs DCBX (dcbx_owner.h).
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_OTHER_WRITERS_H
#define LOSSLESSCTL_AGENT_ENGINE_OTHER_WRITERS_H

#include <stddef.h>

#include "../../policy/model/config.h"

struct other_writer {
	const char *name;   /* its program; the kernel keeps 15 bytes of it */
	setting_set writes; /* settings that it can write */
	const char *fix;    /* how to keep it from writing them */
};

struct running_writer {
	const struct other_writer *writer;
	unsigned pid;
};

#define OTHER_WRITERS_MAX 4

struct other_writers {
	struct running_writer list[OTHER_WRITERS_MAX]; /* one process of each */
	size_t count;
};

/* Returns the first one that writes the setting; NULL: none does. */
const struct running_writer *other_writers_of(const struct other_writers *all, unsigned setting);

#endif
