/* A host with its files in a directory of the test, and a kernel with a DCBX mode. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_OWNED_HOST_H
#define LOSSLESSCTL_TESTS_SUPPORT_OWNED_HOST_H

#include <linux/dcbnl.h>

#include "agent/host/host_linux.h"
#include "dcb/owner/dcbx_owner.h"

#define HOST	  (DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE)
#define FILES_MAX 6

struct file {
	const char *path, *text;
	size_t size; /* 0: text is a string */
};

/* The port of the host. */
extern const struct port owned_port;

/* The host. */
extern struct host_linux outside;

/* The errno of a read of the mode; 0: success. */
extern int mode_code;

/* The user of lldpad's socket. */
extern uint32_t socket_user;

/* Makes the directory. */
int make_root(void **s);

/* Removes the directory. */
int remove_root(void **s);

/* Processes and files of a row. */
#define RUNS(pid, name, words) \
	{ "proc/" pid "/comm", name "\n", 0 }, \
	{ \
		"proc/" pid "/cmdline", words, sizeof(words) \
	}
#define LLDPAD RUNS("77", "lldpad", "/usr/sbin/lldpad\0-t")

struct owner_row {
	const char *sentence;
	uint8_t mode;
	int code;
	struct file files[FILES_MAX];
	enum dcbx_owner who;
	bool firmware_too;
	const char *what;
};

/* Replaces all files, and sets the mode to HOST. */
void put_files(const struct file *files);

/* Adds files, or replaces them. */
void add_files(const struct file *files);

/* Tests the owner of a row. */
void is_owned_so(void **s);

#endif
