/*
 * Parameters of a ConnectX's firmware that a policy can name: NVConfig, which takes effect at a
 * reset, and the register ROCE_ACCL. Names and values are NVIDIA's.
 */
#ifndef LOSSLESSCTL_POLICY_MODEL_PARAMETER_TABLE_H
#define LOSSLESSCTL_POLICY_MODEL_PARAMETER_TABLE_H

#include "config.h"

struct parameter_row {
	const char *name;
	const char *const *words; /* names of the values 0 to max, NULL for gaps; NULL: numbers */
	uint8_t max;
	bool of_port;		  /* there is one per port: NAME_P1, NAME_P2 */
	const char *field_select; /* a field that is 1 if the adapter has this one; NULL: none */
};

extern const struct parameter_row nvconfig_rows[NVCONFIG_COUNT], roce_accl_rows[ROCE_ACCL_COUNT];

/* The words of a parameter that is true or false. */
extern const char *const parameter_bool_words[];

#endif
