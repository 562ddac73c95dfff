/* Documents out of files, directories and pipes: one a line, or one over several lines. */
#ifndef LOSSLESSCTL_CLI_FLEET_INPUT_INPUT_H
#define LOSSLESSCTL_CLI_FLEET_INPUT_INPUT_H

#include <stddef.h>

#include "../../../policy/util/err.h"

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
