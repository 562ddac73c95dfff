/*
 * DCQCN: congestion control parameters, one file each, in debugfs or in MLNX_OFED's sysfs. The
 * notification point sends CNPs; the reaction point slows down and recovers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../agent/engine/feature.h"
#include "../agent/host/host_facts.h"
#include "../agent/host/pci_functions.h"
#include "../policy/model/setting.h"
#include "registry.h"

/* One parameter; NULL where a back end lacks it. */
struct cc_param {
	unsigned setting;
	const char *debugfs; /* below /sys/kernel/debug/mlx5/PCI-ADDRESS/cc_params */
	const char *ofed;    /* below /sys/class/net/PORT/ecn (MLNX_OFED) */
	/*
	 * In debugfs: reads 0 while the parameter is unset, and 0 unsets it; a write to the
	 * parameter sets it. The value of an unset one is the setting's word. NULL: always set.
	 */
	const char *valid;
};

/* A list is a macro of ROW(ID, debugfs, ofed); these make of it an array and the settings owned. */
#define CC_PARAM_ROW(id, debugfs, ofed)	    { SETTING_##id, debugfs, ofed, NULL },
#define CC_PARAM_SETTING(id, debugfs, ofed) SETTING(SETTING_##id) |
#define COUNT_OF(list)			    (sizeof(list) / sizeof((list)[0]))

enum back_end { BACK_END_DEBUGFS, BACK_END_OFED };

struct cc_params {
	const struct cc_param *list;
	size_t count;
	enum back_end via;
};

static const char *file_of(const struct cc_param *p, enum back_end via)
{
	return via == BACK_END_DEBUGFS ? p->debugfs : p->ofed;
}

static void cc_param_path(const struct port *port, const char *file, enum back_end via,
			  char path[PATH_TEXT_MAX])
{
	if (via == BACK_END_DEBUGFS)
		snprintf(path, PATH_TEXT_MAX, "/sys/kernel/debug/mlx5/%s/cc_params/%s",
			 port->id.pci, file);
	else
		snprintf(path, PATH_TEXT_MAX, "/sys/class/net/%s/ecn/%s", port->id.name, file);
}

/* The value of a setting whose parameter is unset: its one word. */
static uint32_t unset_value(const struct setting *k)
{
	return k->max + 1;
}

/* Reject values wider than the setting: truncated they would look like valid ones. */
static bool fits(const struct setting *k, uint32_t v)
{
	if (k->type == T_WORD_OR_INT)
		return v <= k->max;
	return k->type == T_BOOL ? v <= 1 : k->size >= sizeof(v) || v >> (8 * k->size) == 0;
}

/* MLNX_OFED prints values above INT32_MAX as negative numbers. */
static bool read_cc_param(struct host *h, const char *path, const struct setting *k, uint32_t *ret,
			  struct err *err)
{
	char word[32], *end;
	long long v;

	if (!host_read_file(h, word, sizeof(word), err, "%s", path))
		return false;
	v = strtoll(word, &end, 0);
	if (end == word || *end || v < INT32_MIN || v > UINT32_MAX)
		return err_set(err, ERR_UNKNOWN, EINVAL, "%s: \"%s\" is not a number", path, word);
	if (!fits(k, (uint32_t)v))
		return err_set(err, ERR_UNKNOWN, ERANGE, "%s: %s is out of range", path, word);
	*ret = (uint32_t)v;
	return true;
}

static bool read_param(struct host *h, const struct port *port, const struct cc_param *p,
		       enum back_end via, uint32_t *ret, struct err *err)
{
	const struct setting *k = &settings[p->setting];
	uint32_t valid = 1;
	char path[PATH_TEXT_MAX];

	if (p->valid) {
		cc_param_path(port, p->valid, via, path);
		if (!read_cc_param(h, path, k, &valid, err))
			return false;
	}
	cc_param_path(port, file_of(p, via), via, path);
	*ret = unset_value(k);
	return !valid || read_cc_param(h, path, k, ret, err);
}

/* In a LAG mlx5_ib makes the files for the function alone that the bond's RDMA device is of. */
static bool has_other_member_params(struct host *h, const struct port *port)
{
	const char *rdma = port->id.rdma[0] ? port->id.rdma : port->id.bond_rdma;
	char uevent[UEVENT_MAX], pci[ID_MAX];
	struct err quiet = { 0 };

	return port->in_lag &&
	       host_read_file(h, uevent, sizeof(uevent), &quiet,
			      "/sys/class/infiniband/%s/device/uevent", rdma) &&
	       uevent_value(uevent, "PCI_SLOT_NAME=", "\n", pci) &&
	       host_has_file(h, "/sys/kernel/debug/mlx5/%s/cc_params", pci);
}

