/*
 * A host with an lldpad that writes: it stores the settings that it gets, and sends its LLDPDU
 * after LATE_MS.
 */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_LLDPAD_SCENE_H
#define LOSSLESSCTL_TESTS_SUPPORT_LLDPAD_SCENE_H

#include <errno.h>

#include "agent/engine/feature.h"

#define TLV_PFC "0080c20b"
#define LATE_MS 1000 /* the time until lldpad sends */

/* Parts of an LLDPDU. */
#define HEAD \
	"0207040c42a1b2c3d404020537" \
	"06020078"
#define PFC(flags, mask) "fe060080c20b" flags mask
#define ETS(flags) \
	"fe190080c209" flags "00000000" \
	"6400000000000000" \
	"0200000000000000"

struct lldpad_scene {
	struct host host;
	bool runs, advertise_only, hangs;
	bool cannot;			 /* lldpad cannot set up this port */
	const char *refuses;		 /* requests that contain this */
	const char *no_sent, *no_heard;	 /* the status of a failed read; NULL: success */
	const char *goes_out, *comes_in; /* replaces the LLDPDU; NULL: as configured */
	char willing[4];		 /* as stored; "" was never set */
	int mask;			 /* PFC's mask */
	bool tells;			 /* admin status rxtx */
	uint64_t written_at, now;
	bool has_sent, sent_willing; /* the last LLDPDU, until lldpad sends the next */
	int sent_mask;
	int heard_mask; /* the PFC mask that the switch sends from heard_at on; below 0: none */
	uint64_t heard_at;
	unsigned waits;
	int interrupted;
	uint64_t ends_at, starts_at; /* lldpad is gone in between; 0: never */
	bool no_signal, no_kept;     /* signals are denied; the kept file is unreadable */
	uint8_t dcbx;		     /* the kernel's mode */
	bool keeps_dcbx;	     /* the driver does not change it */
	int no_dcb;		     /* the kernel's errno; 0: success */
	char conf[4096];	     /* the file; "": there is none */
	char told[128];		     /* the last progress report */
	char log[512];		     /* all that was set: "pfc:willing " */
};

/* An lldpad without settings, and a switch that sends nothing. */
struct lldpad_scene lldpad_scene(void);

/* The port that lldpad is asked about. */
extern const struct port lldpad_port;

/* PFC of priority 3, and all bandwidth for class 0; the switch decides if willing. */
struct config lossless_config(bool willing);

/* Writes with feature_advertise. */
bool write_advertised(struct lldpad_scene *s, const struct config *to, struct err *err);

/* Reads with feature_advertise, which must succeed. */
struct config read_advertised(struct lldpad_scene *s);

#endif
