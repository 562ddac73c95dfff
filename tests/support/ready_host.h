/* A host with some files, for the probes of `ready`. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_READY_HOST_H
#define LOSSLESSCTL_TESTS_SUPPORT_READY_HOST_H

#include "roce/ready/registry.h"

#define READY_FILES_MAX 24

/* A file with its text; DENIED or BROKEN: it cannot be read. */
struct ready_file {
	const char *path, *text;
};

#define DENIED "\1"
#define BROKEN "\2"

#define NIC    "/sys/bus/pci/devices/0000:3b:00.0"
#define BRIDGE NIC "/.."
#define ROOT   NIC "/../.."

struct ready_host {
	struct host host;
	const struct ready_file *files; /* up to the first without a path */
	/* Configuration space of devices by depth: the port's own first; NULL: none. */
	const uint8_t *config[4];
	const uint8_t *other_config[4]; /* the same of any other device */
	size_t config_size;
};

struct ready_host ready_host(const struct ready_file *files);

/* A port with an RDMA device and a PCI address. */
extern const struct port ready_port;

/* Reads one check. */
struct ready_reading ready_reading_of(const struct ready_reader *p, struct ready_host *h,
				      const struct port *ports, size_t count);

/* Reads one check of ready_port and of a second port, whose names are set here. */
struct ready_reading of_two(const struct ready_reader *p, const struct ready_file *files,
			    struct port two[2]);

/* A row: the result of a probe on these files. */
struct ready_row_test {
	const char *sentence;
	const struct ready_reader *probe;
	struct ready_file files[READY_FILES_MAX];
	enum ready_status status;
	uint64_t value;
	const char *says; /* in the details, the reason or the fix */
};

/* Tests a row with ready_port; a check of the host is tested without a port. */
void ready_reads_so(void **s);

#endif
