/* lldpad's file: written for a port and put back, whichever call fails on the way. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "dcb/lldpad/advertise_file.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define CONF "/var/lib/lldpad/lldpad.conf"
#define KEPT "/var/lib/losslessctl/lldpad/ens1f0np0"

static const char before[] = "lldp : \n"
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

/* A host with two files and, perhaps, an lldpad. */
struct scene {
	struct host host;
	char conf[4096], kept[4096];
	bool has_conf, has_kept, has_lldpad;
	unsigned changes, fail_at; /* calls that change something; the one that fails */
	unsigned reads, unread_at; /* of the two files; the one that fails */
	unsigned rewrites;	   /* so many looks find the file in the making */
	bool never_whole;	   /* and each look finds another beginning of it */
	int signal;
};

static struct scene *scene_of(struct host *h)
{
	return (struct scene *)h;
}

static bool changes(struct scene *s, struct err *err)
{
	return ++s->changes != s->fail_at || err_set(err, ERR_SYSTEM, EIO, "no");
}

static bool absent(const char *path, struct err *err)
{
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct scene *s = scene_of(h);
	bool is_file = strcmp(path, CONF) == 0 || strcmp(path, KEPT) == 0;

	if (is_file && ++s->reads == s->unread_at)
		return err_set(err, ERR_SYSTEM, EIO, "no");
	if (strcmp(path, CONF) == 0 && s->has_conf && s->never_whole) {
		snprintf(buf, size, "%.*s", (int)s->reads, s->conf);
		return true;
	}
	if (strcmp(path, CONF) == 0 && s->has_conf) {
		snprintf(buf, size, "%.*s", s->rewrites ? (int)s->rewrites-- * 10 : 4095, s->conf);
		return true;
	}
	if (strcmp(path, KEPT) == 0 && s->has_kept) {
		snprintf(buf, size, "%s", s->kept);
		return true;
	}
	if (s->has_lldpad && strncmp(path, "/proc/42/", 9) == 0) {
		snprintf(buf, size, "lldpad");
		return strcmp(path, "/proc/42/status") != 0 || absent(path, err);
	}
	return absent(path, err);
}

static bool save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	struct scene *s = scene_of(h);
	bool is_conf = strcmp(path, CONF) == 0;

	if (!changes(s, err))
		return false;
	assert_true(is_conf || strcmp(path, KEPT) == 0);
	snprintf(is_conf ? s->conf : s->kept, sizeof(s->conf), "%s", text);
	*(is_conf ? &s->has_conf : &s->has_kept) = true;
	return true;
}

static bool move_file(struct host *h, const char *from, const char *to, struct err *err)
{
	struct scene *s = scene_of(h);

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
	struct scene *s = scene_of(h);

	assert_int_equal(pid, 42);
	if (!changes(s, err))
		return false;
	s->signal = number;
	return true;
}

static void sleep_ms(struct host *h, unsigned ms)
{
	(void)h;
	(void)ms;
}

static void tell_nobody(struct host *h, enum progress n, const char *port, const char *what)
{
	(void)h;
	(void)n;
	(void)port;
	(void)what;
}

static struct scene scene(void)
{
	struct scene s = {
		.host = { .root = -1,
			  .may_write = true,
			  .read_file = read_file,
			  .save_file = save_file,
			  .move_file = move_file,
			  .make_dir = make_dir,
			  .list_dir = list_dir,
			  .signal = send_signal,
			  .sleep_ms = sleep_ms,
			  .report = tell_nobody },
		.has_conf = true,
		.has_lldpad = true,
	};

	memcpy(s.conf, before, sizeof(before));
	return s;
}

static struct config speaking(bool advertise)
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

static bool tell(struct scene *s, bool advertise, struct err *err)
{
	struct config to = speaking(advertise);

	return advertise_by_file(&s->host, "ens1f0np0", &to, err);
}

static void a_port_is_told_and_goes_back_to_the_byte(void **state)
{
	struct scene s = scene();
	struct err err = { 0 };

	(void)state;
	assert_true(tell(&s, true, &err));
	assert_non_null(strstr(s.conf, "tlvid0080c20b"));
	assert_non_null(strstr(s.conf, "ens1f1np1"));
	assert_int_equal(s.signal, SIGHUP);
	assert_true(tell(&s, true, &err));
	assert_true(tell(&s, false, &err));
	assert_string_equal(s.conf, before);
	assert_false(s.has_kept);
}

static void a_file_that_is_not_there_is_made(void **state)
{
	struct scene s = scene();
	struct err err = { 0 };

	(void)state;
	s.has_conf = false;
	assert_true(tell(&s, true, &err));
	assert_non_null(strstr(s.conf, "tlvid0080c20b"));
	assert_true(tell(&s, false, &err));
	assert_null(strstr(s.conf, "ens1f0np0"));
}