static bool back_end_missing(struct host *h, const struct port *port, enum back_end via,
			     struct err *err)
{
	if (via == BACK_END_DEBUGFS && has_other_member_params(h, port))
		return err_set(err, ERR_ELSEWHERE, ENOENT,
			       "the inbox driver sets it on the other member of the bond alone");
	return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
		       via == BACK_END_DEBUGFS
			       ? "no congestion control parameters in debugfs (not mounted, or the "
				 "adapter does not offer them)"
			       : "MLNX_OFED's ecn directory is missing");
}

/* Debugfs refuses root only where the kernel is locked. */
static bool unreadable(struct host *h, enum back_end via, unsigned setting, const struct err *why,
		       struct err *err)
{
	if (via != BACK_END_DEBUGFS || why->code != EPERM || !host_is_locked_down(h)) {
		err_record(err, why->kind, why->code,
			   "%s cannot be read, and all of its group are read together: %.160s",
			   settings[setting].path, why->text);
		if (why->code == EIO)
			err_add_fix(err,
				    "the adapter's firmware did not report it: run `dmesg` and "
				    "look for errors of the driver");
		return false;
	}
	err_record(err, ERR_UNSUPPORTED, EPERM, "kernel lockdown (Secure Boot) closes debugfs");
	return err_fix(err, "under lockdown only MLNX_OFED's driver can set it");
}

/*
 * Reads the parameters that exist. ERR_UNSUPPORTED: the back end is missing, or kernel lockdown
 * closes it; ERR_DENIED: it exists but is not readable (debugfs needs root).
 */
static bool cc_params_read(struct host *h, const struct port *port, const struct cc_params *all,
			   struct config *out, struct err *err)
{
	struct config seen = { 0 };

	/* mlx5_ib_set_cc_params() of cong.c writes to the device's own function, that of port 1. */
	if (all->via == BACK_END_DEBUGFS && port->rdma_port > 1)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
			       "the inbox driver writes it to the first port of the RDMA device");
	for (size_t i = 0; i < all->count; i++) {
		const struct cc_param *p = &all->list[i];
		struct err why = { 0 };
		uint32_t v;

		if (!file_of(p, all->via))
			continue;
		if (read_param(h, port, p, all->via, &v, &why)) {
			setting_set_element(&settings[p->setting], &seen, 0, v);
			seen.has |= SETTING(p->setting);
		} else if (why.code != ENOENT) {
			return unreadable(h, all->via, p->setting, &why, err);
		}
	}
	if (!seen.has)
		return back_end_missing(h, port, all->via, err);
	*out = config_overlay(out, &seen);
	return true;
}

/* Only the firmware knows which values it takes. */
static bool refused(const struct setting *k, const char *value, struct err *err)
{
	if (err->code == EINVAL)
		err_add_fix(err, "the adapter's firmware refuses %s for %s: choose another value",
			    value, k->path);
	return false;
}

static bool write_param(struct host *h, const struct port *port, const struct cc_param *p,
			enum back_end via, int64_t v, struct err *err)
{
	const struct setting *k = &settings[p->setting];
	bool unsets = p->valid && v == unset_value(k);
	char path[PATH_TEXT_MAX], word[24];

	cc_param_path(port, unsets ? p->valid : file_of(p, via), via, path);
	snprintf(word, sizeof(word), "%lld", unsets ? 0 : (long long)v);
	return host_write_file(h, word, err, "%s", path) ||
	       refused(k, unsets ? "\"unset\"" : word, err);
}

/* Writes the parameters that differ, in the order of the list. */
static bool cc_params_write(struct host *h, const struct port *port, const struct cc_params *all,
			    const struct config *from, const struct config *to, struct err *err)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct cc_param *p = &all->list[i];
		int64_t v = setting_element(&settings[p->setting], to, 0);

		if (!file_of(p, all->via) || v == setting_element(&settings[p->setting], from, 0))
			continue;
		if (!write_param(h, port, p, all->via, v, err))
			return false;
	}
	return true;
}

/* DCQCN's notification point: the CNPs that tell senders to slow down. */

#define CNP_PARAMS(ROW) \
	ROW(CNP_PRIORITY, "np_cnp_prio", "roce_np/cnp_802p_prio") \
	ROW(CNP_PRIORITY_MODE, "np_cnp_prio_mode", NULL) \
	ROW(CNP_DSCP, "np_cnp_dscp", "roce_np/cnp_dscp") \
	ROW(CNP_MIN_INTERVAL_US, "np_min_time_between_cnps", "roce_np/min_time_between_cnps")

