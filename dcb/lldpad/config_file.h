/* lldpad's files, and ours about it. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_CONFIG_FILE_H
#define LOSSLESSCTL_DCB_LLDPAD_CONFIG_FILE_H

#include "../../agent/host/host.h"

/* A whole file, which the caller frees; *ret is NULL where there is none. */
bool lldpad_file_read(struct host *h, const char *path, char **ret, struct err *err) must_check;

/* The configuration of the lldpad that runs; without one, where the next one looks for it. */
void lldpad_file_find(struct host *h, char ret_path[PATH_TEXT_MAX]);

#endif
