/* Reads lldpad's files, and the sections saved from them. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_CONFIG_FILE_H
#define LOSSLESSCTL_DCB_LLDPAD_CONFIG_FILE_H

#include "../../agent/host/host.h"

/* Reads a whole file, which the caller frees; *ret is NULL if it does not exist. */
bool lldpad_file_read(struct host *h, const char *path, char **ret, struct err *err) must_check;

/* The configuration file of the running lldpad, else its default. */
void lldpad_file_find(struct host *h, char ret_path[PATH_TEXT_MAX]);

#endif
