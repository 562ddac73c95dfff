#include "pci_functions.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool uevent_value(const char *uevent, const char *key, const char *ends, char ret[ID_MAX])
{
	const char *at = strstr(uevent, key);

	if (at)
		snprintf(ret, ID_MAX, "%.*s", (int)strcspn(at + strlen(key), ends),
			 at + strlen(key));
	return at;
}

static bool is_port(struct host *h, const struct port *port, const char *device, const char *up)
{
	char uevent[UEVENT_MAX], pci[ID_MAX];
	struct err quiet = { 0 };

	return host_read_file(h, uevent, sizeof(uevent), &quiet, "%s/%s/uevent", device, up) &&
	       uevent_value(uevent, "PCI_SLOT_NAME=", "\n", pci) && strcmp(pci, port->id.pci) == 0;
}

bool function_has(struct host *h, const struct port *port, const char *class, const char *name)
{
	char device[PATH_TEXT_MAX];

	snprintf(device, sizeof(device), "/sys/class/%s/%s/device", class, name);
	return is_port(h, port, device, "physfn") || is_port(h, port, device, "..");
}

void links_under_functions(struct host *h, const struct port *port, struct link_list *links)
{
	for (size_t i = 0; i < links->count; i++)
		if (!links->links[i].lower && function_has(h, port, "net", links->links[i].name))
			links->links[i].lower = port->ifindex;
}

void links_without_device(struct host *h, struct link_list *links)
{
	char uevent[UEVENT_MAX];
	struct err why = { 0 };

	for (size_t i = 0; i < links->count; i++) {
		struct link *l = &links->links[i];

		if (l->has_no_kind && !l->lower && !l->is_tunnel)
			l->is_tunnel = !host_read_file(h, uevent, sizeof(uevent), &why,
						       "/sys/class/net/%s/device/uevent", l->name);
	}
}

/* A walk through the directory of the port's device, and what it is for. */
struct walk {
	struct host *h;
	char device[PATH_TEXT_MAX];
	struct functions_elsewhere *found;
	void (*each)(const char *name, void *arg);
	void *arg;
};

static void note_any(const char *name, void *arg)
{
	bool *any = arg;

	(void)name;
	*any = true;
}

/*
 * A VF is a link in its PF's directory, an SF a device of the auxiliary bus there
 * (mlx5_sf_dev_add()). sysfs shows the interfaces of this network namespace alone. False: it has
 * none.
 */
static bool list_interfaces(const struct walk *w, const char *function,
			    void (*each)(const char *name, void *arg), void *arg)
{
	char net[PATH_TEXT_MAX];
	struct err quiet = { 0 };

	snprintf(net, sizeof(net), "%.120s/%.120s/net", w->device, function);
	return host_list_dir(w->h, net, each, arg, &quiet);
}

static bool is_function(const char *name)
{
	return fnmatch("virtfn*", name, 0) == 0 || fnmatch("mlx5_core.sf.*", name, 0) == 0;
}

/* vfio suspends a device that nobody has opened (vfio_pci_core_register_device()). */
static bool is_suspended(struct host *h, const char *path)
{
	char status[16];
	struct err quiet = { 0 };

	return host_read_file(h, status, sizeof(status), &quiet, "%s/power/runtime_status", path) &&
	       strcmp(status, "suspended") == 0;
}

/* Without a driver a function carries nothing. */
static void judge_function(const char *name, void *arg)
{
	const struct walk *w = arg;
	struct functions_elsewhere *f = w->found;
	char path[PATH_TEXT_MAX], uevent[UEVENT_MAX], driver[ID_MAX];
	struct err quiet = { 0 };
	bool is_here = false;

	snprintf(path, sizeof(path), "%.120s/%.120s", w->device, name);
	if (!is_function(name) ||
	    !host_read_file(w->h, uevent, sizeof(uevent), &quiet, "%s/uevent", path) ||
	    !uevent_value(uevent, "DRIVER=", "\n", driver) ||
	    (list_interfaces(w, name, note_any, &is_here) && is_here) || is_suspended(w->h, path) ||
	    f->count++)
		return;
	snprintf(f->driver, sizeof(f->driver), "%s", driver);
	if (!uevent_value(uevent, "PCI_SLOT_NAME=", "\n", f->first))
		snprintf(f->first, sizeof(f->first), "%.63s", name);
}

static void pass_interfaces(const char *name, void *arg)
{
	const struct walk *w = arg;

	if (is_function(name))
		list_interfaces(w, name, w->each, w->arg);
}

static bool walk_functions(struct walk *w, const struct port *port,
			   void (*each)(const char *name, void *walk), struct err *err)
{
	struct err why = { 0 };

	snprintf(w->device, sizeof(w->device), "/sys/bus/pci/devices/%s", port->id.pci);
	if (!port->id.pci[0] || host_list_dir(w->h, w->device, each, w, &why) ||
	    why.kind == ERR_UNSUPPORTED)
		return true;
	*err = why;
	return false;
}

bool functions_here(struct host *h, const struct port *port,
		    void (*each)(const char *interface, void *arg), void *arg, struct err *err)
{
	struct walk w = { .h = h, .each = each, .arg = arg };

	return walk_functions(&w, port, pass_interfaces, err);
}

bool functions_elsewhere(struct host *h, const struct port *port, struct functions_elsewhere *ret,
			 struct err *err)
{
	struct walk w = { .h = h, .found = ret };

	*ret = (struct functions_elsewhere){ .count = 0 };
	return walk_functions(&w, port, judge_function, err);
}

#define VENDOR_MELLANOX 0x15b3

static const struct pci_device devices[] = {
	{ 0x1013, .is_connectx4 = true }, /* ConnectX-4 */
	{ 0x1014, .is_vf = true, .is_connectx4 = true },
	{ 0x1015, .is_connectx4 = true }, /* ConnectX-4 Lx */
	{ 0x1016, .is_vf = true, .is_connectx4 = true },
	{ 0x1018, .is_vf = true },	  /* ConnectX-5 */
	{ 0x101a, .is_vf = true },	  /* ConnectX-5 Ex */
	{ 0x101c, .is_vf = true },	  /* ConnectX-6 */
	{ 0x101e, .is_vf = true },	  /* ConnectX-6 Dx and later */
	{ 0xa2d2, .is_bluefield = true }, /* BlueField */
	{ 0xa2d3, .is_vf = true, .is_bluefield = true },
	{ 0xa2d6, .is_bluefield = true }, /* BlueField-2 */
	{ 0xa2dc, .is_bluefield = true }, /* BlueField-3 */
	{ 0xa2df, .is_bluefield = true }, /* BlueField-4 */
};

static unsigned long read_id(struct host *h, const char *device, const char *file)
{
	struct err quiet = { 0 };
	char text[16];

	if (!host_read_file(h, text, sizeof(text), &quiet, "%s/%s", device, file))
		return 0;
	return strtoul(text, NULL, 16);
}

const struct pci_device *pci_device_of(struct host *h, const char *device)
{
	unsigned long id;

	if (read_id(h, device, "vendor") != VENDOR_MELLANOX)
		return NULL;
	id = read_id(h, device, "device");
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		if (devices[i].id == id)
			return &devices[i];
	return NULL;
}
