/* Splits a file into documents, within bounded memory. */
#ifndef LOSSLESSCTL_CLI_FLEET_INPUT_LINES_H
#define LOSSLESSCTL_CLI_FLEET_INPUT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "../../../policy/util/err.h"

/*
 * A document begins with "{" at the start of a line. It ends with that line if "}" ends it, else
 * with the next line that "}" begins. So one that is cut off does not take others with it.
 */
struct lines {
	int fd; /* borrowed */
	char *bytes;
	size_t room, begin, used;
	size_t line; /* number of the line at `begin`, from 1 */
	bool at_end;
	bool (*rest)(void *arg, struct err *err); /* before a read that would wait; or NULL */
	void *arg;
};

struct lines_document {
	const char *text; /* borrowed until the next one */
	size_t size, line;
	bool too_long; /* `text` is its beginning */
};

void lines_close(struct lines *l);
#define _lines_ __attribute__((cleanup(lines_close)))

/* Finds the document behind *ret, which is zero at first; *ret_found is false at the end. */
bool lines_next(struct lines *l, struct lines_document *ret, bool *ret_found,
		struct err *err) must_check;

#endif
