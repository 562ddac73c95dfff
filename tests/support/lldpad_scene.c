#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <signal.h>
#include <string.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/lldpad_scene.h"
#include "tests/support/unit.h"

#define KEPT "/var/lib/losslessctl/lldpad/ens1f0np0"

static struct lldpad_scene *scene_of(struct host *h)
{
	return (struct lldpad_scene *)h;
}

/* ---- lldpad's answers ---- */

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

static void note(struct lldpad_scene *s, const char *what, const char *args)
{
	size_t used = strlen(s->log);
	unsigned length = 0;

	sscanf(args, "%2x", &length);
	snprintf(s->log + used, sizeof(s->log) - used, "%s:%.*s ", what, (int)length, args + 2);
}

/* Writes an LLDPDU: PFC with this mask, and all bandwidth for one class of ETS. */
static void put_pdu(char *out, size_t size, int mask, bool willing)
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

static void store(struct lldpad_scene *s, const char *tlv, const char *args)
{
	const char *willing = strstr(args, "07willing"), *mask = strstr(args, "07enabled");

	note(s, word_of(tlv), args);
	if (willing && strncmp(tlv, TLV_PFC, 8) == 0)
		snprintf(s->willing, sizeof(s->willing), "%s", willing + 13);
	if (mask)
		s->mask = strncmp(mask + 13, "none", 4) == 0 ? 0 : 1 << (mask[13] - '0');
	s->written_at = s->now;
}

static void send_when_due(struct lldpad_scene *s)
{
	if (s->tells && s->now >= s->written_at + LATE_MS) {
		s->has_sent = true;
		s->sent_mask = s->mask;
		s->sent_willing = strcmp(s->willing, "no") != 0;
	}
	s->has_sent = s->has_sent && s->tells;
}

static const char *look(struct lldpad_scene *s, unsigned ops, char *payload, size_t size)
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
		put_pdu(payload, size, s->sent_mask, s->sent_willing);
	else if (ops == 2 && s->no_heard)
		return s->no_heard;
	else if (ops == 2 && (s->heard_mask < 0 || s->now < s->heard_at))
		return "06";
	else if (ops == 2 && s->comes_in)
		snprintf(payload, size, "%s", s->comes_in);
	else if (ops == 2)
		put_pdu(payload, size, s->heard_mask, false);
	return "00";
}

/* Requests are "M00000001C3" command:2 operations:8 "09ens1f0np0" agent:2, and perhaps a TLV. */
static bool answer(struct host *h, const char *request, char *reply, size_t size, struct err *err)
{
	struct lldpad_scene *s = scene_of(h);
	const char *head = request + 9, *rest = strstr(request, "ens1f0np0") + 9 + 2;
	char payload[256] = "";
	const char *status = "00";
	unsigned command, ops;

	if (s->hangs)
		return err_set(err, ERR_UNKNOWN, ETIMEDOUT, "no answer");
	if (strcmp(request, "P") == 0)
		return snprintf(reply, size, "R00PPONG") > 0;
	assert_int_equal(sscanf(head, "C3%2x%8x", &command, &ops), 2);
	if (s->refuses && strstr(request, s->refuses))
		status = "04";
	else if (command == 1)
		status = look(s, ops, payload, sizeof(payload));
	else if (command == 2)
		store(s, rest, rest + 8);
	else if (command == 3)
		snprintf(payload, sizeof(payload), "0badminStatus%s",
			 s->tells ? "0004rxtx" : "0008disabled");
	else if (command == 4) {
		s->tells = strstr(rest, "rxtx") != NULL;
		snprintf(s->log + strlen(s->log), 16, "%s ", s->tells ? "rxtx" : "rx");
	}
	snprintf(reply, size, "R%s%.*s%.*s%s", status, (int)(rest - 2 - head), head,
		 command <= 2 ? 8 : 0, rest, payload);
	return true;
}

