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
	unsigned rewrites;	   /* reads that find the file half written */
	bool never_whole;	   /* each read finds a longer beginning of it */
	int signal;
	char stale[4096];    /* the file before it was written */
	unsigned overwrites; /* signals before which lldpad writes that again */
	bool empties, hangs; /* the next signal finds the file truncated; no answer comes */
	uint64_t now;
	const char *path;    /* the file; NULL: CONF */
	const char *command; /* the second word of lldpad's command line */
	const char *mounts;  /* lldpad's; NULL: those of this process */
	const char *uids;    /* lldpad's map of users; NULL: that of this process */
};

/* Counts a call that changes the host; false: it fails. */
bool changes(struct file_scene *s, struct err *err);

/* A host with the file, on which nothing fails. */
struct file_scene file_scene(void);

/* Advertises, or stops it, through the file. */
bool write_by_file(struct file_scene *s, bool advertise, struct err *err);

enum work { ADVERTISE, STOP_ADVERTISING, AFTER_A_BOOT };

/* Writes the file to advertise or to stop it, or restores it after a boot. */
bool carry_out(struct file_scene *s, enum work w, struct err *err);

#endif
