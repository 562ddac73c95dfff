/* Tests of splitting a file into documents: one a line, over several lines, cut off, too long. */
#include <sys/mman.h>
#include <unistd.h>

#include "cli/fleet/input/input.h"
#include "cli/fleet/input/parsed.h"
#include "tests/support/unit.h"

static int file_of(const char *text)
{
	int fd = memfd_create("lines", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static const struct split {
	const char *sentence, *text;
	const char *documents; /* LINE:TEXT, each ended by | */
} splits[] = {
	{ "an empty file has none", "", "" },
	{ "blank lines are none", "\n \t\r\n\n", "" },
	{ "one a line", "{1}\n{2}\n", "1:{1}\n|2:{2}\n|" },
	{ "the last line may have no end", "{1}\n{2}", "1:{1}\n|2:{2}|" },
	{ "blanks may follow", "{1} \r\n{2}\n", "1:{1} \r\n|2:{2}\n|" },
	{ "one over several lines", "{\n 1\n}\n{2}\n", "1:{\n 1\n}\n|4:{2}\n|" },
	{ "noise behind one does not belong to it", "{\n}\nx\n", "1:{\n}\n|3:x\n|" },
	{ "one that is cut off takes no other with it", "{\n 1\n{2}\n", "1:{\n 1\n|3:{2}\n|" },
	{ "noise takes no document with it", "x\ny\n{2}\n", "1:x\ny\n|3:{2}\n|" },
	{ "blank lines count", "\n\n{1}\n", "3:{1}\n|" },
};

static void is_split(void **state)
{
	const struct split *row = *state;
	_lines_ struct lines lines = { .fd = file_of(row->text) };
	struct lines_document d = { 0 };
	struct err err = { 0 };
	char found[256] = "";
	bool any;

	while (lines_next(&lines, &d, &any, &err) && any) {
		size_t used = strlen(found);

		assert_false(d.too_long);
		snprintf(found + used, sizeof(found) - used, "%zu:%.*s|", d.line, (int)d.size,
			 d.text);
	}
	assert_int_equal(err.kind, 0);
	assert_string_equal(found, row->documents);
	close(lines.fd);
}

static void one_that_is_too_long_takes_no_other_with_it(void **state)
{
	char *text = malloc(DOCUMENT_MAX + 32);
	_lines_ struct lines lines = { 0 };
	struct lines_document d = { 0 };
	struct err err = { 0 };
	bool any;

	(void)state;
	memset(text, 'x', DOCUMENT_MAX + 8);
	snprintf(text + DOCUMENT_MAX + 8, 24, "\n{2}\n");
	text[0] = '{';
	lines.fd = file_of(text);
	assert_true(lines_next(&lines, &d, &any, &err) && any && d.too_long);
	assert_int_equal(d.line, 1);
	assert_true(lines_next(&lines, &d, &any, &err) && any && !d.too_long);
	assert_int_equal(d.line, 2);
	assert_memory_equal(d.text, "{2}\n", 4);
	assert_true(lines_next(&lines, &d, &any, &err) && !any);
	close(lines.fd);
	free(text);
}

static void a_descriptor_that_cannot_be_read_is_an_error(void **state)
{
	_lines_ struct lines lines = { .fd = -1 };
	struct lines_document d = { 0 };
	struct err err = { 0 };
	bool any;

	(void)state;
	assert_false(lines_next(&lines, &d, &any, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, splits, is_split);
	SUITE_ADD(&s, one_that_is_too_long_takes_no_other_with_it);
	SUITE_ADD(&s, a_descriptor_that_cannot_be_read_is_an_error);
	return suite_run(&s, "lines");
}
