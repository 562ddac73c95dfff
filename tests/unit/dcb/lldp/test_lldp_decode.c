/* Tests of the LLDP decoder: LLDPDUs that it accepts. */
#include <stdlib.h>
#include <string.h>

#include "dcb/lldp/lldp.h"
#include "tests/support/lldpdu.h"
#include "tests/support/unit.h"

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

/* Decode a port ID of subtype 7 that is filled with one character. */
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
	SUITE_ADD_ROWS(&s, texts, that_is_how_it_reads);
	SUITE_ADD(&s, a_long_text_ends_in_dots_and_not_within_an_escape);
	SUITE_ADD(&s, of_two_system_names_the_first_counts);
	SUITE_ADD(&s, a_sender_that_leaves_has_no_time_to_live);
	SUITE_ADD(&s, every_kind_has_a_name);
	return suite_run(&s, "decode");
}
