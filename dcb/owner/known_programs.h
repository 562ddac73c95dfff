/* Whether programs of other makers run: all are looked for in one walk over /proc, once a run. */
#ifndef LOSSLESSCTL_DCB_OWNER_KNOWN_PROGRAMS_H
#define LOSSLESSCTL_DCB_OWNER_KNOWN_PROGRAMS_H

#include "../../agent/host/host.h"

/* True if one of `names` may run, which are of the list in the source; NULL ends them. */
bool known_programs_run(struct host *h, const char *const *names);

#endif