/* ---- the rest of the host ---- */

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	static const char cmdline[] = "lldpad\0-R";
	struct lldpad_scene *s = scene_of(h);
	bool is_gone = s->ends_at && s->now >= s->ends_at && s->now < s->starts_at;

	if (s->no_kept && strcmp(path, KEPT) == 0)
		return err_set(err, ERR_SYSTEM, EIO, "%s cannot be read", path);
	if (s->conf[0] && strcmp(path, "/var/lib/lldpad/lldpad.conf") == 0) {
		snprintf(buf, size, "%s", s->conf);
		return true;
	}
	if (strstr(path, "/mountinfo") || strstr(path, "/uid_map")) {
		snprintf(buf, size, "22 1 8:1 / / rw\n");
		return true;
	}
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

static void log_word(struct lldpad_scene *s, const char *word)
{
	size_t used = strlen(s->log);

	snprintf(s->log + used, sizeof(s->log) - used, "%s ", word);
}

static bool save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	struct lldpad_scene *s = scene_of(h);
	bool is_kept = strcmp(path, KEPT) == 0;

	(void)err;
	assert_non_null(is_kept ? text : strstr(text, "tlvid0080c20b"));
	if (!is_kept)
		snprintf(s->conf, sizeof(s->conf), "%s", text);
	log_word(s, is_kept ? "kept" : path);
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
	struct lldpad_scene *s = scene_of(h);

	assert_int_equal(pid, 42);
	assert_int_equal(number, SIGHUP);
	if (s->no_signal)
		return err_set(err, ERR_DENIED, EPERM, "not permitted");
	log_word(s, "hangup");
	s->mask = 8;
	s->tells = true;
	s->written_at = s->now;
	return true;
}

/* The kernel gets PFC from lldpad after LATE_MS, and has all bandwidth for one class. */
static void put_ieee(struct nlmsghdr *n, const struct lldpad_scene *s)
{
	struct ieee_pfc pfc = { .pfc_en =
					s->now >= s->written_at + LATE_MS ? (uint8_t)s->mask : 0 };
	struct ieee_ets ets = { .tc_tx_bw = { 100 }, .tc_tsa = { IEEE_8021QAZ_TSA_ETS } };
	struct nlattr *ieee = mnl_attr_nest_start(n, DCB_ATTR_IEEE);

	mnl_attr_put(n, DCB_ATTR_IEEE_PFC, sizeof(pfc), &pfc);
	mnl_attr_put(n, DCB_ATTR_IEEE_ETS, sizeof(ets), &ets);
	mnl_attr_nest_end(n, ieee);
}

/* Answers with PFC, ETS and the DCBX mode, which may be set. */
static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	struct lldpad_scene *s = scene_of(h);
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

static int was_interrupted(struct host *h)
{
	return scene_of(h)->interrupted;
}

static void tell(struct host *h, enum progress n, const char *name, const char *what)
{
	struct lldpad_scene *s = scene_of(h);

	(void)n;
	(void)name;
	s->waits++;
	snprintf(s->told, sizeof(s->told), "%s", what);
}

struct lldpad_scene lldpad_scene(void)
{
	return (struct lldpad_scene){
		.host = { .root = -1,
			  .may_write = true,
			  .read_file = read_file,
			  .list_dir = list_dir,
			  .ask_lldpad = answer,
			  .save_file = save_file,
			  .rewrite_file = save_file,
			  .make_dir = make_dir,
			  .signal = send_signal,
			  .talk = talk,
			  .now_ms = now_ms,
			  .sleep_ms = sleep_ms,
			  .interrupted = was_interrupted,
			  .report = tell },
		.runs = true,
		.heard_mask = -1,
	};
}

const struct port lldpad_port = { .id.name = "ens1f0np0", .ifindex = 7, .carrier = true };

struct config lossless_config(bool willing)
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

bool write_advertised(struct lldpad_scene *s, const struct config *to, struct err *err)
{
	return feature_advertise.write(&s->host, &lldpad_port, to, to, err);
}

struct config read_advertised(struct lldpad_scene *s)
{
	struct config c = lossless_config(false);
	struct err err = { 0 };

	assert_true(feature_advertise.read(&s->host, &lldpad_port, &c, &err));
	return c;
}
