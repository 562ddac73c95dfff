/* The key "probe": the scope of `losslessctl probe`. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_PROBE_JSON_H
#define LOSSLESSCTL_POLICY_DOCUMENT_PROBE_JSON_H

#include "../util/keys.h"

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
