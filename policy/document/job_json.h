/* Expectations about the environment of jobs: the key "job" of a policy. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_JOB_JSON_H
#define LOSSLESSCTL_POLICY_DOCUMENT_JOB_JSON_H

#include <jansson.h>
#include <stdint.h>

#include "../util/json_location.h"

#define JOB_TEXT_MAX 128

struct job_policy {
	uint8_t control_dscp_plus_1;	  /* for NCCL's small control messages; 0: absent */
	uint8_t ib_timeout;		  /* 1 to 31; 0: absent */
	uint8_t ib_retry_count_plus_1;	  /* 0: absent */
	unsigned nccl_version;		  /* as NCCL_VERSION() of job/variable.h; 0: absent */
	char socket_ifname[JOB_TEXT_MAX]; /* "": absent */
};

enum job_key_type { JOB_NUMBER, JOB_TEXT, JOB_VERSION };

struct job_key {
	const char *path, *name; /* "job.ib_timeout", and the last part of it */
	enum job_key_type type;
	size_t offset;	   /* in struct job_policy */
	unsigned min, max; /* for JOB_NUMBER */
	bool plus_1;	   /* stored as value + 1, so that 0 is absent */
	const char *doc;
};

#define JOB_KEYS 5
extern const struct job_key job_keys[JOB_KEYS];

/* Reads "2.27" or "2.27.3" as NCCL_VERSION(2, 27); false: it is no version. */
bool nccl_version_parse(const char *text, unsigned *ret);

/* Reads "job"; NULL leaves *ret unchanged. Errors are ERR_POLICY with the location. */
bool job_from_json(struct job_policy *ret, json_t *object, const struct json_path *at,
		   struct err *err) must_check;

/* The JSON Schema of "job". The caller owns it. */
json_t *job_schema(void);

#endif
