/* Formats settings in lldpad's notation: "0:0,1:0,…", "50,50,0,…", "0:ets,6:strict,…", "3,4". */
#ifndef LOSSLESSCTL_DCB_LLDPAD_FORMAT_H
#define LOSSLESSCTL_DCB_LLDPAD_FORMAT_H

#include <stddef.h>

#include "../../policy/model/config.h"
#include "../../policy/util/err.h"

#define LLDPAD_ARGS_MAX	 8
#define LLDPAD_VALUE_MAX 128

/* The arguments of one request. lldpad checks all of them, then applies one after another. */
struct lldpad_args {
	struct {
		char name[16], value[LLDPAD_VALUE_MAX];
	} list[LLDPAD_ARGS_MAX];
	size_t count;
	bool overflowed; /* an argument did not fit: the request will fail */
};

/* Adds one argument; its value is ignored in a query. */
void lldpad_args_add(struct lldpad_args *a, const char *name, const char *value);

/* Adds the values of an ETS configuration or recommendation, except `willing`. */
bool lldpad_args_add_ets(struct lldpad_args *a, const uint8_t prio_tc[PRIOS],
			 const uint8_t tsa[PRIOS], const uint8_t bandwidth[PRIOS],
			 struct err *err) must_check;

/* Adds the lossless priorities, given as a bit mask. */
void lldpad_args_add_pfc(struct lldpad_args *a, uint8_t priorities);

#endif
