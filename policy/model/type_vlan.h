/* The VLAN devices of a configuration, sorted by name: vlan.egress. */
#ifndef LOSSLESSCTL_POLICY_MODEL_TYPE_VLAN_H
#define LOSSLESSCTL_POLICY_MODEL_TYPE_VLAN_H

#include <stddef.h>

#include "config.h"

/* Adds or replaces the map of one VLAN device; false if there are VLANS_MAX already. */
bool vlan_egress_put(struct config *c, const struct vlan_egress *v);

/*
 * Removes from *c the VLAN devices that `actual` lacks, or has with another VLAN ID, and the
 * setting once none is left. Writes their names to `gone` and returns their number. Does nothing
 * unless both have the setting.
 */
size_t vlan_egress_drop_gone(struct config *c, const struct config *actual,
			     char gone[VLANS_MAX][VLAN_NAME_MAX]);

#endif
