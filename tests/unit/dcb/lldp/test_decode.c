/* LLDP: what a neighbour says, whatever bytes it sends. */
#include <stdlib.h>
#include <string.h>

#include "dcb/lldp/decode.h"
#include "tests/support/unit.h"

#define PDU_MAX 2048

struct bytes {
	uint8_t at[PDU_MAX];
	size_t len;
};

static void add_hex(struct bytes *b, const char *hex)
{
	unsigned byte;

	for (; *hex; hex += *hex == ' ' ? 1 : 2)
		if (*hex != ' ') {
			assert_int_equal(sscanf(hex, "%2x", &byte), 1);
			assert_true(b->len < PDU_MAX);
			b->at[b->len++] = (uint8_t)byte;
		}
}

static void add_tlv(struct bytes *b, unsigned type, const void *value, size_t len)
{
	b->at[b->len++] = (uint8_t)(type << 1 | len >> 8);
	b->at[b->len++] = (uint8_t)len;
	memcpy(b->at + b->len, value, len);
	b->len += len;
}

#define CHASSIS "02 07 04 0c42a1b2c3d4 "
#define PORT	"04 0d 05 45746865726e6574312f3337 " /* Ethernet1/37 */
#define TTL	"06 02 0078 "
#define IDS	CHASSIS PORT TTL
#define END	"0000 "

#define ETS  "fe19 0080c209 c3 00010203 0a0a0a46 00000000 02020200 00000000 "
#define RECO "fe19 0080c20a 00 00010203 05050555 00000000 02020202 ffffffff "
#define PFC  "fe06 0080c20b 08 18 "
#define APP  "fe0b 0080c20c 00 65001a 618914 "
#define CEE  "fe09 001b2102 0000000000 "
#define CIN  "fe04 001b2101 "

/* From memory of exactly this size, so that a sanitizer sees a byte too many. */
static bool decode(const struct bytes *b, struct lldp *ret, struct err *err)
{
	uint8_t *copy = malloc(b->len ? b->len : 1);
	bool ok;

	assert_non_null(copy);
	memcpy(copy, b->at, b->len);
	ok = lldp_decode(copy, b->len, ret, err);
	free(copy);
	return ok;
}

static struct lldp decoded(const char *hex)
{
	struct bytes b = { .len = 0 };
	struct err err = { 0 };
	struct lldp l;

	add_hex(&b, hex);
	if (!decode(&b, &l, &err))
		fail_msg("%s", err.text);
	return l;
}

static void a_pdu_names_its_sender(void **s)
{
	struct lldp l = decoded(IDS "0804 73776970 0a05 6c65616631" END);

	(void)s;
	assert_string_equal(l.chassis, "0c:42:a1:b2:c3:d4");
	assert_string_equal(l.port, "Ethernet1/37");
	assert_string_equal(l.port_description, "swip");
	assert_string_equal(l.system, "leaf1");
	assert_int_equal(l.ttl_s, 120);
	assert_int_equal(l.id_len, 9 + 15);
	assert_int_equal(l.has | l.malformed, 0);
}

static void ets_configuration_is_read_whole(void **s)
{
	static const uint8_t tc[] = { 0, 0, 0, 1, 0, 2, 0, 3 }, bw[] = { 10, 10, 10, 70 },
			     tsa[] = { 2, 2, 2, 0 };
	struct lldp l = decoded(IDS ETS END);

	(void)s;
	assert_int_equal(l.has, LLDP_BIT(LLDP_ETS));
	assert_true(l.ets.willing);
	assert_true(l.ets.cbs);
	assert_int_equal(l.ets.max_tcs, 3);
	assert_memory_equal(l.ets.prio_tc, tc, 8);
	assert_memory_equal(l.ets.bandwidth, bw, 4);
	assert_memory_equal(l.ets.tsa, tsa, 4);
}

static void no_number_of_classes_means_8(void **s)
{
	struct lldp l =
		decoded(IDS "fe19 0080c209 00 00000000 6400000000000000 0000000000000000" END);

	(void)s;
	assert_int_equal(l.ets.max_tcs, 8);
	assert_false(l.ets.willing);
	assert_false(l.ets.cbs);
}

