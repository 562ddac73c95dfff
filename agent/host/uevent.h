/* The file "uevent" of a device in sysfs. */
#ifndef LOSSLESSCTL_AGENT_HOST_UEVENT_H
#define LOSSLESSCTL_AGENT_HOST_UEVENT_H

#include "../../policy/document/match.h"

#define UEVENT_MAX 1024

/* Copies the value of "KEY=" up to one of `ends`; false, and *ret is left alone, without it. */
bool uevent_value(const char *uevent, const char *key, const char *ends, char ret[ID_MAX]);

#endif
