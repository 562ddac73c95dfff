/* The APP entries of a configuration, sorted: app.entries. */
#ifndef LOSSLESSCTL_POLICY_MODEL_TYPE_APP_H
#define LOSSLESSCTL_POLICY_MODEL_TYPE_APP_H

#include "config.h"

/* Inserts an APP entry in sort order; false if there are APPS_MAX already. */
bool app_entry_put(struct config *c, const struct app_entry *e);

/* True if exactly this entry exists. */
bool app_entry_has(const struct config *c, const struct app_entry *e);

#endif
