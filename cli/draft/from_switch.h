/* Takes from the LLDP of a switch what `draft --from switch` drafts. */
#ifndef LOSSLESSCTL_CLI_DRAFT_FROM_SWITCH_H
#define LOSSLESSCTL_CLI_DRAFT_FROM_SWITCH_H

#include "../../dcb/lldp/lldp.h"
#include "../../policy/model/config.h"

/*
 * Returns the settings that a port would have with the PFC, the ETS and, if its own map is known,
 * the DSCPs that its switch advertises.
 */
struct config config_from_switch(const struct config *actual, const struct lldp *pdu);

#endif
