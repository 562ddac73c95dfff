#include "applies.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../../policy/model/setting.h"

/* Reserve more than the text's size, because numbers and lists may grow. */
#define RESERVE_MORE(size) ((size) + (size) / 4 + 4096)

void applies_free(struct applies *a)
{
	for (size_t i = 0; i < a->count; i++)
		journal_free(&a->list[i].journal);
	a->count = 0;
}

static const char *path_of(unsigned number, bool undone, char path[PATH_TEXT_MAX])
{
	snprintf(path, PATH_TEXT_MAX, JOURNAL_DIR "/%s-%u.json", undone ? "undone" : "apply",
		 number);
	return path;
}

/* ---- existing files ---- */

#define FILES_MAX 64 /* a crash may leave one more than are kept; nothing else writes here */

struct numbers {
	unsigned list[FILES_MAX]; /* numbers, newest first */
	bool undone[FILES_MAX];	  /* kind of each: undone or apply */
	size_t count;
};

static void note_apply_file(const char *name, void *arg)
{
	struct numbers *n = arg;
	char path[PATH_TEXT_MAX];
	unsigned number, at = 0;
	bool undone = name[0] == 'u';

	/*
	 * Reject names with leading zeros or other characters: written back, the name must be the
	 * same.
	 */
	if (sscanf(name, "%*[a-z]-%9u.json", &number) != 1 || !number ||
	    strcmp(path_of(number, undone, path) + sizeof(JOURNAL_DIR), name) != 0)
		return;
	while (at < n->count && n->list[at] > number)
		at++;
	if (at == FILES_MAX)
		return;
	if (n->count == FILES_MAX)
		n->count--;
	memmove(&n->list[at + 1], &n->list[at], (n->count - at) * sizeof(*n->list));
	memmove(&n->undone[at + 1], &n->undone[at], (n->count - at) * sizeof(*n->undone));
	n->list[at] = number;
	n->undone[at] = undone;
	n->count++;
}

static bool find_files(struct host *h, struct numbers *ret, struct err *err)
{
	struct err why = { 0 };

	*ret = (struct numbers){ .count = 0 };
	if (host_list_dir(h, JOURNAL_DIR, note_apply_file, ret, &why) ||
	    why.kind == ERR_UNSUPPORTED)
		return true;
	*err = why;
	return false;
}

/* Keep ten of each kind and remove older ones. */
static bool is_kept(const struct numbers *n, size_t at)
{
	size_t newer = 0;

	for (size_t i = 0; i < at; i++)
		newer += n->undone[i] == n->undone[at];
	return newer < APPLIES_MAX;
}

bool applies_load(struct host *h, struct applies *ret, struct err *err)
{
	struct numbers files;
	char path[PATH_TEXT_MAX];

	*ret = (struct applies){ .count = 0 };
	if (!find_files(h, &files, err))
		return false;
	for (size_t i = 0; i < files.count; i++) {
		struct applied *a = &ret->list[ret->count];

		if (!is_kept(&files, i))
			continue;
		ret->count++;
		*a = (struct applied){ .number = files.list[i], .undone = files.undone[i] };
		path_of(a->number, a->undone, path);
		if (!journal_read(h, path, &a->journal, &a->damage) && a->damage.code == ENOMEM) {
			*err = a->damage;
			return false;
		}
	}
	return true;
}

/* ---- rolling back ---- */

bool applied_is_open(const struct applied *a)
{
	for (size_t i = 0; !a->journal.of_other_boot && i < a->journal.count; i++)
		if (!a->journal.entries[i].rolled_back)
			return true;
	return false;
}

static bool is_whole(const struct applied *a, struct err *err)
{
	if (a->damage.kind)
		*err = a->damage;
	return !a->damage.kind;
}

/* Ignore an apply that failed or was not confirmed: it was rolled back automatically. */
static bool counts(const struct applied *a)
{
	for (size_t i = 0; i < a->journal.count; i++)
		if (a->journal.entries[i].undone == UNDONE_BY_ROLLBACK)
			return true;
	return !a->undone;
}

const struct applied *applies_newest(const struct applies *a)
{
	for (size_t i = 0; i < a->count; i++)
		if (counts(&a->list[i]))
			return a->list[i].journal.of_other_boot ? NULL : &a->list[i];
	return NULL;
}

const struct applied *applies_of_port(const struct applies *a, const struct port *port,
				      struct err *err)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct applied *one = &a->list[i];
		const struct journal_entry *e = journal_find(&one->journal, port);

		if (!counts(one))
			continue;
		if (!is_whole(one, err))
			return NULL;
		if (!one->journal.of_other_boot && e && !e->undone)
			return one;
	}
	return NULL;
}

static struct port port_of(const struct journal_entry *e)
{
	struct port p = { .ifindex = 0 };

	snprintf(p.id.name, sizeof(p.id.name), "%s", e->name);
	snprintf(p.id.pci, sizeof(p.id.pci), "%s", e->pci);
	return p;
}

/* Let the older apply win: it recorded the value before the newer one. */
static bool put_older(struct journal *j, const struct journal_entry *older, unsigned number,
		      struct err *err)
{
	struct port port = port_of(older);
	struct journal_entry both = *older, *newer = journal_find(j, &port);

