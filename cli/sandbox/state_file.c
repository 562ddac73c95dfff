#include "state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

struct reader {
	int fd;
	size_t left; /* bytes that may still come */
	int code;    /* errno; 0: no failure */
};

/* As jansson wants it: (size_t)-1 for a failure. */
static size_t read_piece(void *buf, size_t size, void *arg)
{
	struct reader *r = arg;
	ssize_t n;

	do
		n = read(r->fd, buf, size);
	while (n < 0 && errno == EINTR);
	if (n < 0 || (size_t)n > r->left) {
		r->code = n < 0 ? errno : EFBIG;
		return (size_t)-1;
	}
	r->left -= (size_t)n;
	return (size_t)n;
}

bool state_file_read(int fd, json_t **ret, struct err *err)
{
	struct reader r = { fd, BYTES_MAX, 0 };
	json_error_t why;

	*ret = json_load_callback(read_piece, &r, JSON_REJECT_DUPLICATES, &why);
	if (*ret)
		return true;
	if (r.code == EFBIG)
		return err_set(err, ERR_POLICY, EFBIG, "larger than %u MiB", BYTES_MAX >> 20);
	if (r.code)
		return err_set(err, ERR_POLICY, r.code, "%s", strerror(r.code));
	return err_set(err, ERR_POLICY, EINVAL, "line %d, column %d: %s", why.line, why.column,
		       why.text);
}
