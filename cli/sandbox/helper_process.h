/*
 * Helper processes, forked before the rights are dropped. Each serves one kind of request from this
 * process over a socket, and shares nothing else with it.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_HELPER_PROCESS_H
#define LOSSLESSCTL_CLI_SANDBOX_HELPER_PROCESS_H

#include <stddef.h>

#include "../../agent/host/helper_line.h"

/* The first free descriptor of a helper; below it are /dev/null and the socket. */
#define ASIDE_FREE 4

/* Serves requests on the socket `line` until the other end closes it. */
typedef void serve_fn(int line);

/*
 * Starts a helper. *ret is a socket of `type` (SOCK_SEQPACKET, SOCK_STREAM), owned by the caller;
 * closing it ends the helper. `what` describes the helper in messages. Errors: ERR_SYSTEM.
 */
bool helper_process_start(serve_fn *serve, int type, const char *what, int *ret,
			  struct err *err) must_check;

#endif
