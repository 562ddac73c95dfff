/* The last ten applies: which files they are, and what rolls a port back to before one of them. */
#include <errno.h>

#include "agent/engine/journal/applies.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define FILES 16

struct file {
	char name[32], text[2048];
};

/* A directory; a name of "" is a free place. */
struct world {
	struct host host;
	struct file files[FILES];
	size_t reserved;
};

static struct file *file_of(struct world *w, const char *path)
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

	if (!f)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
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

static struct world fresh(void)
{
	return (struct world){ .host = { .may_write = true,
					 .read_file = read_file,
					 .save_file = save_file,
					 .move_file = move_file,
					 .release_file = release_file,
					 .reserve_room = reserve_room,
					 .list_dir = list_dir } };
}

/* An apply of one port or two that changed the MTU from this, and of the first also the ToS. */
static struct journal one(const char *first, const char *second, uint32_t mtu, int tos)
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

static void end(struct world *w, struct journal j)
{
	struct err err = { 0 };

	assert_true(journal_save(&w->host, JOURNAL_PENDING, &j, &err));
	assert_true(applies_keep(&w->host, &err));
	journal_free(&j);
}

/* Before 1 both had 1500; 2 was of a alone, 3 of b alone. */
static struct world three(void)
{
	struct world w = fresh();

	end(&w, one("a", "b", 1500, 0));
	end(&w, one("a", "", 4200, -1));
	end(&w, one("b", "", 4200, 8));
	return w;
}

static struct port port_at(const char *pci)
{
	struct port p = { .ifindex = 1 };

	snprintf(p.id.pci, sizeof(p.id.pci), "%s", pci);
	return p;
}

static void numbers_rise_and_ten_are_kept(void **s)
{
	struct world w = fresh();
	struct err err = { 0 };

	(void)s;
	for (unsigned i = 0; i < 13; i++)
		end(&w, one("a", "", 1500 + i, -1));
	{
		_applies_ struct applies a = { .count = 0 };

		assert_true(applies_load(&w.host, &a, &err));
		assert_int_equal(a.count, APPLIES_MAX);
		for (unsigned i = 0; i < APPLIES_MAX; i++)
			assert_int_equal(a.list[i].number, 13 - i);
		assert_int_equal(a.list[0].journal.entries[0].back.mtu, 1512);
	}
	assert_null(file_of(&w, "/apply-3.json"));
	assert_non_null(file_of(&w, "/apply-4.json"));
	err = (struct err){ 0 };
	assert_false(applies_keep(&w.host, &err)); /* no run is under way */
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
}

static void end_undone(struct world *w, const char *pci, enum undone why)
{
	_journal_ struct journal j = { .entries = NULL };
	struct journal_entry e = { .rolled_back = true,
				   .undone = why,
				   .left_by = { "p", "then", "apply", "root", false } };
	struct err err = { 0 };

	snprintf(e.pci, sizeof(e.pci), "%s", pci);
	assert_true(journal_add(&j, &e, &err));
	assert_true(applies_end_undone(&w->host, &j, &err));
	assert_null(file_of(w, "/pending.json"));
}

/* They have numbers, and are none of the ten; a damaged one stops nothing. */
static void undone_applies_are_kept_besides(void **s)
{
	struct world w = fresh();
	_applies_ struct applies a = { .count = 0 };
	_journal_ struct journal all = { .count = 0 };
	struct port pa = port_at("a");
	struct err err = { 0 };

	(void)s;
	end(&w, one("a", "", 1500, -1));
	for (unsigned i = 0; i < 12; i++)
		end_undone(&w, "a", i % 2 ? UNDONE_FAILED : UNDONE_NOT_CONFIRMED);
	snprintf(file_of(&w, "/undone-12.json")->text, 8, "{");
	assert_true(applies_load(&w.host, &a, &err));
	assert_int_equal(a.count, 1 + APPLIES_MAX);
	assert_int_equal(a.list[0].number, 13);
	assert_int_equal(a.list[0].journal.entries[0].undone, UNDONE_FAILED);
	assert_string_equal(a.list[0].journal.run.user, "root");
	assert_int_equal(a.list[3].journal.entries[0].undone, UNDONE_NOT_CONFIRMED);
	assert_int_equal(applies_newest(&a)->number, 1);
	assert_int_equal(applies_of_port(&a, &pa, &err)->number, 1);
	assert_true(applies_before(&a, 1, &all, &err));
	assert_int_equal(journal_find(&all, &pa)->back.mtu, 1500);
}

/* It was rolled back on one port: the port's last apply is the one before. */
static void a_port_that_failed_was_not_applied(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	struct journal j = one("a", "b", 1500, -1);
	struct port pa = port_at("a"), pb = port_at("b");
	struct err err = { 0 };

	(void)s;
	j.entries[0].rolled_back = true;
	j.entries[0].undone = UNDONE_FAILED;
	end(&w, j);
	assert_true(applies_load(&w.host, &a, &err));
	assert_int_equal(applies_of_port(&a, &pa, &err)->number, 2);
	assert_int_equal(applies_of_port(&a, &pb, &err)->number, 4);
}

static void other_files_are_none(void **s)
{
	static const char *const names[] = { "apply-.json",	      "apply-0.json",
					     "apply-07.json",	      "apply-7.json~",
					     "apply- 7.json",	      "apply-7.json.new",
					     "apply-9999999999.json", "undone-7",
					     "undo-7.json",	      "reserve" };
	struct world w = fresh();
	_applies_ struct applies a = { .count = 0 };
	struct err err = { 0 };

	(void)s;
	for (size_t i = 0; i < COUNT(names); i++)
		snprintf(w.files[i].name, sizeof(w.files[i].name), "%s", names[i]);
	assert_true(applies_load(&w.host, &a, &err));
	assert_int_equal(a.count, 0);
}

