/*
 * What an lldpad that writes is told, in which order, and what is waited for: one
 * that keeps what it is told, and sends it when its time has come.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../dcb/features.h"
#include "../../dcb/lldpad_tell.h"
#include "../../policy/knob.h"
#include "unit.h"

#define TLV_PFC "0080c20b"
#define LATE_MS 1000 /* so long after it was told it sends */

struct scene {
	struct host host;
	bool runs, speaks_only, hangs;
	bool cannot;	     /* set up this port */
	const char *refuses; /* a request that has this in it */
	char willing[4];     /* as stored; "" was never set */
	int mask;	     /* of PFC */
	bool tells;	     /* admin status rxtx */
	uint64_t told_at, now;
	bool has_sent, sent_willing; /* the last LLDPDU, until it sends the next */
	int sent_mask;
	int heard_mask; /* what the switch sends of PFC; below 0: it is silent, */
	uint64_t heard_at;
	unsigned waits;
	int interrupted;
	char log[512]; /* what was set: "pfc:willing " */
};

static struct scene *scene_of(struct host *h)
{
	return (struct scene *)h;
}

/* ---- its answers ---- */

static const struct {
	const char *tlv, *word;
} words[] = {
	{ "0080c209", "ets" }, { "0080c20a", "reco" }, { TLV_PFC, "pfc" }, { "0080c20c", "app" }
};

static const char *word_of(const char *tlv)
{
	for (size_t i = 0; i < COUNT(words); i++)
		if (strncmp(tlv, words[i].tlv, 8) == 0)
			return words[i].word;
	fail_msg("no TLV %s", tlv);
	return NULL;
}

static void note(struct scene *s, const char *what, const char *args)
{
	size_t used = strlen(s->log);
	unsigned length = 0;

	sscanf(args, "%2x", &length);
	snprintf(s->log + used, sizeof(s->log) - used, "%s:%.*s ", what, (int)length, args + 2);
}

/* Its PDU: PFC with this mask, and all bandwidth for one class of ETS. */
static void pdu(char *out, size_t size, int mask, bool willing)
{
	snprintf(out, size,
		 "0207040c42a1b2c3d4040205370602"
		 "0078"
		 "fe060080c20b%02x%02x"
		 "fe190080c209%02x000000006400000000000000"
		 "0200000000000000"
		 "0000",
		 willing << 7 | 8, mask, willing << 7);
}

static void store(struct scene *s, const char *tlv, const char *args)
{
	const char *willing = strstr(args, "07willing"), *mask = strstr(args, "07enabled");

	note(s, word_of(tlv), args);
	if (willing && strncmp(tlv, TLV_PFC, 8) == 0)
		snprintf(s->willing, sizeof(s->willing), "%s", willing + 13);
	if (mask)
		s->mask = strncmp(mask + 13, "none", 4) == 0 ? 0 : 1 << (mask[13] - '0');
	s->told_at = s->now;
}

static void send(struct scene *s)
{
	if (s->tells && s->now >= s->told_at + LATE_MS) {
		s->has_sent = true;
		s->sent_mask = s->mask;
		s->sent_willing = strcmp(s->willing, "no") != 0;
	}
	s->has_sent = s->has_sent && s->tells;
}

static const char *look(struct scene *s, unsigned ops, char *payload, size_t size)
{
	send(s);
	if (s->cannot && (ops & 0x10))
		return "08";
	if (ops & 0x10)
		snprintf(payload, size, "07willing%04zx%s", strlen(s->willing), s->willing);
	else if (ops == 1 && s->has_sent)
		pdu(payload, size, s->sent_mask, s->sent_willing);
	else if (ops == 2 && (s->heard_mask < 0 || s->now < s->heard_at))
		return "06";
	else if (ops == 2)
		pdu(payload, size, s->heard_mask, false);
	return "00";
}

