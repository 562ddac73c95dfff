#include <errno.h>

#include "policy/model/setting.h"
#include "tests/support/applies_host.h"
#include "tests/support/unit.h"

struct file *file_of(struct world *w, const char *path)
{
	const char *name = strrchr(path, '/') + 1;

	for (size_t i = 0; i < FILES; i++)
		if (strcmp(w->files[i].name, name) == 0)
			return &w->files[i];
	return NULL;
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct file *f = file_of((struct world *)h, path);

	if (!f && !strstr(path, "boot_id"))
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
	snprintf(buf, size, "%s", f ? f->text : "this-boot");
	return true;
}

static bool save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	struct world *w = (struct world *)h;
	struct file *f = file_of(w, path);

	(void)err;
	if (!f)
		f = file_of(w, "/");
	assert_non_null(f);
	snprintf(f->name, sizeof(f->name), "%s", strrchr(path, '/') + 1);
	snprintf(f->text, sizeof(f->text), "%s", text);
	return true;
}

static bool move_file(struct host *h, const char *from, const char *to, struct err *err)
{
	struct file *f = file_of((struct world *)h, from);
	struct file *replaced = to ? file_of((struct world *)h, to) : NULL;

	if (!f)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
	if (replaced)
		replaced->name[0] = '\0';
	snprintf(f->name, sizeof(f->name), "%s", to ? strrchr(to, '/') + 1 : "");
	return true;
}

static bool release_file(struct host *h, const char *path, struct err *err)
{
	return move_file(h, path, NULL, err);
}

static bool reserve_room(struct host *h, const char *dir, size_t size, struct err *err)
{
	(void)err;
	assert_string_equal(dir, JOURNAL_DIR);
	((struct world *)h)->reserved = size;
	return true;
}

static bool list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		     void *arg, struct err *err)
{
	struct world *w = (struct world *)h;

	(void)path;
	(void)err;
	for (size_t i = 0; i < FILES; i++)
		if (w->files[i].name[0])
			each(w->files[i].name, arg);
	return true;
}

struct world fresh(void)
{
	return (struct world){ .host = { .may_write = true,
					 .read_file = read_file,
					 .save_file = save_file,
					 .move_file = move_file,
					 .release_file = release_file,
					 .reserve_room = reserve_room,
					 .list_dir = list_dir } };
}

struct journal one(const char *first, const char *second, uint32_t mtu, int tos)
{
	struct journal j = { .run = { "p", "then", "apply", "root", false } };
	struct journal_entry e = { .back = { .has = SETTING(SETTING_MTU), .mtu = mtu } };
	struct err err = { 0 };

	snprintf(e.pci, sizeof(e.pci), "%s", first);
	if (tos >= 0) {
		e.back.has |= SETTING(SETTING_ROCE_TOS);
		e.back.roce.tos = (uint8_t)tos;
	}
	assert_true(journal_add(&j, &e, &err));
	snprintf(e.pci, sizeof(e.pci), "%s", second);
	e.back.has = SETTING(SETTING_MTU);
	assert_true(!*second || journal_add(&j, &e, &err));
	return j;
}

void end_apply(struct world *w, struct journal j)
{
	struct err err = { 0 };

	assert_true(journal_save(&w->host, JOURNAL_PENDING, &j, &err));
	assert_true(applies_keep(&w->host, &err));
	journal_free(&j);
}

struct world three(void)
{
	struct world w = fresh();

	end_apply(&w, one("a", "b", 1500, 0));
	end_apply(&w, one("a", "", 4200, -1));
	end_apply(&w, one("b", "", 4200, 8));
	return w;
}

struct port port_at(const char *pci)
{
	struct port p = { .ifindex = 1 };

	snprintf(p.id.pci, sizeof(p.id.pci), "%s", pci);
	return p;
}
