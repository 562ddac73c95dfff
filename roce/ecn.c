/*
 * Enables DCQCN's notification and reaction points. Only MLNX_OFED can do so at run time; otherwise
 * firmware decides (NVConfig ROCE_CC_PRIO_MASK).
 */
#include <errno.h>

#include "../policy/model/setting.h"
#include "registry.h"

static bool read_switch(struct host *h, const struct port *port, const char *point, int prio,
			bool *ret, struct err *err)
{
	struct err why = { 0 };
	char word[16];

	if (host_read_file(h, word, sizeof(word), &why, "/sys/class/net/%s/ecn/%s/enable/%d",
			   port->id.name, point, prio)) {
		*ret = word[0] == '1';
		/* A failed firmware query reads as an empty file, without an error. */
		return word[0] || err_set(err, ERR_UNKNOWN, EIO, "the adapter did not answer");
	}
	if (why.kind != ERR_UNSUPPORTED)
		return err_set(err, why.kind, why.code, "%s", why.text);
	return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
		       "the firmware sets it: only MLNX_OFED can read or change it");
}

static bool ecn_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	unsigned mask = 0;
	bool np, on;

	/* The eight files of the notification point are one switch for the whole port. */
	if (!read_switch(h, port, "roce_np", 0, &np, err))
		return false;
	for (int p = 0; p < PRIOS; p++) {
		if (!read_switch(h, port, "roce_rp", p, &on, err))
			return false;
		mask |= (unsigned)on << p;
	}

	out->ecn.np = np;
	out->ecn.rp_priorities = (uint8_t)mask;
	out->has |= feature_ecn.owns;
	return true;
}

static bool set_switch(struct host *h, const struct port *port, const char *point, int prio,
		       bool on, struct err *err)
{
	return host_write_file(h, on ? "1" : "0", err, "/sys/class/net/%s/ecn/%s/enable/%d",
			       port->id.name, point, prio);
}

/* Writes only the differences: enabling an enabled point fails with EPERM. */
static bool ecn_write(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err)
{
	unsigned turned = from->ecn.rp_priorities ^ to->ecn.rp_priorities;

	if (from->ecn.np != to->ecn.np && !set_switch(h, port, "roce_np", 0, to->ecn.np, err))
		return false;
	for (int p = 0; p < PRIOS; p++)
		if ((turned & (1u << p)) &&
		    !set_switch(h, port, "roce_rp", p, to->ecn.rp_priorities & (1u << p), err))
			return false;
	return true;
}

const struct feature feature_ecn = {
	.name = "ecn",
	.owns = SETTING(SETTING_ECN_NP) | SETTING(SETTING_ECN_RP_PRIORITIES),
	.source = "sysfs ecn/*/enable",
	.read = ecn_read,
	.write = ecn_write,
};
