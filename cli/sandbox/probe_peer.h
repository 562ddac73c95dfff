/*
 * Opens the line to the other end of a probe, or to each host of a file, before the rights are
 * dropped.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_PROBE_PEER_H
#define LOSSLESSCTL_CLI_SANDBOX_PROBE_PEER_H

#include "../cli.h"

/* ---- the file of --hosts: a host a line, as ssh takes it ---- */

#define HOSTS_MIN 2
#define HOSTS_MAX 128 /* each has an ssh of its own */

struct hosts {
	char *text; /* owned; hosts_free() frees */
	const char *list[HOSTS_MAX];
	size_t count;
};

/* Frees the text. */
void hosts_free(struct hosts *h);

/*
 * True for what ssh takes for a host: no option, and no character that a shell knows, as
 * ssh_config(5) may give it to one.
 */
bool host_is_plain(const char *host) must_check;

/*
 * Reads a file. Blank lines, and comments from # on, are ignored. An error names its line and does
 * not quote it, because the file may be another one than the user meant. Errors: ERR_USAGE;
 * ERR_NO_FILE and ERR_SYSTEM if it cannot be read.
 */
bool hosts_read(const char *path, struct hosts *ret, struct err *err) must_check;

/* The same for text of `size` bytes, which is taken over; a NUL follows it. `path` is for errors.
 */
bool hosts_parse(const char *path, char *text, size_t size, struct hosts *ret,
		 struct err *err) must_check;

/* ---- lines to `losslessctl probe serve` at other hosts, by ssh ---- */

struct ssh_line {
	int line;     /* standard input and output of ssh */
	int messages; /* its standard error, or the end of the process that prints that */
};

/* Both ends of the line are the caller's to close. */
struct ssh_lines {
	struct hosts hosts;
	struct ssh_line list[HOSTS_MAX];
};

/*
 * Starts the other end of a probe at a host. `batch`: ssh asks nothing, gives a host up after ten
 * seconds, and its messages are kept; else a process prints them, and ret->messages ends with it.
 * Errors: ERR_USAGE if the host is an option, ERR_NO_FILE without ssh, ERR_REFUSED if others can
 * change it, ERR_SYSTEM.
 */
bool ssh_line_open(const char *host, bool batch, bool allow_disruption, struct ssh_line *ret,
		   struct err *err) must_check;

/* The same for each host of a file. The caller frees *ret with ssh_lines_free(). */
bool ssh_lines_open(const char *file, bool allow_disruption, struct ssh_lines **ret,
		    struct err *err) must_check;

/* Frees the list; its lines stay open. */
void ssh_lines_free(struct ssh_lines *l);

/* ---- the other end of a probe ---- */

#define PROBE_SERVE "serve" /* in place of a host */

/* True if this is the end that waits. */
bool probe_is_server(const struct cli *c);

/* Checks the words that name the other end. Errors: ERR_USAGE. */
bool probe_peer_check(const struct cli *c, struct err *err) must_check;

/*
 * Sets c->probe_in and c->probe_out: standard input and output, a socket that listens, a connection
 * to the host, or to ssh that runs the other end there. With --hosts it sets c->probe_lines alone.
 * Errors: ERR_USAGE; ERR_NO_FILE without ssh, or without the file of hosts; ERR_UNKNOWN if the host
 * is unknown or does not answer.
 */
bool probe_peer_open(struct cli *c, struct err *err) must_check;

#endif