static void a_recommendation_is_not_a_configuration(void **s)
{
	struct lldp l = decoded(IDS RECO END);

	(void)s;
	assert_int_equal(l.has, LLDP_BIT(LLDP_ETS_RECO));
	assert_int_equal(l.reco.bandwidth[3], 0x55);
	assert_int_equal(l.reco.tsa[7], 255);
	assert_int_equal(l.reco.max_tcs, 0);
	assert_int_equal(l.ets.bandwidth[3], 0);
}

static void pfc_is_read_whole(void **s)
{
	struct lldp l = decoded(IDS PFC END), m = decoded(IDS "fe06 0080c20b c3 81" END);

	(void)s;
	assert_int_equal(l.has, LLDP_BIT(LLDP_PFC));
	assert_false(l.pfc.willing);
	assert_int_equal(l.pfc.cap, 8);
	assert_int_equal(l.pfc.enabled, 0x18);
	assert_true(m.pfc.willing);
	assert_true(m.pfc.mbc);
	assert_int_equal(m.pfc.cap, 3);
	assert_int_equal(m.pfc.enabled, 0x81);
}

static void applications_come_as_sent(void **s)
{
	struct lldp l = decoded(IDS APP END);

	(void)s;
	assert_int_equal(l.has, LLDP_BIT(LLDP_APP));
	assert_int_equal(l.app_count, 2);
	assert_int_equal(l.apps[0].priority, 3);
	assert_int_equal(l.apps[0].selector, 5);
	assert_int_equal(l.apps[0].protocol, 26);
	assert_int_equal(l.apps[1].priority, 3);
	assert_int_equal(l.apps[1].selector, 1);
	assert_int_equal(l.apps[1].protocol, 0x8914);
}

static void the_longest_application_tlv_has_room(void **s)
{
	uint8_t value[4 + 1 + 3 * LLDP_APPS_MAX] = { 0x00, 0x80, 0xc2, 0x0c };
	struct bytes b = { .len = 0 };
	struct err err = { 0 };
	struct lldp l;

	(void)s;
	memset(value + 5, 0xff, sizeof(value) - 5);
	add_hex(&b, IDS);
	add_tlv(&b, 127, value, sizeof(value));
	assert_true(decode(&b, &l, &err));
	assert_int_equal(l.app_count, LLDP_APPS_MAX);
	assert_int_equal(l.apps[LLDP_APPS_MAX - 1].protocol, 0xffff);
}

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

/* Cut between two TLVs, from the third on, it is another PDU; anywhere else it is none. */
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

