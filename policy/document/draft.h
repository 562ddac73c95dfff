/*
 * Drafts a profile that describes a port: classes as far as they say it, and settings for the rest.
 */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_DRAFT_H
#define LOSSLESSCTL_POLICY_DOCUMENT_DRAFT_H

#include <jansson.h>

#include "../model/config.h"

/*
 * The settings that a draft leaves out although the port has them: those at their default where
 * the classes say nothing else, receive buffers, which the driver sizes by MTU, PFC and cable, and
 * a cnp.priority_mode that no write can give a port together with its priority.
 */
setting_set draft_left_out(const struct config *actual);

/* A port that is as its draft says is in sync with it once `unset` is removed from it. */
struct draft {
	json_t *profile;     /* owned by the caller; NULL: out of memory */
	setting_set unset;   /* follow from the classes, and the port has no such value */
	setting_set outside; /* left out: a policy has no such value */
};

/* Settings of the classes that the port does not support, `unsupported`, become optional. */
struct draft draft_port(const struct config *actual, setting_set unsupported);

#endif
