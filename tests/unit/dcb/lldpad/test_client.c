/*
 * The talk with lldpad, against what Debian's lldpad was seen to say, and
 * against what it should never say.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dcb/lldpad/client.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

/* One lldpad that gives one answer. */
struct parrot {
	struct host host;
	char request[4097];
	const char *reply;
	bool dies;  /* while it is asked */
	bool ended; /* before */
	unsigned asked;
};

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct parrot *p = (struct parrot *)h;

	if (p->ended ||
	    (strcmp(path, "/proc/42/comm") != 0 && strcmp(path, "/proc/42/cmdline") != 0))
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
	snprintf(buf, size, "lldpad");
	return true;
}

static bool list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		     void *arg, struct err *err)
{
	(void)h;
	(void)path;
	(void)err;
	each("self", arg);
	each("42", arg);
	return true;
}

static bool answer(struct host *h, const char *request, char *reply, size_t size, struct err *err)
{
	struct parrot *p = (struct parrot *)h;

	p->asked++;
	snprintf(p->request, sizeof(p->request), "%s", request);
	if (p->dies) {
		p->ended = true;
		return err_set(err, ERR_UNKNOWN, ETIMEDOUT, "no answer");
	}
	snprintf(reply, size, "%s", p->reply);
	return true;
}

static struct lldpad begin(struct parrot *p, const char *reply)
{
	struct lldpad l;
	struct err err = { 0 };

	*p = (struct parrot){ .host = { .root = -1,
					.may_write = true,
					.read_file = read_file,
					.list_dir = list_dir,
					.ask_lldpad = answer },
			      .reply = reply };
	assert_true(lldpad_open(&p->host, &l, &err));
	assert_int_equal(l.pid, 42);
	return l;
}

static bool ping(const struct lldpad *l, struct err *err)
{
	return lldpad_ping(l, err);
}

static bool get_admin(const struct lldpad *l, struct err *err)
{
	enum lldpad_admin admin;

	if (!lldpad_get_admin(l, "veB", &admin, err))
		return false;
	assert_int_equal(admin, LLDPAD_RXTX);
	return true;
}

static bool set_admin(const struct lldpad *l, struct err *err)
{
	return lldpad_set_admin(l, "veB", LLDPAD_RXTX, err);
}

static bool frames_in(const struct lldpad *l, struct err *err)
{
	uint32_t n;

	if (!lldpad_frames_in(l, "veB", &n, err))
		return false;
	assert_int_equal(n, 0x1a);
	return true;
}

static bool sent(const struct lldpad *l, struct err *err)
{
	struct lldpad_pdu pdu;

	if (!lldpad_get_sent(l, "veA", &pdu, err))
		return false;
	assert_int_equal(pdu.size, 4);
	assert_memory_equal(pdu.bytes, "\x02\x07\x04\xfe", 4);
	return true;
}

static bool received(const struct lldpad *l, struct err *err)
{
	struct lldpad_pdu pdu;

	return lldpad_get_received(l, "veA", &pdu, err);
}

/* Each of these asks for one setting, and reads what the row of the table has in its answer. */
static bool get_mode(const struct lldpad *l, struct err *err)
{
	char word[LLDPAD_VALUE_MAX];

	if (!lldpad_get(l, "veB", LLDPAD_TLV_DCBX, "mode", word, err))
		return false;
	assert_string_equal(word, "auto");
	return true;
}

static bool get_willing(const struct lldpad *l, struct err *err)
{
	char word[LLDPAD_VALUE_MAX];

	if (!lldpad_get(l, "veB", LLDPAD_TLV_PFC, "willing", word, err))
		return false;
	assert_string_equal(word, "");
	return true;
}

static bool get_mask(const struct lldpad *l, struct err *err)
{
	char word[LLDPAD_VALUE_MAX];

	if (!lldpad_get(l, "veB", LLDPAD_TLV_PFC, "enabled", word, err))
		return false;
	assert_string_equal(word, "192");
	return true;
}

