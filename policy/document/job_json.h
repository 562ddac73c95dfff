/*
 * Expectations about jobs: the keys "job", about their environment, and "probe", the scope of
 * `losslessctl probe`.
 */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_JOB_JSON_H
#define LOSSLESSCTL_POLICY_DOCUMENT_JOB_JSON_H

#include "../util/keys.h"

#define JOB_TEXT_MAX 128

struct job_policy {
	uint8_t control_dscp_plus_1;	  /* for NCCL's small control messages; 0: absent */
	uint8_t ib_timeout;		  /* 1 to 31; 0: absent */
	uint8_t ib_retry_count_plus_1;	  /* 0: absent */
	unsigned nccl_version;		  /* as NCCL_VERSION() of job/assignment.h; 0: absent */
	char socket_ifname[JOB_TEXT_MAX]; /* "": absent */
};

#define JOB_KEYS 5
extern const struct key job_keys[];
extern const struct key_object job_object; /* read into a struct job_policy */

/* Reads "2.27" or "2.27.3" as NCCL_VERSION(2, 27); false: it is no version. */
bool nccl_version_parse(const char *text, unsigned *ret);

/* The ways in which the packets of a job get their class. */
enum probe_path {
	PROBE_VERBS,	   /* queue pairs with a traffic class of their own, as NCCL_IB_TC sets */
	PROBE_RDMA_CM,	   /* rdma_cm without a type of service: roce.tos decides */
	PROBE_RDMA_CM_TOS, /* rdma_cm with one, which overrides roce.tos */
	PROBE_GPU,	   /* verbs with the memory of a GPU, as GPUDirect RDMA uses */
	PROBE_PATHS
};

extern const char *const probe_path_names[]; /* "verbs", "rdma_cm"; NULL ends them */

#define PROBE_MIN_SHARE 0.99 /* the default */

struct probe_policy {
	unsigned paths;	  /* bits by enum probe_path; 0: absent, all of them */
	double min_share; /* share of the bytes that must be in class; 0: absent */
};

extern const struct key_object probe_object; /* read into a struct probe_policy */

#endif
