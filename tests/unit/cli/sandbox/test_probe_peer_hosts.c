/* Tests of the file of `probe --hosts`: its contents, and a hostile file that is refused. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/sandbox/probe_peer.h"
#include "tests/support/unit.h"

static bool parse(const char *text, size_t size, struct hosts *ret, struct err *err)
{
	char *copy = calloc(1, size + 1);

	assert_non_null(copy);
	memcpy(copy, text, size);
	return hosts_parse("rack", copy, size, ret, err);
}

static void hosts_are_read_without_comments_and_blanks(void **state)
{
	static const char text[] =
		"# rack 12\r\n\r\n  gpu-1  # head\nroot@gpu-2\t\n\n[2001:db8::1]";
	struct hosts h;
	struct err err = { 0 };

	(void)state;
	assert_true(parse(text, strlen(text), &h, &err));
	assert_int_equal(h.count, 3);
	assert_string_equal(h.list[0], "gpu-1");
	assert_string_equal(h.list[1], "root@gpu-2");
	assert_string_equal(h.list[2], "[2001:db8::1]");
	hosts_free(&h);
}

static const struct {
	const char *sentence, *text, *where, *why;
} refused[] = {
	{ "an empty file is refused", "", "rack", "found 0 hosts, expected 2 to 128" },
	{ "one host is refused", "gpu-1\n#gpu-2\n", "rack", "found 1 host, expected 2 to 128" },
	{ "an option is refused", "gpu-1\n-oProxyCommand=id\n", "rack:2", "found an option" },
	{ "two words are refused", "gpu-1 gpu-2\n", "rack:1", "found several words" },
	{ "the same host twice is refused", "gpu-1\ngpu-2\n gpu-1 #\n", "rack:3",
	  "found a host for the second time" },
	{ "a command of the shell is refused", "gpu-1\n$(id)\n", "rack:2", "found a character" },
	{ "quotes are refused", "gpu-1\n'gpu-2'\n", "rack:2", "found a character" },
	{ "a control character is refused", "gpu-1\ngpu\033[2J\n", "rack:2", "found a character" },
	{ "another alphabet is refused", "gpu-1\n\xef\xbb\xbfgpu-2\n", "rack:2",
	  "found a character" },
};

static void is_refused(void **state)
{
	const size_t i =
		(size_t)((const char *)*state - (const char *)refused) / sizeof(refused[0]);
	struct hosts h;
	struct err err = { 0 };

	assert_false(parse(refused[i].text, strlen(refused[i].text), &h, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err.where, refused[i].where);
	assert_non_null(strstr(err.text, refused[i].why));
	hosts_free(&h);
}

static void a_nul_is_refused(void **state)
{
	struct hosts h;
	struct err err = { 0 };

	(void)state;
	assert_false(parse("gpu-1\ngpu-2\0\n", 13, &h, &err));
	assert_non_null(strstr(err.text, "NUL"));
	hosts_free(&h);
}

/* Parse `count` hosts of `digits` digits. */
static bool parse_many(size_t count, int digits, struct hosts *h, struct err *err)
{
	char text[65536] = "";
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%0*zu\n", digits, i);
	return parse(text, used, h, err);
}

static void limits_are_as_documented(void **state)
{
	struct hosts h;
	struct err err = { 0 };

	(void)state;
	assert_true(parse_many(HOSTS_MAX, 255, &h, &err));
	assert_int_equal(h.count, HOSTS_MAX);
	hosts_free(&h);
	assert_false(parse_many(HOSTS_MAX + 1, 4, &h, &err));
	assert_string_equal(err.where, "rack:129");
	assert_string_equal(err.fix, "split the file");
	hosts_free(&h);
	err = (struct err){ 0 };
	assert_false(parse_many(2, 256, &h, &err));
	assert_non_null(strstr(err.text, "255 characters"));
	hosts_free(&h);
}

static void a_file_that_is_too_long_is_refused(void **state)
{
	char path[] = "/tmp/losslessctl-hosts-XXXXXX";
	struct hosts h;
	struct err err = { 0 };
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(ftruncate(fd, 1 << 30), 0);
	close(fd);
	assert_false(hosts_read(path, &h, &err));
	unlink(path);
	assert_string_equal(err.where, path);
	assert_non_null(strstr(err.text, "found more than 65536 bytes"));
	hosts_free(&h);
}

static void a_device_is_not_opened(void **state)
{
	struct hosts h;
	struct err err = { 0 };

	(void)state;
	assert_false(hosts_read("/dev/zero", &h, &err));
	assert_string_equal(err.where, "/dev/zero");
	assert_non_null(strstr(err.text, "not a regular file or a pipe"));
	hosts_free(&h);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, hosts_are_read_without_comments_and_blanks);
	SUITE_ADD_ROWS(&s, refused, is_refused);
	SUITE_ADD(&s, a_nul_is_refused);
	SUITE_ADD(&s, limits_are_as_documented);
	SUITE_ADD(&s, a_file_that_is_too_long_is_refused);
	SUITE_ADD(&s, a_device_is_not_opened);
	return suite_run(&s, "probe_peer_hosts");
}