/* "M00000001C3" command:2 operations:8 "09ens1f0np0" agent:2, and the TLV where it is about one. */
static bool answer(struct host *h, const char *request, char *reply, size_t size, struct err *err)
{
	struct scene *s = scene_of(h);
	const char *head = request + 9, *rest = strstr(request, "ens1f0np0") + 9 + 2;
	char payload[256] = "";
	const char *status = "00";
	unsigned command, ops;

	if (s->hangs)
		return err_set(err, ERR_UNKNOWN, ETIMEDOUT, "no answer");
	assert_int_equal(sscanf(head, "C3%2x%8x", &command, &ops), 2);
	if (s->refuses && strstr(request, s->refuses))
		status = "04";
	else if (command == 1)
		status = look(s, ops, payload, sizeof(payload));
	else if (command == 2)
		store(s, rest, rest + 8);
	else if (command == 4) {
		s->tells = strstr(rest, "rxtx") != NULL;
		snprintf(s->log + strlen(s->log), 16, "%s ", s->tells ? "rxtx" : "rx");
	}
	snprintf(reply, size, "R%s%.*s%.*s%s", status, (int)(rest - 2 - head), head,
		 command <= 2 ? 8 : 0, rest, payload);
	return true;
}

/* ---- the rest of its host ---- */

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	static const char cmdline[] = "lldpad\0-R";
	struct scene *s = scene_of(h);

	if (!s->runs || strncmp(path, "/proc/42/c", 10) != 0)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
	assert_true(size >= sizeof(cmdline));
	memcpy(buf, cmdline, s->speaks_only ? sizeof(cmdline) : sizeof("lldpad"));
	return true;
}

static bool list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		     void *arg, struct err *err)
{
	(void)h;
	(void)path;
	(void)err;
	each("42", arg);
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

static int interrupted(struct host *h)
{
	return scene_of(h)->interrupted;
}

static void tell(struct host *h, enum notice n, const char *port, const char *what)
{
	(void)n;
	(void)port;
	(void)what;
	scene_of(h)->waits++;
}

static struct scene scene(void)
{
	return (struct scene){
		.host = { .root = -1,
			  .may_write = true,
			  .read_file = read_file,
			  .list_dir = list_dir,
			  .ask_lldpad = answer,
			  .now_ms = now_ms,
			  .sleep_ms = sleep_ms,
			  .interrupted = interrupted,
			  .tell = tell },
		.runs = true,
		.heard_mask = -1,
	};
}

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .carrier = true };

static struct config lossless(bool willing)
{
	return (struct config){
		.has = SET_BY_DCBX | KNOB(KNOB_DCBX_MODE) | KNOB(KNOB_DCBX_ADVERTISE) |
		       KNOB(KNOB_DCBX_WILLING),
		.dcbx = { .mode = willing ? DCBX_SWITCH : DCBX_HOST,
			  .advertise = true,
			  .willing = willing },
		.pfc.priorities = 8,
		.ets = { .bandwidth = { 100 }, .tsa = { TSA_ETS } },
	};
}

static bool write_speech(struct scene *s, const struct config *to, struct err *err)
{
	return feature_speech.write(&s->host, &port, to, to, err);
}

static struct config read_speech(struct scene *s)
{
	struct config c = lossless(false);
	struct err err = { 0 };

	assert_true(feature_speech.read(&s->host, &port, &c, &err));
	return c;
}

/* ---- telling it ---- */

static void the_values_come_before_anybody_hears_of_them(void **state)
{
	struct scene s = scene();
	struct config to = lossless(false);
	struct err err = { 0 };

	(void)state;
	assert_true(write_speech(&s, &to, &err));
	assert_string_equal(s.log,
			    "pfc:willing ets:willing reco:tcbw pfc:enabled app:enableTx rxtx ");
	assert_in_range(s.now, LATE_MS, LATE_MS + 200);
	assert_true(read_speech(&s).dcbx.advertise);
	assert_false(read_speech(&s).dcbx.willing);
}

static void what_it_refuses_is_an_error(void **state)
{
	struct scene s = scene();
	struct config to = lossless(false);
	struct err err = { 0 };

	(void)state;
	s.refuses = "0080c20a";
	assert_false(write_speech(&s, &to, &err));
	assert_false(s.tells);
	assert_int_not_equal(err.kind, ERR_NONE);
}

/* An lldpad says the old LLDPDU until the next one. */
static void what_goes_out_must_be_willing_too(void **state)
{
	struct scene s = scene();
	struct config to = lossless(true);
	struct err err = { 0 };

	(void)state;
	s.heard_mask = s.sent_mask = 8;
	s.tells = s.has_sent = true;
	assert_true(write_speech(&s, &to, &err));
	assert_true(read_speech(&s).dcbx.willing);
}

static void what_never_goes_out_is_an_error(void **state)
{
	struct scene s = scene();
	struct config to = lossless(false);
	struct err err = { 0 };

	(void)state;
	to.pfc.priorities = 3; /* a mask that this one never has */
	assert_false(write_speech(&s, &to, &err));
	assert_int_equal(err.kind, ERR_VERIFY);
	assert_in_range(s.now, 20000, 21000);
}

