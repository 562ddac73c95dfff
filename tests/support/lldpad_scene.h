/*
 * A host with an lldpad that writes: it keeps what it is sent, and sends its LLDPDU when the time
 * has come.
 */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_LLDPAD_SCENE_H
#define LOSSLESSCTL_TESTS_SUPPORT_LLDPAD_SCENE_H

#include <errno.h>

#include "agent/engine/feature.h"

#define TLV_PFC "0080c20b"
#define LATE_MS 1000 /* the time until it sends */

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
	bool cannot;			 /* set up this port */
	const char *refuses;		 /* a request that has this in it */
	const char *no_sent, *no_heard;	 /* the status of a question about LLDPDUs; NULL: none */
	const char *goes_out, *comes_in; /* instead of the LLDPDU; NULL: as it was told */
	char willing[4];		 /* as stored; "" was never set */
	int mask;			 /* PFC's mask */
	bool tells;			 /* admin status rxtx */
	uint64_t told_at, now;
	bool has_sent, sent_willing; /* the last LLDPDU, until it sends the next */
	int sent_mask;
	int heard_mask; /* the PFC mask that the switch sends from heard_at on; below 0: none */
	uint64_t heard_at;
	unsigned waits;
	int interrupted;
	uint64_t ends_at, starts_at; /* it is gone from the one to the other; 0: never */
	bool no_signal, no_kept;     /* neither can be had */
	uint8_t dcbx;		     /* the kernel's mode */
	bool keeps_dcbx;	     /* the driver does not change it */
	int no_dcb;		     /* an errno of the kernel */
	char told[128];		     /* the user, last */
	char log[512];		     /* all that was set: "pfc:willing " */
};

/* An lldpad that was never sent anything, and a switch that is silent. */
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
