/* Telling an lldpad that was started with -R what to advertise: by its file, and a signal. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_ADVERTISE_FILE_H
#define LOSSLESSCTL_DCB_LLDPAD_ADVERTISE_FILE_H

#include "../../agent/host/host.h"
#include "../../policy/model/config.h"

/*
 * Writes the port's part of lldpad's file and has lldpad read it again. The part
 * that was there before comes back where to->dcbx.advertise is false. The rest of
 * the file stays. ERR_MISSING: no lldpad runs.
 */
bool tell_by_file(struct host *h, const char *port, const struct config *to,
		  struct err *err) must_check;

/*
 * Gives lldpad's file the port's part back that it had before tell_by_file(), if
 * that was told and not taken back since; an lldpad that runs reads it again.
 */
bool untell_by_file(struct host *h, const char *port, struct err *err) must_check;

#endif
