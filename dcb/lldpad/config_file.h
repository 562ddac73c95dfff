/* Reads lldpad's files, and the sections saved from them. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_CONFIG_FILE_H
#define LOSSLESSCTL_DCB_LLDPAD_CONFIG_FILE_H

#include "../../agent/engine/feature.h"
#include "detect.h"

/* Reads a whole file, which the caller frees; *ret is NULL if it does not exist. */
bool lldpad_file_read(struct host *h, const char *path, char **ret, struct err *err) must_check;

/*
 * ERR_REFUSED unless root may write to this file on lldpad's behalf, whose text is `conf` (NULL: it
 * does not exist). A process of uid 0 in a container may call itself lldpad, and name with -f any
 * file: it must be the same one here, a configuration of lldpad, in a directory that only root can
 * change. `lldpad`: the process that names it; its pid is 0 if none runs.
 */
bool lldpad_file_is_safe(struct host *h, const struct lldpad_process *lldpad, const char *conf,
			 struct err *err) must_check;

/* Finds the running lldpad and its configuration file; pid 0 and the default if none runs. */
void lldpad_file_find(struct host *h, struct lldpad_process *ret);

/* Recognises entries that lldpad deleted when it ended. */

/*
 * Explains missing APP entries. An lldpad without -R deletes the entries that it knows when it
 * ends, and mlx5 trusts DSCP only while it has one. Recognised by lldpad's file, which still lists
 * them, or by the remaining entries. Writes a sentence to `ret`, or "" if lldpad is not the likely
 * cause.
 */
void lldpad_likely_cause(struct host *h, const struct port *port, const struct config *desired,
			 const struct config *actual, char ret[LIKELY_CAUSE_MAX]);

#endif
