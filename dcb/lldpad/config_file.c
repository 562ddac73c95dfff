#include "config_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/namespace.h"
#include "../../policy/util/oom.h"
#include "config_text.h"

#define FILE_MAX (1u << 20)

bool lldpad_file_read(struct host *h, const char *path, char **ret, struct err *err)
{
	struct err why = { 0 };

	if (host_read_large_file(h, FILE_MAX, ret, &why, "%s", path))
		return true;
	if (why.kind == ERR_UNSUPPORTED)
		return true;
	*err = why;
	return false;
}

static bool has_trusted_directory(struct host *h, const char *path, struct err *err)
{
	char part[PATH_TEXT_MAX];

	for (const char *slash = path; slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path) + (slash == path), path);
		if (!host_owns_dir(h, part, err))
			return false;
	}
	return true;
}

bool lldpad_file_is_safe(struct host *h, const struct lldpad_process *lldpad, const char *conf,
			 struct err *err)
{
	bool is_new = (!conf || !conf[0]) && strcmp(lldpad->conf, LLDPAD_DEFAULT_CONF) == 0;

	if (lldpad->pid && !namespace_has_file(h, lldpad->pid, lldpad->conf)) {
		err_record(err, ERR_REFUSED, EXDEV,
			   "lldpad (pid %u) runs in another mount or user namespace: its %s is not "
			   "that of this host",
			   lldpad->pid, lldpad->conf);
		return err_fix(err, "run lldpad on the host itself");
	}
	if (!has_trusted_directory(h, lldpad->conf, err))
		return false;
	return is_new || lldpad_conf_check(conf ? conf : "", err);
}

void lldpad_file_find(struct host *h, struct lldpad_process *ret)
{
	if (!lldpad_find(h, ret))
		*ret = (struct lldpad_process){ .conf = LLDPAD_DEFAULT_CONF };
}
