/* The formats of `losslessctl env`. */
#ifndef LOSSLESSCTL_CLI_ENV_ENV_FORMAT_H
#define LOSSLESSCTL_CLI_ENV_ENV_FORMAT_H

#include <stdio.h>

#include "../../policy/job/environment.h"
#include "../../policy/util/err.h"

struct env_format {
	const char *name, *file; /* "nccl.conf", "/etc/nccl.conf" */
	bool nccl, ucx;		 /* the variables that it has */
	bool rccl;		 /* without those of NVIDIA's library alone */
	const char *head;	 /* lines before all others; "" or each with a newline */
	/* A variable: its comment, then its name and value. printf formats of strings. */
	const char *comment, *assignment;
	const char *doc;
};

#define ENV_FORMATS 6
extern const struct env_format env_formats[ENV_FORMATS];

/* The format with this name; fails with ERR_USAGE and a suggestion. */
bool env_format_find(const char *name, const struct env_format **ret, struct err *err) must_check;

/* True if a format has this variable of an environment. */
bool env_format_has(const struct env_format *f, const struct environment *e, enum variable_id id);

/* Prints the environment; `policy` is the name of its policy, printed as a comment. */
void env_format_print(FILE *to, const struct env_format *f, const struct environment *e,
		      const char *policy);

#endif
