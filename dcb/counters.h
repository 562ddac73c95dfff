/* The counters of a port, as `ethtool -S` reads them. */
#ifndef LOSSLESSCTL_DCB_COUNTERS_H
#define LOSSLESSCTL_DCB_COUNTERS_H

#include "../agent/watch.h"

extern const struct meter meter_ethtool;

#endif
