/*
 * DCB over rtnetlink: one object per message, and the errno that the kernel reports in an
 * attribute.
 */
#ifndef LOSSLESSCTL_DCB_DCBNL_H
#define LOSSLESSCTL_DCB_DCBNL_H

#include <linux/dcbnl.h>
#include <stdint.h>

#include "../agent/host/host.h"
#include "../policy/model/config.h"

/* Converts transmission selection algorithms (TSA) between enum tsa and the kernel's codes. */

/* enum tsa of a kernel code; reserved codes that a driver may report (3 to 254) count as vendor. */
uint8_t tsa_from_kernel(uint8_t code);

/* The kernel's IEEE_8021QAZ_TSA_* of an enum tsa. */
uint8_t tsa_to_kernel(uint8_t tsa);

/*
 * Reads one object of IEEE_GET into `out` of `size` bytes. The kernel leaves an object out of its
 * reply both if the driver lacks it and if reading failed, and drops the errno. Fails with
 * ERR_UNKNOWN if the driver's CEE side has ETS or PFC, else with ERR_UNSUPPORTED. Needs no
 * privilege.
 */
bool dcb_get(struct host *h, const char *port, uint16_t attr, void *out, size_t size,
	     struct err *err) must_check;

/*
 * Record why a reply lacks an object: the driver does not have it, or failed to read it. Always
 * false.
 */
bool dcb_lacks(struct err *err);
bool dcb_failed_to_read(struct err *err);

/* One object of a reply; `found` is set if the reply had it. */
struct dcb_object {
	uint16_t attr;
	void *out;
	size_t size;
	bool found;
};

/* Reads several objects with one request. Objects missing from the reply keep their content. */
bool dcb_get_all(struct host *h, const char *port, struct dcb_object *objects, size_t count,
		 struct err *err) must_check;

/*
 * Writes one object. Success only means that the driver did not object: it ignores unknown
 * attributes without an error.
 */
bool dcb_set(struct host *h, const char *port, uint16_t attr, const void *value, size_t size,
	     struct err *err) must_check;

/* Calls `each` for every entry of the APP table, in no particular order. */
bool dcb_each_app(struct host *h, const char *port, void (*each)(const struct dcb_app *, void *),
		  void *arg, struct err *err) must_check;

/* The kernel stores any priority that a program gives to an entry. */
#define APP_PRIORITY_INVALID "an APP entry has a priority beyond 7"

/* Adds (DCB_CMD_IEEE_SET) or deletes (DCB_CMD_IEEE_DEL) entries; stops at the first refusal. */
bool dcb_change_apps(struct host *h, const char *port, uint8_t cmd, const struct dcb_app *apps,
		     size_t count, struct err *err) must_check;

/* Added in Linux 6.2; older headers lack them. */
#define ATTR_APP_TRUST_TABLE 11 /* DCB_ATTR_DCB_APP_TRUST_TABLE, in DCB_ATTR_IEEE */
#define ATTR_DCB_APP	     2 /* DCB_ATTR_DCB_APP: a selector that IEEE 802.1Qaz does not define */
#define SELECTOR_PCP	     255 /* DCB_APP_SEL_PCP */

/* Get and set the selectors that the port trusts, in order of precedence, at most SELECTORS_MAX. */
bool dcb_get_app_trust(struct host *h, const char *port, uint8_t *ret, size_t *ret_count,
		       struct err *err) must_check;
bool dcb_set_app_trust(struct host *h, const char *port, const uint8_t *selectors, size_t count,
		       struct err *err) must_check;

/* Get and set the DCBX byte (DCB_CAP_DCBX_*). */
bool dcb_get_dcbx(struct host *h, const char *port, uint8_t *ret, struct err *err) must_check;
bool dcb_set_dcbx(struct host *h, const char *port, uint8_t mode, struct err *err) must_check;

/*
 * True if firmware runs DCBX. mlx5 never sets LLD_MANAGED then; other drivers set it along with
 * HOST.
 */
bool dcbx_is_firmwares(uint8_t mode);

#endif
