#include "cc_params.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../agent/host/host_facts.h"
#include "../policy/model/setting.h"

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

/* In a LAG mlx5_ib makes the files for the member that has the RDMA device. */
static bool back_end_missing(const struct port *port, enum back_end via, struct err *err)
{
	if (via == BACK_END_DEBUGFS && port->in_lag)
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
	return err_fix(err, "under lockdown only MLNX_OFED's or DOCA-OFED's driver can set it");
}

bool cc_params_read(struct host *h, const struct port *port, const struct cc_params *all,
		    struct config *out, struct err *err)
{
	struct config seen = { 0 };

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
		return back_end_missing(port, all->via, err);
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

bool cc_params_write(struct host *h, const struct port *port, const struct cc_params *all,
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
