/* Shared by several readers: numbers, and what cannot be read. */
#ifndef LOSSLESSCTL_ROCE_READY_READING_H
#define LOSSLESSCTL_ROCE_READY_READING_H

#include "../../agent/engine/ready/ready_reader.h"
#include "../../agent/host/host.h"

/* Unknown, for this error. Without the right to read, the fix is to use sudo. */
void reading_failed(struct ready_reading *r, const struct err *err);

/* Unknown: only root may read it. */
void reading_denied(struct ready_reading *r, const char *reason);

/* Reads a whole number from a file; false: there is no such file, or no number. */
bool reading_number(struct host *h, long *ret, const char *fmt, ...) must_check
	__attribute__((format(printf, 3, 4)));

#endif
