/* The environment of a job that agrees with the policy and the ports: `losslessctl env`. */
#ifndef LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_H
#define LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_H

#include "../document/job_json.h"
#include "../util/err.h"
#include "job_port.h"
#include "assignment.h"

#define ENVIRONMENT_VALUE_MAX 4096 /* 120 names of devices */
#define DERIVATION_MAX	      256

/* The input. All pointers are borrowed. */
struct environment_input {
	const struct job_port *ports;
	size_t count;
	const struct job_policy *job;
	unsigned nccl_version; /* as NCCL_VERSION(); 0: the newest */
};

struct environment_value {
	bool is_set;
	char text[ENVIRONMENT_VALUE_MAX];
	char from[DERIVATION_MAX]; /* the reason for the value, as a sentence without full stop */
};

struct environment {
	struct environment_value of[VARIABLE_COUNT];
	uint8_t traffic_class; /* for the data */
	uint8_t service_level; /* for the data, on ports that trust PCP */
	/* The reason why a variable that NCCL needs is left out; "": none is. */
	char lacks[DERIVATION_MAX];
};

/*
 * Derives every variable. ERR_UNKNOWN: there is no RDMA device, the policy does not say which DSCP
 * carries RoCE, or the ports need different classes, which one environment cannot have.
 */
bool environment_derive(const struct environment_input *in, struct environment *ret,
			struct err *err) must_check;

#endif
