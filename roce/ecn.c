/*
 * Enables DCQCN's notification and reaction points. Only MLNX_OFED can do so at run time; otherwise
 * firmware decides (NVConfig ROCE_CC_PRIO_MASK).
 */
#include <errno.h>

#include "../policy/model/setting.h"
#include "registry.h"

#define SWITCH_FORMAT "/sys/class/net/%s/ecn/%s/enable/%d"
#define EVERY_PRIO    0xff

static bool read_switch(struct host *h, const struct port *port, const char *point, int prio,
			bool *ret, struct err *err)
{
	struct err why = { 0 };
	char word[16];

	if (host_read_file(h, word, sizeof(word), &why, SWITCH_FORMAT, port->id.name, point,
			   prio)) {
		*ret = word[0] == '1';
		/* A failed firmware query reads as an empty file, without an error. */
		return word[0] || err_set(err, ERR_UNKNOWN, EIO, "the adapter did not answer");
	}
	if (why.kind != ERR_UNSUPPORTED)
		return err_set(err, why.kind, why.code, "%s", why.text);
	return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
		       "the firmware sets it: only MLNX_OFED can read or change it");
}

/* The priorities that a point is on for. */
static bool read_point(struct host *h, const struct port *port, const char *point, uint8_t *ret,
		       struct err *err)
{
	unsigned mask = 0;
	bool on;

	for (int p = 0; p < PRIOS; p++) {
		if (!read_switch(h, port, point, p, &on, err))
			return false;
		mask |= (unsigned)on << p;
	}
	*ret = (uint8_t)mask;
	return true;
}

static bool ecn_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	uint8_t np, rp;

	if (!read_point(h, port, "roce_np", &np, err) || !read_point(h, port, "roce_rp", &rp, err))
		return false;

	out->ecn.np = np == EVERY_PRIO;
	out->ecn.rp_priorities = rp;
	out->has |= feature_ecn.owns;
	return true;
}

/*
 * Writes only the switches that differ now: enabling an enabled one fails with EPERM, and one may
 * turn others of its point.
 */
static bool write_point(struct host *h, const struct port *port, const char *point, uint8_t to,
			struct err *err)
{
	for (int p = 0; p < PRIOS; p++) {
		bool desired = to & (1u << p), on;

		if (!read_switch(h, port, point, p, &on, err))
			return false;
		if (on != desired && !host_write_file(h, desired ? "1" : "0", err, SWITCH_FORMAT,
						      port->id.name, point, p))
			return false;
	}
	return true;
}

static bool ecn_write(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err)
{
	if (from->ecn.np != to->ecn.np &&
	    !write_point(h, port, "roce_np", to->ecn.np ? EVERY_PRIO : 0, err))
		return false;
	return from->ecn.rp_priorities == to->ecn.rp_priorities ||
	       write_point(h, port, "roce_rp", to->ecn.rp_priorities, err);
}

/* A notification point that is on for some priorities reads as off. */
static const char *ecn_irreversible(const struct port *port, const struct config *from,
				    const struct config *to)
{
	(void)port;
	return from->ecn.np || !to->ecn.np
		       ? NULL
		       : "a rollback turns the notification point off for every priority, also for "
			 "one that has it now";
}

const struct feature feature_ecn = {
	.name = "ecn",
	.owns = SETTING(SETTING_ECN_NP) | SETTING(SETTING_ECN_RP_PRIORITIES),
	.source = "sysfs ecn/*/enable",
	.read = ecn_read,
	.write = ecn_write,
	.irreversible = ecn_irreversible,
};
