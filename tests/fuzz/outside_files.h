/* Files and directories of the outside. */
#ifndef LOSSLESSCTL_TESTS_FUZZ_OUTSIDE_FILES_H
#define LOSSLESSCTL_TESTS_FUZZ_OUTSIDE_FILES_H

#include "outside.h"

/* The outside of a host. */
struct outside *outside_of(struct host *h);

/* Fails with this errno. */
bool outside_fails(int code, struct err *err);

/* A change, which the input may let fail. */
bool outside_changes(struct host *h, struct err *err);

/* Reads this text as a file's; NULL: there is none. */
bool outside_answer(const char *text, char *buf, size_t size, struct err *err);

/* The host's calls about files. */
bool outside_read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err);
bool outside_list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		      void *arg, struct err *err);
bool outside_write_file(struct host *h, const char *path, const char *value, struct err *err);
bool outside_save_file(struct host *h, const char *path, const char *text, struct err *err);
bool outside_move_file(struct host *h, const char *from, const char *to, struct err *err);
bool outside_reserve_room(struct host *h, const char *dir, size_t size, struct err *err);
bool outside_release_file(struct host *h, const char *path, struct err *err);

/* The host's calls about one name: a directory that is made, or a module that is loaded. */
bool outside_one_word(struct host *h, const char *word, struct err *err);

#endif
