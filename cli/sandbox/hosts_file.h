/* The file of `losslessctl probe --hosts`: a host a line, as ssh takes it. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_HOSTS_FILE_H
#define LOSSLESSCTL_CLI_SANDBOX_HOSTS_FILE_H

#include "../../policy/util/err.h"

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

#endif
