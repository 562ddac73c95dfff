/* The verbs of losslessctl-fleet. */
#ifndef LOSSLESSCTL_CLI_FLEET_VERBS_H
#define LOSSLESSCTL_CLI_FLEET_VERBS_H

#include "../../policy/util/err.h"
#include "fleet_options.h"

/* They return the exit code, or -1 with *err. */
int fleet_ingest(const struct fleet_options *o, struct err *err);
int fleet_report(const struct fleet_options *o, struct err *err);
int fleet_sql(const struct fleet_options *o, struct err *err);

#endif