/* What is needed is refused where it is too long, and what is not is passed over. */
static void a_name_has_its_greatest_length(void **s)
{
	static const struct {
		unsigned type;
		size_t len;
		const char *text; /* NULL: it is read */
	} rows[] = {
		{ 1, 256, NULL }, { 1, 257, "chassis ID has 257 bytes, not 2 to 256" },
		{ 5, 255, NULL }, { 5, 256, "" },
		{ 6, 511, "" }, /* of a type that is not looked at */
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
	{ "a good PFC does not mend a bad one", IDS "fe05 0080c20b 08" PFC END, 0, 1u << LLDP_PFC },
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

static const struct text_row {
	const char *sentence, *chassis, *text;
} texts[] = {
	{ "a MAC address has colons", "0207 04 010203040506", "01:02:03:04:05:06" },
	{ "a MAC address of five bytes is a text", "0206 04 6162636465", "abcde" },
	{ "an IPv4 address has dots", "0206 05 01 0a000001", "10.0.0.1" },
	{ "an IPv6 address has colons", "0212 05 02 20010db8000000000000000000000001",
	  "2001:db8::1" },
	{ "an address of another length is a text", "0205 05 01 0a0000", "\\x01\\x0a\\x00\\x00" },
	{ "an IPv6 address of another length is a text", "0206 05 02 0a000001",
	  "\\x02\\x0a\\x00\\x00\\x01" },
	{ "an IPv4 address of another length is a text",
	  "0212 05 01 61626364616263646162636461626364", "\\x01abcdabcdabcdabcd" },
	{ "an address of another family is a text", "0204 05 06 6162", "\\x06ab" },
	{ "an interface name is a text", "0205 06 65746831", "eth1" },
	{ "a local name is a text", "0206 07 6c65616631", "leaf1" },
	{ "a subtype that is reserved is a text", "0203 ff 6162", "ab" },
	{ "an escape is spelled", "0206 07 1b5b33316d", "\\x1b[31m" },
	{ "bytes of another alphabet are spelled", "0204 07 e280ae", "\\xe2\\x80\\xae" },
	{ "a line feed, NUL and DEL are spelled", "0204 07 0a007f", "\\x0a\\x00\\x7f" },
	{ "a backslash is spelled", "0205 07 5c783431", "\\x5cx41" },
	{ "a quote is no trouble", "0203 07 2227", "\"'" },
};

static void that_is_how_it_reads(void **s)
{
	const struct text_row *row = *s;
	struct bytes b = { .len = 0 };
	struct err err = { 0 };
	struct lldp l;

	add_hex(&b, row->chassis);
	add_hex(&b, PORT TTL END);
	assert_true(decode(&b, &l, &err));
	assert_string_equal(l.chassis, row->text);
}

/* The name of a port of subtype 7, filled with one character. */
static struct lldp with_port_of(char c, size_t len)
{
	char value[256] = { 7 };
	struct bytes b = { .len = 0 };
	struct err err = { 0 };
	struct lldp l;

	memset(value + 1, c, len);
	add_hex(&b, CHASSIS);
	add_tlv(&b, 2, value, 1 + len);
	add_hex(&b, TTL END);
	assert_true(decode(&b, &l, &err));
	assert_int_equal(l.id_len, 9 + 2 + 1 + len);
	return l;
}

static void a_long_text_ends_in_dots_and_not_within_an_escape(void **s)
{
	(void)s;
	assert_int_equal(strlen(with_port_of('a', 57).port), 57);
	assert_string_equal(with_port_of('a', 58).port + 57, "...");
	for (size_t len = 1; len < 256; len++) {
		struct lldp l = with_port_of('\n', len);

		assert_true(strlen(l.port) < LLDP_TEXT_MAX);
		assert_int_equal(strlen(l.port) % 4, len < 16 ? 0 : 3);
	}
}

static void of_two_system_names_the_first_counts(void **s)
{
	struct lldp l = decoded(IDS "0a01 61"
				    "0a01 62"
				    "0801 63"
				    "0801 64" END);

	(void)s;
	assert_string_equal(l.system, "a");
	assert_string_equal(l.port_description, "c");
}

static void a_sender_that_leaves_has_no_time_to_live(void **s)
{
	struct lldp l = decoded(CHASSIS PORT "0602 0000" END);

	(void)s;
	assert_int_equal(l.ttl_s, 0);
}

static void every_kind_has_a_name(void **s)
{
	(void)s;
	for (enum lldp_tlv t = 0; t < LLDP_TLV_COUNT; t++)
		assert_true(strlen(lldp_tlv_name(t)) > 2);
	assert_string_equal(lldp_tlv_name(LLDP_PFC), "PFC");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_pdu_names_its_sender);
	SUITE_ADD(&s, ets_configuration_is_read_whole);
	SUITE_ADD(&s, no_number_of_classes_means_8);
	SUITE_ADD(&s, a_recommendation_is_not_a_configuration);
	SUITE_ADD(&s, pfc_is_read_whole);
	SUITE_ADD(&s, applications_come_as_sent);
	SUITE_ADD(&s, the_longest_application_tlv_has_room);
	SUITE_ADD(&s, a_pdu_that_fails_leaves_the_result_alone);
	SUITE_ADD(&s, a_pdu_cut_at_any_byte_is_refused_or_whole);
	SUITE_ADD_ROWS(&s, wrongs, that_is_why_it_is_refused);
	SUITE_ADD(&s, a_name_has_its_greatest_length);
	SUITE_ADD_ROWS(&s, tlvs, only_these_are_there);
	SUITE_ADD_ROWS(&s, texts, that_is_how_it_reads);
	SUITE_ADD(&s, a_long_text_ends_in_dots_and_not_within_an_escape);
	SUITE_ADD(&s, of_two_system_names_the_first_counts);
	SUITE_ADD(&s, a_sender_that_leaves_has_no_time_to_live);
	SUITE_ADD(&s, every_kind_has_a_name);
	return suite_run(&s, "lldp");
}