static void a_port_goes_back_to_before_the_oldest(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	_journal_ struct journal all = { .count = 0 }, two = { .count = 0 };
	struct port pa = port_at("a"), pb = port_at("b");
	struct err err = { 0 };

	(void)s;
	assert_true(applies_load(&w.host, &a, &err));
	assert_true(applies_before(&a, 1, &all, &err));
	assert_int_equal(all.count, 2);
	assert_int_equal(journal_find(&all, &pa)->back.mtu, 1500);
	assert_int_equal(journal_find(&all, &pb)->back.mtu, 1500);
	assert_int_equal(journal_find(&all, &pb)->back.roce.tos, 8); /* which only 3 changed */
	assert_true(journal_find(&all, &pb)->back.exact == journal_find(&all, &pb)->back.has);
	assert_int_equal(journal_find(&all, &pb)->before_apply, 1);
	assert_true(applies_before(&a, 2, &two, &err));
	assert_int_equal(journal_find(&two, &pa)->back.mtu, 4200);
}

static void the_last_apply_of_a_port_is_found(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	struct port pa = port_at("a"), pb = port_at("b"), pc = port_at("c");
	struct err err = { 0 };

	(void)s;
	assert_true(applies_load(&w.host, &a, &err));
	assert_int_equal(applies_of_port(&a, &pa, &err)->number, 2);
	assert_int_equal(applies_of_port(&a, &pb, &err)->number, 3);
	assert_null(applies_of_port(&a, &pc, &err));
	assert_int_equal(err.kind, ERR_NONE);
}

static void what_is_rolled_back_is_known_and_not_rolled_back_again(void **s)
{
	struct world w = three();
	struct port pa = port_at("a");
	struct err err = { 0 };

	(void)s;
	{
		_applies_ struct applies a = { .count = 0 };

		assert_true(applies_load(&w.host, &a, &err));
		applies_roll_back(&a, 1, &pa, 0);
		assert_true(applies_save(&w.host, &a, &err));
	}
	{
		_applies_ struct applies a = { .count = 0 };
		_journal_ struct journal all = { .count = 0 };

		assert_true(applies_load(&w.host, &a, &err));
		assert_int_equal(applies_of_port(&a, &pa, &err)->number, 2);
		assert_true(applied_is_open(&a.list[0]));
		assert_false(applied_is_open(&a.list[1]));
		assert_true(applied_is_open(&a.list[2]));
		assert_true(applies_before(&a, 1, &all, &err));
		assert_int_equal(all.count, 1);
		assert_string_equal(all.entries[0].pci, "b");
	}
}

static void one_of_another_boot_is_kept_and_not_rolled_back(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	_journal_ struct journal all = { .count = 0 };
	struct port pa = port_at("a");
	struct err err = { 0 };
	char *boot = strstr(file_of(&w, "/apply-2.json")->text, "this-boot");

	(void)s;
	assert_non_null(boot);
	memcpy(boot, "that-boot", 9);
	assert_true(applies_load(&w.host, &a, &err));
	assert_int_equal(a.count, 3);
	assert_true(a.list[1].journal.of_other_boot);
	assert_false(applied_is_open(&a.list[1]));
	assert_int_equal(applies_of_port(&a, &pa, &err)->number, 1);
	assert_true(applies_before(&a, 2, &all, &err));
	assert_null(journal_find(&all, &pa));
}

static void a_damaged_one_stops_what_needs_it(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	_journal_ struct journal all = { .count = 0 }, last = { .count = 0 };
	struct port pa = port_at("a"), pb = port_at("b");
	struct err err = { 0 };

	(void)s;
	snprintf(file_of(&w, "/apply-2.json")->text, 8, "{");
	assert_true(applies_load(&w.host, &a, &err));
	assert_true(applies_before(&a, 3, &last, &err));
	assert_int_equal(applies_of_port(&a, &pb, &err)->number, 3);
	assert_null(applies_of_port(&a, &pa, &err));
	assert_int_equal(err.code, EINVAL);
	err = (struct err){ 0 };
	assert_false(applies_before(&a, 1, &all, &err));
	assert_int_equal(err.code, EINVAL);
}

/* As large as the file that rolls everything back, and more. */
static void room_is_kept_for_the_whole_way_back(void **s)
{
	struct world w = three();
	_applies_ struct applies a = { .count = 0 };
	_journal_ struct journal all = { .count = 0 };
	struct journal begun = one("c", "", 1500, -1);
	struct err err = { 0 };

	(void)s;
	assert_true(applies_load(&w.host, &a, &err));
	assert_true(applies_reserve(&w.host, &a, &begun, &err));
	assert_true(applies_before(&a, 1, &all, &err));
	assert_true(w.reserved > journal_size(&w.host, &all, &err));
	journal_free(&begun);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, numbers_rise_and_ten_are_kept);
	SUITE_ADD(&s, undone_applies_are_kept_besides);
	SUITE_ADD(&s, a_port_that_failed_was_not_applied);
	SUITE_ADD(&s, other_files_are_none);
	SUITE_ADD(&s, a_port_goes_back_to_before_the_oldest);
	SUITE_ADD(&s, the_last_apply_of_a_port_is_found);
	SUITE_ADD(&s, what_is_rolled_back_is_known_and_not_rolled_back_again);
	SUITE_ADD(&s, one_of_another_boot_is_kept_and_not_rolled_back);
	SUITE_ADD(&s, a_damaged_one_stops_what_needs_it);
	SUITE_ADD(&s, room_is_kept_for_the_whole_way_back);
	return suite_run(&s, "applies");
}
