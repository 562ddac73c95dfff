/* Tests of the LLDP decoder: LLDPDUs that it refuses, whole or in part. */
#include <stdlib.h>
#include <string.h>

#include "dcb/lldp/lldp.h"
#include "tests/support/lldpdu.h"
#include "tests/support/unit.h"

#define CEE "fe09 001b2102 0000000000 "
#define CIN "fe04 001b2101 "

static void a_pdu_that_fails_leaves_the_result_alone(void **s)
{
	struct lldp l = { .ttl_s = 7 };
	struct bytes b = { .len = 0 };
	struct err err = { 0 };

	(void)s;
	add_hex(&b, IDS PFC "0a");
	assert_false(decode(&b, &l, &err));
	assert_int_equal(l.ttl_s, 7);
	assert_false(lldp_decode(NULL, 0, &l, &err));
}

/* A PDU that is cut between two TLVs, after the third, is valid; any other cut is refused. */
static void a_pdu_cut_at_any_byte_is_refused_or_whole(void **s)
{
	struct bytes whole = { .len = 0 }, cut;
	unsigned good = 0;

	(void)s;
	add_hex(&whole, IDS PFC APP ETS RECO CEE END);
	for (cut = whole; cut.len > 0; cut.len--) {
		struct err err = { 0 };
		struct lldp l;

		good += decode(&cut, &l, &err);
	}
	assert_int_equal(good, 7);
}

static const struct wrong_row {
	const char *sentence, *hex, *text;
} wrongs[] = {
	{ "an empty PDU is none", "", "chassis ID is missing" },
	{ "a PDU of padding is none", "0000 0000 0000",
	  "chassis ID is missing: TLV 1 is of type 0" },
	{ "a PDU begins with the chassis ID", PORT CHASSIS TTL END, "chassis ID is missing" },
	{ "the port ID comes second", CHASSIS TTL PORT END,
	  "port ID is missing: TLV 2 is of type 3" },
	{ "the TTL comes third", CHASSIS PORT "0a01 61" TTL END, "TTL is missing: TLV 3" },
	{ "a PDU must not end before its TTL", CHASSIS PORT END, "TTL is missing" },
	{ "a second chassis ID is one too many", IDS PFC CHASSIS END, "a second chassis ID" },
	{ "a second port ID is one too many", IDS PORT END, "a second port ID" },
	{ "a second TTL is one too many", IDS TTL END, "a second TTL" },
	{ "a chassis ID of no bytes is none", "0201 04" PORT TTL END, "chassis ID has 1 bytes" },
	{ "a port ID without a subtype is none", CHASSIS "0400" TTL END, "port ID has 0 bytes" },
	{ "a TTL has two bytes", CHASSIS PORT "0601 78" END, "TTL has 1 bytes" },
	{ "half a head is none", IDS "fe", "ends within a TLV's head" },
	{ "a TLV must not run past the end", IDS "fe06 0080c20b 08",
	  "of type 127 and 6 bytes runs" },
	{ "a reserved TLV must not either", IDS "1302 0000", "type 9 and 258 bytes" },
	{ "the end has no value", IDS "0001 00" END, "end is not empty" },
};

/* An overlong mandatory TLV is refused; an overlong optional one is skipped. */
static void a_name_has_its_greatest_length(void **s)
{
	static const struct {
		unsigned type;
		size_t len;
		const char *text; /* NULL: decoded; "": skipped */
	} rows[] = {
		{ 1, 256, NULL }, { 1, 257, "chassis ID has 257 bytes, not 2 to 256" },
		{ 5, 255, NULL }, { 5, 256, "" },
		{ 6, 511, "" }, /* a type that is not decoded */
	};
	uint8_t value[511] = { 7 };

	(void)s;
	memset(value + 1, 'a', sizeof(value) - 1);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bytes b = { .len = 0 };
		struct err err = { 0 };
		struct lldp l;
		bool ok;

		if (rows[i].type != 1)
			add_hex(&b, CHASSIS PORT TTL);
		add_tlv(&b, rows[i].type, value, rows[i].len);
		if (rows[i].type == 1)
			add_hex(&b, PORT TTL);
		ok = decode(&b, &l, &err);
		assert_int_equal(ok, !rows[i].text || !rows[i].text[0]);
		assert_true(ok || strstr(err.text, rows[i].text));
		if (ok)
			assert_int_equal(l.system[0] != '\0', rows[i].type == 5 && !rows[i].text);
	}
}

