/* A host with lldpad's configuration file, where any call may fail. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_FILE_SCENE_H
#define LOSSLESSCTL_TESTS_SUPPORT_FILE_SCENE_H

#include <signal.h>

#include "agent/host/host.h"

#define CONF "/var/lib/lldpad/lldpad.conf"

/* The file before anything is written. */
extern const char before[];

/* A host with two files and, perhaps, an lldpad. */
struct file_scene {
	struct host host;
	char conf[4096], kept[4096];
	bool has_conf, has_kept, has_lldpad;
	unsigned changes, fail_at; /* calls that change something; the one that fails */
	unsigned reads, unread_at; /* reads of the two files; the one that fails */
	unsigned rewrites;	   /* looks that find the file in the making */
	bool never_whole;	   /* and each look finds another beginning of it */
	int signal;
};

/* True if a call changes the host: it may fail. */
bool changes(struct file_scene *s, struct err *err);

/* A host with the file, on which nothing fails. */
struct file_scene file_scene(void);

/* Advertises by the file. */
bool write_by_file(struct file_scene *s, bool advertise, struct err *err);

enum work { SPEAK, FALL_SILENT, AFTER_A_BOOT };

/* Restores the file. */
bool carry_out(struct file_scene *s, enum work w, struct err *err);

#endif
