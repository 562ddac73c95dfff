#include "dcbx_owner.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/host/namespace.h"
#include "../dcbnl.h"
#include "../lldpad/detect.h"
#include "network_manager.h"

static void __attribute__((format(printf, 3, 4)))
set_owner(struct owner *o, enum dcbx_owner who, const char *fmt, ...)
{
	va_list ap;

	o->who = who;
	va_start(ap, fmt);
	vsnprintf(o->what, sizeof(o->what), fmt, ap);
	va_end(ap);
}

bool owner_is_network_manager(struct host *h, const struct port *port, struct owner *ret)
{
	struct network_manager nm;

	if (!network_manager_sets_dcb(h, port, &nm))
		return false;
	ret->pid = nm.pid;
	set_owner(ret, OWNER_NETWORKMANAGER,
		  "NetworkManager (pid %u) sets DCB through lldpad, by %s", nm.pid, nm.profile);
	return true;
}

static bool find_lldpad(struct host *h, struct owner *o)
{
	struct lldpad_process lldpad;

	if (lldpad_find(h, &lldpad)) {
		o->pid = lldpad.pid;
		if (lldpad.advertise_only)
			set_owner(o, OWNER_LLDPAD_ADVERTISES,
				  "lldpad (pid %u) advertises this port and does not write to it "
				  "(-R)",
				  lldpad.pid);
		else
			set_owner(o, OWNER_LLDPAD,
				  "lldpad (pid %u) writes its own ETS, PFC and APP to this port",
				  lldpad.pid);
		return true;
	}
	if (lldpad_may_be_hidden(h)) {
		set_owner(
			o, OWNER_LLDPAD,
			"a program outside this container holds lldpad's socket, and may write its "
			"own ETS, PFC and APP to this port");
		return true;
	}
	if (!lldpad_socket_is_held(h))
		return false;
	set_owner(o, OWNER_LLDPAD_SOCKET,
		  "systemd or another program holds lldpad's socket: any request to lldpad starts "
		  "it");
	return true;
}

/* A port without DCBX has no owner, whichever daemons run. */
static bool read_mode(struct host *h, const struct port *port, uint8_t *ret, bool *ret_has,
		      struct err *err)
{
	struct err why = { 0 };

	*ret_has = !port->no_interface && dcb_get_dcbx(h, port->id.name, ret, &why);
	if (*ret_has || port->no_interface || why.kind == ERR_UNSUPPORTED)
		return true;
	*err = why;
	return false;
}

/* An lldpad that does not run yet sends nothing on the cable. */
static void add_firmware(struct owner *o)
{
	size_t used = strlen(o->what);

	o->firmware_too = true;
	if (o->pid)
		snprintf(o->what + used, sizeof(o->what) - used,
			 "; the adapter's firmware also runs DCBX: two LLDP agents on one cable");
}

bool owner_find(struct host *h, const struct port *port, struct owner *ret, struct err *err)
{
	struct owner o = { .who = OWNER_NOBODY };
	bool has_dcbx, firmware, found_one = false;
	uint8_t mode = 0;

	if (!read_mode(h, port, &mode, &has_dcbx, err))
		return false;
	firmware = has_dcbx && dcbx_is_firmwares(mode);
	if (has_dcbx)
		found_one = owner_is_network_manager(h, port, &o) || find_lldpad(h, &o);
	if (firmware && found_one)
		add_firmware(&o);
	else if (firmware)
		set_owner(&o, OWNER_FIRMWARE, "the adapter's firmware runs DCBX");
	*ret = o;
	return true;
}

bool owner_at_next_boot(struct host *h, char ret_what[OWNER_WHAT_MAX])
{
	struct lldpad_process awake;

	if (lldpad_find(h, &awake) || !lldpad_is_enabled(h))
		return false;
	snprintf(ret_what, OWNER_WHAT_MAX,
		 "lldpad is enabled but not running: 15 s after its start, it turns PFC off unless "
		 "its own configuration sets PFC");
	return true;
}
