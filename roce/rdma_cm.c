#include "registry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/host/cleanup.h"
#include "../policy/model/setting.h"
#include "device.h"

#define RDMA_CM	    "/sys/kernel/config/rdma_cm"
#define MODE_FILE   "default_roce_mode"
#define TOS_FILE    "default_roce_tos"
#define MODULES_MAX (8u << 20)

/*
 * Read or write one file of rdma_cm/DEVICE/ports/N. ERR_UNSUPPORTED: the port has no RDMA device;
 * ERR_MISSING: its directory does not exist yet.
 */
static bool rdma_cm_read(struct host *h, const struct port *port, const char *file, char *buf,
			 size_t size, struct err *err)
{
	struct err why = { 0 };

	if (!rdma_has_roce(port, err))
		return false;
	if (host_read_file(h, buf, size, &why, RDMA_CM "/%s/ports/%u/%s", port->id.rdma,
			   port->rdma_port, file))
		return true;
	if (why.kind == ERR_UNSUPPORTED) {
		err_record(err, ERR_MISSING, ENOENT, RDMA_CM "/%s does not exist", port->id.rdma);
		return err_fix(err, "run `losslessctl apply`, which creates it");
	}
	/*
	 * The directory outlives its RDMA device and then returns ENODEV: do not report the port as
	 * gone.
	 */
	return err_set(err, why.kind == ERR_GONE ? ERR_UNKNOWN : why.kind, why.code, "%s",
		       why.text);
}

static bool rdma_cm_write(struct host *h, const struct port *port, const char *file,
			  const char *value, struct err *err)
{
	if (!rdma_has_roce(port, err))
		return false;
	return host_write_file(h, value, err, RDMA_CM "/%s/ports/%u/%s", port->id.rdma,
			       port->rdma_port, file);
}

/* To create it again would count as a change: all facts of the host would then be asked anew. */
static bool is_there(struct host *h, const struct port *port)
{
	char text[32];
	struct err quiet = { 0 };

	return rdma_cm_read(h, port, TOS_FILE, text, sizeof(text), &quiet);
}

/* True if modprobe(8) knows the module, or if that cannot be read. */
static bool can_be_loaded(struct host *h)
{
	_free_ char *modules = NULL;
	struct err why = { 0 };
	char release[128];

	if (!host_read_file(h, release, sizeof(release), &why, "/proc/sys/kernel/osrelease"))
		return true;
	if (!host_read_large_file(h, MODULES_MAX, &modules, &why, "/lib/modules/%s/modules.dep",
				  release))
		return why.kind != ERR_UNSUPPORTED;
	return strstr(modules, "/rdma_cm.ko");
}

/* Foresees it in a run that only reads: once the module is there, only configfs may be missing. */
static bool can_be_made(struct host *h, const struct port *port, struct err *err)
{
	return host_has_file(h, RDMA_CM) ||
	       (!host_has_file(h, "/sys/module/rdma_cm") && can_be_loaded(h)) ||
	       err_set(err, ERR_SYSTEM, ENOENT, "make " RDMA_CM "/%s: %s", port->id.rdma,
		       strerror(ENOENT));
}

static bool make(struct host *h, const struct port *port, struct err *err)
{
	struct err quiet = { 0 };

	return host_make_dir(h, err, RDMA_CM "/%s", port->id.rdma) ||
	       (host_load_module(h, "rdma_cm", &quiet) &&
		host_make_dir(h, &quiet, RDMA_CM "/%s", port->id.rdma));
}

bool rdma_cm_prepare(struct host *h, const struct port *port, struct err *err)
{
	struct err first = { 0 };

	if (!rdma_has_roce(port, &first) || is_there(h, port))
		return true;
	first = (struct err){ 0 };
	if (h->may_write ? make(h, port, &first) : can_be_made(h, port, &first))
		return true;
	err_record(err, first.kind, first.code, "%s", first.text);
	return err_fix(err, "mount configfs on /sys/kernel/config, and run `modprobe rdma_cm`");
}

/* The kernel's names (drivers/infiniband/core/cache.c). */
static const char *const words[] = { [ROCE_V1] = "IB/RoCE v1", [ROCE_V2] = "RoCE v2" };

static bool mode_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	char word[32];

	if (!rdma_cm_read(h, port, MODE_FILE, word, sizeof(word), err))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i]) == 0) {
			out->roce.mode = (uint8_t)i;
			out->has |= feature_roce_mode.owns;
			return true;
		}
	return err_set(err, ERR_UNKNOWN, EINVAL, "\"%s\" is not a RoCE mode", word);
}

static bool mode_write(struct host *h, const struct port *port, const struct config *from,
		       const struct config *to, struct err *err)
{
	(void)from;
	return rdma_cm_write(h, port, MODE_FILE, words[to->roce.mode], err);
}

const struct feature feature_roce_mode = {
	.name = "roce-mode",
	.needs_no_interface = true,
	.owns = SETTING(SETTING_ROCE_MODE),
	.source = "configfs " MODE_FILE,
	.read = mode_read,
	.write = mode_write,
	.prepare = rdma_cm_prepare,
};

static bool tos_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	char word[16], *end;
	unsigned long v;

	if (!rdma_cm_read(h, port, TOS_FILE, word, sizeof(word), err))
		return false;
	v = strtoul(word, &end, 10);
	if (end == word || *end || v > UINT8_MAX)
		return err_set(err, ERR_UNKNOWN, EINVAL, "\"%s\" is not a ToS", word);

	out->roce.tos = (uint8_t)v;
	out->has |= feature_roce_tos.owns;
	return true;
}

static bool tos_write(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err)
{
	char word[16];

	(void)from;
	snprintf(word, sizeof(word), "%u", to->roce.tos);
	return rdma_cm_write(h, port, TOS_FILE, word, err);
}

/* Move new connections off a priority before it loses its guarantee. */
static bool tos_intermediate(const struct config *from, const struct config *to, struct config *mid)
{
	mid->roce.tos = to->roce.tos;
	return config_withdraws_pfc(from, to);
}

const struct feature feature_roce_tos = {
	.name = "roce-tos",
	.needs_no_interface = true,
	.owns = SETTING(SETTING_ROCE_TOS),
	.source = "configfs " TOS_FILE,
	.read = tos_read,
	.write = tos_write,
	.prepare = rdma_cm_prepare,
	.intermediate = tos_intermediate,
};
