/* The parts of a bundle beside that of `show`, and the opening of --state. */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_BUNDLE_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_BUNDLE_H

#include "../../agent/daemon/drift_log.h"
#include "../../agent/daemon/flight_recorder.h"
#include "../../agent/engine/ready/ready_probe.h"
#include "../../agent/engine/verify/counter_check.h"
#include "../../dcb/compared_peer.h"
#include "../cli.h"
#include "captured_host.h"

/* ---- peers: those that its host heard, and how they compared ---- */

/*
 * As compared_peers_find(), of targets that have been observed. What the document does not have is
 * unknown. ERR_POLICY: a value has another form, or cannot be a peer's.
 */
bool captured_peers_find(const struct captured_host *h, const struct targets *all, bool only_asked,
			 struct compared_peer **ret, struct err *err) must_check;

/* As compared_peers_read(), for the engine. */
bool captured_peers_read(const struct captured *c, const struct targets *all, struct peer **ret,
			 struct err *err) must_check;

/* ---- history of drift, recordings ---- */

/* As history_each() and history_dropped(). ERR_UNKNOWN: the document has no history. */
bool captured_history_each(const struct captured_host *h,
			   void (*each)(const struct drift_record *r, void *arg), void *arg,
			   struct err *err) must_check;
bool captured_history_dropped(const struct captured_host *h, uint64_t *ret,
			      struct err *err) must_check;

/* As recordings_each() and recording_load(), by their place in the bundle, from 1. */
bool captured_recordings_each(const struct captured_host *h, const struct recording_visitor *v,
			      struct err *err) must_check;
bool captured_recording_load(const struct captured_host *h, unsigned number,
			     struct flight_recording *ret, json_t **document,
			     struct err *err) must_check;

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
