#include <errno.h>
#include <string.h>

#include "tests/support/parrot.h"
#include "tests/support/unit.h"

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct parrot *p = (struct parrot *)h;

	if (p->ended ||
	    (strcmp(path, "/proc/42/comm") != 0 && strcmp(path, "/proc/42/cmdline") != 0))
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
	snprintf(buf, size, "lldpad");
	return true;
}

static bool list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		     void *arg, struct err *err)
{
	(void)h;
	(void)path;
	(void)err;
	each("self", arg);
	each("42", arg);
	return true;
}

static bool answer(struct host *h, const char *request, char *reply, size_t size, struct err *err)
{
	struct parrot *p = (struct parrot *)h;

	p->asked++;
	snprintf(p->request, sizeof(p->request), "%s", request);
	if (p->dies) {
		p->ended = true;
		return err_set(err, ERR_UNKNOWN, ETIMEDOUT, "no answer");
	}
	snprintf(reply, size, "%s", p->reply);
	return true;
}

struct lldpad parrot_open(struct parrot *p, const char *reply)
{
	struct lldpad l;
	struct err err = { 0 };

	*p = (struct parrot){ .host = { .root = -1,
					.may_write = true,
					.read_file = read_file,
					.list_dir = list_dir,
					.ask_lldpad = answer },
			      .reply = reply };
	assert_true(lldpad_open(&p->host, &l, &err));
	assert_int_equal(l.pid, 42);
	return l;
}

bool get_mode(const struct lldpad *l, struct err *err)
{
	char word[LLDPAD_VALUE_MAX];

	if (!lldpad_get(l, "veB", LLDPAD_TLV_DCBX, "mode", word, err))
		return false;
	assert_string_equal(word, "auto");
	return true;
}

bool set_pfc(const struct lldpad *l, struct err *err)
{
	struct lldpad_args args = { .count = 0 };

	lldpad_args_add(&args, "willing", "no");
	lldpad_args_add_pfc(&args, 1 << 3 | 1 << 4);
	return lldpad_set(l, "veB", LLDPAD_TLV_PFC, &args, err);
}
