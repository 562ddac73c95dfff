/* Speaking DCB over rtnetlink: one object a message, and the errno that hides in the reply. */
#ifndef LOSSLESSCTL_DCB_DCBNL_H
#define LOSSLESSCTL_DCB_DCBNL_H

#include <linux/dcbnl.h>

#include "../agent/host/host.h"
#include "../policy/model/config.h"

/*
 * Reads one object of IEEE_GET into `out` of `size` bytes. The kernel leaves an object out
 * when the driver lacks it and when reading it failed, and drops the errno. It is ERR_UNKNOWN
 * where the driver has ETS or PFC on its CEE side, else ERR_UNSUPPORTED. Reading needs no
 * privilege.
 */
bool dcb_get(struct host *h, const char *port, uint16_t attr, void *out, size_t size,
	     struct err *err) must_check;

/* Why an object is not in a reply: the driver lacks it, or has it and failed. Returns false. */
bool dcb_lacks(struct err *err);
bool dcb_failed_to_read(struct err *err);

/* One object of a reply; `found` says whether it was in there. */
struct dcb_object {
	uint16_t attr;
	void *out;
	size_t size;
	bool found;
};

/* Reads several objects with one request. An object that the port leaves out stays as it is. */
bool dcb_get_all(struct host *h, const char *port, struct dcb_object *objects, size_t count,
		 struct err *err) must_check;

/*
 * Writes one object. Success says only that the driver did not object: an
 * attribute that it does not know is ignored with success.
 */
bool dcb_set(struct host *h, const char *port, uint16_t attr, const void *value, size_t size,
	     struct err *err) must_check;

/* Calls `each` for every entry of the APP table, in no order. */
bool dcb_each_app(struct host *h, const char *port, void (*each)(const struct dcb_app *, void *),
		  void *arg, struct err *err) must_check;

/* The kernel keeps whatever priority somebody gave an entry. */
#define APP_PRIORITY_ODD "an APP entry has a priority beyond 7"

/* Adds (DCB_CMD_IEEE_SET) or deletes (DCB_CMD_IEEE_DEL) entries; stops at the first refusal. */
bool dcb_change_apps(struct host *h, const char *port, uint8_t cmd, const struct dcb_app *apps,
		     size_t count, struct err *err) must_check;

/* Linux 6.2; older headers lack them. */
#define ATTR_APP_TRUST_TABLE 11	 /* DCB_ATTR_DCB_APP_TRUST_TABLE, in DCB_ATTR_IEEE */
#define ATTR_DCB_APP	     2	 /* DCB_ATTR_DCB_APP: a selector that is not of IEEE 802.1Qaz */
#define SELECTOR_PCP	     255 /* DCB_APP_SEL_PCP */

/* The selectors that the port trusts, in order: up to SELECTORS_MAX of them. */
bool dcb_get_app_trust(struct host *h, const char *port, uint8_t *ret, size_t *ret_count,
		       struct err *err) must_check;
bool dcb_set_app_trust(struct host *h, const char *port, const uint8_t *selectors, size_t count,
		       struct err *err) must_check;

/* The DCBX byte (DCB_CAP_DCBX_*). */
bool dcb_get_dcbx(struct host *h, const char *port, uint8_t *ret, struct err *err) must_check;
bool dcb_set_dcbx(struct host *h, const char *port, uint8_t mode, struct err *err) must_check;

/* Does firmware run DCBX? mlx5's never says LLD_MANAGED; elsewhere HOST may be set beside it. */
bool dcbx_is_firmwares(uint8_t mode);

#endif
