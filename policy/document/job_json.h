/* The key "job": expectations about the environment of jobs. */
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

#endif
