#include <errno.h>
#include <string.h>

#include "dcb/lldpad/advertise.h"
#include "policy/model/setting.h"
#include "tests/support/file_scene.h"
#include "tests/support/unit.h"

#define KEPT "/var/lib/losslessctl/lldpad/ens1f0np0"

const char before[] = "lldp : \n"
		      "{\n"
		      "  ens1f0np0 : \n"
		      "  {\n"
		      "    adminStatus = 2;\n"
		      "  };\n"
		      "  ens1f1np1 : \n"
		      "  {\n"
		      "    adminStatus = 3;\n"
		      "  };\n"
		      "};\n";

static struct file_scene *scene_of(struct host *h)
{
	return (struct file_scene *)h;
}

bool changes(struct file_scene *s, struct err *err)
{
	return ++s->changes != s->fail_at || err_set(err, ERR_SYSTEM, EIO, "no");
}

static const char *conf_of(const struct file_scene *s)
{
	return s->path ? s->path : CONF;
}

static bool absent(const char *path, struct err *err)
{
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

/* Reads the options, the mounts and the users of lldpad's process, or of this one. */
static bool read_process(const struct file_scene *s, const char *path, char *buf, size_t size)
{
	bool is_theirs = strncmp(path, "/proc/42/", 9) == 0;

	if (strcmp(path, "/proc/42/cmdline") == 0 && s->has_lldpad && s->command) {
		memcpy(buf, "lldpad", sizeof("lldpad"));
		snprintf(buf + sizeof("lldpad"), size - sizeof("lldpad"), "%s", s->command);
	} else if (strstr(path, "/mountinfo")) {
		snprintf(buf, size, "%s", is_theirs && s->mounts ? s->mounts : "22 1 8:1 / / rw\n");
	} else if (strstr(path, "/uid_map")) {
		snprintf(buf, size, "%s", is_theirs && s->uids ? s->uids : "0 0 4294967295");
	} else {
		return false;
	}
	return true;
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct file_scene *s = scene_of(h);
	bool is_file = strcmp(path, conf_of(s)) == 0 || strcmp(path, KEPT) == 0;

	if (is_file && ++s->reads == s->unread_at)
		return err_set(err, ERR_SYSTEM, EIO, "no");
	if (strcmp(path, conf_of(s)) == 0 && s->has_conf && s->never_whole) {
		snprintf(buf, size, "%.*s", (int)s->reads, s->conf);
		return true;
	}
	if (strcmp(path, conf_of(s)) == 0 && s->has_conf) {
		snprintf(buf, size, "%.*s", s->rewrites ? (int)s->rewrites-- * 10 : 4095, s->conf);
		return true;
	}
	if (strcmp(path, KEPT) == 0 && s->has_kept) {
		snprintf(buf, size, "%s", s->kept);
		return true;
	}
	if (read_process(s, path, buf, size))
		return true;
	if (s->has_lldpad && strncmp(path, "/proc/42/", 9) == 0) {
		snprintf(buf, size, "lldpad");
		return strcmp(path, "/proc/42/status") != 0 || absent(path, err);
	}
	return absent(path, err);
}

static bool save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	struct file_scene *s = scene_of(h);
	bool is_conf = strcmp(path, conf_of(s)) == 0;

	if (!changes(s, err))
		return false;
	assert_true(is_conf || strcmp(path, KEPT) == 0);
	if (is_conf)
		memcpy(s->stale, s->conf, sizeof(s->stale));
	snprintf(is_conf ? s->conf : s->kept, sizeof(s->conf), "%s", text);
	*(is_conf ? &s->has_conf : &s->has_kept) = true;
	return true;
}

static bool move_file(struct host *h, const char *from, const char *to, struct err *err)
{
	struct file_scene *s = scene_of(h);

	assert_null(to);
	if (strcmp(from, KEPT) != 0 || !s->has_kept)
		return absent(from, err);
	if (!changes(s, err))
		return false;
	s->has_kept = false;
	return true;
}

static bool make_dir(struct host *h, const char *path, struct err *err)
{
	(void)path;
	return changes(scene_of(h), err);
}

static bool list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		     void *arg, struct err *err)
{
	(void)h;
	(void)err;
	if (strcmp(path, "/proc") == 0)
		each("42", arg);
	return true;
}

static bool send_signal(struct host *h, unsigned pid, int number, struct err *err)
{
	struct file_scene *s = scene_of(h);

	assert_int_equal(pid, 42);
	if (!changes(s, err))
		return false;
	s->signal = number;
	if (s->empties)
		s->conf[0] = '\0';
	s->empties = false;
	if (s->overwrites > 0 && s->overwrites--)
		memcpy(s->conf, s->stale, sizeof(s->conf));
	return true;
}

static bool answer(struct host *h, const char *request, char *reply, size_t size, struct err *err)
{
	if (scene_of(h)->hangs)
		return err_set(err, ERR_UNKNOWN, ETIMEDOUT, "no answer");
	assert_string_equal(request, "P");
	snprintf(reply, size, "R00PPONG");
	return true;
}

static uint64_t now_ms(struct host *h)
{
	return scene_of(h)->now;
}

static void sleep_ms(struct host *h, unsigned ms)
{
	scene_of(h)->now += ms;
}

static void report_nothing(struct host *h, enum progress n, const char *port, const char *what)
{
	(void)h;
	(void)n;
	(void)port;
	(void)what;
}

struct file_scene file_scene(void)
{
	struct file_scene s = {
		.host = { .root = -1,
			  .may_write = true,
			  .read_file = read_file,
			  .save_file = save_file,
			  .rewrite_file = save_file,
			  .move_file = move_file,
			  .make_dir = make_dir,
			  .list_dir = list_dir,
			  .signal = send_signal,
			  .ask_lldpad = answer,
			  .now_ms = now_ms,
			  .sleep_ms = sleep_ms,
			  .report = report_nothing },
		.has_conf = true,
		.has_lldpad = true,
	};

	memcpy(s.conf, before, sizeof(before));
	return s;
}

static struct config advertising(bool advertise)
{
	struct config c = {
		.has = SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ETS_PRIO_TC) |
		       SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH) |
		       SETTING(SETTING_DCBX_ADVERTISE),
		.dcbx.advertise = advertise,
		.pfc.priorities = 8,
		.ets = { .bandwidth = { 100 }, .tsa = { TSA_ETS } },
	};

	return c;
}

bool write_by_file(struct file_scene *s, bool advertise, struct err *err)
{
	struct config to = advertising(advertise);

	return advertise_by_file(&s->host, "ens1f0np0", &to, err);
}

bool carry_out(struct file_scene *s, enum work w, struct err *err)
{
	return w == AFTER_A_BOOT ? restore_advertise_file(&s->host, "ens1f0np0", err)
				 : write_by_file(s, w == ADVERTISE, err);
}
