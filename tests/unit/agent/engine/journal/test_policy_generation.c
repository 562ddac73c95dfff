/* Tests of the generations of a signed policy that a host accepts. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/engine/journal/lock.h"
#include "agent/engine/journal/policy_generation.h"
#include "tests/support/unit.h"

struct disk {
	struct host host;     /* first, so that a struct host * is a struct disk * */
	const char *accepted; /* the file; NULL: no file */
	int code;	      /* errno of the read; 0: success */
	char saved[32];
};

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct disk *d = (const struct disk *)h;

	assert_string_equal(path, "/var/lib/losslessctl/generation");
	if (d->code)
		return err_set(err, ERR_SYSTEM, d->code, "read %s", path);
	if (!d->accepted)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
	snprintf(buf, size, "%s", d->accepted);
	return true;
}

static bool save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	struct disk *d = (struct disk *)h;

	(void)path;
	(void)err;
	snprintf(d->saved, sizeof(d->saved), "%s", text);
	return true;
}

static int root; /* with run/losslessctl */

static bool make_dir(struct host *h, const char *path, struct err *err)
{
	(void)h;
	(void)path;
	(void)err;
	return true;
}

static uint64_t now;

static uint64_t now_ms(struct host *h)
{
	(void)h;
	return now;
}

static void sleep_ms(struct host *h, unsigned ms)
{
	(void)h;
	now += ms;
}

static int never(struct host *h)
{
	(void)h;
	return 0;
}

static const struct row {
	const char *sentence, *signer;
	uint64_t generation;
	const char *accepted;
	int code;
	const char *saved; /* NULL: the policy is refused */
	const char *error;
} rows[] = {
	{ "an unsigned policy needs none", "", 0, "7", 0, "", "" },
	{ "the first one is noted", "alice", 3, NULL, 0, "3\n", "" },
	{ "a newer one is noted", "alice", 8, "7\n", 0, "8\n", "" },
	{ "the same one is accepted as it is", "alice", 7, "7", 0, "", "" },
	{ "an older one is refused", "alice", 6, "7", 0, NULL, "generation 6 is older than 7" },
	{ "a signed policy without one is refused", "alice", 0, NULL, 0, NULL, "needs a" },
	{ "a damaged file is not taken for 0", "alice", 8, "seven", 0, NULL, "is not a number" },
	{ "a number with more behind it is damaged", "alice", 8, "7x", 0, NULL, "not a number" },
	{ "a file that cannot be read is not taken for 0", "alice", 8, NULL, EIO, NULL, "read /" },
};

#define DISK_HOST \
	{ \
		.may_write = true, .root = root, .read_file = read_file, .save_file = save_file, \
		.make_dir = make_dir, .now_ms = now_ms, .sleep_ms = sleep_ms, .interrupted = never \
	}

static void ends_as_the_row_says(void **s)
{
	const struct row *r = *s;
	struct disk d = { .host = DISK_HOST, .accepted = r->accepted, .code = r->code };
	struct policy *p = calloc(1, sizeof(*p));
	struct err err = { 0 };

	snprintf(p->signer, sizeof(p->signer), "%s", r->signer);
	p->generation = r->generation;
	assert_int_equal(policy_generation_accept(&d.host, p, &err), r->saved != NULL);
	assert_string_equal(d.saved, r->saved ? r->saved : "");
	assert_non_null(strstr(err.text, r->error));
	free(p);
}

/* An agent and an apply that both read the old one would leave the older of theirs. */
static void nobody_reads_it_while_another_decides(void **s)
{
	struct disk d = {
		.host = DISK_HOST,
	};
	struct policy *p = calloc(1, sizeof(*p));
	struct err err = { 0 };
	int lock = -1;

	(void)s;
	p->signer[0] = 'a';
	p->generation = 8;
	assert_true(lock_generation(&d.host, &lock, &err));
	assert_false(policy_generation_accept(&d.host, p, &err));
	assert_int_equal(err.kind, ERR_LOCKED);
	assert_string_equal(d.saved, "");
	close(lock);
	free(p);
}

int main(void)
{
	static char folder[] = "/tmp/losslessctl-generation.XXXXXX";
	static struct suite s;
	int failed;

	root = mkdtemp(folder) ? open(folder, O_RDONLY | O_DIRECTORY) : -1;
	if (root < 0 || mkdirat(root, "run", 0755) < 0 ||
	    mkdirat(root, "run/losslessctl", 0755) < 0)
		return EXIT_FAILURE;
	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, nobody_reads_it_while_another_decides);
	failed = suite_run(&s, "policy_generation");
	unlinkat(root, "run/losslessctl/generation.lock", 0);
	unlinkat(root, "run/losslessctl", AT_REMOVEDIR);
	unlinkat(root, "run", AT_REMOVEDIR);
	rmdir(folder);
	close(root);
	return failed;
}