/* The two files of one parameter (cong.c). */
static const struct cc_param cnp_params[] = { CNP_PARAMS(CC_PARAM_ROW){
	SETTING_CNP_RTT_RESP_DSCP, "rtt_resp_dscp", NULL, "rtt_resp_dscp_valid" } };
static const struct cc_params cnp_in_debugfs = { cnp_params, COUNT_OF(cnp_params),
						 BACK_END_DEBUGFS };
static const struct cc_params cnp_in_ofed = { cnp_params, COUNT_OF(cnp_params), BACK_END_OFED };

#define ALL_CNP (CNP_PARAMS(CC_PARAM_SETTING) SETTING(SETTING_CNP_RTT_RESP_DSCP))

static bool cnp_read_debugfs(struct host *h, const struct port *port, struct config *out,
			     struct err *err)
{
	return cc_params_read(h, port, &cnp_in_debugfs, out, err);
}

#define PAIR (SETTING(SETTING_CNP_PRIORITY) | SETTING(SETTING_CNP_PRIORITY_MODE))

/* A setting that is unknown differs. */
static bool pair_differs(const struct config *from, const struct config *to)
{
	return from->cnp.priority != to->cnp.priority ||
	       from->cnp.priority_mode != to->cnp.priority_mode || (to->has & ~from->has & PAIR);
}

/*
 * One select bit stands for priority and mode, and mlx5_ib sends 0 for the one that a file is not
 * about (cong.c): debugfs reaches each priority with mode 0, and mode 1 with priority 0. Adapters
 * start with mode 1 and another priority.
 */
static bool pair_is_writable(const struct config *c)
{
	return !c->cnp.priority_mode || !c->cnp.priority;
}

/* Writes one file for both: that of the mode if the mode is 1, else that of the priority. */
static bool cnp_write_debugfs(struct host *h, const struct port *port, const struct config *from,
			      const struct config *to, struct err *err)
{
	struct config now = *from;

	if (pair_differs(from, to)) {
		now.cnp.priority = to->cnp.priority ^ !to->cnp.priority_mode;
		now.cnp.priority_mode = 0;
	}
	return cc_params_write(h, port, &cnp_in_debugfs, &now, to, err);
}

/*
 * A new priority clears the mode. What firmware makes of the priority 0 that is sent along with
 * mode 1 is not known.
 */
static void cnp_side_effects(const struct port *port, const struct config *from,
			     const struct config *to, struct config *after)
{
	(void)port;
	if (!pair_differs(from, to) || pair_is_writable(to))
		return;
	if (from->cnp.priority_mode)
		after->cnp.priority_mode = 0;
	else
		after->has &= ~SETTING(SETTING_CNP_PRIORITY);
}

static setting_set cnp_risks(const struct config *from, const struct config *to)
{
	return pair_differs(from, to) ? PAIR : 0;
}

/* Rather the mode than the priority, which only mode 0 takes. */
static setting_set cnp_unreachable(const struct config *actual, const struct config *back,
				   setting_set keep)
{
	if ((back->has & PAIR) != PAIR || pair_is_writable(back) ||
	    !(config_diff(back, actual) & PAIR))
		return 0;
	return SETTING(keep & SETTING(SETTING_CNP_PRIORITY) ? SETTING_CNP_PRIORITY_MODE
							    : SETTING_CNP_PRIORITY);
}

static const char *cnp_irreversible(const struct port *port, const struct config *from,
				    const struct config *to)
{
	(void)port;
	return pair_differs(from, to) && !pair_is_writable(from)
		       ? "the driver cannot write cnp.priority_mode 1 with a priority: rollback "
			 "restores the mode, and only a cold start of the adapter the priority"
		       : NULL;
}

static bool cnp_read_ofed(struct host *h, const struct port *port, struct config *out,
			  struct err *err)
{
	return cc_params_read(h, port, &cnp_in_ofed, out, err);
}

static bool cnp_write_ofed(struct host *h, const struct port *port, const struct config *from,
			   const struct config *to, struct err *err)
{
	return cc_params_write(h, port, &cnp_in_ofed, from, to, err);
}

const struct feature feature_cnp_debugfs = {
	.name = "cnp",
	.owns = ALL_CNP,
	.source = "debugfs cc_params",
	.read = cnp_read_debugfs,
	.write = cnp_write_debugfs,
	.side_effects = cnp_side_effects,
	.risks = cnp_risks,
	.irreversible = cnp_irreversible,
	.unreachable = cnp_unreachable,
};

