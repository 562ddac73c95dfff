/*
 * The other end of a port's cable as `verify` judges it: a plain value, read from LLDP or from a
 * document.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_PEER_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_PEER_H

#include "../../../policy/model/setting.h"

/* In order of severity. */
enum peer_status {
	PEER_STATUS_AGREES,
	PEER_STATUS_DIFFERS_ALLOWED, /* which is no mistake */
	PEER_STATUS_UNKNOWN,
	PEER_STATUS_DIFFERS
};

#define PEER_TEXT_MAX 256

struct peer_agreement {
	enum peer_status status;
	setting_set about;	 /* the settings that it compares */
	char why[PEER_TEXT_MAX]; /* "": they agree */
	const char *fix;	 /* static; NULL: they agree */
};

struct peer {
	const char *source;   /* static: "lldpad", "wire" */
	struct config config; /* as it advertises it; empty when nobody was heard */
	struct peer_agreement agreed[AGREE_COUNT];
};

#endif
