#include "recordings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../policy/util/oom.h"
#include "../host/cleanup.h"

#define STATE_DIR "/var/lib/losslessctl"
#define READ_MAX  (512u << 10) /* a recording has at most 200 KiB */

/* A regular file of root. */
static bool is_trusted_file(const struct host *h, const char *path, struct err *err)
{
	struct stat s;

	if (fstatat(h->root, &path[1], &s, AT_SYMLINK_NOFOLLOW) < 0)
		return err_set(err, errno == ENOENT ? ERR_MISSING : host_err_kind(errno), errno,
			       "%s", strerror(errno));
	if (!S_ISREG(s.st_mode))
		return err_set(err, ERR_REFUSED, EINVAL, "not a regular file");
	return s.st_uid == 0 || s.st_uid == geteuid() ||
	       err_set(err, ERR_REFUSED, EPERM, "it belongs to user %u instead of root",
		       (unsigned)s.st_uid);
}

static bool parse(const char *text, struct flight_recording *ret, json_t **document,
		  struct err *err)
{
	json_auto_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	if (oom_happened())
		return err_no_memory(err);
	if (!doc)
		return err_set(err, ERR_POLICY, EINVAL, "damaged: not a JSON document");
	if (!recording_from_json(doc, ret, err))
		return false;
	*document = json_incref(doc);
	return true;
}

static bool load(struct host *h, unsigned number, struct flight_recording *ret, json_t **document,
		 struct err *err)
{
	_free_ char *text = NULL;
	char path[PATH_TEXT_MAX];

	snprintf(path, sizeof(path), RECORDING_FILE, number);
	if (is_trusted_file(h, path, err) &&
	    host_read_large_file(h, READ_MAX, &text, err, "%s", path) &&
	    parse(text, ret, document, err)) {
		ret->number = number;
		return true;
	}
	if (err->kind != ERR_DENIED && err->code != ENOMEM)
		err_add_fix(err, "run `rm %s` if it is not needed", path);
	return err_in(err, "%s", path);
}

bool recording_load(struct host *h, unsigned number, struct flight_recording *ret,
		    json_t **document, struct err *err)
{
	return host_owns_dir(h, STATE_DIR, err) && host_owns_dir(h, RECORDINGS_DIR, err) &&
	       load(h, number, ret, document, err);
}

/* Reports one file; false if no other could be read either. */
static bool visit(struct host *h, unsigned number, const struct recording_visitor *v,
		  struct err *err)
{
	_free_ struct flight_recording *r = calloc(1, sizeof(*r));
	json_auto_t *document = NULL;
	struct err why = { 0 };

	if (!r)
		return err_no_memory(err);
	if (load(h, number, r, &document, &why)) {
		v->found(r, document, v->arg);
		return true;
	}
	if (why.kind == ERR_DENIED || why.code == ENOMEM) {
		*err = why;
		return false;
	}
	if (why.kind != ERR_MISSING && v->skipped)
		v->skipped(number, &why, v->arg);
	return true;
}

bool recordings_each(struct host *h, const struct recording_visitor *v, struct err *err)
{
	if (!host_owns_dir(h, STATE_DIR, err) || !host_owns_dir(h, RECORDINGS_DIR, err))
		return false;
	for (unsigned number = 1; number <= RECORDINGS_MAX; number++)
		if (!visit(h, number, v, err))
			return false;
	return true;
}

bool recording_save(struct host *h, unsigned number, const char *text, struct err *err)
{
	char path[PATH_TEXT_MAX];

	snprintf(path, sizeof(path), RECORDING_FILE, number);
	return host_make_dir(h, err, "%s", RECORDINGS_DIR) &&
	       host_owns_dir(h, RECORDINGS_DIR, err) && host_save_file(h, path, text, err);
}