static void a_port_falls_silent(void **state)
{
	struct scene s = scene();
	struct config to = lossless(false);
	struct err err = { 0 };

	(void)state;
	s.tells = true;
	to.dcbx.advertise = false;
	assert_true(write_speech(&s, &to, &err));
	assert_non_null(strstr(s.log, "rx "));
	assert_false(read_speech(&s).dcbx.advertise);
}

static void what_says_it_already_is_left_alone(void **state)
{
	struct scene s = scene();
	struct config to = lossless(false);
	struct err err = { 0 };

	(void)state;
	assert_true(write_speech(&s, &to, &err));
	s.log[0] = '\0';
	assert_true(feature_speech.settle(&s.host, &port, &to, &err));
	assert_string_equal(s.log, "");
	s.sent_mask = s.mask = 16;
	assert_true(feature_speech.settle(&s.host, &port, &to, &err));
	assert_int_equal(s.mask, 8);
}

/* ---- following the switch ---- */

static void the_switch_is_waited_for(void **state)
{
	struct scene s = scene();
	struct config to = lossless(true);
	struct err err = { 0 };

	(void)state;
	s.heard_mask = 8;
	s.heard_at = 30000;
	assert_true(write_speech(&s, &to, &err));
	assert_in_range(s.now, 30000, 31000);
	assert_int_equal(s.waits, 1);
}

static void a_silent_switch_is_no_failure(void **state)
{
	struct scene s = scene();
	struct config to = lossless(true);
	struct err err = { 0 };

	(void)state;
	assert_true(write_speech(&s, &to, &err));
	assert_in_range(s.now, 45000, 46000);
	assert_int_equal(s.waits, 2);
}

static void an_interruption_ends_the_wait(void **state)
{
	struct scene s = scene();
	struct config to = lossless(true);
	struct err err = { 0 };

	(void)state;
	s.interrupted = 2;
	assert_true(write_speech(&s, &to, &err));
	assert_in_range(s.now, LATE_MS, 2 * LATE_MS);
}

static const struct follow_row {
	const char *sentence, *willing;
	bool cannot, speaks_only, follows;
} follows[] = {
	{ "who was never told follows the switch", "", false, false, true },
	{ "who is willing follows the switch", "yes", false, false, true },
	{ "who is not willing follows nobody", "no", false, false, false },
	{ "nor does one that reads 0", "0", false, false, false },
	{ "nor one that cannot set up the port", "", true, false, false },
	{ "nor one that only speaks", "yes", false, true, false },
};

static void follows_or_not(void **state)
{
	const struct follow_row *row = *state;
	struct scene s = scene();
	struct lldpad l;
	struct err err = { 0 };
	bool follows_it;

	snprintf(s.willing, sizeof(s.willing), "%s", row->willing);
	s.cannot = row->cannot;
	s.speaks_only = row->speaks_only;
	assert_true(lldpad_open(&s.host, &l, &err));
	assert_true(lldpad_follows(&l, "ens1f0np0", &follows_it, &err));
	assert_int_equal(follows_it, row->follows);
}

