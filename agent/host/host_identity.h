/* The identity of the host in reports: its name, an id of its own, and the id of this boot. */
#ifndef LOSSLESSCTL_AGENT_HOST_HOST_IDENTITY_H
#define LOSSLESSCTL_AGENT_HOST_HOST_IDENTITY_H

#include "host.h"

#define HOST_NAME_SIZE 256
#define HOST_ID_MAX    33
#define BOOT_ID_MAX    64

/* A value that cannot be read is "". */
struct host_identity {
	char name[HOST_NAME_SIZE];
	/*
	 * Derived from the machine id as by sd_id128_get_machine_app_specific(3), because
	 * machine-id(5) must not be disclosed.
	 */
	char host_id[HOST_ID_MAX];
	char boot_id[BOOT_ID_MAX]; /* the kernel's */
};

/* Fills *ret; reads the kernel's files and /etc/machine-id. */
void host_identify(struct host *h, struct host_identity *ret);

/* The kernel's id of this boot. Errors: as host_read_file(). */
bool host_boot_id(struct host *h, char buf[BOOT_ID_MAX], struct err *err) must_check;

#endif
