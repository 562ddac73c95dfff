/* Tests of the journal's file: loading it, refusing a damaged one, and finding a port's entry. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/engine/journal/journal.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define PENDING "/var/lib/losslessctl/journal/pending.json"

/* A disk with one file, which is not the copy, and the path that the file is moved to. */
struct world {
	struct host host;
	char text[4096];
	bool there, no_boot_id;
	int read_code, move_code;
	char moved_to[128];
};

static bool outcome(int code, const char *path, struct err *err)
{
	enum err_kind kind = code == ENOENT ? ERR_UNSUPPORTED : host_err_kind(code);

	return !code || err_set(err, kind, code, "%s: %s", path, strerror(code));
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct world *w = (const struct world *)h;

	if (strstr(path, "boot_id")) {
		snprintf(buf, size, "this-boot");
		return !w->no_boot_id || outcome(EIO, path, err);
	}
	if (!w->there || w->read_code)
		return outcome(w->there ? w->read_code : ENOENT, path, err);
	snprintf(buf, size, "%s", w->text);
	return true;
}

static bool save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	struct world *w = (struct world *)h;

	(void)path;
	(void)err;
	snprintf(w->text, sizeof(w->text), "%s", text);
	w->there = true;
	return true;
}

static bool move_file(struct host *h, const char *from, const char *to, struct err *err)
{
	struct world *w = (struct world *)h;

	if (!w->there || strncmp(from, JOURNAL_COPY, sizeof(JOURNAL_COPY) - 1) == 0)
		return outcome(ENOENT, from, err);
	if (w->move_code)
		return outcome(w->move_code, from, err);
	snprintf(w->moved_to, sizeof(w->moved_to), "%s", to ? to : "nowhere");
	w->there = false;
	return true;
}

static bool release_file(struct host *h, const char *path, struct err *err)
{
	return move_file(h, path, NULL, err);
}

static bool list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		     void *arg, struct err *err)
{
	(void)h;
	(void)path;
	(void)err;
	each("apply-7.json", arg);
	return true;
}

static struct world with(const char *text)
{
	struct world w = { .host = { .may_write = true,
				     .read_file = read_file,
				     .save_file = save_file,
				     .move_file = move_file,
				     .release_file = release_file,
				     .list_dir = list_dir },
			   .there = text != NULL };

	snprintf(w.text, sizeof(w.text), "%s", text ? text : "");
	return w;
}

#define OF(boot, ports) \
	"{\"schema\": \"losslessctl/journal/1\", \"boot_id\": \"" boot \
	"\", \"started_at\": \"then\", " \
	"\"policy_name\": \"p\", \"ports\": " ports "}"
#define PORT(name, pci, config) \
	"{\"port\": \"" name "\", \"pci\": \"" pci "\", \"config\": " config "}"
#define ONE "[" PORT("ens1f0np0", "0000:3b:00.0", "{\"mtu\": 1500}") "]"

