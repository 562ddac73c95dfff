/* Tests of reading a port's GIDs: a table of files, whose unused entries are 0 without a type. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy/model/setting.h"
#include "roce/gid.h"
#include "roce/registry.h"
#include "tests/support/unit.h"

#define TABLE 16
#define USED  "fe80:0000:0000:0000:bace:f6ff:fe00:0001"
#define NO    "0000:0000:0000:0000:0000:0000:0000:0000"

/* The types of the first entries: '1', '2', or '.' for an unused one; the table has `size`. */
struct world {
	struct host host;
	const char *types;
	unsigned size, files;
	int code; /* the errno of every read; 0: none */
};

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct world *w = (struct world *)h;
	unsigned index = (unsigned)atoi(strrchr(path, '/') + 1);
	char type = index < strlen(w->types) ? w->types[index] : '.';
	int code = w->code;

	w->files++;
	if (!code && index >= w->size)
		code = ENOENT;
	if (!code && strstr(path, "types") && type == '.')
		code = EINVAL;
	if (code)
		return err_set(err, host_err_kind(code), code, "read %s", path);
	if (strstr(path, "types"))
		snprintf(buf, size, "%s", type == '2' ? "RoCE v2" : "IB/RoCE v1");
	else
		snprintf(buf, size, "%s", type == '.' ? NO : USED);
	return true;
}

static const struct port port = { .id = { .name = "eth0", .rdma = "mlx5_0" }, .rdma_port = 1 };

static const struct row {
	const char *sentence, *types;
	unsigned size;
	int code;
	bool has_v2;
	size_t used;
	unsigned files; /* number of files read */
} rows[] = {
	{ "one of each type", "12", TABLE, 0, true, 2, 2 },
	{ "version 1 only", "11", TABLE, 0, false, 2, 10 },
	{ "none is used", "", TABLE, 0, false, 0, 8 },
	{ "behind unused entries", "1..2", TABLE, 0, true, 2, 4 },
	{ "behind so many unused entries that nobody looks", "1........2", TABLE, 0, false, 1, 9 },
	{ "a table that ends", "1", 3, 0, false, 1, 9 },
	{ "a table that cannot be read", "12", TABLE, EACCES, false, 0, 1 },
	{ "no table", "", 0, 0, false, 0, 1 },
};

static void v2_is_found(void **s)
{
	const struct row *r = *s;
	struct world w = { { .root = -1, .read_file = read_file }, r->types, r->size, 0, r->code };
	struct config c = { 0 };
	struct err err = { 0 };
	bool fails = r->code || !r->size;

	assert_int_equal(feature_roce_gid.read(&w.host, &port, &c, &err), !fails);
	assert_int_equal(c.has, fails ? 0 : SETTING(SETTING_ROCE_V2_GID));
	assert_int_equal(c.roce.v2_gid, r->has_v2);
	assert_int_equal(w.files, r->files);
	if (fails)
		assert_int_equal(err.code, r->code ? r->code : ENOENT);
}

static void those_in_use_are_listed(void **s)
{
	const struct row *r = *s;
	struct world w = { { .root = -1, .read_file = read_file }, r->types, r->size, 0, r->code };
	struct gid_list list = { .count = 7 };
	struct err err = { 0 };

	assert_int_equal(gid_list(&w.host, &port, &list, &err), !r->code && r->size);
	assert_int_equal(list.count, r->used);
	for (size_t i = 0; i < list.count; i++) {
		assert_string_equal(list.gids[i].text, USED);
		assert_string_equal(list.gids[i].type,
				    r->types[list.gids[i].index] == '2' ? "v2" : "v1");
	}
}

static void a_port_without_rdma_has_none(void **s)
{
	struct world w = { { .root = -1, .read_file = read_file }, "12", TABLE, 0, 0 };
	struct port bare = { .id.name = "eth0" };
	struct gid_list list;
	struct config c = { 0 };
	struct err err = { 0 }, other = { 0 };

	(void)s;
	assert_false(gid_list(&w.host, &bare, &list, &err));
	assert_false(feature_roce_gid.read(&w.host, &bare, &c, &other));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_int_equal(w.files, 0);
}

static void the_uplink_of_a_switch_says_why_it_has_none(void **s)
{
	struct world w = { { .root = -1, .read_file = read_file }, "", 0, 0, 0 };
	struct port uplink = port;
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	uplink.eswitch_mode = ESWITCH_SWITCHDEV;
	assert_false(feature_roce_gid.read(&w.host, &uplink, &c, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_non_null(strstr(err.text, "uplink of a switch"));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, v2_is_found);
	SUITE_ADD_ROWS(&s, rows, those_in_use_are_listed);
	SUITE_ADD(&s, a_port_without_rdma_has_none);
	SUITE_ADD(&s, the_uplink_of_a_switch_says_why_it_has_none);
	return suite_run(&s, "gid");
}
