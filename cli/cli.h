/* The context that all verbs share. */
#ifndef LOSSLESSCTL_CLI_CLI_H
#define LOSSLESSCTL_CLI_CLI_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "../agent/engine/engine.h"
#include "../agent/host/host_linux.h"
#include "../policy/util/exit_code.h"
#include "options.h"
#include "sandbox/helper.h"

struct style {
	const char *bold, *dim, *red, *green, *yellow, *reset;
	const char *arrow; /* between the old and the new value */
	bool utf8;	   /* the stream accepts UTF-8 */
};

struct cli;
struct captured_host;
struct ssh_lines;

/* The host that the program runs on; tests have one with a fake kernel. */
struct platform {
	/* Prepares what needs privileges, then drops them (sandbox/enter.h). */
	bool (*enter)(struct cli *c, struct err *err);
	/* Implements cli_open_host(). */
	bool (*open_host)(struct cli *c, bool may_write, struct err *err);
};

/* Files that set the environment of jobs (sandbox/env_files.h). */
enum env_file {
	ENV_FILE_GIVEN,	       /* --check */
	ENV_FILE_PROCESS,      /* --pid */
	ENV_FILE_USER_CONF,    /* $NCCL_CONF_FILE of this process, or ~/.nccl.conf */
	ENV_FILE_PROCESS_CONF, /* the nccl.conf that this process sees */
	ENV_FILE_UCX_DIR,      /* ucx.conf in $UCX_CONFIG_DIR of this process */
	ENV_FILE_UCX_HOME,     /* ... in its HOME */
	ENV_FILE_UCX_PROCESS,  /* /etc/ucx/ucx.conf, as this process sees it */
	ENV_FILE_NCCL_CONF,
	ENV_FILE_RCCL_CONF,
	ENV_FILE_UCX_CONF,
	ENV_FILE_LOG, /* --nccl-log */
	ENV_FILES
};

struct cli {
	const struct platform *platform;
	struct options opt;
	struct style out, err; /* for standard output and standard error */
	FILE *to;	       /* reports of ports: standard output, or memory (output/fold.h) */
	bool stdout_is_tty;    /* standard output is a terminal */
	bool *output_lost;     /* set if the output is incomplete */
	struct host_linux outside;
	struct host *h; /* &outside.host, set by cli_open_host(); NULL with `captured` */
	struct captured_host *captured; /* the host of --state; NULL: this one */
	struct engine engine;

	/* Set before the privileges are dropped (enter.h). */
	int policy_fd;	       /* not yet read; -1: no policy */
	struct err policy_why; /* the error of opening it */
	/* Why apply would refuse: its rights, the policy's file and its signature. Of plan only. */
	struct {
		struct err rights, file, signature;
	} foreseen;
	int more_fds[PORT_WORDS_MAX]; /* further policies (opt.words), or -errno */
	int state_fd;		      /* --state; -1: not given */
	int env_fds[ENV_FILES];	      /* -1: there is none */
	struct err env_why;	      /* the error of opening one that exists */
	/* The paths of files that depend on the environment of the process; "": it has none. */
	char env_paths[ENV_FILES][128];
	bool user_conf_is_named;       /* by NCCL_CONF_FILE */
	struct ssh_session session;    /* see struct host */
	struct eswitch_list eswitches; /* see struct host; empty if the verb may ask itself */
	struct lldpad_line lldpad;     /* see struct host_linux; unused if the verb may connect */
	char user[64];		       /* the user behind a verb that writes (enter.c) */
	int helpers[HELPERS];	       /* their lines (sandbox/helper.h); -1: not started */
	int output_fd; /* the report's file, which is complete once `output_done` is set */
	bool output_done;
	int probe_in,
		probe_out;    /* the line to a probe's peer, or where it listens (probe_peer.h) */
	int probe_messages;   /* ends once those of ssh are printed; -1: there is no ssh */
	char probe_token[64]; /* that the other end of a probe has printed; "": there is none */
	struct ssh_lines *probe_lines; /* to the hosts of a file; NULL: there is none */
};

/*
 * Opens the host into c->h and connects signals and progress, or reads the one of --state. The
 * caller of the verb closes it. Fails with ERR_DENIED if `may_write` is set and the user is not
 * root.
 */
bool cli_open_host(struct cli *c, bool may_write, struct err *err) must_check;

/* True if the verb reports what apply would refuse, and why. */
bool cli_foresees_apply(const struct cli *c);

/* Refuses another network namespace than the host's, unless the command line permits it. */
bool cli_check_netns(const struct cli *c, struct err *err) must_check;

#endif
