#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libmnl/libmnl.h>
#include <linux/unix_diag.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/owned_host.h"
#include "tests/support/unit.h"

const struct port owned_port = { .id = { .name = "ens1f0np0", .mac = "02:00:00:00:00:0a" } };
static char root[] = "/tmp/losslessctl-test-XXXXXX";

struct host_linux outside;
static uint8_t mode;
uint32_t socket_user;

int mode_code;

static bool say_user(uint32_t user, reply_fn *each, void *arg)
{
	char room[128] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(room);

	mnl_nlmsg_put_extra_header(n, sizeof(struct unix_diag_msg));
	mnl_attr_put_u8(n, UNIX_DIAG_SHUTDOWN, 0);
	mnl_attr_put_u32(n, UNIX_DIAG_UID, user);
	return each(n, arg) >= 0;
}

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	char room[128] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(room);

	(void)h;
	(void)request;
	if (bus == BUS_SOCKETS)
		return say_user(socket_user, each, arg);
	if (mode_code)
		return err_set(err, host_err_kind(mode_code), mode_code, "no");
	mnl_nlmsg_put_extra_header(n, sizeof(struct dcbmsg));
	mnl_attr_put_u8(n, DCB_ATTR_DCBX, mode);
	return each(n, arg) >= 0;
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *where)
{
	(void)s;
	(void)type;
	return where->level ? remove(path) : 0;
}

static void empty_root(void)
{
	assert_int_equal(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void make_directories(const char *path)
{
	char folder[256];

	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
		assert_true(mkdirat(outside.host.root, folder, 0700) == 0 || errno == EEXIST);
	}
}

static void put_file(const struct file *f)
{
	size_t size = f->size ? f->size : strlen(f->text);
	int fd;

	make_directories(f->path);
	fd = openat(outside.host.root, f->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, f->text, size), size);
	close(fd);
}

int make_root(void **s)
{
	struct err err = { 0 };

	(void)s;
	if (!mkdtemp(root) || !host_linux_open(&outside, root, false, &err))
		return -1;
	outside.host.talk = talk;
	return 0;
}

int remove_root(void **s)
{
	(void)s;
	empty_root();
	host_linux_close(&outside);
	return rmdir(root);
}

void add_files(const struct file *files)
{
	for (size_t i = 0; i < FILES_MAX && files[i].path; i++)
		put_file(&files[i]);
}

void put_files(const struct file *files)
{
	empty_root();
	run_facts_forget(&outside.host.facts);
	mode_code = 0;
	mode = HOST;
	socket_user = 0;
	assert_true(mkdirat(outside.host.root, "proc", 0700) == 0);
	add_files(files);
}

void is_owned_so(void **s)
{
	const struct owner_row *row = *s;
	struct err err = { 0 };
	struct owner o;

	put_files(row->files);
	mode = row->mode;
	mode_code = row->code;
	assert_true(owner_find(&outside.host, &owned_port, &o, &err));
	assert_string_equal(owner_name(o.who), owner_name(row->who));
	assert_int_equal(o.firmware_too, row->firmware_too);
	if (!strstr(o.what, row->what) || (o.who == OWNER_NOBODY && o.what[0]))
		fail_msg("%s", o.what);
}
