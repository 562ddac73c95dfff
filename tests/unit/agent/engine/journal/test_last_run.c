/* Tests of an operator's last run on a port: it decides whether the agent may repair the port. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/engine/journal/last_run.h"
#include "tests/support/unit.h"

#define THEIRS "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define OURS   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

struct world {
	struct host host;
	const char *latest; /* the file of the last runs; NULL: no file */
};

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct world *w = (const struct world *)h;

	(void)path;
	if (!w->latest)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
	snprintf(buf, size, "%s", w->latest);
	return true;
}

static const struct row {
	const char *sentence, *latest;
	bool free;	  /* the agent may repair */
	const char *text; /* part of the reason why not */
} rows[] = {
	{ "nothing was applied", NULL, true, "" },
	{ "another port's line says nothing of this one",
	  "0000:3b:00.1 apply alice then 1 2 3 f " THEIRS " 2000 then apply alice\n", true, "" },
	{ "an address that begins alike is another port's",
	  "0000:3b:00.00 apply alice then 1 2 3 f " THEIRS " 2000 then apply alice\n", true, "" },
	{ "the same policy was applied",
	  "0000:3b:00.0 apply alice then 1 2 3 f " OURS " 2000 then apply alice\n", true, "" },
	{ "another policy was applied before this one was loaded",
	  "0000:3b:00.0 apply alice then 1 2 3 f " THEIRS " 999 then apply alice\n", true, "" },
	{ "another policy was applied since",
	  "x apply u t 1 2 3 f p 1 t v u\n0000:3b:00.0 apply alice then 1 2 3 f " THEIRS
	  " 1000 then apply alice\n",
	  false,
	  "another policy was applied after the agent loaded its policy (apply at then, by "
	  "alice)" },
	{ "an apply was rolled back since",
	  "0000:3b:00.0 apply alice then 1 2 3 f rolled-back 1001 then rollback bob\n", false,
	  "an apply was rolled back after the agent loaded its policy (rollback at then, by bob)" },
	{ "a line that is damaged is no leave to repair", "0000:3b:00.0 " THEIRS "\n", false,
	  "damaged" },
};

static void it_is_respected_so(void **s)
{
	const struct row *r = *s;
	struct world w = { .host.read_file = read_file, .latest = r->latest };
	struct port port = { .id = { .name = "ens1f0np0", .pci = "0000:3b:00.0" } };
	struct policy *p = calloc(1, sizeof(*p));
	struct err err = { 0 };

	snprintf(p->sha256, sizeof(p->sha256), "%s", OURS);
	assert_int_equal(last_run_permits(&w.host, p, 1000, &port, &err), r->free);
	assert_non_null(strstr(err.text, r->text));
	free(p);
}

/* Replace the file by a new one, as host_save_file() does. */
static void save_at(int root, const struct timespec at[2])
{
	int fd = openat(root, "run/losslessctl/new", O_WRONLY | O_CREAT, 0600);

	assert_true(fd >= 0 && futimens(fd, at) == 0 && close(fd) == 0);
	assert_int_equal(renameat(root, "run/losslessctl/new", root, "run/losslessctl/last-runs"),
			 0);
}

static void each_save_has_another_stamp(void **s)
{
	static const struct timespec at[2] = { { 1000, 5 }, { 1000, 5 } },
				     later[2] = { { 1000, 6 }, { 1000, 6 } };
	char path[] = "/tmp/losslessctl-test-XXXXXX", command[64];
	struct host h = { .root = open(mkdtemp(path), O_PATH | O_DIRECTORY) };
	uint64_t stamps[3];

	(void)s;
	assert_int_equal(mkdirat(h.root, "run", 0700) | mkdirat(h.root, "run/losslessctl", 0700),
			 0);
	assert_int_equal(last_run_stamp(&h), 0);
	save_at(h.root, at);
	stamps[0] = last_run_stamp(&h);
	assert_int_equal(last_run_stamp(&h), stamps[0]);
	save_at(h.root, at);
	stamps[1] = last_run_stamp(&h);
	save_at(h.root, later);
	stamps[2] = last_run_stamp(&h);
	assert_true(stamps[0] && stamps[0] != stamps[1] && stamps[1] != stamps[2]);
	close(h.root);
	snprintf(command, sizeof(command), "rm -r %s", path);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, it_is_respected_so);
	SUITE_ADD(&s, each_save_has_another_stamp);
	return suite_run(&s, "last_run");
}
