/*
 * What an lldpad that writes is told, in which order, and what is waited for: one
 * that keeps what it is told, and sends it when its time has come.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "dcb/registry.h"
#include "dcb/lldpad/configure.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define TLV_PFC "0080c20b"
#define KEPT	"/var/lib/losslessctl/lldpad/ens1f0np0"
#define LATE_MS 1000 /* so long after it was told it sends */
#define FOREVER UINT64_MAX

/* What an LLDPDU consists of. */
#define HEAD \
	"0207040c42a1b2c3d404020537" \
	"06020078"
#define PFC(flags, mask) "fe060080c20b" flags mask
#define ETS(flags) \
	"fe190080c209" flags "00000000" \
	"6400000000000000" \
	"0200000000000000"
#define RECO(shares) \
	"fe190080c20a00" \
	"00000000" shares "000000000000" \
	"0202000000000000"

struct scene {
	struct host host;
	bool runs, advertise_only, hangs;
	bool cannot;			 /* set up this port */
	const char *refuses;		 /* a request that has this in it */
	const char *no_sent, *no_heard;	 /* the status of a question about LLDPDUs; NULL: none */
	const char *goes_out, *comes_in; /* instead of the LLDPDU; NULL: as it was told */
	char willing[4];		 /* as stored; "" was never set */
	int mask;			 /* of PFC */
	bool tells;			 /* admin status rxtx */
	uint64_t told_at, now;
	bool has_sent, sent_willing; /* the last LLDPDU, until it sends the next */
	int sent_mask;
	int heard_mask; /* what the switch sends of PFC; below 0: it is silent, */
	uint64_t heard_at;
	unsigned waits;
	int interrupted;
	uint64_t ends_at, starts_at; /* it is gone from the one to the other; 0: never */
	bool no_signal, no_kept;     /* neither can be had */
	uint8_t dcbx;		     /* the kernel's mode */
	bool keeps_dcbx;	     /* the driver does not change it */
	int no_dcb;		     /* an errno of the kernel */
	char told[128];		     /* the user, last */
	char log[512];		     /* what was set: "pfc:willing " */
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

static void send_when_due(struct scene *s)
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
	send_when_due(s);
	if (s->cannot && (ops & 0x10))
		return "08";
	if (ops & 0x10)
		snprintf(payload, size, "07willing%04zx%s", strlen(s->willing), s->willing);
	else if (ops == 1 && s->no_sent)
		return s->no_sent;
	else if (ops == 1 && s->goes_out)
		snprintf(payload, size, "%s", s->goes_out);
	else if (ops == 1 && s->has_sent)
		pdu(payload, size, s->sent_mask, s->sent_willing);
	else if (ops == 2 && s->no_heard)
		return s->no_heard;
	else if (ops == 2 && (s->heard_mask < 0 || s->now < s->heard_at))
		return "06";
	else if (ops == 2 && s->comes_in)
		snprintf(payload, size, "%s", s->comes_in);
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
	bool is_gone = s->ends_at && s->now >= s->ends_at && s->now < s->starts_at;

	if (s->no_kept && strcmp(path, KEPT) == 0)
		return err_set(err, ERR_SYSTEM, EIO, "%s cannot be read", path);
	if (!s->runs || is_gone || strncmp(path, "/proc/42/c", 10) != 0)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
	assert_true(size >= sizeof(cmdline));
	memcpy(buf, cmdline, s->advertise_only ? sizeof(cmdline) : sizeof("lldpad"));
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

static void log_word(struct scene *s, const char *word)
{
	size_t used = strlen(s->log);

	snprintf(s->log + used, sizeof(s->log) - used, "%s ", word);
}

static bool save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	(void)err;
	assert_non_null(strcmp(path, KEPT) == 0 ? text : strstr(text, "tlvid0080c20b"));
	log_word(scene_of(h), strcmp(path, KEPT) == 0 ? "kept" : path);
	return true;
}

static bool make_dir(struct host *h, const char *path, struct err *err)
{
	(void)h;
	(void)path;
	(void)err;
	return true;
}

