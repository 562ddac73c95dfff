#include "advertise_file.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "config_file.h"
#include "config_text.h"
#include "detect.h"

#define POLLS_MAX 20
#define POLL_MS	  100

/*
 * Keeps the port's section of lldpad's file while it is replaced; in /var, because lldpad's file
 * outlives a reboot as well.
 */
#define SAVED_DIR "/var/lib/losslessctl/lldpad"

/*
 * Reads lldpad's file until two reads agree, because lldpad truncates the file before it writes it.
 * *ret is NULL if there is no file; the caller frees it.
 */
static bool read_stable(struct host *h, const char *path, char **ret, struct err *err)
{
	_free_ char *last = NULL;

	if (!lldpad_file_read(h, path, &last, err))
		return false;
	for (int poll = 0; poll < POLLS_MAX; poll++) {
		_free_ char *now = NULL;

		host_sleep(h, POLL_MS);
		if (!lldpad_file_read(h, path, &now, err))
			return false;
		if (strcmp(now ? now : "", last ? last : "") == 0) {
			*ret = take(now);
			return true;
		}
		free(last);
		last = take(now);
	}
	return err_set(err, ERR_SYSTEM, EBUSY, "lldpad does not stop writing %s", path);
}

/*
 * Saves the section once, before the first change. The first line has the path of lldpad's file,
 * which an lldpad that has ended cannot tell; nothing behind it stands for a port without a
 * section.
 */
static bool save_section(struct host *h, const struct lldpad_process *lldpad, const char *conf,
			 const char *port, struct err *err)
{
	_free_ char *kept = NULL, *section = NULL, *text = NULL;
	char path[PATH_TEXT_MAX];

	snprintf(path, sizeof(path), SAVED_DIR "/%s", port);
	if (!lldpad_file_read(h, path, &kept, err))
		return false;
	if (kept)
		return true;
	if (!lldpad_conf_section(conf, port, &section, err))
		return false;
	if (asprintf(&text, "# %s\n%s", lldpad->conf, section ? section : "") < 0) {
		text = NULL;
		return err_no_memory(err);
	}
	return host_make_dir(h, err, "/var/lib/losslessctl") && host_make_dir(h, err, SAVED_DIR) &&
	       host_save_file(h, path, text, err);
}

/* The section that was saved; NULL: the port had none. */
static const char *saved_section(const char *kept)
{
	const char *end = strchr(kept, '\n');

	return end && end[1] ? end + 1 : NULL;
}

static void saved_path(const char *kept, char ret[PATH_TEXT_MAX])
{
	if (strncmp(kept, "# ", 2) == 0)
		snprintf(ret, PATH_TEXT_MAX, "%.*s", (int)strcspn(kept + 2, "\n"), kept + 2);
}

/*
 * Computes the new content of lldpad's file. *ret is NULL if it stays: a port that is willing and
 * was given nothing has what it had before.
 */
static bool compose_file(struct host *h, const char *conf, const char *port,
			 const struct config *to, char **ret, struct err *err)
{
	_free_ char *kept = NULL;
	char kept_at[PATH_TEXT_MAX];

	if (to->dcbx.advertise)
		return lldpad_conf_amend(conf, port, to, ret, err);
	snprintf(kept_at, sizeof(kept_at), SAVED_DIR "/%s", port);
	if (!lldpad_file_read(h, kept_at, &kept, err))
		return false;
	if (kept)
		return lldpad_conf_restore(conf, port, saved_section(kept), ret, err);
	return to->dcbx.willing || lldpad_conf_amend(conf, port, to, ret, err);
}

/* Removes the saved section; a missing one is not an error. */
static bool remove_saved(struct host *h, const char *path, struct err *err)
{
	struct err why = { 0 };

	if (host_move_file(h, path, NULL, &why) || why.kind == ERR_UNSUPPORTED)
		return true;
	*err = why;
	return false;
}

/*
 * lldpad's file is restored by now. A state directory that is read-only keeps the journal as well:
 * the rollback that ends the journal forgets the section.
 */
static bool forget_section(struct host *h, const char *path, struct err *err)
{
	struct err why = { 0 };

	if (remove_saved(h, path, &why) || why.code == EROFS)
		return true;
	*err = why;
	return false;
}

bool advertise_by_file(struct host *h, const char *port, const struct config *to, struct err *err)
{
	_free_ char *conf = NULL, *fresh = NULL;
	struct lldpad_process lldpad;
	char kept_at[PATH_TEXT_MAX];

	snprintf(kept_at, sizeof(kept_at), SAVED_DIR "/%s", port);
	if (!lldpad_find(h, &lldpad))
		return err_set(err, ERR_MISSING, ESRCH, "no lldpad runs on this host");
	return read_stable(h, lldpad.conf, &conf, err) &&
	       lldpad_file_is_safe(h, &lldpad, conf, err) &&
	       compose_file(h, conf ? conf : "", port, to, &fresh, err) &&
	       (!to->dcbx.advertise || save_section(h, &lldpad, conf ? conf : "", port, err)) &&
	       (!fresh || (host_save_file(h, lldpad.conf, fresh, err) &&
			   host_signal(h, lldpad.pid, SIGHUP, err))) &&
	       (to->dcbx.advertise || forget_section(h, kept_at, err));
}

/* Without lldpad's file there is nothing to restore. */
static bool restore_into_file(struct host *h, const struct lldpad_process *lldpad, const char *conf,
			      const char *port, const char *kept, struct err *err)
{
	_free_ char *fresh = NULL;

	if (!conf)
		return true;
	return lldpad_file_is_safe(h, lldpad, conf, err) &&
	       lldpad_conf_restore(conf, port, saved_section(kept), &fresh, err) &&
	       host_save_file(h, lldpad->conf, fresh, err) &&
	       (!lldpad->pid || host_signal(h, lldpad->pid, SIGHUP, err));
}

bool restore_advertise_file(struct host *h, const char *port, struct err *err)
{
	_free_ char *conf = NULL, *kept = NULL;
	struct lldpad_process lldpad;
	char kept_at[PATH_TEXT_MAX];

	snprintf(kept_at, sizeof(kept_at), SAVED_DIR "/%s", port);
	lldpad_file_find(h, &lldpad);
	if (!lldpad_file_read(h, kept_at, &kept, err))
		return false;
	if (!kept)
		return true;
	if (!lldpad.pid)
		saved_path(kept, lldpad.conf);
	if (!read_stable(h, lldpad.conf, &conf, err) ||
	    !restore_into_file(h, &lldpad, conf, port, kept, err) || !remove_saved(h, kept_at, err))
		return false;
	host_report(h, PROGRESS_WAIT, port,
		    "lldpad's file is rolled back: the run of an earlier boot was incomplete");
	return true;
}

bool advertise_file_is_ours(struct host *h, const char *port)
{
	_free_ char *kept = NULL;
	char kept_at[PATH_TEXT_MAX];
	struct err quiet = { 0 };

	snprintf(kept_at, sizeof(kept_at), SAVED_DIR "/%s", port);
	return !lldpad_file_read(h, kept_at, &kept, &quiet) || kept;
}
