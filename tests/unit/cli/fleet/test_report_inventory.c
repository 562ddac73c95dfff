/* Tests of files of hosts: the hosts in them, and that a file with an error changes nothing. */
#include <sys/mman.h>
#include <unistd.h>

#include "cli/fleet/database.h"
#include "cli/fleet/report.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

#define TEN(text)     text text text text text text text text text text
#define HUNDRED(text) TEN(TEN(text))

static char directory[] = "/tmp/inventory-XXXXXX";
static char base[64];

static bool replace_bytes(const char *bytes, size_t size, char path[32], struct err *err)
{
	int fd = memfd_create("hosts", MFD_CLOEXEC);
	bool ok;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	ok = inventory_replace(base, path, err);
	close(fd);
	return ok;
}

/* Replace the inventory by the hosts of a text. */
static bool replace(const char *text, char path[32], struct err *err)
{
	return replace_bytes(text, strlen(text), path, err);
}

static void assert_hosts(const char *expected)
{
	_database_ sqlite3 *db = NULL;
	_statement_ sqlite3_stmt *stmt = NULL;
	struct err err = { 0 };
	bool row;

	if (!database_open(base, DATABASE_READ, &db, &err) ||
	    !database_prepare(db,
			      "SELECT GROUP_CONCAT(host, '|') FROM (SELECT host FROM inventory "
			      "ORDER BY host)",
			      &stmt, &err) ||
	    !database_step(stmt, &row, &err))
		fail_msg("%s", err.text);
	if (!expected)
		assert_null(sqlite3_column_text(stmt, 0));
	else
		assert_string_equal(sqlite3_column_text(stmt, 0), expected);
}

static const struct hosts_row {
	const char *sentence, *text, *hosts;
} accepted[] = {
	{ "one a line", "b\na\n", "a|b" },
	{ "the last line may have no end", "a\nb", "a|b" },
	{ "an empty file has none", "", NULL },
	{ "blank lines are none", "\n \t\n\r\na\n", "a" },
	{ "blanks around a name are not of it", " \ta \t\r\nb\r\n", "a|b" },
	{ "a comment is none", "# a\na # b\n\t#c\n", "a" },
	{ "a hash within a name is of it", "a#b\n", "a#b" },
	{ "a host twice is one", "a\na\n", "a" },
	{ "a quote is a character like another", "a');--\n", "a');--" },
	{ "255 characters are a name", HUNDRED("x") HUNDRED("x") TEN("xxxxx") "yyyyy\n",
	  HUNDRED("x") HUNDRED("x") TEN("xxxxx") "yyyyy" },
	{ "a byte order mark is of no name",
	  "\xef\xbb\xbf"
	  "a\n\xef\xbb\xbf"
	  "b\n",
	  "a|\xef\xbb\xbf"
	  "b" },
	{ "a comment may be long", "a # " HUNDRED("0123456789ab") "\nb\n", "a|b" },
};

static void is_accepted(void **state)
{
	const struct hosts_row *row = *state;
	struct err err = { 0 };
	char path[32];

	if (!replace("before\n", path, &err) || !replace(row->text, path, &err))
		fail_msg("%s: %s", err.where, err.text);
	assert_hosts(row->hosts);
}

static const struct refused_row {
	const char *sentence, *text;
	unsigned line;
	const char *error;
} refused[] = {
	{ "two words are no host", "a\n\nb c\n", 3, "found several words, expected one host" },
	{ "a name of 256 characters is none", HUNDRED("x") HUNDRED("x") TEN("xxxxx") "yyyyyy\n", 1,
	  "found more than 255 characters, expected one host" },
	{ "a name without an end is none", "a\n" TEN(HUNDRED("xx")), 2,
	  "found more than 255 characters, expected one host" },
};

static void is_refused_and_changes_nothing(void **state)
{
	const struct refused_row *row = *state;
	struct err err = { 0 };
	char path[32], where[48];

	if (!replace("before\n", path, &err))
		fail_msg("%s", err.text);
	assert_false(replace(row->text, path, &err));
	assert_int_equal(err.kind, ERR_POLICY);
	assert_string_equal(err.text, row->error);
	snprintf(where, sizeof(where), "%s:%u", path, row->line);
	assert_string_equal(err.where, where);
	assert_hosts("before");
}

static void a_file_in_utf_16_is_refused(void **state)
{
	static const char bytes[] = "a\0\n\0b\0";
	struct err err = { 0 };
	char path[32];

	(void)state;
	if (!replace("before\n", path, &err))
		fail_msg("%s", err.text);
	assert_false(replace_bytes(bytes, sizeof(bytes), path, &err));
	assert_string_equal(err.text, "found a NUL byte, expected one host");
	assert_hosts("before");
}

static const struct unreadable_row {
	const char *sentence, *path;
	enum err_kind kind;
	const char *error;
} unreadable[] = {
	{ "a file that is not there is named", "/nowhere/hosts", ERR_NO_FILE,
	  "/nowhere/hosts: No such file or directory" },
	{ "a directory cannot be read", "/proc/self", ERR_SYSTEM, "/proc/self: Is a directory" },
};

static void is_named_and_changes_nothing(void **state)
{
	const struct unreadable_row *row = *state;
	struct err err = { 0 };
	char path[32];

	if (!replace("before\n", path, &err))
		fail_msg("%s", err.text);
	assert_false(inventory_replace(base, row->path, &err));
	assert_int_equal(err.kind, row->kind);
	assert_string_equal(err.text, row->error);
	assert_hosts("before");
}

static void a_database_is_not_made_for_a_file_that_is_not_there(void **state)
{
	struct err err = { 0 };
	char other[80];

	(void)state;
	snprintf(other, sizeof(other), "%s/other", directory);
	assert_false(inventory_replace(other, "/nowhere/hosts", &err));
	assert_int_not_equal(access(other, F_OK), 0);
}

int main(void)
{
	struct suite s = { .count = 0 };
	int code;

	if (!mkdtemp(directory))
		return EXIT_FAILURE;
	snprintf(base, sizeof(base), "%s/base", directory);
	SUITE_ADD_ROWS(&s, accepted, is_accepted);
	SUITE_ADD_ROWS(&s, refused, is_refused_and_changes_nothing);
	SUITE_ADD(&s, a_file_in_utf_16_is_refused);
	SUITE_ADD_ROWS(&s, unreadable, is_named_and_changes_nothing);
	SUITE_ADD(&s, a_database_is_not_made_for_a_file_that_is_not_there);
	code = suite_run(&s, "inventory");
	unlink(base);
	rmdir(directory);
	return code;
}