static bool set_pfc(const struct lldpad *l, struct err *err)
{
	struct lldpad_args args = { .count = 0 };

	lldpad_args_add(&args, "willing", "no");
	lldpad_args_add_pfc(&args, 1 << 3 | 1 << 4);
	return lldpad_set(l, "veB", LLDPAD_TLV_PFC, &args, err);
}

static bool delete_app(const struct lldpad *l, struct err *err)
{
	struct lldpad_args args = { .count = 0 };

	lldpad_args_add(&args, "app", "3,1,35093");
	return lldpad_delete(l, "veB", LLDPAD_TLV_APP, &args, err);
}

static bool set_ets(const struct lldpad *l, struct err *err)
{
	static const uint8_t prio_tc[PRIOS] = { 0, 0, 0, 1 };
	static const uint8_t tsa[PRIOS] = { TSA_ETS, TSA_ETS };
	static const uint8_t bandwidth[PRIOS] = { 50, 50 };
	struct lldpad_args args = { .count = 0 };

	lldpad_args_add(&args, "willing", "yes");
	assert_true(lldpad_args_add_ets(&args, prio_tc, tsa, bandwidth, err));
	return lldpad_set(l, "veA", LLDPAD_TLV_ETS_CFG, &args, err);
}

#define ETS_REQUEST \
	"M00000001C3020000000c03veA000080c20907willing0003yes" \
	"04tcbw001150,50,0,0,0,0,0,0" \
	"05up2tc001f0:0,1:0,2:0,3:1,4:0,5:0,6:0,7:0" \
	"03tsa00410:ets,1:ets,2:strict,3:strict,4:strict,5:strict,6:strict,7:strict"

