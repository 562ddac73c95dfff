/* The peer of a port, as `verify` judges it: a plain value, from LLDP or from a document. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_PEER_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_PEER_H

#include "../../../policy/model/setting.h"

/* In order of severity. */
enum peer_status {
	PEER_STATUS_AGREES,
	PEER_STATUS_DIFFERS_ALLOWED, /* differs, as the policy allows */
	PEER_STATUS_UNKNOWN,
	PEER_STATUS_DIFFERS
};

#define PEER_TEXT_MAX 256

struct peer_agreement {
	enum peer_status status;
	setting_set about;	 /* settings that are compared */
	char why[PEER_TEXT_MAX]; /* reason; "": they agree */
	const char *fix;	 /* static; NULL: they agree */
};

struct peer {
	const char *source;   /* static: "lldpad", "raw_socket" */
	struct config config; /* as advertised; empty if no peer was heard */
	struct peer_agreement agreed[AGREE_COUNT];
};

#endif
