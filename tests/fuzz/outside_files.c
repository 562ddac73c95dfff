/* Files of the outside, whose content comes from the input. */
#include <errno.h>
#include <string.h>

#include "../../agent/engine/observe.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/model/dscp_map.h"
#include "fuzz.h"
#include "outside_files.h"

#define NAMES_MAX 16

bool outside_text(struct outside *o, char *buf, size_t size, struct err *err)
{
	size_t n = 0;

	buf[0] = '\0';
	if (o->at == o->end)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
	if (*o->at == OUTSIDE_FAILS) {
		o->at++;
		return outside_fails(outside_byte(o), err);
	}
	for (; o->at < o->end && *o->at != OUTSIDE_END; o->at++, n++)
		if (n + 2 < size)
			buf[n] = (char)*o->at;
	if (o->at < o->end)
		o->at++;
	buf[n + 2 < size ? n : size - 1] = '\0';
	return n + 2 < size || err_set(err, ERR_SYSTEM, EFBIG, "too long");
}

bool outside_answer(const char *text, char *buf, size_t size, struct err *err)
{
	if (!text)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
	if (strlen(text) + 1 >= size)
		return err_set(err, ERR_SYSTEM, EFBIG, "too long");
	memcpy(buf, text, strlen(text) + 1);
	return true;
}

bool outside_read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)path;
	return outside_text(outside_of(h), buf, size, err);
}

bool outside_list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		      void *arg, struct err *err)
{
	struct outside *o = outside_of(h);
	uint8_t count = outside_byte(o);
	char name[256];

	(void)path;
	if (count & 0x80)
		return outside_fails(count & 0x7f, err);
	for (count %= NAMES_MAX; count > 0; count--) {
		struct err quiet = { 0 };

		if (outside_text(o, name, sizeof(name), &quiet) && name[0] && !strchr(name, '/'))
			each(name, arg);
	}
	return true;
}

bool outside_changes(struct host *h, struct err *err)
{
	uint8_t code = outside_byte(outside_of(h));

	return !(code & 0x80) || outside_fails(code & 0x7f, err);
}

bool outside_write_file(struct host *h, const char *path, const char *value, struct err *err)
{
	(void)path;
	(void)value;
	return outside_changes(h, err);
}

bool outside_save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	struct outside *o = outside_of(h);

	(void)path;
	(void)err;
	free(o->saved);
	o->saved = strdup(text);
	MUST(o->saved);
	return true;
}

bool outside_move_file(struct host *h, const char *from, const char *to, struct err *err)
{
	(void)from;
	(void)to;
	return outside_changes(h, err);
}

bool outside_reserve_room(struct host *h, const char *dir, size_t size, struct err *err)
{
	(void)dir;
	(void)size;
	return outside_changes(h, err);
}

bool outside_release_file(struct host *h, const char *path, struct err *err)
{
	(void)path;
	return outside_changes(h, err);
}

bool outside_one_word(struct host *h, const char *word, struct err *err)
{
	(void)word;
	return outside_changes(h, err);
}
