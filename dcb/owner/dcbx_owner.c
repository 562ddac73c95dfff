#include "dcbx_owner.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/host/namespace.h"
#include "../../policy/model/setting.h"
#include "../dcbnl.h"
#include "../lldpad/detect.h"

/* ---- other writers ---- */

/* Those below and those of capabilities.c. */
static const char *const known[] = { "nic-configuration-daemon",
				     "dmsd",
				     "sriov-network-config-daemon",
				     "doca_spcx_cc",
				     "doca_pcc",
				     NULL };

/* Returns a bit for each of the names that is known. */
static uint32_t bits_of(const char *const *names)
{
	uint32_t bits = 0;

	for (size_t i = 0; known[i]; i++)
		for (size_t k = 0; names[k]; k++)
			bits |= strcmp(known[i], names[k]) == 0 ? 1u << i : 0;
	return bits;
}

static void note_process(const struct process *p, void *arg)
{
	uint32_t *running = arg;
	const char *const name[] = { p->name, NULL };

	*running |= bits_of(name);
}

bool known_programs_run(struct host *h, const char *const *names)
{
	uint32_t running = 0;

	if (!run_fact_recall(&h->facts, FACT_KNOWN_PROGRAMS, &running, sizeof(running))) {
		/* A host that hides its processes has none to name. */
		(void)!process_each_of(h, known, note_process, &running);
		run_fact_remember(&h->facts, FACT_KNOWN_PROGRAMS, &running, sizeof(running));
	}
	return running & bits_of(names);
}

#define QOS \
	(SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX) | \
	 SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_DSCP_REST) | \
	 SETTING(SETTING_ROCE_TOS) | SETTING(SETTING_ROCE_TRAFFIC_CLASS))

/*
 * nic-configuration-operator, pkg/dms: trust, PFC and ToS of "roceOptimized", and NVConfig; a new
 * PFC mask ends global pause. DOCA's DMS has a path for most settings of a port.
 * sriov-network-operator, pkg/host: the MTU of physical functions.
 */
static const struct other_writer programs[] = {
	{ "nic-configuration-daemon", QOS | SETTING(SETTING_FIRMWARE_NVCONFIG),
	  "remove roceOptimized and spectrumXOptimized from this node's NicConfigurationTemplate, "
	  "or these settings from the policy" },
	{ "dmsd",
	  QOS | SETTING(SETTING_MTU) | SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) |
		  SETTING(SETTING_ETS_BANDWIDTH) | SETTING(SETTING_MAXRATE_TC_MBPS) |
		  SETTING(SETTING_CNP_DSCP) | SETTING(SETTING_CNP_PRIORITY) |
		  SETTING(SETTING_FIRMWARE_NVCONFIG),
	  "DOCA's management service does so when a client asks: run `systemctl disable --now "
	  "dmsd.service`, or leave these settings to losslessctl" },
	{ "sriov-network-config-daemon", SETTING(SETTING_MTU),
	  "remove mtu from the SriovNetworkNodePolicy of these ports, or from the policy" },
};

#define PROGRAMS (sizeof(programs) / sizeof(programs[0]))

_Static_assert(PROGRAMS <= OTHER_WRITERS_MAX, "each program has a place");

static bool is_listed(const struct other_writers *all, const struct other_writer *w)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].writer == w)
			return true;
	return false;
}

/* Compares the whole name: other programs may have the same 15 bytes. */
static void check_process(const struct process *p, void *arg)
{
	struct other_writers *all = arg;
	const char *slash = strrchr(p->words, '/');
	const char *program = slash ? slash + 1 : p->words;

	for (size_t i = 0; i < PROGRAMS; i++)
		if (strcmp(program, programs[i].name) == 0 && !is_listed(all, &programs[i]))
			all->list[all->count++] = (struct running_writer){ &programs[i], p->pid };
}

void other_writers_find(struct host *h, struct other_writers *ret)
{
	const char *names[PROGRAMS + 1] = { NULL };

	*ret = (struct other_writers){ .count = 0 };
	for (size_t i = 0; i < PROGRAMS; i++)
		names[i] = programs[i].name;
	if (known_programs_run(h, names))
		(void)!process_each_of(h, names, check_process, ret);
}

/* ---- the owner of DCBX ---- */

#define PROFILE_MAX 16384

struct search {
	struct host *h;
	const struct port *port;
	const char *dir;
	bool any_sets_dcb; /* for this port or for another */
	struct network_manager *found;
};

