/* Tests of reading files and pipes to their end, or to a limit of bytes or time. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/sandbox/trusted_open.h"
#include "tests/support/unit.h"

#define MIB (1u << 20)

static const struct patience brief = { .idle_ms = 30, .total_ms = 1000 };
static int ends[2]; /* a pipe's */

static int open_pipe(void **state)
{
	(void)state;
	return pipe2(ends, O_CLOEXEC);
}

static int close_pipe(void **state)
{
	(void)state;
	close(ends[0]);
	close(ends[1]);
	return 0;
}

static void put(const char *text)
{
	assert_int_equal(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
}

static void close_writer(void)
{
	close(ends[1]);
	ends[1] = -1;
}

static bool read_pipe(char **ret, size_t *size, struct patience patience, struct err *err)
{
	return bounded_read_whole(ends[0], MIB, patience, ret, size, err);
}

static void a_pipe_is_read_to_its_end(void **s)
{
	struct err err = { 0 };
	char *text = NULL;
	size_t size;

	(void)s;
	put("PATH=/\nX=");
	put("1\n");
	close_writer();
	assert_true(read_pipe(&text, &size, brief, &err));
	assert_int_equal(size, 11);
	assert_string_equal(text, "PATH=/\nX=1\n");
	free(text);
}

/* A FIFO without a writer, and one whose writer stopped. */
static void a_pipe_without_a_writer_ends_in_time(void **s)
{
	struct err first = { 0 }, second = { 0 };
	char *text = NULL;
	size_t size;

	(void)s;
	assert_false(read_pipe(&text, &size, brief, &first));
	assert_string_equal(first.text, "nobody writes to it");
	assert_int_equal(first.kind, ERR_POLICY);
	put("X");
	assert_false(read_pipe(&text, &size, brief, &second));
	assert_string_equal(second.text, "its writer stopped, and did not close it");
}

static void a_pipe_has_a_time_for_all_of_it(void **s)
{
	static const struct patience none = { .idle_ms = 60000, .total_ms = 30 };
	struct err err = { 0 };
	char *text = NULL;
	size_t size;

	(void)s;
	put("X");
	assert_false(read_pipe(&text, &size, none, &err));
	assert_string_equal(err.text, "it takes too long to come to an end");
}

static void a_file_without_an_end_is_too_large(void **s)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	struct err err = { 0 };
	char *text = NULL;
	size_t size;

	(void)s;
	assert_false(bounded_read_whole(fd, MIB, brief, &text, &size, &err));
	assert_string_equal(err.text, "larger than 1 MiB");
	assert_null(text);
	close(fd);
}

static void add_piece(void *arg, const char *text, size_t size)
{
	strncat(strncat(arg, text, size), "|", 2);
}

static void each_piece_ends_with_a_line(void **s)
{
	struct err err = { 0 };
	char read[64] = "";

	(void)s;
	put("one\ntwo\nthr");
	put("ee");
	close_writer();
	assert_true(bounded_read_pieces(ends[0], MIB, brief, add_piece, read, &err));
	assert_string_equal(read, "one\ntwo\n|three|");
}

static void a_log_without_an_end_is_too_large(void **s)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	struct err err = { 0 };
	char read[64] = "";

	(void)s;
	assert_false(bounded_read_pieces(fd, MIB, brief, add_piece, read, &err));
	assert_string_equal(err.text, "larger than 1 MiB");
	close(fd);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_pipe_is_read_to_its_end);
	SUITE_ADD(&s, a_pipe_without_a_writer_ends_in_time);
	SUITE_ADD(&s, a_pipe_has_a_time_for_all_of_it);
	SUITE_ADD(&s, a_file_without_an_end_is_too_large);
	SUITE_ADD(&s, each_piece_ends_with_a_line);
	SUITE_ADD(&s, a_log_without_an_end_is_too_large);
	for (size_t i = 0; i < s.count; i++) {
		s.tests[i].setup_func = open_pipe;
		s.tests[i].teardown_func = close_pipe;
	}
	return suite_run(&s, "trusted_open_bounded");
}
