/* Lines to `losslessctl probe serve` at other hosts, by ssh. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_SSH_LINE_H
#define LOSSLESSCTL_CLI_SANDBOX_SSH_LINE_H

#include "hosts_file.h"

struct ssh_line {
	int line;     /* standard input and output of ssh */
	int messages; /* its standard error; -1: it has that of this process */
};

/* Both ends of the line are the caller's to close. */
struct ssh_lines {
	struct hosts hosts;
	struct ssh_line list[HOSTS_MAX];
};

/*
 * Starts the other end of a probe at a host. `batch`: ssh asks nothing, gives a host up after ten
 * seconds, and its messages are kept. Errors: ERR_USAGE if the host is an option, ERR_NO_FILE
 * without ssh, ERR_SYSTEM.
 */
bool ssh_line_open(const char *host, bool batch, bool allow_disruption, struct ssh_line *ret,
		   struct err *err) must_check;

/* The same for each host of a file. The caller frees *ret with ssh_lines_free(). */
bool ssh_lines_open(const char *file, bool allow_disruption, struct ssh_lines **ret,
		    struct err *err) must_check;

/* Frees the list; its lines stay open. */
void ssh_lines_free(struct ssh_lines *l);

#endif
