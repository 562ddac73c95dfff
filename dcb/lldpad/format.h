/* Settings in lldpad's words: "0:0,1:0,…", "50,50,0,…", "0:ets,6:strict,…", "3,4". */
#ifndef LOSSLESSCTL_DCB_LLDPAD_FORMAT_H
#define LOSSLESSCTL_DCB_LLDPAD_FORMAT_H

#include <stddef.h>

#include "../../policy/model/config.h"
#include "../../policy/util/err.h"

#define LLDPAD_ARGS_MAX	 8
#define LLDPAD_VALUE_MAX 128

/* What one request carries: lldpad checks all of it, and then takes one after another. */
struct lldpad_args {
	struct {
		char name[16], value[LLDPAD_VALUE_MAX];
	} list[LLDPAD_ARGS_MAX];
	size_t count;
	bool spoiled; /* something did not fit: the request will fail */
};

/* Adds one; its value does not matter where it is asked for. */
void lldpad_args_add(struct lldpad_args *a, const char *name, const char *value);

/* Adds what an ETS-Configuration or an ETS-Recommendation says, but for `willing`. */
bool lldpad_args_add_ets(struct lldpad_args *a, const uint8_t prio_tc[PRIOS],
			 const uint8_t tsa[PRIOS], const uint8_t bandwidth[PRIOS],
			 struct err *err) must_check;

/* Adds the priorities that are lossless, a bit each. */
void lldpad_args_add_pfc(struct lldpad_args *a, uint8_t priorities);

#endif
