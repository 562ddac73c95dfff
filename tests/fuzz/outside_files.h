/* Files and directories of the outside. */
#ifndef LOSSLESSCTL_TESTS_FUZZ_OUTSIDE_FILES_H
#define LOSSLESSCTL_TESTS_FUZZ_OUTSIDE_FILES_H

#include "outside.h"

/* The outside of a host. */
struct outside *outside_of(struct host *h);

/* Fail with this errno. */
bool outside_fails(int code, struct err *err);

/* Make a change, which fails if the input says so. */
bool outside_changes(struct host *h, struct err *err);

/* Read this text as a file; NULL: no such file. */
bool outside_answer(const char *text, char *buf, size_t size, struct err *err);

/* The host's calls for files. */
bool outside_read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err);
bool outside_list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		      void *arg, struct err *err);
bool outside_write_file(struct host *h, const char *path, const char *value, struct err *err);
bool outside_save_file(struct host *h, const char *path, const char *text, struct err *err);
bool outside_move_file(struct host *h, const char *from, const char *to, struct err *err);
bool outside_reserve_room(struct host *h, const char *dir, size_t size, struct err *err);
bool outside_release_file(struct host *h, const char *path, struct err *err);

/* The host's calls with one name: make a directory, or load a module. */
bool outside_one_word(struct host *h, const char *word, struct err *err);

#endif