	both.before_apply = number;
	if (newer) {
		both.back = config_overlay(&newer->back, &older->back);
		both.back.exact = both.back.has;
		snprintf(both.name, sizeof(both.name), "%s", newer->name);
	}
	return journal_add(j, &both, err);
}

bool applies_before(const struct applies *a, unsigned number, struct journal *ret, struct err *err)
{
	for (size_t i = 0; i < a->count && a->list[i].number >= number; i++) {
		const struct journal *j = &a->list[i].journal;

		if (a->list[i].undone)
			continue;
		if (!is_whole(&a->list[i], err))
			return false;
		for (size_t e = 0; !j->of_other_boot && e < j->count; e++)
			if (!j->entries[e].rolled_back &&
			    !put_older(ret, &j->entries[e], number, err))
				return false;
	}
	return true;
}

void applies_roll_back(struct applies *a, unsigned number, const struct port *port,
		       setting_set left_out)
{
	for (size_t i = 0; i < a->count && a->list[i].number >= number; i++) {
		struct journal_entry *e = journal_find(&a->list[i].journal, port);

		if (!e || a->list[i].journal.of_other_boot || e->rolled_back)
			continue;
		e->back.has &= left_out;
		e->rolled_back = !e->back.has;
		e->partly = e->back.has;
		a->list[i].changed = true;
	}
}

bool applies_save(struct host *h, struct applies *a, struct err *err)
{
	char path[PATH_TEXT_MAX];

	for (size_t i = 0; i < a->count; i++)
		if (a->list[i].changed && !journal_save(h, path_of(a->list[i].number, false, path),
							&a->list[i].journal, err))
			return false;
	return true;
}

/* Skip damaged files: they cannot be rolled back. */
bool applies_reserve(struct host *h, const struct applies *a, const struct journal *begun,
		     struct err *err)
{
	_journal_ struct journal all = { .entries = NULL };
	struct err quiet = { 0 };
	size_t size;

	for (size_t i = 0; i < begun->count; i++)
		if (!put_older(&all, &begun->entries[i], 1, err))
			return false;
	if (!applies_before(a, 1, &all, &quiet) && quiet.code == ENOMEM) {
		*err = quiet;
		return false;
	}
	size = journal_size(h, &all, err);
	return size && host_reserve_room(h, JOURNAL_DIR, RESERVE_MORE(size), err);
}

/* ---- the end of an apply ---- */

static bool next_path(struct host *h, bool undone, char path[PATH_TEXT_MAX], struct err *err)
{
	struct numbers files;

	if (!find_files(h, &files, err))
		return false;
	path_of(files.count ? files.list[0] + 1 : 1, undone, path);
	return true;
}

/* Ignore failures: the next apply tries again. */
static void remove_oldest(struct host *h)
{
	char path[PATH_TEXT_MAX];
	struct err quiet = { 0 };
	struct numbers files;

	if (!find_files(h, &files, &quiet))
		return;
	for (size_t i = 0; i < files.count; i++)
		if (!is_kept(&files, i))
			(void)!host_move_file(h, path_of(files.list[i], files.undone[i], path),
					      NULL, &quiet);
}

static bool end_as(struct host *h, bool undone, struct err *err)
{
	char path[PATH_TEXT_MAX];

	if (!next_path(h, undone, path, err) || !journal_end(h, path, err))
		return false;
	remove_oldest(h);
	return true;
}

bool applies_keep(struct host *h, struct err *err)
{
	return end_as(h, false, err);
}

bool applies_end_undone(struct host *h, struct journal *undone, struct err *err)
{
	while (undone->count) {
		_journal_ struct journal one = { .entries = NULL };
		const struct journal_run *run = journal_run_of(undone, &undone->entries[0]);

		if (!journal_extract_run(undone, run, &one, err) ||
		    !journal_save(h, JOURNAL_PENDING, &one, err) || !end_as(h, true, err))
			return false;
	}
	return true;
}

bool applies_add(struct host *h, const struct journal *j, struct err *err)
{
	char path[PATH_TEXT_MAX];

	if (!next_path(h, false, path, err) || !journal_save(h, path, j, err))
		return false;
	remove_oldest(h);
	return true;
}

/* Undoes the split of a journal that could not be saved: its copy in /run has the rest alone. */
static void join_again(struct host *h, const char *path, struct journal *pending,
		       const struct journal *own)
{
	const struct journal none = { .entries = NULL };
	struct err quiet = { 0 };

	(void)!journal_save(h, path, &none, &quiet);
	for (size_t i = 0; i < own->count; i++)
		(void)!journal_add(pending, &own->entries[i], &quiet);
	(void)!journal_save(h, JOURNAL_PENDING, pending, &quiet);
}

bool applies_keep_own(struct host *h, struct journal *pending, struct err *err)
{
	_journal_ struct journal own = { .entries = NULL };
	char path[PATH_TEXT_MAX];

	if (!journal_extract_run(pending, &pending->run, &own, err))
		return false;
	if (!pending->count)
		return (!pending->of_copy || journal_save(h, JOURNAL_PENDING, &own, err)) &&
		       applies_keep(h, err);
	if (!next_path(h, false, path, err) || !journal_save(h, path, &own, err))
		return false;
	if (!journal_save(h, JOURNAL_PENDING, pending, err)) {
		join_again(h, path, pending, &own);
		return false;
	}
	remove_oldest(h);
	return true;
}
