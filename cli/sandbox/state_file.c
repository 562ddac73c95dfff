#include "state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "bounded_read.h"
#include "safe_open.h"

#define BYTES_MAX (32u << 20)

bool state_file_open(struct cli *c, struct err *err)
{
	const char *path = c->opt.state;

	c->state_fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	return c->state_fd >= 0 ||
	       err_at(err, err_set(err, file_err_kind(errno), errno, "%s", strerror(errno)), "%s",
		      path);
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