/* Nothing is lost: after any failure, going back gives the file as it was. */
static void whatever_fails_the_way_back_is_there(void **state)
{
	unsigned n = 0, failed;

	(void)state;
	do {
		struct scene s = scene();
		struct err err = { 0 }, none = { 0 };

		s.fail_at = ++n;
		failed = !tell(&s, true, &err);
		assert_int_equal(failed, err.kind != ERR_NONE);
		s.fail_at = 0;
		if (failed && !s.has_kept)
			assert_string_equal(s.conf, before);
		else
			assert_true(tell(&s, false, &none));
		assert_string_equal(s.conf, before);
	} while (failed);
	assert_in_range(n, 4, 20);
}

/* The way back in one of both ways: as a change, or after a boot that ended the run. */
static void whatever_fails_is_done_the_next_time(bool (*go_back)(struct scene *, struct err *))
{
	unsigned n = 0, failed;

	do {
		struct scene s = scene();
		struct err err = { 0 }, none = { 0 };

		assert_true(tell(&s, true, &none));
		s.fail_at = s.changes + ++n;
		failed = !go_back(&s, &err);
		assert_int_equal(failed, err.kind != ERR_NONE);
		assert_int_equal(s.has_kept, failed);
		s.fail_at = 0;
		assert_true(!failed || go_back(&s, &none));
		assert_string_equal(s.conf, before);
		assert_false(s.has_kept);
	} while (failed);
	assert_int_equal(n, 4); /* the file, the signal, what was kept */
}

static bool fall_silent(struct scene *s, struct err *err)
{
	return tell(s, false, err);
}

static bool untell(struct scene *s, struct err *err)
{
	return restore_advertise_file(&s->host, "ens1f0np0", err);
}

static void whatever_fails_on_the_way_back_is_done_the_next_time(void **state)
{
	(void)state;
	whatever_fails_is_done_the_next_time(fall_silent);
}

static void whatever_fails_after_a_boot_is_done_the_next_time(void **state)
{
	(void)state;
	whatever_fails_is_done_the_next_time(untell);
}

enum work { SPEAK, FALL_SILENT, AFTER_A_BOOT };

static bool carry_out(struct scene *s, enum work w, struct err *err)
{
	return w == AFTER_A_BOOT ? restore_advertise_file(&s->host, "ens1f0np0", err)
				 : tell(s, w == SPEAK, err);
}

/* What cannot be read is not written either. */
static const struct unread_row {
	const char *sentence;
	enum work work;
	unsigned reads;
} unread[] = {
	{ "who is to speak reads first, and then writes", SPEAK, 3 },
	{ "so does who is to fall silent", FALL_SILENT, 3 },
	{ "so is it after a boot", AFTER_A_BOOT, 3 },
};

static void reads_first(void **state)
{
	const struct unread_row *row = *state;

	for (unsigned n = 1; n <= row->reads + 1; n++) {
		struct scene s = scene();
		struct err err = { 0 }, none = { 0 };
		unsigned changes;

		if (row->work != SPEAK)
			assert_true(tell(&s, true, &none));
		changes = s.changes;
		s.unread_at = s.reads + n;
		if (carry_out(&s, row->work, &err)) {
			assert_int_equal(n, row->reads + 1);
			continue;
		}
		assert_int_equal(err.code, EIO);
		assert_int_equal(s.changes, changes);
		assert_int_equal(s.has_kept, row->work != SPEAK);
	}
}

static void a_file_that_is_never_whole_is_not_written(void **state)
{
	(void)state;
	for (enum work w = SPEAK; w <= AFTER_A_BOOT; w++) {
		struct scene s = scene();
		struct err err = { 0 }, none = { 0 };
		unsigned changes;

		if (w != SPEAK)
			assert_true(tell(&s, true, &none));
		changes = s.changes;
		s.reads = 0;
		s.never_whole = true;
		assert_false(carry_out(&s, w, &err));
		assert_int_equal(err.code, EBUSY);
		assert_string_equal(err.text, "lldpad does not stop writing " CONF);
		assert_int_equal(s.changes, changes);
	}
}

static void a_port_that_never_spoke_falls_silent(void **state)
{
	struct scene s = scene();
	struct err err = { 0 };

	(void)state;
	assert_true(tell(&s, false, &err));
	assert_false(s.has_kept);
	assert_int_equal(s.signal, SIGHUP);
	assert_non_null(strstr(s.conf, "adminStatus = 2;"));
	assert_non_null(strstr(s.conf, "enableTx = false;"));
	assert_null(strstr(s.conf, "enableTx = true;"));
}

