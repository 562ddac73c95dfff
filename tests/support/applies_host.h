/* A host with a directory of applies. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_APPLIES_HOST_H
#define LOSSLESSCTL_TESTS_SUPPORT_APPLIES_HOST_H

#include "agent/engine/journal/applies.h"

#define FILES 16

struct file {
	char name[32], text[2048];
};

/* A directory; a name of "" is a free place. */
struct world {
	struct host host;
	struct file files[FILES];
	size_t reserved;
};

/* The file of a path, or NULL. */
struct file *file_of(struct world *w, const char *path);

/* A directory without applies. */
struct world fresh(void);

/* An apply of one port or two that changed the MTU from this, and the first one's ToS. */
struct journal one(const char *first, const char *second, uint32_t mtu, int tos);

/* Ends an apply and keeps it. */
void end_apply(struct world *w, struct journal j);

/* Before 1 both had 1500; 2 was of a alone, 3 of b alone. */
struct world three(void);

/* A port of this PCI address. */
struct port port_at(const char *pci);

#endif