static void that_is_why_it_is_refused(void **s)
{
	const struct wrong_row *row = *s;
	struct bytes b = { .len = 0 };
	struct err err = { 0 };
	struct lldp l;

	add_hex(&b, row->hex);
	assert_false(decode(&b, &l, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	if (!strstr(err.text, row->text))
		fail_msg("\"%s\" does not say \"%s\"", err.text, row->text);
}

static const struct tlv_row {
	const char *sentence, *hex;
	unsigned has, malformed;
} tlvs[] = {
	{ "what follows the end is padding", IDS PFC END "fe06 0080c20b 08", 1u << LLDP_PFC, 0 },
	{ "a PDU may end without saying so", IDS PFC, 1u << LLDP_PFC, 0 },
	{ "all kinds together are read", IDS ETS RECO PFC APP CEE CIN END, 63, 0 },
	{ "a TTL may grow", CHASSIS PORT "0604 00780000" PFC END, 1u << LLDP_PFC, 0 },
	{ "TLVs of others are passed over",
	  IDS "fe06 00120f 010203"
	      "e001 00"
	      "0c00" PFC END,
	  1u << LLDP_PFC, 0 },
	{ "an organization's TLV without a subtype is passed over",
	  IDS "fe03 0080c2"
	      "fe00" END,
	  0, 0 },
	{ "another subtype of 802.1 is passed over", IDS "fe06 0080c201 0001" END, 0, 0 },
	{ "CEE alone is recognized", IDS CEE END, 1u << LLDP_CEE, 0 },
	{ "CIN alone is recognized", IDS CIN END, 1u << LLDP_CIN, 0 },
	{ "PFC is not one byte longer", IDS "fe07 0080c20b 081800" END, 0, 1u << LLDP_PFC },
	{ "PFC is not one byte shorter", IDS "fe05 0080c20b 08" END, 0, 1u << LLDP_PFC },
	{ "PFC is not empty", IDS "fe04 0080c20b" END, 0, 1u << LLDP_PFC },
	{ "an ETS configuration is not one byte longer",
	  IDS "fe1a 0080c209 03 00010203 0a0a0a46 00000000 02020200 00000000 00" END, 0,
	  1u << LLDP_ETS },
	{ "an ETS configuration is not one byte shorter",
	  IDS "fe18 0080c209 03 00010203 0a0a0a46 00000000 02020200 000000" END, 0,
	  1u << LLDP_ETS },
	{ "an ETS configuration is not empty", IDS "fe04 0080c209" END, 0, 1u << LLDP_ETS },
	{ "a recommendation is not one byte shorter",
	  IDS "fe18 0080c20a 03 00010203 0a0a0a46 00000000 02020200 000000" END, 0,
	  1u << LLDP_ETS_RECO },
	{ "there is no traffic class 8",
	  IDS "fe19 0080c209 03 00010208 0a0a0a46 00000000 02020200 00000000" END, 0,
	  1u << LLDP_ETS },
	{ "there is no share of 101 per cent",
	  IDS "fe19 0080c20a 03 00010203 65000000 00000000 02020200 00000000" END, 0,
	  1u << LLDP_ETS_RECO },
	{ "applications have three bytes each", IDS "fe0a 0080c20c 00 65001a 6189" END, 0,
	  1u << LLDP_APP },
	{ "applications have a byte before them", IDS "fe04 0080c20c" END, 0, 1u << LLDP_APP },
	{ "no applications are none", IDS "fe05 0080c20c 00" END, 1u << LLDP_APP, 0 },
	{ "PFC twice is malformed", IDS PFC PFC END, 0, 1u << LLDP_PFC },
	{ "PFC three times is malformed", IDS PFC PFC PFC END, 0, 1u << LLDP_PFC },
	{ "applications twice are malformed", IDS APP APP END, 0, 1u << LLDP_APP },
	{ "ETS twice is malformed", IDS ETS ETS END, 0, 1u << LLDP_ETS },
	{ "CEE twice is malformed", IDS CEE CEE END, 0, 1u << LLDP_CEE },
	{ "a good PFC does not repair a bad one", IDS "fe05 0080c20b 08" PFC END, 0,
	  1u << LLDP_PFC },
	{ "one bad TLV leaves the others", IDS PFC "fe05 0080c209 00" END, 1u << LLDP_PFC,
	  1u << LLDP_ETS },
};

static void only_these_are_there(void **s)
{
	static const struct lldp_ets no_ets;
	static const struct lldp_pfc no_pfc;
	const struct tlv_row *row = *s;
	struct lldp l = decoded(row->hex);

	assert_int_equal(l.has, row->has);
	assert_int_equal(l.malformed, row->malformed);
	if (l.malformed & LLDP_BIT(LLDP_ETS))
		assert_memory_equal(&l.ets, &no_ets, sizeof(no_ets));
	if (l.malformed & LLDP_BIT(LLDP_PFC))
		assert_memory_equal(&l.pfc, &no_pfc, sizeof(no_pfc));
	if (l.malformed & LLDP_BIT(LLDP_APP))
		assert_int_equal(l.app_count, 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_pdu_that_fails_leaves_the_result_alone);
	SUITE_ADD(&s, a_pdu_cut_at_any_byte_is_refused_or_whole);
	SUITE_ADD_ROWS(&s, wrongs, that_is_why_it_is_refused);
	SUITE_ADD(&s, a_name_has_its_greatest_length);
	SUITE_ADD_ROWS(&s, tlvs, only_these_are_there);
	return suite_run(&s, "decode_refused");
}
