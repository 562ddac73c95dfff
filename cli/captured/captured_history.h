/* The history of drift and the recordings that a bundle has. */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_HISTORY_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_HISTORY_H

#include "../../agent/daemon/drift_log.h"
#include "../../agent/daemon/flight_recorder.h"
#include "captured_host.h"

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

#endif
