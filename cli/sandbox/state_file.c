#include "state_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "bounded_read.h"
#include "safe_open.h"

#define BYTES_MAX (32u << 20)

bool state_file_open(struct cli *c, struct err *err)
{
	const char *path = c->opt.state;

	if (strcmp(path, "-") != 0)
		return err_at(err, any_open(path, &c->state_fd, err), "%s", path);
	c->state_fd = dup(STDIN_FILENO);
	return c->state_fd >= 0 || err_set(err, ERR_SYSTEM, errno, "%s: %s", path, strerror(errno));
}

bool state_file_read(int fd, json_t **ret, struct err *err)
{
	const struct patience patience = { 10000, 60000 };
	_free_ char *text = NULL;
	json_error_t why;
	size_t size;

	if (!bounded_read_whole(fd, BYTES_MAX, patience, &text, &size, err))
		return false;
	*ret = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
	return *ret || err_set(err, ERR_POLICY, EINVAL, "line %d, column %d: %s", why.line,
			       why.column, why.text);
}