static const struct talk_row {
	const char *sentence;
	bool (*ask)(const struct lldpad *l, struct err *err);
	const char *request, *reply;
	enum err_kind kind;
	const char *text;
} talks[] = {
	{ "a ping has a pong", ping, "P", "R00PPONG4711", 0, NULL },
	{ "a ping has no other answer", ping, "P", "R00A", ERR_SYSTEM, "pong" },
	{ "adminStatus is read", get_admin, "M00000001C3030000000403veB000badminstatus",
	  "R00C3030000000403veB0badminStatus0004rxtx", 0, NULL },
	{ "an unknown adminStatus is not", get_admin, "M00000001C3030000000403veB000badminstatus",
	  "R00C3030000000403veB0badminStatus0004both", ERR_SYSTEM, "\"both\"" },
	{ "adminStatus is set", set_admin, "M00000001C3040000000c03veB000badminstatus0004rxtx",
	  "R00C3040000000c03veBadminStatus = rxtx\n", 0, NULL },
	{ "frames are counted", frames_in, "M00000001C3000000000003veB00",
	  "R00C3000000000003veB0000001100000000000000000000001a000000000000000000000000", 0, NULL },
	{ "half the statistics are none", frames_in, "M00000001C3000000000003veB00",
	  "R00C3000000000003veB0000001100000000000000000000001a", ERR_SYSTEM, "statistics" },
	{ "what was sent is read", sent, "M00000001C3010000000103veA000000007f",
	  "R00C3010000000103veA0000007f020704fe", 0, NULL },
	{ "before the first frame there is nothing", sent, "M00000001C3010000000103veA000000007f",
	  "R00C3010000000103veA0000007f", ERR_MISSING, "has sent nothing here yet" },
	{ "half a byte is no LLDPDU", sent, "M00000001C3010000000103veA000000007f",
	  "R00C3010000000103veA0000007f020704f", ERR_SYSTEM, "7 hex digits" },
	{ "what is not hex is no LLDPDU", sent, "M00000001C3010000000103veA000000007f",
	  "R00C3010000000103veA0000007f0207 4fe", ERR_SYSTEM, "not in hex" },
	{ "without a neighbour nothing was received", received,
	  "M00000001C3010000000203veA000000007f", "R06C3010000000203veA0000007f", ERR_MISSING,
	  "peer not present" },
	{ "the DCBX mode is read", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R00C3010000001503veB0080c20004mode0004auto", 0, NULL },
	{ "a setting that was never set is empty", get_willing,
	  "M00000001C3010000001503veB000080c20b07willing",
	  "R00C3010000001503veB0080c20b07willing0000", 0, NULL },
	{ "a mask of three digits is read whole", get_mask,
	  "M00000001C3010000001503veB000080c20b07enabled",
	  "R00C3010000001503veB0080c20b07enabled0002192", 0, NULL },
	{ "a value that is shorter than it says is not taken", get_mode,
	  "M00000001C3010000001503veB000080c20004mode", "R00C3010000001503veB0080c20004mode0004aut",
	  ERR_SYSTEM, "understood" },
	{ "nor one that is longer", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R00C3010000001503veB0080c20004mode0004auto0", ERR_SYSTEM, "understood" },
	{ "nor the value of another setting", get_mode,
	  "M00000001C3010000001503veB000080c20004mode",
	  "R00C3010000001503veB0080c20004made0004auto", ERR_SYSTEM, "understood" },
	{ "nor an answer that breaks off in the length", get_mode,
	  "M00000001C3010000001503veB000080c20004mode", "R00C3010000001503veB0080c20004mode00",
	  ERR_SYSTEM, "understood" },
	{ "PFC is set", set_pfc,
	  "M00000001C3020000000c03veB000080c20b07willing0002no07enabled00033,4",
	  "R00C3020000000c03veB0080c20bwilling = no\nprio = 3,4\n", 0, NULL },
	{ "ETS is set in one request", set_ets, ETS_REQUEST,
	  "R00C3020000000c03veA0080c209willing = yes\n", 0, NULL },
	{ "an APP entry is deleted", delete_app,
	  "M00000001C3020000002c03veB000080c20c03app00093,1,35093",
	  "R00C3020000002c03veB0080c20c0:(3,1,35093)", 0, NULL },
	{ "a port without DCB is unsupported", set_pfc,
	  "M00000001C3020000000c03veB000080c20b07willing0002no07enabled00033,4",
	  "R08C3020000000c03veB0080c20b", ERR_UNSUPPORTED, "not capable" },
	{ "a refusal tells its reason", set_pfc,
	  "M00000001C3020000000c03veB000080c20b07willing0002no07enabled00033,4",
	  "R04C3020000000c03veB0080c20b: selector out of range\n", ERR_SYSTEM,
	  "lldpad: invalid value: selector out of range" },
	{ "no access is denied", get_mode, "M00000001C3010000001503veB000080c20004mode", "R0a",
	  ERR_DENIED, "no access" },
	{ "and is not confused with what was asked for", set_admin,
	  "M00000001C3040000000c03veB000badminstatus0004rxtx",
	  "R0aC3040000000c03veBadminStatus = rxtx\n", ERR_DENIED,
	  "lldpad: no access: it was started with -R, or we are not root" },
	{ "an unknown status is told", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "Rff", ERR_SYSTEM, "status 0xff" },
	{ "status 0x0c is unknown, too", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R0c", ERR_SYSTEM, "status 0x0c" },
	{ "the answer to another command is not taken", get_mode,
	  "M00000001C3010000001503veB000080c20004mode",
	  "R00C3020000001503veB0080c20004mode0004auto", ERR_SYSTEM, "understood" },
	{ "nor to other flags", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R00C3010000001103veB0080c20004mode0004auto", ERR_SYSTEM, "understood" },
	{ "nor about another port", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R00C3010000001503veC0080c20004mode0004auto", ERR_SYSTEM, "understood" },
	{ "nor about another TLV", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R00C3010000001503veB0080c20b04mode0004auto", ERR_SYSTEM, "understood" },
	{ "an empty answer is none", get_mode, "M00000001C3010000001503veB000080c20004mode", "",
	  ERR_SYSTEM, "understood" },
	{ "a status of one digit is none", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R0", ERR_SYSTEM, "understood" },
	{ "an event is no answer", get_mode, "M00000001C3010000001503veB000080c20004mode", "E5",
	  ERR_SYSTEM, "understood" },
};

static void talk(void **s)
{
	const struct talk_row *row = *s;
	struct err err = { 0 };
	struct parrot p;
	struct lldpad l = begin(&p, row->reply);
	bool ok = row->ask(&l, &err);

	assert_string_equal(p.request, row->request);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(ok, row->kind == ERR_NONE);
	if (row->text && (!strstr(err.text, row->text) || strstr(err.text, "rxtx")))
		fail_msg("%s", err.text);
}

/* Cut anywhere, an answer is refused or as good as whole, and never read behind its end. */
static void an_answer_may_end_anywhere(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(talks); i++)
		for (size_t size = 0; size < strlen(talks[i].reply); size++) {
			char *cut = strndup(talks[i].reply, size);
			struct err err = { 0 };
			struct lldpad_pdu pdu;
			enum lldpad_admin admin;
			char word[LLDPAD_VALUE_MAX];
			struct parrot p;
			struct lldpad l = begin(&p, cut);
			uint32_t n;
			bool ok = lldpad_get_sent(&l, "veA", &pdu, &err) ||
				  lldpad_get_admin(&l, "veB", &admin, &err) ||
				  lldpad_frames_in(&l, "veB", &n, &err) ||
				  lldpad_get(&l, "veB", LLDPAD_TLV_DCBX, "mode", word, &err);

			assert_true(ok || err.kind != ERR_NONE);
			free(cut);
		}
}

static void nothing_is_sent_where_none_runs(void **s)
{
	struct parrot p;
	struct lldpad l = begin(&p, "R00PPONG42");
	struct err err = { 0 };

	(void)s;
	p.ended = true;
	assert_false(lldpad_open(&p.host, &l, &err));
	assert_int_equal(err.kind, ERR_MISSING);
	assert_int_equal(p.asked, 0);
}

static void nothing_is_sent_to_one_that_has_ended(void **s)
{
	struct parrot p;
	struct lldpad l = begin(&p, "R00PPONG42");
	struct err err = { 0 };

	(void)s;
	p.ended = true;
	assert_false(lldpad_ping(&l, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_int_equal(p.asked, 0);
}

static void one_that_ends_meanwhile_is_told_apart(void **s)
{
	struct parrot p;
	struct lldpad l = begin(&p, NULL);
	struct err err = { 0 };

	(void)s;
	p.dies = true;
	assert_false(lldpad_ping(&l, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_string_equal(err.text, "lldpad (pid 42) ended while it was asked");
}

static void a_setting_that_is_too_long_spoils_the_request(void **s)
{
	char value[LLDPAD_VALUE_MAX + 1];
	struct lldpad_args args = { .count = 0 };
	struct parrot p;
	struct lldpad l = begin(&p, "");
	struct err err = { 0 };

	(void)s;
	memset(value, 'x', LLDPAD_VALUE_MAX);
	value[LLDPAD_VALUE_MAX] = '\0';
	lldpad_args_add(&args, "tsa", value);
	assert_false(lldpad_set(&l, "veB", LLDPAD_TLV_PFC, &args, &err));
	assert_int_equal(err.code, EMSGSIZE);
	assert_int_equal(p.asked, 0);
}

static void so_does_one_too_many(void **s)
{
	struct lldpad_args args = { .count = 0 };
	struct parrot p;
	struct lldpad l = begin(&p, "");
	struct err err = { 0 };

	(void)s;
	for (int i = 0; i <= LLDPAD_ARGS_MAX; i++)
		lldpad_args_add(&args, "willing", "no");
	assert_false(lldpad_set(&l, "veB", LLDPAD_TLV_PFC, &args, &err));
	assert_int_equal(p.asked, 0);
}

static void a_host_that_may_not_write_asks_and_sets_nothing(void **s)
{
	struct parrot p;
	struct lldpad l = begin(&p, "R00C3010000001503veB0080c20004mode0004auto");
	struct err err = { 0 };

	(void)s;
	p.host.may_write = false;
	assert_true(get_mode(&l, &err));
	assert_false(set_pfc(&l, &err));
	assert_int_equal(err.kind, ERR_REFUSED);
	assert_int_equal(p.asked, 1);
}

static const struct words_row {
	const char *sentence;
	uint8_t tsa[PRIOS], bandwidth[PRIOS];
	const char *tcbw, *words; /* NULL: refused, or not said */
} words[] = {
	{ "shares of ETS classes are said",
	  { TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_STRICT, TSA_ETS },
	  { 50, 0, 0, 50 },
	  "50,0,0,50,0,0,0,0",
	  "0:ets,1:ets,2:ets,3:ets,4:ets,5:ets,6:strict,7:ets" },
	{ "shares of other classes are not",
	  { TSA_STRICT, TSA_ETS },
	  { 100, 100, 100 },
	  "0,100,0,0,0,0,0,0",
	  "0:strict,1:ets,2:strict,3:strict,4:strict,5:strict,6:strict,7:strict" },
	{ "without ETS no shares are said, which lldpad would not take",
	  { TSA_STRICT },
	  { 0 },
	  NULL,
	  "0:strict,1:strict,2:strict,3:strict,4:strict,5:strict,6:strict,7:strict" },
	{ "every algorithm has its word",
	  { TSA_CBS, TSA_VENDOR, TSA_CBS, TSA_CBS, TSA_CBS, TSA_CBS, TSA_CBS, TSA_CBS },
	  { 0 },
	  NULL,
	  "0:cb_shaper,1:vendor,2:cb_shaper,3:cb_shaper,4:cb_shaper,5:cb_shaper,6:cb_shaper,"
	  "7:cb_shaper" },
	{ "shares that add up to less are refused", { TSA_ETS, TSA_ETS }, { 50, 49 }, NULL, NULL },
	{ "shares that are not said at all are refused", { TSA_ETS }, { 0 }, NULL, NULL },
};

static const char *value_of(const struct lldpad_args *a, const char *name)
{
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->list[i].name, name) == 0)
			return a->list[i].value;
	return NULL;
}

static void ets_in_words(void **s)
{
	static const uint8_t prio_tc[PRIOS] = { 7, 6, 5, 4, 3, 2, 1, 0 };
	const struct words_row *row = *s;
	struct lldpad_args a = { .count = 0 };
	struct err err = { 0 };

	if (!lldpad_args_add_ets(&a, prio_tc, row->tsa, row->bandwidth, &err)) {
		assert_null(row->words);
		assert_int_equal(a.count, 0);
		return;
	}
	assert_string_equal(value_of(&a, "tsa"), row->words);
	assert_string_equal(value_of(&a, "up2tc"), "0:7,1:6,2:5,3:4,4:3,5:2,6:1,7:0");
	if (row->tcbw)
		assert_string_equal(value_of(&a, "tcbw"), row->tcbw);
	else
		assert_null(value_of(&a, "tcbw"));
	assert_false(a.overflowed);
}

static void pfc_in_words(void **s)
{
	static const struct {
		uint8_t mask;
		const char *words;
	} rows[] = { { 0, "none" }, { 1 << 3, "3" }, { 0x81, "0,7" }, { 0xff, "0,1,2,3,4,5,6,7" } };

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct lldpad_args a = { .count = 0 };

		lldpad_args_add_pfc(&a, rows[i].mask);
		assert_string_equal(value_of(&a, "enabled"), rows[i].words);
	}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, talks, talk);
	SUITE_ADD(&s, an_answer_may_end_anywhere);
	SUITE_ADD(&s, nothing_is_sent_where_none_runs);
	SUITE_ADD(&s, nothing_is_sent_to_one_that_has_ended);
	SUITE_ADD(&s, one_that_ends_meanwhile_is_told_apart);
	SUITE_ADD(&s, a_setting_that_is_too_long_spoils_the_request);
	SUITE_ADD(&s, so_does_one_too_many);
	SUITE_ADD(&s, a_host_that_may_not_write_asks_and_sets_nothing);
	SUITE_ADD_ROWS(&s, words, ets_in_words);
	SUITE_ADD(&s, pfc_in_words);
	return suite_run(&s, "the talk with lldpad");
}
