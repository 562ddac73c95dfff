/* What every verb of the command line shares. */
#ifndef LOSSLESSCTL_CLI_CLI_H
#define LOSSLESSCTL_CLI_CLI_H

#include <jansson.h>

#include "../agent/engine/engine.h"
#include "../agent/host/host_linux.h"
#include "options.h"

struct style {
	const char *bold, *dim, *red, *green, *yellow, *reset;
	const char *arrow; /* from -> to */
	bool utf8;	   /* other letters than ASCII may be printed */
};

struct platform;

struct cli {
	const struct platform *platform; /* losslessctl.h */
	struct options opt;
	struct style out, err; /* of standard output and standard error */
	bool pretty;	       /* standard output is a terminal */
	bool *lost;	       /* set once a part of the report is missing */
	struct host_linux outside;
	struct host *h; /* &outside.host once it is open */
	struct engine engine;

	/* Of what was done while privileges were there (enter.h). */
	int policy_fd;			       /* not read yet; -1: there is none */
	struct err policy_why;		       /* it could not be opened */
	char session_peer[64];		       /* as struct host's */
	char user[64];			       /* who runs a verb that writes (caller.h) */
	int modprobe_helper, signature_helper; /* modprobe_helper.h, signature_helper.h */
};

/* Exit codes that are not those of a failure (contract: Exit codes). */
enum { EXIT_AS_WISHED = 0, EXIT_FAILED = 1, EXIT_DIFFERS = 2, EXIT_CANNOT_TELL = 3 };

/* Opens the host for reading, or for writing, with signals and progress connected. */
bool cli_open_host(struct cli *c, bool may_write, struct err *err) must_check;

/* The verbs: each prints its result and returns an exit code, or fails with -1 and *err. */
int verb_check(struct cli *c, struct err *err);
int verb_schema(struct cli *c, struct err *err);
int verb_explain(struct cli *c, struct err *err);
int verb_show(struct cli *c, struct err *err);
int verb_plan(struct cli *c, struct err *err);
int verb_apply(struct cli *c, struct err *err);
int verb_verify(struct cli *c, struct err *err);
int verb_confirm(struct cli *c, struct err *err);
int verb_rollback(struct cli *c, struct err *err);
int verb_peer(struct cli *c, struct err *err);
int verb_agent(struct cli *c, struct err *err);
int verb_watch(struct cli *c, struct err *err);
int verb_drift(struct cli *c, struct err *err);
int verb_headroom(struct cli *c, struct err *err);

#endif
