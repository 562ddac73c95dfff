#include "switch_os.h"

#include <errno.h>
#include <string.h>

const struct switch_os_info switch_systems[SWITCH_OS_COUNT] = {
	[SWITCH_CUMULUS] = { "cumulus",
			     "Cumulus Linux (NVUE)",
			     "Cumulus Linux",
			     { "swp", "bond" },
			     "#",
			     "docs.nvidia.com/networking-ethernet-software: Quality of Service" },
	[SWITCH_SONIC] = { "sonic",
			   "SONiC",
			   "SONiC",
			   { "Ethernet" },
			   "#",
			   "github.com/sonic-net/sonic-utilities: Command-Reference" },
	[SWITCH_EOS] = { "eos",
			 "Arista EOS",
			 "Arista Networks EOS",
			 { "Ethernet", "Et" },
			 "!",
			 "www.arista.com/en/um-eos: Quality of Service, DCBX and Flow Control" },
	[SWITCH_NXOS] = { "nxos",
			  "Cisco NX-OS",
			  "NX-OS",
			  { "Ethernet", "Eth" },
			  "!",
			  "www.cisco.com: Nexus 9000 Series NX-OS Quality of Service" },
};

bool switch_os_find(enum switch_os *ret, const char *name, struct err *err)
{
	for (enum switch_os os = 0; os < SWITCH_OS_COUNT; os++)
		if (strcmp(switch_systems[os].name, name) == 0) {
			*ret = os;
			return true;
		}
	return err_set(err, ERR_USAGE, EINVAL,
		       "--switch-os takes cumulus, sonic, eos or nxos, not \"%s\"", name);
}

bool switch_os_recognise(enum switch_os *ret, const char *description)
{
	for (enum switch_os os = 0; os < SWITCH_OS_COUNT; os++)
		if (strstr(description, switch_systems[os].described)) {
			*ret = os;
			return true;
		}
	return false;
}

static bool is_port_after(const char *prefix, const char *name)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "0123456789/_-";
	size_t n = prefix ? strlen(prefix) : 0;

	return n && strncmp(name, prefix, n) == 0 && name[n] >= '0' && name[n] <= '9' &&
	       !name[strspn(name, allowed)];
}

bool switch_os_names_port(enum switch_os os, const char *name)
{
	return is_port_after(switch_systems[os].ports[0], name) ||
	       is_port_after(switch_systems[os].ports[1], name);
}
