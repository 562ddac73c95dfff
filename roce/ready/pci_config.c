#include "pci_config.h"

#include <linux/pci_regs.h>
#include <stdio.h>
#include <string.h>

#define EXTENDED	 256 /* where the extended capabilities begin (PCI_CFG_SPACE_SIZE) */
#define WHOLE		 4096
#define HEADER		 64
#define CAPABILITIES_MAX 64 /* against a list that is a circle */

char *pci_path(const char *address, unsigned up, char path[PCI_PATH_MAX])
{
	size_t used = (size_t)snprintf(path, PCI_PATH_MAX, "/sys/bus/pci/devices/%.15s", address);

	for (; up > 0 && used + 4 < PCI_PATH_MAX; up--)
		used += (size_t)snprintf(path + used, PCI_PATH_MAX - used, "/..");
	return path;
}

uint16_t pci_word(const struct pci_config *c, unsigned at)
{
	return (uint16_t)(c->bytes[at] | c->bytes[at + 1] << 8);
}

/* Bytes that were not read are 0, and no capability has that number. */
static bool is_whole(const struct pci_config *c)
{
	return !(pci_word(c, PCI_STATUS) & PCI_STATUS_CAP_LIST) ||
	       c->bytes[c->bytes[PCI_CAPABILITY_LIST] & ~3u] != 0;
}

bool pci_config_read(struct host *h, const char *path, struct pci_config *ret, struct err *err)
{
	memset(ret, 0, sizeof(*ret));
	if (!host_read_file(h, (char *)ret->bytes, sizeof(ret->bytes), err, "%s/config", path))
		return false;
	ret->is_whole = is_whole(ret);
	return true;
}

unsigned pci_capability(const struct pci_config *c, uint8_t id)
{
	unsigned at = c->bytes[PCI_CAPABILITY_LIST] & ~3u;

	if (!(pci_word(c, PCI_STATUS) & PCI_STATUS_CAP_LIST))
		return 0;
	for (int left = CAPABILITIES_MAX; at >= HEADER && left > 0; left--) {
		if (c->bytes[at] == id)
			return at;
		at = c->bytes[at + PCI_CAP_LIST_NEXT] & ~3u;
	}
	return 0;
}

unsigned pci_extended_capability(const struct pci_config *c, uint16_t id)
{
	unsigned at = EXTENDED;

	for (int left = CAPABILITIES_MAX; at >= EXTENDED && at + 8 <= WHOLE && left > 0; left--) {
		if (pci_word(c, at) == id)
			return at;
		at = pci_word(c, at + 2) >> 4 & ~3u;
	}
	return 0;
}

bool pci_name(struct host *h, const char *path, char ret[PCI_NAME_MAX])
{
	static const char key[] = "PCI_SLOT_NAME=";
	struct err quiet = { 0 };
	char uevent[1024];
	const char *at;

	if (!host_read_file(h, uevent, sizeof(uevent), &quiet, "%s/uevent", path))
		return false;
	at = strstr(uevent, key);
	if (at)
		snprintf(ret, PCI_NAME_MAX, "%.*s", (int)strcspn(at + strlen(key), "\n"),
			 at + strlen(key));
	return at;
}

size_t pci_bridges(struct host *h, const char *address, char ret[PCI_DEPTH_MAX][PCI_NAME_MAX])
{
	char path[PCI_PATH_MAX];
	size_t n = 0;

	while (n < PCI_DEPTH_MAX && pci_name(h, pci_path(address, (unsigned)n + 1, path), ret[n]))
		n++;
	return n;
}
