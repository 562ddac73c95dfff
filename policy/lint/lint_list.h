/* The lints by subject, for lint.c; each list ends with a row without a name. */
#ifndef LOSSLESSCTL_POLICY_LINT_LINT_LIST_H
#define LOSSLESSCTL_POLICY_LINT_LINT_LIST_H

#include "../model/setting.h"
#include "lint_row.h"

extern const struct lint lints_pfc[], lints_mtu[], lints_bond[], lints_buffer[], lints_ets[],
	lints_marking[], lints_vlan[], lints_ecn[], lints_switch_map[], lints_host[],
	lints_document[];

#define HAS(c, id) (((c)->has & SETTING(id)) != 0)

/* Only valid if pfc.priorities is known. A negative `prio` is not a priority. */
static inline bool is_lossless(const struct config *c, int prio)
{
	return prio >= 0 && (c->pfc.priorities & (1u << prio));
}

#endif