const struct feature feature_cnp_ofed = {
	.name = "cnp",
	.owns = ALL_CNP,
	.source = "sysfs ecn/roce_np",
	.read = cnp_read_ofed,
	.write = cnp_write_ofed,
};

/* DCQCN's reaction point: how a sender slows down and recovers. */

#define DCQCN_PARAMS(ROW) \
	ROW(DCQCN_CLAMP_TGT_RATE, "rp_clamp_tgt_rate", "roce_rp/clamp_tgt_rate") \
	ROW(DCQCN_CLAMP_TGT_RATE_AFTER_TIME_INC, "rp_clamp_tgt_rate_ati", \
	    "roce_rp/clamp_tgt_rate_after_time_inc") \
	ROW(DCQCN_RPG_TIME_RESET, "rp_time_reset", "roce_rp/rpg_time_reset") \
	ROW(DCQCN_RPG_BYTE_RESET, "rp_byte_reset", "roce_rp/rpg_byte_reset") \
	ROW(DCQCN_RPG_THRESHOLD, "rp_threshold", "roce_rp/rpg_threshold") \
	ROW(DCQCN_RPG_AI_RATE, "rp_ai_rate", "roce_rp/rpg_ai_rate") \
	ROW(DCQCN_RPG_MAX_RATE, "rp_max_rate", "roce_rp/rpg_max_rate") \
	ROW(DCQCN_RPG_HAI_RATE, "rp_hai_rate", "roce_rp/rpg_hai_rate") \
	ROW(DCQCN_RPG_MIN_DEC_FAC, "rp_min_dec_fac", "roce_rp/rpg_min_dec_fac") \
	ROW(DCQCN_RPG_MIN_RATE, "rp_min_rate", "roce_rp/rpg_min_rate") \
	ROW(DCQCN_RATE_TO_SET_ON_FIRST_CNP, "rp_rate_to_set_on_first_cnp", \
	    "roce_rp/rate_to_set_on_first_cnp") \
	ROW(DCQCN_DCE_TCP_G, "rp_dce_tcp_g", "roce_rp/dce_tcp_g") \
	ROW(DCQCN_DCE_TCP_RTT, "rp_dce_tcp_rtt", "roce_rp/dce_tcp_rtt") \
	ROW(DCQCN_RATE_REDUCE_MONITOR_PERIOD, "rp_rate_reduce_monitor_period", \
	    "roce_rp/rate_reduce_monitor_period") \
	ROW(DCQCN_INITIAL_ALPHA_VALUE, "rp_initial_alpha_value", "roce_rp/initial_alpha_value") \
	ROW(DCQCN_RPG_GD, "rp_gd", "roce_rp/rpg_gd")

static const struct cc_param dcqcn_params[] = { DCQCN_PARAMS(CC_PARAM_ROW) };
static const struct cc_params dcqcn_in_debugfs = { dcqcn_params, COUNT_OF(dcqcn_params),
						   BACK_END_DEBUGFS };
static const struct cc_params dcqcn_in_ofed = { dcqcn_params, COUNT_OF(dcqcn_params),
						BACK_END_OFED };

#define ALL_DCQCN (DCQCN_PARAMS(CC_PARAM_SETTING) 0)

static bool dcqcn_read_debugfs(struct host *h, const struct port *port, struct config *out,
			       struct err *err)
{
	return cc_params_read(h, port, &dcqcn_in_debugfs, out, err);
}

static bool dcqcn_write_debugfs(struct host *h, const struct port *port, const struct config *from,
				const struct config *to, struct err *err)
{
	return cc_params_write(h, port, &dcqcn_in_debugfs, from, to, err);
}

static bool dcqcn_read_ofed(struct host *h, const struct port *port, struct config *out,
			    struct err *err)
{
	return cc_params_read(h, port, &dcqcn_in_ofed, out, err);
}

static bool dcqcn_write_ofed(struct host *h, const struct port *port, const struct config *from,
			     const struct config *to, struct err *err)
{
	return cc_params_write(h, port, &dcqcn_in_ofed, from, to, err);
}

const struct feature feature_dcqcn_debugfs = {
	.name = "dcqcn",
	.owns = ALL_DCQCN,
	.source = "debugfs cc_params",
	.read = dcqcn_read_debugfs,
	.write = dcqcn_write_debugfs,
};

const struct feature feature_dcqcn_ofed = {
	.name = "dcqcn",
	.owns = ALL_DCQCN,
	.source = "sysfs ecn/roce_rp",
	.read = dcqcn_read_ofed,
	.write = dcqcn_write_ofed,
};
