/* Documents out of files, directories and pipes: one a line, or one over several lines. */
#ifndef LOSSLESSCTL_CLI_FLEET_INPUT_INPUT_H
#define LOSSLESSCTL_CLI_FLEET_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "../../../policy/util/err.h"

/* ---- lines ---- */

/* Splits a file into documents, within bounded memory. */

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

/* ---- input ---- */

/* Takes the documents; `arg` is passed on. */
struct input_taker {
	void *arg;
	/* Takes a document; `source` is FILE:LINE. With a reason it could not be read whole. */
	bool (*document)(void *arg, const char *text, size_t size, const char *source,
			 struct err *reason, struct err *err);
	/* There is nothing to read at the moment. */
	bool (*rest)(void *arg, struct err *err);
	/* A file of a directory, or all of an input, cannot be read. */
	void (*skip)(void *arg, const struct err *reason);
};

/*
 * Reads a file, a directory (its files *.json, *.jsonl and *.ndjson, in the order of their names),
 * or standard input for "-". Errors are those of the taker and of memory.
 */
bool input_read(const char *path, const struct input_taker *taker, struct err *err) must_check;

#endif
