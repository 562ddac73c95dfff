/* File calls of the fake kernel. */
#ifndef LOSSLESSCTL_TESTS_INTEGRATION_FAKE_FILES_H
#define LOSSLESSCTL_TESTS_INTEGRATION_FAKE_FILES_H

#include "fake.h"

/* Returns the fake of a host. */
struct fake *fake_of(struct host *h);

/* Counts a call that makes one change. *apply: it takes effect; false: the call fails. */
bool fake_change(struct fake *f, bool *apply, struct err *err);

/* Counts a call that only reads; false: it fails. */
bool fake_look(struct fake *f, struct err *err);

/* The host's calls about files, directories and modules. */
bool fake_read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err);
bool fake_write_file(struct host *h, const char *path, const char *value, struct err *err);
bool fake_make_dir(struct host *h, const char *path, struct err *err);
bool fake_list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		   void *arg, struct err *err);
bool fake_save_file(struct host *h, const char *path, const char *text, struct err *err);
bool fake_move_file(struct host *h, const char *from, const char *to, struct err *err);
bool fake_reserve_room(struct host *h, const char *dir, size_t size, struct err *err);
bool fake_release_file(struct host *h, const char *path, struct err *err);
bool fake_load_module(struct host *h, const char *name, struct err *err);

#endif
