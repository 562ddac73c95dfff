#include "dcbx_owner.h"

static const struct {
	const char *name;
	bool writes;
} owners[] = {
	[OWNER_NOBODY] = { "none", false },
	[OWNER_FIRMWARE] = { "firmware", true },
	[OWNER_LLDPAD] = { "lldpad", true },
	[OWNER_LLDPAD_ADVERTISES] = { "lldpad_advertise_only", false },
	[OWNER_LLDPAD_SOCKET] = { "lldpad_socket", false },
	[OWNER_NETWORKMANAGER] = { "networkmanager", true },
};

const char *owner_name(enum dcbx_owner who)
{
	return owners[who].name;
}

bool owner_writes(enum dcbx_owner who)
{
	return owners[who].writes;
}