static void one_that_hangs_is_not_taken_for_one_that_follows_nobody(void **state)
{
	struct scene s = scene();
	struct lldpad l;
	struct err err = { 0 };
	bool follows_it;

	(void)state;
	s.hangs = true;
	assert_true(lldpad_open(&s.host, &l, &err));
	assert_false(lldpad_follows(&l, "ens1f0np0", &follows_it, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
}

static void it_stops_following(void **state)
{
	struct scene s = scene();
	struct lldpad l;
	struct err err = { 0 };

	(void)state;
	assert_true(lldpad_open(&s.host, &l, &err));
	assert_true(lldpad_stop_following(&l, "ens1f0np0", &err));
	assert_string_equal(s.log, "pfc:willing ets:willing ");
	assert_string_equal(s.willing, "no");
}

/* What the switch sends of ETS is no recommendation, and is not followed. */
static void only_what_it_would_take_of_the_switch_is_otherwise(void **state)
{
	struct scene s = scene();
	struct config want = lossless(true);

	(void)state;
	assert_false(lldpad_hears_otherwise(&s.host, &port, &want));
	s.heard_mask = 8;
	want.ets.prio_tc[3] = 3;
	assert_false(lldpad_hears_otherwise(&s.host, &port, &want));
	s.heard_mask = 16;
	assert_true(lldpad_hears_otherwise(&s.host, &port, &want));
	want.has &= ~KNOB(KNOB_PFC_PRIORITIES);
	assert_false(lldpad_hears_otherwise(&s.host, &port, &want));
	s.runs = false;
	assert_false(lldpad_hears_otherwise(&s.host, &port, &want));
}

/* ---- writing through it ---- */

static uint64_t arrives_at;

static bool arrived(struct host *h, const struct port *p, const struct config *to, bool *ret,
		    struct err *err)
{
	(void)p;
	(void)to;
	(void)err;
	*ret = h->now_ms(h) >= arrives_at;
	return true;
}

static void what_it_writes_is_waited_for(void **state)
{
	struct scene s = scene();
	struct config from = { 0 }, to = lossless(true);
	struct err err = { 0 };

	(void)state;
	arrives_at = 15000;
	assert_true(lldpad_write(&s.host, &port, &from, &to, arrived, &err));
	assert_in_range(s.now, 15000, 15200);
	assert_string_equal(s.willing, "no");
	s.runs = false;
	assert_false(lldpad_write(&s.host, &port, &from, &to, arrived, &err));
	assert_int_equal(err.kind, ERR_MISSING);
}

static void what_does_not_come_is_not_left_with_it(void **state)
{
	struct scene s = scene();
	struct config from = lossless(true), to = lossless(true);
	struct err err = { 0 };

	(void)state;
	arrives_at = 60000;
	to.pfc.priorities = 16;
	assert_false(lldpad_write(&s.host, &port, &from, &to, arrived, &err));
	assert_int_equal(err.kind, ERR_VERIFY);
	assert_int_equal(s.mask, from.pfc.priorities);
}

static void only_one_that_writes_is_written_through(void **state)
{
	struct scene s = scene();
	struct err err = { 0 };

	(void)state;
	assert_true(lldpad_writes_here(&s.host, &err));
	s.speaks_only = true;
	assert_false(lldpad_writes_here(&s.host, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
}

/* ---- reading ---- */

static void without_an_lldpad_nobody_speaks(void **state)
{
	struct scene s = scene();

	(void)state;
	s.runs = false;
	assert_false(read_speech(&s).dcbx.advertise);
	assert_false(read_speech(&s).dcbx.willing);
}

static void before_it_speaks_what_it_would_do_counts(void **state)
{
	struct scene s = scene();

	(void)state;
	assert_false(read_speech(&s).dcbx.advertise);
	assert_true(read_speech(&s).dcbx.willing);
}

/* The mode was asked for before, and was waited for. */
static void one_that_hangs_is_not_asked_twice(void **state)
{
	struct scene s = scene();
	struct config c = lossless(false);
	struct err err = { 0 };

	(void)state;
	c.has &= ~KNOB(KNOB_DCBX_MODE);
	assert_false(feature_speech.read(&s.host, &port, &c, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, the_values_come_before_anybody_hears_of_them);
	SUITE_ADD(&s, what_it_refuses_is_an_error);
	SUITE_ADD(&s, what_goes_out_must_be_willing_too);
	SUITE_ADD(&s, what_never_goes_out_is_an_error);
	SUITE_ADD(&s, a_port_falls_silent);
	SUITE_ADD(&s, what_says_it_already_is_left_alone);
	SUITE_ADD(&s, the_switch_is_waited_for);
	SUITE_ADD(&s, a_silent_switch_is_no_failure);
	SUITE_ADD(&s, an_interruption_ends_the_wait);
	SUITE_ADD_ROWS(&s, follows, follows_or_not);
	SUITE_ADD(&s, one_that_hangs_is_not_taken_for_one_that_follows_nobody);
	SUITE_ADD(&s, it_stops_following);
	SUITE_ADD(&s, only_what_it_would_take_of_the_switch_is_otherwise);
	SUITE_ADD(&s, what_it_writes_is_waited_for);
	SUITE_ADD(&s, what_does_not_come_is_not_left_with_it);
	SUITE_ADD(&s, only_one_that_writes_is_written_through);
	SUITE_ADD(&s, without_an_lldpad_nobody_speaks);
	SUITE_ADD(&s, before_it_speaks_what_it_would_do_counts);
	SUITE_ADD(&s, one_that_hangs_is_not_asked_twice);
	return suite_run(&s, "speech");
}