static void a_file_that_was_broken_meanwhile_keeps_what_was_kept(void **state)
{
	struct scene s = scene();
	struct err err = { 0 };
	unsigned changes;

	(void)state;
	assert_true(tell(&s, true, &err));
	snprintf(s.conf, sizeof(s.conf), "lldp : {{{");
	changes = s.changes;
	assert_false(restore_advertise_file(&s.host, "ens1f0np0", &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_int_equal(s.changes, changes);
	assert_true(s.has_kept);
}

/* Then an empty one is kept, and it has none again. */
static void a_port_without_a_part_of_its_own_gets_none_back(void **state)
{
	static const char others[] = "lldp : \n{\n  ens1f1np1 : \n  {\n    adminStatus = 3;\n  };\n"
				     "};\n";

	(void)state;
	for (enum work w = FALL_SILENT; w <= AFTER_A_BOOT; w++) {
		struct scene s = scene();
		struct err err = { 0 };

		memcpy(s.conf, others, sizeof(others));
		assert_true(tell(&s, true, &err));
		assert_true(s.has_kept);
		assert_string_equal(s.kept, "");
		assert_true(carry_out(&s, w, &err));
		assert_string_equal(s.conf, others);
		assert_false(s.has_kept);
	}
}

static void a_file_in_the_making_is_waited_for(void **state)
{
	struct scene s = scene();
	struct err err = { 0 };

	(void)state;
	s.rewrites = 3;
	assert_true(tell(&s, true, &err));
	assert_non_null(strstr(s.conf, "ens1f1np1"));
}

static void a_file_that_is_none_of_lldpads_is_not_written(void **state)
{
	struct scene s = scene();
	struct err err = { 0 };

	(void)state;
	snprintf(s.conf, sizeof(s.conf), "lldp : {{{");
	assert_false(tell(&s, true, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_int_equal(s.changes, 0);
}

static void without_an_lldpad_nothing_is_written(void **state)
{
	struct scene s = scene();
	struct err err = { 0 };

	(void)state;
	s.has_lldpad = false;
	assert_false(tell(&s, true, &err));
	assert_int_equal(err.kind, ERR_MISSING);
	assert_int_equal(s.changes, 0);
}

/* After a boot, with nobody there yet, or with an lldpad that reads it again. */
static void what_is_kept_is_put_back(void **state)
{
	(void)state;
	for (int has_lldpad = 0; has_lldpad < 2; has_lldpad++) {
		struct scene s = scene();
		struct err err = { 0 };

		assert_true(tell(&s, true, &err));
		s.has_lldpad = has_lldpad;
		s.signal = 0;
		assert_true(restore_advertise_file(&s.host, "ens1f0np0", &err));
		assert_string_equal(s.conf, before);
		assert_false(s.has_kept);
		assert_int_equal(s.signal, has_lldpad ? SIGHUP : 0);
	}
}

static void where_nothing_is_kept_nothing_is_written(void **state)
{
	struct scene s = scene();
	struct err err = { 0 };

	(void)state;
	assert_true(restore_advertise_file(&s.host, "ens1f0np0", &err));
	assert_int_equal(s.changes, 0);
}

static void without_a_file_what_is_kept_is_forgotten(void **state)
{
	struct scene s = scene();
	struct err err = { 0 };

	(void)state;
	assert_true(tell(&s, true, &err));
	s.has_conf = false;
	assert_true(restore_advertise_file(&s.host, "ens1f0np0", &err));
	assert_false(s.has_conf);
	assert_false(s.has_kept);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_port_is_told_and_goes_back_to_the_byte);
	SUITE_ADD(&s, a_file_that_is_not_there_is_made);
	SUITE_ADD(&s, whatever_fails_the_way_back_is_there);
	SUITE_ADD(&s, whatever_fails_on_the_way_back_is_done_the_next_time);
	SUITE_ADD_ROWS(&s, unread, reads_first);
	SUITE_ADD(&s, a_file_that_is_never_whole_is_not_written);
	SUITE_ADD(&s, a_port_that_never_spoke_falls_silent);
	SUITE_ADD(&s, a_file_that_was_broken_meanwhile_keeps_what_was_kept);
	SUITE_ADD(&s, a_port_without_a_part_of_its_own_gets_none_back);
	SUITE_ADD(&s, a_file_in_the_making_is_waited_for);
	SUITE_ADD(&s, a_file_that_is_none_of_lldpads_is_not_written);
	SUITE_ADD(&s, without_an_lldpad_nothing_is_written);
	SUITE_ADD(&s, what_is_kept_is_put_back);
	SUITE_ADD(&s, where_nothing_is_kept_nothing_is_written);
	SUITE_ADD(&s, without_a_file_what_is_kept_is_forgotten);
	SUITE_ADD(&s, whatever_fails_after_a_boot_is_done_the_next_time);
	return suite_run(&s, "speech_file");
}
