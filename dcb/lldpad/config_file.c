#include "config_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "detect.h"

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

void lldpad_file_find(struct host *h, char ret_path[PATH_TEXT_MAX])
{
	struct lldpad_process lldpad;

	snprintf(ret_path, PATH_TEXT_MAX, "%s",
		 lldpad_find(h, &lldpad) ? lldpad.conf : LLDPAD_DEFAULT_CONF);
}
