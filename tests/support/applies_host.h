/* A host with a directory of applies. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_APPLIES_HOST_H
#define LOSSLESSCTL_TESTS_SUPPORT_APPLIES_HOST_H

#include "agent/engine/journal/applies.h"

#define FILES 17

struct file {
	char name[32], text[2048];
};

/* A directory; a file with the name "" is a free slot. */
struct world {
	struct host host;
	struct file files[FILES];
	size_t reserved;
};

/* The file of a path, or NULL. */
struct file *file_of(struct world *w, const char *path);

/* A directory without applies. */
struct world fresh(void);

/* The journal of an apply: the MTU before it of one or two ports, and the first one's ToS. */
struct journal one(const char *first, const char *second, uint32_t mtu, int tos);

/* Ends an apply and keeps it. */
void end_apply(struct world *w, struct journal j);

/* Three applies: before 1 both ports had MTU 1500; 2 changed only a, 3 only b. */
struct world three(void);

/* A port with this PCI address. */
struct port port_at(const char *pci);

#endif