static bool send_signal(struct host *h, unsigned pid, int number, struct err *err)
{
	struct scene *s = scene_of(h);

	assert_int_equal(pid, 42);
	assert_int_equal(number, SIGHUP);
	if (s->no_signal)
		return err_set(err, ERR_DENIED, EPERM, "not permitted");
	log_word(s, "hangup");
	s->mask = 8;
	s->tells = true;
	s->told_at = s->now;
	return true;
}

/* The kernel has what lldpad was told of PFC a while ago, and all bandwidth for one class. */
static void put_ieee(struct nlmsghdr *n, const struct scene *s)
{
	struct ieee_pfc pfc = { .pfc_en = s->now >= s->told_at + LATE_MS ? (uint8_t)s->mask : 0 };
	struct ieee_ets ets = { .tc_tx_bw = { 100 }, .tc_tsa = { IEEE_8021QAZ_TSA_ETS } };
	struct nlattr *ieee = mnl_attr_nest_start(n, DCB_ATTR_IEEE);

	mnl_attr_put(n, DCB_ATTR_IEEE_PFC, sizeof(pfc), &pfc);
	mnl_attr_put(n, DCB_ATTR_IEEE_ETS, sizeof(ets), &ets);
	mnl_attr_nest_end(n, ieee);
}

/* It is asked for those, and has a DCBX mode. */
static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	struct scene *s = scene_of(h);
	char buf[256] __attribute__((aligned(8))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	const struct nlattr *a;
	bool refused = false;

	(void)bus;
	if (s->no_dcb)
		return err_set(err, host_err_kind(s->no_dcb), s->no_dcb, "%s", strerror(s->no_dcb));
	mnl_nlmsg_put_extra_header(n, sizeof(struct dcbmsg));
	mnl_attr_for_each (a, request, sizeof(struct dcbmsg)) {
		refused = mnl_attr_get_type(a) == DCB_ATTR_DCBX && s->keeps_dcbx;
		if (mnl_attr_get_type(a) == DCB_ATTR_DCBX && !refused)
			s->dcbx = mnl_attr_get_u8(a);
	}
	mnl_attr_put_u8(n, DCB_ATTR_DCBX, request->nlmsg_type == RTM_SETDCB ? refused : s->dcbx);
	put_ieee(n, s);
	return each(n, arg) >= 0;
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

static void tell(struct host *h, enum progress n, const char *port, const char *what)
{
	struct scene *s = scene_of(h);

	(void)n;
	(void)port;
	s->waits++;
	snprintf(s->told, sizeof(s->told), "%s", what);
}

static struct scene scene(void)
{
	return (struct scene){
		.host = { .root = -1,
			  .may_write = true,
			  .read_file = read_file,
			  .list_dir = list_dir,
			  .ask_lldpad = answer,
			  .save_file = save_file,
			  .make_dir = make_dir,
			  .signal = send_signal,
			  .talk = talk,
			  .now_ms = now_ms,
			  .sleep_ms = sleep_ms,
			  .interrupted = interrupted,
			  .report = tell },
		.runs = true,
		.heard_mask = -1,
	};
}

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .carrier = true };

static struct config lossless(bool willing)
{
	return (struct config){
		.has = SET_BY_DCBX | SETTING(SETTING_DCBX_MODE) | SETTING(SETTING_DCBX_ADVERTISE) |
		       SETTING(SETTING_DCBX_WILLING),
		.dcbx = { .mode = willing ? DCBX_SWITCH : DCBX_HOST,
			  .advertise = true,
			  .willing = willing },
		.pfc.priorities = 8,
		.ets = { .bandwidth = { 100 }, .tsa = { TSA_ETS } },
	};
}

static bool write_speech(struct scene *s, const struct config *to, struct err *err)
{
	return feature_advertise.write(&s->host, &port, to, to, err);
}

static struct config read_speech(struct scene *s)
{
	struct config c = lossless(false);
	struct err err = { 0 };