static const struct row {
	const char *sentence, *text; /* NULL: no file */
	int read_code;
	size_t count;
	const char *says;  /* the error's beginning; NULL: it loads */
	const char *moved; /* where the file is moved to; NULL: it stays */
} rows[] = {
	{ "a journal that is not there has no ports", NULL, 0, 0, NULL, NULL },
	{ "one of this boot has its ports", OF("this-boot", ONE), 0, 1, NULL, NULL },
	{ "one of another boot is put aside", OF("that-boot", ONE), 0, 0, NULL,
	  PENDING ".that-boot" },
	{ "one that cannot be read is reported", OF("this-boot", ONE), EIO, 0,
	  PENDING ": Input/output error", NULL },
	{ "one that is too long is damaged", OF("this-boot", ONE), EFBIG, 0,
	  "this journal is damaged: " PENDING ": File too large", NULL },
	{ "a directory is a damaged one", "", EISDIR, 0,
	  "this journal is damaged: " PENDING ": Is a directory", NULL },
	{ "so is a FIFO", "", EINVAL, 0, "this journal is damaged: " PENDING ": Invalid argument",
	  NULL },
	{ "one that is no JSON is damaged", "{", 0, 0,
	  "this journal is damaged: losslessctl did not write it", NULL },
	{ "nor is one without a boot", "{\"ports\": []}", 0, 0,
	  "this journal is damaged: losslessctl did not write it", NULL },
	{ "a port has a name", OF("this-boot", "[{\"pci\": \"x\", \"config\": {}}]"), 0, 0,
	  "this journal is damaged: a port has no name", NULL },
	{ "and an address, though it may be empty",
	  OF("this-boot", "[{\"port\": \"x\", \"config\": {}}]"), 0, 0,
	  "this journal is damaged: a port has no name", NULL },
	{ "a name is no path", OF("this-boot", "[" PORT("../x", "", "{}") "]"), 0, 0,
	  "this journal is damaged: a port has no name", NULL },
	{ "a setup is one", OF("this-boot", "[" PORT("x", "", "7") "]"), 0, 0,
	  "this journal is damaged: found the number 7", NULL },
	{ "one with a setting that this version does not know is of a later version",
	  OF("this-boot", "[" PORT("x", "", "{\"pfc\": {\"watchdog\": 1}}") "]"), 0, 0,
	  "a later version of losslessctl wrote this journal: unknown key \"watchdog\"", NULL },
	{ "so is one of another schema",
	  "{\"schema\": \"losslessctl/journal/2\", \"boot_id\": \"this-boot\"}", 0, 0,
	  "a later version of losslessctl wrote this journal: losslessctl/journal/2", NULL },
	{ "so is one with a group", OF("this-boot", "[" PORT("x", "", "{\"ultra\": {}}") "]"), 0, 0,
	  "a later version of losslessctl wrote this journal: unknown key \"ultra\"", NULL },
	{ "but a DSCP that there is not is damage",
	  OF("this-boot", "[" PORT("x", "", "{\"dscp\": {\"prio\": {\"99\": 3}}}") "]"), 0, 0,
	  "this journal is damaged: ", NULL },
	{ "and does not contradict itself",
	  OF("this-boot",
	     "[" PORT("x", "", "{\"trust\": \"pcp\", \"dscp\": {\"prio\": {\"3\": 3}}}") "]"),
	  0, 0, "this journal is damaged: trust", NULL },
	{ "a port that is there twice is there once",
	  OF("this-boot",
	     "[" PORT("a", "p", "{}") ", " PORT("b", "p", "{}") ", " PORT("c", "", "{}") ", " PORT(
		     "d", "", "{}") ", " PORT("c", "", "{}") "]"),
	  0, 3, NULL, NULL },
};

static void it_loads_so(void **s)
{
	const struct row *row = *s;
	struct world w = with(row->text);
	_journal_ struct journal j = { .entries = NULL };
	struct err err = { 0 };

	w.read_code = row->read_code;
	assert_int_equal(journal_load(&w.host, JOURNAL_PENDING, &j, &err), !row->says);
	assert_int_equal(j.count, row->count);
	if (row->says)
		assert_memory_equal(err.text, row->says, strlen(row->says));
	assert_string_equal(w.moved_to, row->moved ? row->moved : "");
}

static void who_only_reads_leaves_what_is_of_another_boot(void **s)
{
	struct world w = with(OF("that-boot", ONE));
	_journal_ struct journal j = { .entries = NULL }, gone = { .entries = NULL };
	struct err err = { 0 };

	(void)s;
	w.host.may_write = false;
	assert_true(journal_load(&w.host, JOURNAL_PENDING, &j, &err));
	assert_int_equal(j.count, 0);
	assert_true(w.there);
	assert_true(journal_load_gone(&w.host, JOURNAL_PENDING, &gone));
	assert_int_equal(gone.count, 1);
	assert_int_equal(gone.entries[0].back.mtu, 1500);
}

