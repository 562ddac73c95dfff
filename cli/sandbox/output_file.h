/*
 * The file that a report goes to, instead of standard output or beside it. A verb that reads may
 * open no file once its rights are dropped: it opens a draft before, and a helper names it
 * (helper.h).
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_OUTPUT_FILE_H
#define LOSSLESSCTL_CLI_SANDBOX_OUTPUT_FILE_H

#include "../../agent/host/file_place.h"
#include "../../agent/host/helper_line.h"

/* Finds the place of a new file; the caller closes *ret. ERR_REFUSED: it exists. */
bool output_file_find(const char *path, struct file_place *ret, struct err *err) must_check;

/*
 * Makes the draft of the file, which only this user can read; *ret is owned by the caller. The
 * helper was started before: it gives the complete draft its name, and removes one that is not
 * complete, as when this process dies.
 */
bool output_file_create(int helper, const char *path, const struct file_place *place, int *ret,
			struct err *err) must_check;

/* Removes the draft of a struct file_place. */
void output_file_remove(void *place);

/*
 * Makes it the standard output from here on, because the sandbox lets a verb that reads write
 * nowhere else (seccomp_compile.c).
 */
bool output_file_use(int fd, const char *path, struct err *err) must_check;

/* Writes the rest of the standard output to it. */
bool output_file_finish(const char *path, struct err *err) must_check;

/* Gives the file its name, unless a file has got it meanwhile. */
bool output_file_keep(int helper, const char *path, struct err *err) must_check;

helper_answer_fn output_file_answer;

#endif
