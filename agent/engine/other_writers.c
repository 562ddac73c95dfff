#include "other_writers.h"

#include "../../policy/model/setting_table.h"

/* ---- the owner of DCBX ---- */

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

setting_set lldpad_keeps(setting_set differ, const struct config *desired,
			 const struct config *actual)
{
	setting_set kept = SETTING(SETTING_DCBX_ADVERTISE) | SETTING(SETTING_DCBX_WILLING);

	/* The kernel's mode is the same, whether lldpad follows the switch or not. */
	if (desired->dcbx.mode != DCBX_FIRMWARE && actual->dcbx.mode != DCBX_FIRMWARE)
		kept |= SETTING(SETTING_DCBX_MODE);
	return differ & kept;
}

bool owner_writes(enum dcbx_owner who)
{
	return owners[who].writes;
}

/* ---- other writers ---- */

const struct running_writer *other_writers_of(const struct other_writers *all, unsigned setting)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].writer->writes & SETTING(setting))
			return &all->list[i];
	return NULL;
}