	assert_true(feature_advertise.read(&s->host, &port, &c, &err));
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

/* What came before it was told, and nothing after it. */
static const struct refusal_row {
	const char *sentence, *refuses, *log;
} refusals[] = {
	{ "whether it is willing may be refused", TLV_PFC "07willing", "" },
	{ "ETS may be refused", "0080c209", "pfc:willing " },
	{ "the recommendation may be refused", "0080c20a", "pfc:willing ets:willing " },
	{ "PFC may be refused", TLV_PFC "07enabled", "pfc:willing ets:willing reco:tcbw " },
	{ "APP may be refused", "0080c20c", "pfc:willing ets:willing reco:tcbw pfc:enabled " },
	{ "speaking may be refused", "adminstatus",
	  "pfc:willing ets:willing reco:tcbw pfc:enabled app:enableTx " },
};

static void what_it_refuses_is_an_error(void **state)
{
	const struct refusal_row *row = *state;
	struct scene s = scene();
	struct config to = lossless(false);
	struct err err = { 0 };

	s.refuses = row->refuses;
	assert_false(write_speech(&s, &to, &err));
	assert_string_equal(s.log, row->log);
	assert_false(s.tells);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_string_equal(err.text, "lldpad: invalid value");
	assert_int_equal(s.now, 0);
}

static void shares_that_it_would_not_take_are_not_half_told(void **state)
{
	struct scene s = scene();
	struct config to = lossless(false);
	struct err err = { 0 };

	(void)state;
	to.ets.bandwidth[0] = 99;
	assert_false(write_speech(&s, &to, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_string_equal(s.log, "");
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

static const struct end_row {
	const char *sentence;
	uint64_t ends_at, starts_at;
	const char *no_sent, *goes_out;
	enum err_kind kind;
	const char *text;
	uint64_t until; /* at least, and half a second more at most */
} ends[] = {
	{ "one that ends and is started again is waited for", 200, 5000, NULL, NULL, ERR_NONE, "",
	  5000 },
	{ "one that ends for good is missing", 200, FOREVER, NULL, NULL, ERR_MISSING,
	  "no lldpad runs here", 20000 },
	{ "what went out may not be told", 0, 0, "07", NULL, ERR_SYSTEM, "lldpad: another version",
	  20000 },
	{ "what goes out may be no LLDPDU", 0, 0, NULL, "0207", ERR_VERIFY,
	  "lldpad does not send what it was told to", 20000 },
	{ "what goes out may be another mask", 0, 0, NULL, HEAD PFC("08", "10") ETS("00"),
	  ERR_VERIFY, "lldpad does not send what it was told to", 20000 },
	{ "what goes out may lack ETS", 0, 0, NULL, HEAD PFC("08", "08"), ERR_VERIFY,
	  "lldpad does not send what it was told to", 20000 },
};

static void what_goes_out_is_waited_for(void **state)
{
	const struct end_row *row = *state;
	struct scene s = scene();
	struct config to = lossless(false);
	struct err err = { 0 };

	s.ends_at = row->ends_at;
	s.starts_at = row->starts_at;
	s.no_sent = row->no_sent;
	s.goes_out = row->goes_out;
	assert_int_equal(write_speech(&s, &to, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_string_equal(err.text, row->text);
	assert_in_range(s.now, row->until, row->until + 500);
}

static void without_an_lldpad_nobody_is_told(void **state)
{
	struct scene s = scene();
	struct config to = lossless(false);
	struct err err = { 0 };

	(void)state;
	s.runs = false;
	assert_false(write_speech(&s, &to, &err));
	assert_int_equal(err.kind, ERR_MISSING);
	assert_int_equal(s.now, 0);
}

static void one_that_only_speaks_is_told_by_its_file(void **state)
{
	struct scene s = scene();
	struct config to = lossless(false);
	struct err err = { 0 };

	(void)state;
	s.advertise_only = true;
	snprintf(s.willing, sizeof(s.willing), "no");
	assert_true(write_speech(&s, &to, &err));
	assert_string_equal(s.log, "kept /var/lib/lldpad/lldpad.conf hangup ");
	assert_true(read_speech(&s).dcbx.advertise);
}

static void one_that_does_not_hear_of_its_file_is_not_waited_for(void **state)
{
	struct scene s = scene();
	struct config to = lossless(true);
	struct err err = { 0 };

	(void)state;
	s.advertise_only = s.no_signal = true;
	assert_false(write_speech(&s, &to, &err));
	assert_int_equal(err.kind, ERR_DENIED);
	assert_in_range(s.now, 0, 1000); /* for a file that is whole */
	assert_int_equal(s.waits, 0);
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
	assert_true(feature_advertise.reapply(&s.host, &port, &to, &err));
	assert_string_equal(s.log, "");
	s.sent_mask = s.mask = 16;
	assert_true(feature_advertise.reapply(&s.host, &port, &to, &err));
	assert_int_equal(s.mask, 8);
}

static const struct settle_row {
	const char *sentence;
	bool advertise, runs;
	const char *no_sent, *goes_out;
	enum err_kind kind;
	bool told; /* again */
} settles[] = {
	{ "a port that is to be silent is left alone", false, true, NULL, NULL, ERR_NONE, false },
	{ "a port that is silent yet is told", true, true, NULL, NULL, ERR_NONE, true },
	{ "a port that says it is left alone", true, true, NULL, HEAD PFC("08", "08") ETS("00"),
	  ERR_NONE, false },
	{ "a port that cannot be asked is told", true, true, "07", NULL, ERR_SYSTEM, true },
	{ "without an lldpad there is nothing to settle with", true, false, NULL, NULL, ERR_MISSING,
	  false },
};

static void is_settled(void **state)
{
	const struct settle_row *row = *state;
	struct scene s = scene();
	struct config to = lossless(false);
	struct err err = { 0 };

	to.dcbx.advertise = row->advertise;
	s.runs = row->runs;
	s.no_sent = row->no_sent;
	s.goes_out = row->goes_out;
	assert_int_equal(feature_advertise.reapply(&s.host, &port, &to, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(s.log[0] != '\0', row->told);
}

static void only_a_port_that_begins_to_speak_leaves_something_behind(void **state)
{
	struct config silent = lossless(false), speaks = lossless(false);

	(void)state;
	silent.dcbx.advertise = false;
	assert_non_null(strstr(feature_advertise.irreversible(&port, &silent, &speaks),
			       "keeps what it was told"));
	assert_null(feature_advertise.irreversible(&port, &speaks, &speaks));
	assert_null(feature_advertise.irreversible(&port, &speaks, &silent));
	assert_null(feature_advertise.irreversible(&port, &silent, &silent));
}

/* A file that cannot be read tells who looks. */
static void only_a_port_that_was_silent_is_made_silent_after_a_boot(void **state)
{
	struct scene s = scene();
	struct config back = lossless(false);
	struct err err = { 0 };

	(void)state;
	s.no_kept = true;
	assert_true(feature_advertise.restore_files(&s.host, "ens1f0np0", &back, &err));
	back.dcbx.advertise = false;
	assert_false(feature_advertise.restore_files(&s.host, "ens1f0np0", &back, &err));
	assert_int_equal(err.code, EIO);
	s.no_kept = false;
	assert_true(feature_advertise.restore_files(&s.host, "ens1f0np0", &back, &err));
	s.no_kept = true;
	back.has &= ~SETTING(SETTING_DCBX_ADVERTISE);
	assert_true(feature_advertise.restore_files(&s.host, "ens1f0np0", &back, &err));
	assert_string_equal(s.log, "");
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

/* So is one that says nothing of PFC, or nothing that can be understood. */
static const struct silent_row {
	const char *sentence;
	int heard_mask;
	const char *comes_in;
} silent[] = {
	{ "a silent switch is no failure", -1, NULL },
	{ "nor is one that speaks of something else", 8, HEAD ETS("00") },
	{ "nor is one that talks nonsense", 8, "0207" },
};

static void a_silent_switch_is_no_failure(void **state)
{
	const struct silent_row *row = *state;
	struct scene s = scene();
	struct config to = lossless(true);
	struct err err = { 0 };

	s.heard_mask = row->heard_mask;
	s.comes_in = row->comes_in;
	assert_true(write_speech(&s, &to, &err));
	assert_in_range(s.now, 45000, 46000);
	assert_int_equal(s.waits, 2);
	assert_string_equal(s.told, "the switch says nothing of PFC: "
				    "the port keeps what the policy says");
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
	bool cannot, advertise_only, follows;
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
	s.advertise_only = row->advertise_only;
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

static void it_may_refuse_to_stop_following(void **state)
{
	static const struct {
		const char *refuses, *log;
	} rows[] = { { TLV_PFC, "" }, { "0080c209", "pfc:willing " } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct scene s = scene();
		struct lldpad l;
		struct err err = { 0 };

		s.refuses = rows[i].refuses;
		assert_true(lldpad_open(&s.host, &l, &err));
		assert_false(lldpad_stop_following(&l, "ens1f0np0", &err));
		assert_int_equal(err.kind, ERR_SYSTEM);
		assert_string_equal(s.log, rows[i].log);
	}
}

/* What the switch sends of ETS is no recommendation, and is not followed. */
static void only_what_it_would_take_of_the_switch_is_otherwise(void **state)
{
	struct scene s = scene();
	struct config desired = lossless(true);

	(void)state;
	assert_false(lldpad_switch_differs(&s.host, &port, &desired));
	s.heard_mask = 8;
	desired.ets.prio_tc[3] = 3;
	assert_false(lldpad_switch_differs(&s.host, &port, &desired));
	s.heard_mask = 16;
	assert_true(lldpad_switch_differs(&s.host, &port, &desired));
	desired.has &= ~SETTING(SETTING_PFC_PRIORITIES);
	assert_false(lldpad_switch_differs(&s.host, &port, &desired));
	s.runs = false;
	assert_false(lldpad_switch_differs(&s.host, &port, &desired));
}

static const struct heard_row {
	const char *sentence, *comes_in, *no_heard;
	uint64_t heard_at;
	bool otherwise;
	uint64_t until;
} heard[] = {
	{ "what is recommended is the same", HEAD PFC("08", "08") RECO("6400"), NULL, 0, false, 0 },
	{ "what is recommended is otherwise", HEAD PFC("08", "08") ETS("00") RECO("3c28"), NULL, 0,
	  true, 0 },
	{ "what comes late is waited for", HEAD PFC("08", "10"), NULL, 3000, true, 3000 },
	{ "what comes later is not", HEAD PFC("08", "10"), NULL, 9000, false, 6000 },
	{ "nonsense is not otherwise", "0207", NULL, 0, false, 0 },
	{ "who cannot be asked is not waited for", NULL, "07", 0, false, 200 },
};

static void is_otherwise_or_not(void **state)
{
	const struct heard_row *row = *state;
	struct scene s = scene();
	struct config desired = lossless(true);

	desired.ets.tsa[1] = TSA_ETS;
	s.heard_mask = 8;
	s.comes_in = row->comes_in;
	s.no_heard = row->no_heard;
	s.heard_at = row->heard_at;
	assert_int_equal(lldpad_switch_differs(&s.host, &port, &desired), row->otherwise);
	assert_in_range(s.now, row->until, row->until);
}

/* ---- who decides ---- */

static const struct mode_row {
	const char *sentence;
	uint8_t dcbx; /* the kernel's */
	int no_dcb;
	bool runs, hangs;
	const char *willing;
	enum err_kind kind;
	enum dcbx_mode mode;
} modes[] = {
	{ "firmware decides, whatever lldpad would do", 0x0c, 0, true, false, "yes", ERR_NONE,
	  DCBX_FIRMWARE },
	{ "the switch decides through one that is willing", 0x09, 0, true, false, "yes", ERR_NONE,
	  DCBX_SWITCH },
	{ "the host decides where lldpad is not willing", 0x09, 0, true, false, "no", ERR_NONE,
	  DCBX_HOST },
	{ "the host decides without an lldpad", 0x09, 0, false, false, "", ERR_NONE, DCBX_HOST },
	{ "where lldpad hangs it is not known", 0x09, 0, true, true, "", ERR_UNKNOWN, 0 },
	{ "a driver without DCBX", 0, EOPNOTSUPP, true, false, "", ERR_UNSUPPORTED, 0 },
};

static void who_decides_is_read(void **state)
{
	const struct mode_row *row = *state;
	struct scene s = scene();
	struct config c = { 0 };
	struct err err = { 0 };

	s.dcbx = row->dcbx;
	s.no_dcb = row->no_dcb;
	s.runs = row->runs;
	s.hangs = row->hangs;
	snprintf(s.willing, sizeof(s.willing), "%s", row->willing);
	assert_int_equal(feature_dcbx.read(&s.host, &port, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(c.dcbx.mode, row->mode);
	assert_true(c.has == (row->kind == ERR_NONE ? SETTING(SETTING_DCBX_MODE) : 0));
}

static const struct takeover_row {
	const char *sentence;
	enum dcbx_mode from, to;
	bool runs, keeps_dcbx;
	int no_dcb;
	const char *refuses;
	enum err_kind kind;
	const char *log, *fix;
	uint8_t dcbx; /* in the end; 0x0c before */
} takeovers[] = {
	{ "from the switch to the host", DCBX_SWITCH, DCBX_HOST, true, false, 0, NULL, ERR_NONE,
	  "pfc:willing ets:willing ", NULL, 0x09 },
	{ "from firmware to the host, which lldpad does not hear of", DCBX_FIRMWARE, DCBX_HOST,
	  true, false, 0, NULL, ERR_NONE, "", NULL, 0x09 },
	{ "from the switch, whose lldpad has ended", DCBX_SWITCH, DCBX_HOST, false, false, 0, NULL,
	  ERR_MISSING, "", NULL, 0x0c },
	{ "from the switch, which lldpad does not leave", DCBX_SWITCH, DCBX_HOST, true, false, 0,
	  TLV_PFC, ERR_SYSTEM, "", NULL, 0x0c },
	{ "to the host, where the driver refuses", DCBX_FIRMWARE, DCBX_HOST, true, true, 0, NULL,
	  ERR_SYSTEM, "", "or leave dcbx, pfc and ets out of the policy", 0x0c },
	{ "to firmware, where the driver refuses", DCBX_HOST, DCBX_FIRMWARE, true, true, 0, NULL,
	  ERR_SYSTEM, "", NULL, 0x0c },
	{ "to the host, where that is not permitted", DCBX_FIRMWARE, DCBX_HOST, true, false, EPERM,
	  NULL, ERR_DENIED, "", NULL, 0x0c },
};

static void who_decides_is_written(void **state)
{
	const struct takeover_row *row = *state;
	struct scene s = scene();
	struct config from = { .dcbx.mode = row->from }, to = { .dcbx.mode = row->to };
	struct err err = { 0 };

	s.dcbx = 0x0c;
	s.runs = row->runs;
	s.keeps_dcbx = row->keeps_dcbx;
	s.no_dcb = row->no_dcb;
	s.refuses = row->refuses;
	assert_int_equal(feature_dcbx.write(&s.host, &port, &from, &to, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_string_equal(s.log, row->log);
	assert_int_equal(s.dcbx, row->dcbx);
	assert_true(row->fix ? strstr(err.fix, row->fix) != NULL : !err.fix[0]);
}

/* ---- writing through it ---- */

static uint64_t arrives_at;
static bool cannot_be_read;

static bool arrived(struct host *h, const struct port *p, const struct config *to, bool *ret,
		    struct err *err)
{
	(void)p;
	(void)to;
	*ret = h->now_ms(h) >= arrives_at;
	return !cannot_be_read || err_set(err, ERR_GONE, ENODEV, "no such port");
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

static void what_cannot_be_seen_is_not_left_with_it_either(void **state)
{
	struct scene s = scene();
	struct config from = lossless(true), to = lossless(true);
	struct err err = { 0 };

	(void)state;
	cannot_be_read = true;
	to.pfc.priorities = 16;
	assert_false(lldpad_write(&s.host, &port, &from, &to, arrived, &err));
	cannot_be_read = false;
	assert_int_equal(err.kind, ERR_GONE);
	assert_int_equal(s.mask, from.pfc.priorities);
	assert_int_equal(s.waits, 1);
}

static void what_cannot_be_taken_back_is_told(void **state)
{
	struct scene s = scene();
	struct config from = lossless(true), to = lossless(true);
	struct err err = { 0 };

	(void)state;
	s.refuses = "0080c20a";
	to.pfc.priorities = 16;
	assert_false(lldpad_write(&s.host, &port, &from, &to, arrived, &err));
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_int_equal(s.mask, 0);
	assert_string_equal(s.told, "lldpad could not be told to leave it: lldpad: invalid value");
}

static const struct through_row {
	const char *sentence;
	const struct feature *feature;
	uint8_t share; /* of the first class */
	const char *refuses;
	int no_dcb; /* as for the whole scene */
	enum err_kind kind;
	uint64_t until;
} through[] = {
	{ "PFC comes when lldpad writes it", &feature_pfc_lldpad, 100, NULL, 0, ERR_NONE, LATE_MS },
	{ "ETS that is there is not waited for", &feature_ets_lldpad, 100, NULL, 0, ERR_NONE, 0 },
	{ "ETS that does not come", &feature_ets_lldpad, 40, NULL, 0, ERR_VERIFY, 20000 },
	{ "PFC that lldpad refuses", &feature_pfc_lldpad, 100, TLV_PFC "07enabled", 0, ERR_SYSTEM,
	  0 },
	{ "PFC that cannot be read", &feature_pfc_lldpad, 100, NULL, ENODEV, ERR_GONE, 0 },
	{ "ETS that cannot be read", &feature_ets_lldpad, 100, NULL, ENODEV, ERR_GONE, 0 },
};

static void is_written_through_it(void **state)
{
	const struct through_row *row = *state;
	struct scene s = scene();
	struct config from = lossless(false), to = lossless(false);
	struct err err = { 0 };

	from.pfc.priorities = 0;
	to.ets.bandwidth[0] = row->share;
	to.ets.tsa[1] = row->share < 100 ? TSA_ETS : TSA_STRICT;
	to.ets.bandwidth[1] = (uint8_t)(100 - row->share);
	s.refuses = row->refuses;
	s.no_dcb = row->no_dcb;
	assert_int_equal(row->feature->write(&s.host, &port, &from, &to, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_in_range(s.now, row->until, row->until + 200);
	assert_int_equal(s.mask, row->kind == ERR_NONE ? 8 : 0);
}

static void what_it_writes_is_read_only_where_one_writes(void **state)
{
	static const struct feature *const features[] = { &feature_pfc_lldpad,
							  &feature_ets_lldpad };

	(void)state;
	for (size_t i = 0; i < COUNT(features); i++) {
		struct scene s = scene();
		struct config c = { 0 };
		struct err err = { 0 };

		assert_true(features[i]->in_charge(&s.host));
		assert_true(features[i]->read(&s.host, &port, &c, &err));
		assert_true(c.has == features[i]->owns);
		s.advertise_only = true;
		assert_false(features[i]->in_charge(&s.host));
		s.runs = false;
		assert_false(features[i]->in_charge(&s.host));
	}
}

static void only_one_that_writes_is_written_through(void **state)
{
	struct scene s = scene();

	(void)state;
	assert_true(lldpad_writes_here(&s.host));
	s.advertise_only = true;
	assert_false(lldpad_writes_here(&s.host));
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

static const struct read_row {
	const char *sentence;
	bool cannot, advertise_only;
	setting_set unknown; /* of the port */
	const char *no_sent, *goes_out;
	enum err_kind kind;
	bool advertise, willing;
} reads[] = {
	{ "what goes out is what the port has", false, false, 0, NULL,
	  HEAD PFC("08", "08") ETS("00"), ERR_NONE, true, false },
	{ "what goes out is not what the port has", false, false, 0, NULL,
	  HEAD PFC("08", "18") ETS("00"), ERR_NONE, false, false },
	{ "what goes out is half of what the port has", false, false, 0, NULL, HEAD PFC("08", "08"),
	  ERR_NONE, false, false },
	{ "half of it is no more where the port does not know the rest", false, false,
	  SET_BY_DCBX & ~SETTING(SETTING_PFC_PRIORITIES), NULL, HEAD PFC("08", "08"), ERR_NONE,
	  false, false },
	{ "a port that takes only ETS from the switch is willing", false, false, 0, NULL,
	  HEAD PFC("08", "08") ETS("80"), ERR_NONE, true, true },
	{ "a port that takes only PFC is willing, too", false, false, 0, NULL,
	  HEAD PFC("88", "08") ETS("00"), ERR_NONE, true, true },
	{ "where nonsense goes out, what lldpad would do counts", false, false, 0, NULL, "0207",
	  ERR_NONE, false, true },
	{ "a port that lldpad cannot set up says nothing", true, false, 0, "08", NULL, ERR_NONE,
	  false, false },
	{ "what went out may not be told", false, false, 0, "07", NULL, ERR_SYSTEM, false, false },
	{ "one that only speaks is asked whatever the mode", false, true,
	  SETTING(SETTING_DCBX_MODE), NULL, HEAD PFC("08", "08") ETS("00"), ERR_NONE, true, false },
};

static void is_read_so(void **state)
{
	const struct read_row *row = *state;
	struct scene s = scene();
	struct config c = lossless(false);
	struct err err = { 0 };

	s.cannot = row->cannot;
	s.advertise_only = row->advertise_only;
	s.no_sent = row->no_sent;
	s.goes_out = row->goes_out;
	c.has &= ~(row->unknown | feature_advertise.owns);
	assert_int_equal(feature_advertise.read(&s.host, &port, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(c.dcbx.advertise, row->advertise);
	assert_int_equal(c.dcbx.willing, row->willing);
	assert_true((c.has & feature_advertise.owns) ==
		    (row->kind == ERR_NONE ? feature_advertise.owns : 0));
}

/* The mode was asked for before, and was waited for. */
static void one_that_hangs_is_not_asked_twice(void **state)
{
	struct scene s = scene();
	struct config c = lossless(false);
	struct err err = { 0 };

	(void)state;
	c.has &= ~SETTING(SETTING_DCBX_MODE);
	assert_false(feature_advertise.read(&s.host, &port, &c, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
}

/* Who decides, as lldpad has it. */
static void add_modes(struct suite *s)
{
	SUITE_ADD_ROWS(s, heard, is_otherwise_or_not);
	SUITE_ADD_ROWS(s, modes, who_decides_is_read);
	SUITE_ADD_ROWS(s, takeovers, who_decides_is_written);
	SUITE_ADD(s, what_it_writes_is_waited_for);
	SUITE_ADD(s, what_does_not_come_is_not_left_with_it);
	SUITE_ADD(s, what_cannot_be_seen_is_not_left_with_it_either);
	SUITE_ADD(s, what_cannot_be_taken_back_is_told);
	SUITE_ADD_ROWS(s, through, is_written_through_it);
	SUITE_ADD(s, what_it_writes_is_read_only_where_one_writes);
	SUITE_ADD(s, only_one_that_writes_is_written_through);
	SUITE_ADD_ROWS(s, reads, is_read_so);
	SUITE_ADD(s, without_an_lldpad_nobody_speaks);
	SUITE_ADD(s, before_it_speaks_what_it_would_do_counts);
	SUITE_ADD(s, one_that_hangs_is_not_asked_twice);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, the_values_come_before_anybody_hears_of_them);
	SUITE_ADD_ROWS(&s, refusals, what_it_refuses_is_an_error);
	SUITE_ADD(&s, shares_that_it_would_not_take_are_not_half_told);
	SUITE_ADD_ROWS(&s, ends, what_goes_out_is_waited_for);
	SUITE_ADD(&s, without_an_lldpad_nobody_is_told);
	SUITE_ADD(&s, one_that_only_speaks_is_told_by_its_file);
	SUITE_ADD(&s, one_that_does_not_hear_of_its_file_is_not_waited_for);
	SUITE_ADD_ROWS(&s, settles, is_settled);
	SUITE_ADD(&s, only_a_port_that_begins_to_speak_leaves_something_behind);
	SUITE_ADD(&s, only_a_port_that_was_silent_is_made_silent_after_a_boot);
	SUITE_ADD(&s, what_goes_out_must_be_willing_too);
	SUITE_ADD(&s, what_never_goes_out_is_an_error);
	SUITE_ADD(&s, a_port_falls_silent);
	SUITE_ADD(&s, what_says_it_already_is_left_alone);
	SUITE_ADD(&s, the_switch_is_waited_for);
	SUITE_ADD_ROWS(&s, silent, a_silent_switch_is_no_failure);
	SUITE_ADD(&s, an_interruption_ends_the_wait);
	SUITE_ADD_ROWS(&s, follows, follows_or_not);
	SUITE_ADD(&s, one_that_hangs_is_not_taken_for_one_that_follows_nobody);
	SUITE_ADD(&s, it_stops_following);
	SUITE_ADD(&s, it_may_refuse_to_stop_following);
	SUITE_ADD(&s, only_what_it_would_take_of_the_switch_is_otherwise);
	add_modes(&s);
	return suite_run(&s, "speech");
}
