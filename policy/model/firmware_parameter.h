/* Operations on settings of type T_PARAMETERS: read, compare, and write the commands to set them.
 */
#ifndef LOSSLESSCTL_POLICY_MODEL_FIRMWARE_PARAMETER_H
#define LOSSLESSCTL_POLICY_MODEL_FIRMWARE_PARAMETER_H

#include "../util/err.h"
#include "setting_table.h"

/* Parameter `i` of a setting of type T_PARAMETERS, below k->count. */
struct parameter parameter_get(const struct setting *k, const struct config *c, size_t i);
void parameter_put(const struct setting *k, struct config *c, size_t i, const struct parameter *p);

/* True if the actual parameter, now and at the next boot, is the desired one. */
bool parameter_in_sync(const struct parameter *desired, const struct parameter *actual);

/* True if nothing is to be set: each desired parameter has its value at the next boot. */
bool parameters_await_reset(const struct setting *k, const struct config *desired,
			    const struct config *actual);

/*
 * Writes the parameters whose next value is not the desired one as the vendor's tools take them:
 * "CNP_DSCP_P1=48 CNP_802P_PRIO_P1=6". Returns `buf`.
 */
const char *parameters_to_set(const struct setting *k, const struct config *desired,
			      const struct config *actual, char buf[SETTING_TEXT_MAX]);

/*
 * Checks that the adapter reports each desired parameter. Succeeds as well if another one differs:
 * drift counts first. Errors: ERR_UNSUPPORTED if the adapter lacks one, ERR_UNKNOWN if its value
 * could not be read.
 */
bool parameters_are_reported(const struct setting *k, const struct config *desired,
			     const struct config *actual, struct err *err) must_check;

#endif
