/* Compares the actual settings of the ports of a host, which are usually set up alike. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_COMPARE_PORTS_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_COMPARE_PORTS_H

#include "../../../policy/model/setting.h"
#include "../../../policy/util/sha256.h"

/* The actual settings of one port. Borrows all. */
struct setup {
	const char *port;
	const struct config *actual;
	char *digest; /* SHA256_HEX bytes for `actual`: "" until it is made; NULL: not kept */
	setting_set elsewhere; /* its PF or another member of its bond has them: no difference */
};

/* Tells whether a setting of both ports differs between them, or only one of them reports it. */
bool setups_differ(const struct setup *a, const struct setup *b, unsigned setting);

/* Returns the settings that differ between these ports or that only some of them report. */
setting_set setups_differences(const struct setup *setups, size_t count);

#endif
