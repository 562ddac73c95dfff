/* Tests of the lldpad client: requests to lldpad and its answers, byte by byte. */
#include <stdlib.h>
#include <string.h>

#include "dcb/lldpad/client.h"
#include "tests/support/parrot.h"
#include "tests/support/unit.h"

static bool set_admin(const struct lldpad *l, struct err *err)
{
	return lldpad_set_admin(l, "veB", LLDPAD_RXTX, err);
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

static bool is_sending(const struct lldpad *l, struct err *err)
{
	bool sends;

	if (!lldpad_sends(l, "veB", &sends, err))
		return false;
	assert_true(sends);
	return true;
}

static bool is_silent(const struct lldpad *l, struct err *err)
{
	bool sends;

	assert_true(lldpad_sends(l, "veB", &sends, err));
	assert_false(sends);
	return true;
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
	{ "adminStatus is set", set_admin, "M00000001C3040000000c03veB000badminstatus0004rxtx",
	  "R00C3040000000c03veBadminStatus = rxtx\n", 0, NULL },
	{ "a port that sends and receives sends", is_sending,
	  "M00000001C3030000000403veB000badminstatus", "R00C3030000000403veB0badminStatus0004rxtx",
	  0, NULL },
	{ "so does one that only sends", is_sending, "M00000001C3030000000403veB000badminstatus",
	  "R00C3030000000403veB0badminStatus0002tx", 0, NULL },
	{ "one that only receives does not", is_silent, "M00000001C3030000000403veB000badminstatus",
	  "R00C3030000000403veB0badminStatus0002rx", 0, NULL },
	{ "nor one that was never set", is_silent, "M00000001C3030000000403veB000badminstatus",
	  "R00C3030000000403veB0badminStatus0008disabled", 0, NULL },
	{ "nor one that lldpad does not know", is_silent,
	  "M00000001C3030000000403veB000badminstatus", "R02C3030000000403veB", 0, NULL },
	{ "whether it sends may be unreadable", is_sending,
	  "M00000001C3030000000403veB000badminstatus", "R07C3030000000403veB", ERR_SYSTEM,
	  "another version" },
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
	  ERR_SYSTEM, "cannot be parsed" },
	{ "nor one that is longer", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R00C3010000001503veB0080c20004mode0004auto0", ERR_SYSTEM, "cannot be parsed" },
	{ "nor the value of another setting", get_mode,
	  "M00000001C3010000001503veB000080c20004mode",
	  "R00C3010000001503veB0080c20004made0004auto", ERR_SYSTEM, "cannot be parsed" },
	{ "nor an answer that breaks off in the length", get_mode,
	  "M00000001C3010000001503veB000080c20004mode", "R00C3010000001503veB0080c20004mode00",
	  ERR_SYSTEM, "cannot be parsed" },
	{ "PFC is set", set_pfc,
	  "M00000001C3020000000c03veB000080c20b07willing0002no07enabled00033,4",
	  "R00C3020000000c03veB0080c20bwilling = no\nprio = 3,4\n", 0, NULL },
	{ "ETS is set in one request", set_ets, ETS_REQUEST,
	  "R00C3020000000c03veA0080c209willing = yes\n", 0, NULL },
	{ "a port without DCB is unsupported", set_pfc,
	  "M00000001C3020000000c03veB000080c20b07willing0002no07enabled00033,4",
	  "R08C3020000000c03veB0080c20b", ERR_UNSUPPORTED, "not capable" },
	{ "a refusal has its reason", set_pfc,
	  "M00000001C3020000000c03veB000080c20b07willing0002no07enabled00033,4",
	  "R04C3020000000c03veB0080c20b: selector out of range\n", ERR_SYSTEM,
	  "lldpad: invalid value: selector out of range" },
	{ "no access is denied", get_mode, "M00000001C3010000001503veB000080c20004mode", "R0a",
	  ERR_DENIED, "no access" },
	{ "and is not confused with what was asked for", set_admin,
	  "M00000001C3040000000c03veB000badminstatus0004rxtx",
	  "R0aC3040000000c03veBadminStatus = rxtx\n", ERR_DENIED,
	  "lldpad: no access: lldpad was started with -R, or losslessctl is not root" },
	{ "an unknown status is reported", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "Rff", ERR_SYSTEM, "status 0xff" },
	{ "status 0x0c is unknown, too", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R0c", ERR_SYSTEM, "status 0x0c" },
	{ "the answer to another command is not taken", get_mode,
	  "M00000001C3010000001503veB000080c20004mode",
	  "R00C3020000001503veB0080c20004mode0004auto", ERR_SYSTEM, "cannot be parsed" },
	{ "nor to other flags", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R00C3010000001103veB0080c20004mode0004auto", ERR_SYSTEM, "cannot be parsed" },
	{ "nor about another port", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R00C3010000001503veC0080c20004mode0004auto", ERR_SYSTEM, "cannot be parsed" },
	{ "nor about another TLV", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R00C3010000001503veB0080c20b04mode0004auto", ERR_SYSTEM, "cannot be parsed" },
	{ "an empty answer is none", get_mode, "M00000001C3010000001503veB000080c20004mode", "",
	  ERR_SYSTEM, "cannot be parsed" },
	{ "a status of one digit is none", get_mode, "M00000001C3010000001503veB000080c20004mode",
	  "R0", ERR_SYSTEM, "cannot be parsed" },
	{ "an event is no answer", get_mode, "M00000001C3010000001503veB000080c20004mode", "E5",
	  ERR_SYSTEM, "cannot be parsed" },
};

static void talk(void **s)
{
	const struct talk_row *row = *s;
	struct err err = { 0 };
	struct parrot p;
	struct lldpad l = parrot_open(&p, row->reply);
	bool ok = row->ask(&l, &err);

	assert_string_equal(p.request, row->request);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(ok, row->kind == ERR_NONE);
	if (row->text && (!strstr(err.text, row->text) || strstr(err.text, "rxtx")))
		fail_msg("%s", err.text);
}

/* An answer cut at any byte is refused or still complete, and is never read beyond its end. */
static void an_answer_may_end_anywhere(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(talks); i++)
		for (size_t size = 0; size < strlen(talks[i].reply); size++) {
			char *cut = strndup(talks[i].reply, size);
			struct err err = { 0 };
			struct lldpad_pdu pdu;
			char word[LLDPAD_VALUE_MAX];
			struct parrot p;
			struct lldpad l = parrot_open(&p, cut);
			bool ok = lldpad_get_sent(&l, "veA", &pdu, &err) ||
				  lldpad_get(&l, "veB", LLDPAD_TLV_DCBX, "mode", word, &err);

			assert_true(ok || err.kind != ERR_NONE);
			free(cut);
		}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, talks, talk);
	SUITE_ADD(&s, an_answer_may_end_anywhere);
	return suite_run(&s, "client");
}