static void what_is_gone_is_of_another_boot_and_whole(void **s)
{
	static const char *const others[] = { NULL, OF("this-boot", ONE), "{",
					      OF("that-boot", "[" PORT("../x", "", "{}") "]") };

	(void)s;
	for (size_t i = 0; i < COUNT(others); i++) {
		struct world w = with(others[i]);
		_journal_ struct journal gone = { .entries = NULL };

		assert_false(journal_load_gone(&w.host, JOURNAL_PENDING, &gone));
		assert_int_equal(gone.count, 0);
	}
}

static void a_journal_without_ports_is_removed(void **s)
{
	struct world w = with(OF("this-boot", ONE)), none = with(NULL), stuck = with("x");
	struct journal empty = { .entries = NULL };
	struct err err = { 0 };

	(void)s;
	assert_true(journal_save(&w.host, JOURNAL_PENDING, &empty, &err));
	assert_string_equal(w.moved_to, "nowhere");
	assert_true(journal_save(&none.host, JOURNAL_PENDING, &empty, &err));
	stuck.move_code = EIO;
	assert_false(journal_save(&stuck.host, JOURNAL_PENDING, &empty, &err));
	assert_int_equal(err.code, EIO);
}

static void what_cannot_be_written_down_whole_is_not_saved(void **s)
{
	static const struct {
		const char *name;
		bool no_boot_id;
		int code;
	} cases[] = { { "ens1f0np0", false, 0 }, { "v\xff", false, EILSEQ }, { "x", true, EIO } };

	(void)s;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world w = with(NULL);
		_journal_ struct journal j = { .entries = NULL };
		struct journal_entry e = { .back.has = 0 };
		struct err err = { 0 };

		w.no_boot_id = cases[i].no_boot_id;
		snprintf(e.name, sizeof(e.name), "%s", cases[i].name);
		assert_true(journal_add(&j, &e, &err));
		assert_int_equal(journal_save(&w.host, JOURNAL_PENDING, &j, &err), !cases[i].code);
		assert_int_equal(err.code, cases[i].code);
		assert_int_equal(w.there, !cases[i].code);
	}
}

static void there_is_room_for_so_many_ports(void **s)
{
	_journal_ struct journal j = { .entries = NULL };
	struct journal_entry e = { .back.has = 0 };
	struct err err = { 0 };

	(void)s;
	for (int i = 0; i < JOURNAL_MAX; i++) {
		snprintf(e.pci, sizeof(e.pci), "%d", i);
		assert_true(journal_add(&j, &e, &err));
	}
	assert_true(journal_add(&j, &e, &err)); /* an existing entry needs no room */
	snprintf(e.pci, sizeof(e.pci), "one more");
	assert_false(journal_add(&j, &e, &err));
	assert_int_equal(err.code, E2BIG);
	assert_int_equal(j.count, JOURNAL_MAX);
}

static void an_entry_is_found_by_its_address_or_by_its_name(void **s)
{
	struct journal_entry list[] = { { .name = "a", .pci = "p" }, { .name = "b", .pci = "" } };
	struct journal j = { .entries = list, .count = 2 };
	struct port renamed = { .id = { .name = "z", .pci = "p" } }, b = { .id.name = "b" };
	struct port other = { .id = { .name = "a", .pci = "q" } };

	(void)s;
	assert_ptr_equal(journal_find(&j, &renamed), &list[0]);
	assert_ptr_equal(journal_find(&j, &b), &list[1]);
	assert_null(journal_find(&j, &other));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, it_loads_so);
	SUITE_ADD(&s, who_only_reads_leaves_what_is_of_another_boot);
	SUITE_ADD(&s, what_is_gone_is_of_another_boot_and_whole);
	SUITE_ADD(&s, a_journal_without_ports_is_removed);
	SUITE_ADD(&s, what_cannot_be_written_down_whole_is_not_saved);
	SUITE_ADD(&s, there_is_room_for_so_many_ports);
	SUITE_ADD(&s, an_entry_is_found_by_its_address_or_by_its_name);
	return suite_run(&s, "journal");
}
