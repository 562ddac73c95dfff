/* Facts of a port of a document of show that only show and env need. */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_DEVICE_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_DEVICE_H

#include <jansson.h>

#include "../../agent/engine/dcbx_owner.h"
#include "../../roce/gid.h"

/* The program that runs DCBX, without its process ID. False: the document does not know it. */
bool captured_owner(const json_t *port, struct owner *ret);

/* The GIDs in use; entries that cannot be any are left out. */
void captured_gids(const json_t *port, struct gid_list *ret);

#endif