static char *trim(char *text)
{
	size_t size;

	while (isspace((unsigned char)*text))
		text++;
	size = strlen(text);
	while (size && isspace((unsigned char)text[size - 1]))
		text[--size] = '\0';
	return text;
}

/* The value of "KEY=VALUE", without blanks and quotes; NULL if the line has another key. */
static const char *keyfile_value(char *line, const char *key)
{
	char *value = strchr(line, '=');

	if (!value)
		return NULL;
	*value++ = '\0';
	if (strcmp(trim(line), key) != 0)
		return NULL;
	value = trim(value);
	if (*value == '"' || *value == '\'') {
		value++;
		value[strcspn(value, "\"'")] = '\0';
	}
	return value;
}

/* A profile selects a port by name or MAC address; without either it applies to all ports. */
static bool is_for_another(const char *section, char *line, const struct port *port)
{
	bool by_name = strcmp(section, "[connection]") == 0;
	const char *value = keyfile_value(line, by_name ? "interface-name" : "mac-address");

	if (!value || !*value)
		return false;
	if (by_name)
		return strcmp(value, port->id.name) != 0;
	return strcmp(section, "[ethernet]") == 0 && port->id.mac[0] &&
	       strcasecmp(value, port->id.mac) != 0;
}

static bool keyfile_sets_dcb(char *text, const struct port *port)
{
	const char *section = "";
	bool sets = false;

	for (char *line; (line = strsep(&text, "\n"));) {
		line = trim(line);
		if (*line == '[')
			section = line;
		else if (is_for_another(section, line, port))
			return false;
		sets = sets || strcmp(section, "[dcb]") == 0;
	}
	return sets;
}

static void check_profile(const char *name, void *arg)
{
	struct search *s = arg;
	const char *dot = strrchr(name, '.');
	char text[PROFILE_MAX];
	struct err quiet = { 0 };

	if (!dot || strcmp(dot, ".nmconnection") != 0 || s->found->profile[0])
		return;
	if (!host_read_file(s->h, text, sizeof(text), &quiet, "%s/%s", s->dir, name))
		return;
	s->any_sets_dcb = s->any_sets_dcb || strstr(text, "[dcb]");
	if (keyfile_sets_dcb(text, s->port))
		snprintf(s->found->profile, sizeof(s->found->profile), "%s", name);
}

static bool has_keyfile(struct search *s)
{
	static const char *const folders[] = {
		"/etc/NetworkManager/system-connections",
		"/run/NetworkManager/system-connections",
		"/usr/lib/NetworkManager/system-connections",
	};

	bool none = false;

	if (run_fact_recall(&s->h->facts, FACT_NO_DCB_PROFILE, &none, sizeof(none)))
		return false;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		struct err quiet = { 0 };

		s->dir = folders[i];
		if (host_list_dir(s->h, s->dir, check_profile, s, &quiet) && s->found->profile[0])
			return true;
	}
	none = true;
	if (!s->any_sets_dcb)
		run_fact_remember(&s->h->facts, FACT_NO_DCB_PROFILE, &none, sizeof(none));
	return false;
}

/* The values that NetworkManager reads as yes in such a file. */
static bool is_yes(const char *value)
{
	static const char *const words[] = { "yes", "true", "t", "y", "1" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(value, words[i]) == 0)
			return true;
	return false;
}

static bool has_ifcfg(struct search *s)
{
	char text[PROFILE_MAX], *rest = text;
	struct err quiet = { 0 };
	bool sets = false;

	if (!host_read_file(s->h, text, sizeof(text), &quiet,
			    "/etc/sysconfig/network-scripts/ifcfg-%s", s->port->id.name))
		return false;
	for (char *line; (line = strsep(&rest, "\n"));) {
		const char *value = keyfile_value(line, "DCB");

		sets = value ? is_yes(value) : sets;
	}
	snprintf(s->found->profile, sizeof(s->found->profile), "ifcfg-%.64s", s->port->id.name);
	return sets;
}

bool network_manager_sets_dcb(struct host *h, const struct port *port, struct network_manager *ret)
{
	struct search s = { .h = h, .port = port, .found = ret };

	*ret = (struct network_manager){ .pid = 0 };
	/* Check the files first: they are few, and processes are many. */
	return (has_keyfile(&s) || has_ifcfg(&s)) && process_runs(h, "NetworkManager", &ret->pid);
}

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
