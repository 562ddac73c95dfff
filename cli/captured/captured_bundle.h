/* The parts of a bundle beside that of `show`, in place of the live host's; opens --state. */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_BUNDLE_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_BUNDLE_H

#include "../../agent/daemon/history.h"
#include "../../agent/daemon/recording.h"
#include "../../agent/engine/ready/ready_reader.h"
#include "../../agent/engine/verify/verify.h"
#include "../../dcb/peer.h"
#include "../cli.h"
#include "captured_host.h"

/* ---- the source of what a verb reads: the live host, or the document of --state ---- */

/*
 * As compared_peers_find(), of all targets, which have been observed. What a document does not have
 * is unknown. ERR_POLICY: a value has another form, or cannot be a peer's.
 */
bool source_peers(const struct cli *c, const struct targets *all, unsigned listen_s,
		  struct compared_peer **ret, struct err *err) must_check;

/*
 * As history_each(), history_dropped(), recordings_each() and recording_load(); those of a bundle
 * are numbered from 1 by their place. ERR_UNKNOWN: the document has none.
 */
bool source_history_each(const struct cli *c, void (*each)(const struct drift_record *r, void *arg),
			 void *arg, size_t *unread, struct err *err) must_check;
bool source_history_dropped(const struct cli *c, uint64_t *ret, struct err *err) must_check;
bool source_recordings_each(const struct cli *c, const struct recording_visitor *v,
			    struct err *err) must_check;
bool source_recording_load(const struct cli *c, unsigned number, struct flight_recording *ret,
			   json_t **document, struct err *err) must_check;

/* Fails if a document does not have the checks of `ready`: all would be unknown. */
bool source_has_ready(const struct cli *c, struct err *err) must_check;

/* ---- the checks of ready ---- */

/*
 * Reads a check as the host did, without the verdict: any policy can judge it. Unknown is what the
 * host did not know, and what the document does not have.
 */
void captured_ready_read(const struct captured *c, enum ready_id id, const struct port *port,
			 struct ready_reading *ret);

/* ---- counters ---- */

/*
 * Judges the two samples of `bundle --sample-for`. The caller frees *ret: one element for each
 * target, and NULL if there are no two samples. *seconds is the time between them. A port that
 * lacks one of them is unknown.
 */
bool captured_counters_judge(const struct captured_host *h, const struct thresholds *l,
			     const struct targets *all, struct counted **ret, unsigned *seconds,
			     struct err *err) must_check;

/* ---- the host of --state ---- */

/*
 * Reads the document, and lets c->engine judge its host. ERR_POLICY: it is no such document, or is
 * not possible; ERR_NO_FILE, ERR_DENIED.
 */
bool captured_host_open(struct cli *c, struct err *err) must_check;

#endif
