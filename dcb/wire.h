/* Speaking DCB over rtnetlink: one object a message, and the errno that hides in the reply. */
#ifndef LOSSLESSCTL_DCB_WIRE_H
#define LOSSLESSCTL_DCB_WIRE_H

#include <linux/dcbnl.h>

#include "../agent/host.h"

/*
 * Reads one object of IEEE_GET into `out` of `size` bytes. A port that leaves
 * it out, as the kernel does for "unsupported" and "failed" alike, is
 * ERR_UNSUPPORTED. Reading needs no privilege.
 */
bool dcb_get(struct host *h, const char *port, uint16_t attr, void *out, size_t size,
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

/* Adds (DCB_CMD_IEEE_SET) or deletes (DCB_CMD_IEEE_DEL) entries; stops at the first refusal. */
bool dcb_change_apps(struct host *h, const char *port, uint8_t cmd, const struct dcb_app *apps,
		     size_t count, struct err *err) must_check;

/* The DCBX byte (DCB_CAP_DCBX_*). */
bool dcb_get_dcbx(struct host *h, const char *port, uint8_t *ret, struct err *err) must_check;
bool dcb_set_dcbx(struct host *h, const char *port, uint8_t mode, struct err *err) must_check;

#endif
