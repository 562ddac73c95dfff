/*
 * Tests of the LLDP decoder: LLDPDUs as switches send them. The bytes are made here, with
 * documentation addresses, from public test data of each system.
 */
#include <string.h>

#include "dcb/lldp/lldp.h"
#include "tests/support/lldpdu.h"
#include "tests/support/unit.h"

#define CAPABILITIES  "0e04 00140014 "
#define ADDRESS(last) "100c 0501 c00002" last " 02 00000009 00 "
#define PVID	      "fe06 0080c201 0001 "
#define MAC_PHY	      "fe09 00120f01 036c110000 "
#define AGGREGATION   "fe09 00120f03 03000f4243 "
#define FRAME_SIZE    "fe06 00120f04 2414 "
#define PFC_3	      "fe06 0080c20b 08 08 "

struct kept {
	uint32_t id; /* OUI and subtype */
	uint16_t len;
};

static const struct row {
	const char *sentence;
	uint8_t port_subtype;
	const char *port, *port_description, *system_description, *rest;
	const char *described; /* as decoded */
	unsigned has;
	struct kept kept[6];
} rows[] = {
	/* Arista's `show lldp neighbors detail`, in test data of lldp-mermaid. */
	{ "EOS 4.13",
	  5,
	  "Ethernet48",
	  "rack 7",
	  "Arista Networks EOS version 4.13.12M running on an Arista Networks DCS-7140T-8S",
	  CAPABILITIES ADDRESS("01") PVID AGGREGATION FRAME_SIZE PFC_3,
	  "Arista Networks EOS version 4.13.12M running on an Arista...",
	  LLDP_BIT(LLDP_PFC),
	  { { 0x0080c201, 2 }, { 0x00120f03, 5 }, { 0x00120f04, 2 } } },
	/* openlldp#129: a second management address made lldpad drop the rest. */
	{ "Cumulus Linux with two management addresses",
	  5,
	  "swp7",
	  "swp7",
	  "Cumulus Linux version 5.9.1",
	  CAPABILITIES ADDRESS("02") ADDRESS("03") MAC_PHY PFC_3 ETS APP,
	  "Cumulus Linux version 5.9.1",
	  LLDP_BIT(LLDP_PFC) | LLDP_BIT(LLDP_ETS) | LLDP_BIT(LLDP_APP),
	  { { 0x00120f01, 5 } } },
	/* The description has several lines, in test data of genieparser. */
	{ "NX-OS 9.3",
	  5,
	  "Ethernet1/1",
	  "Ethernet1/1",
	  "Cisco Nexus Operating System (NX-OS) Software 9.3(10)\nTAC support: x",
	  CAPABILITIES ADDRESS("04") PVID "fe05 00014201 01 " PFC_3,
	  "Cisco Nexus Operating System (NX-OS) Software 9.3(10)\\x0a...",
	  LLDP_BIT(LLDP_PFC),
	  { { 0x0080c201, 2 }, { 0x00014201, 1 } } },
	/* The ID of the port is a number, in test data of lldp-mermaid. */
	{ "JUNOS 14.1",
	  7,
	  "541",
	  "ge-0/0/17",
	  "Juniper Networks, Inc. ex4300-48t Ethernet Switch",
	  CAPABILITIES "fe0c 00906901 5830303030303030 " FRAME_SIZE
		       "fe0e 0080c203 0010 07 766c616e2d3136 ",
	  "Juniper Networks, Inc. ex4300-48t Ethernet Switch",
	  0,
	  { { 0x00906901, 8 }, { 0x00120f04, 2 }, { 0x0080c203, 10 } } },
	/* The ID is the alias; the name of the port is its description. */
	{ "SONiC",
	  7,
	  "etp4",
	  "Ethernet12",
	  "SONiC Software Version: SONiC.20201231.39",
	  CAPABILITIES PFC_3,
	  "SONiC Software Version: SONiC.20201231.39",
	  LLDP_BIT(LLDP_PFC),
	  { { 0, 0 } } },
};

static void add_text(struct bytes *b, unsigned type, const char *text)
{
	add_tlv(b, type, text, strlen(text));
}

static struct bytes pdu_of(const struct row *row)
{
	struct bytes b = { .len = 0 };
	char id[64];
	int n = snprintf(id, sizeof(id), "%c%s", row->port_subtype, row->port);

	add_hex(&b, CHASSIS);
	add_tlv(&b, 2, id, (size_t)n);
	add_hex(&b, TTL);
	add_text(&b, 4, row->port_description);
	add_text(&b, 5, "leaf-1");
	add_text(&b, 6, row->system_description);
	add_hex(&b, row->rest);
	add_hex(&b, END);
	return b;
}

static void it_is_read_whole(void **s)
{
	const struct row *row = *s;
	struct bytes b = pdu_of(row);
	struct err err = { 0 };
	struct lldp l;
	unsigned n = 0;

	assert_true(decode(&b, &l, &err));
	assert_string_equal(l.port, row->port);
	assert_string_equal(l.port_description, row->port_description);
	assert_string_equal(l.system, "leaf-1");
	assert_string_equal(l.system_description, row->described);
	assert_int_equal(l.has, row->has);
	assert_int_equal(l.malformed, 0);
	for (; row->kept[n].id; n++) {
		const struct lldp_raw *raw = &l.raws[n];

		assert_int_equal((uint32_t)raw->oui[0] << 24 | raw->oui[1] << 16 |
					 raw->oui[2] << 8 | raw->subtype,
				 row->kept[n].id);
		assert_int_equal(raw->len, row->kept[n].len);
	}
	assert_int_equal(l.raw_count, n);
	assert_int_equal(l.raws_omitted, 0);
}

/* ---- TLVs that are not decoded ---- */

static void bytes_are_kept_as_sent(void **s)
{
	struct lldp l = decoded(IDS "fe07 aabbcc07 010203" PFC "fe04 aabbcc08" END);

	(void)s;
	assert_int_equal(l.raw_count, 2);
	assert_int_equal(l.raws[0].subtype, 7);
	assert_int_equal(l.raws[0].len, 3);
	assert_memory_equal(l.raws[0].oui, "\xaa\xbb\xcc", 3);
	assert_memory_equal(l.raws[0].bytes, "\x01\x02\x03\x00", 4);
	assert_int_equal(l.raws[1].len, 0);
	assert_int_equal(l.has, LLDP_BIT(LLDP_PFC));
}

static void the_longest_is_kept_in_part(void **s)
{
	uint8_t value[511] = { 0xaa, 0xbb, 0xcc, 7 };
	struct bytes b = { .len = 0 };
	struct err err = { 0 };
	struct lldp l;

	(void)s;
	memset(value + 4, 0xee, sizeof(value) - 4);
	add_hex(&b, IDS);
	add_tlv(&b, 127, value, sizeof(value));
	assert_true(decode(&b, &l, &err));
	assert_int_equal(l.raws[0].len, 507);
	assert_memory_equal(l.raws[0].bytes, value + 4, LLDP_RAW_MAX);
}

static void those_beyond_sixteen_are_counted(void **s)
{
	struct bytes b = { .len = 0 };
	struct err err = { 0 };
	struct lldp l;

	(void)s;
	add_hex(&b, IDS);
	for (int i = 0; i < LLDP_RAWS_MAX + 2; i++)
		add_hex(&b, "fe05 aabbcc01 01");
	add_hex(&b, END);
	assert_true(decode(&b, &l, &err));
	assert_int_equal(l.raw_count, LLDP_RAWS_MAX);
	assert_int_equal(l.raws_omitted, 2);
}

static void one_without_a_subtype_is_invalid(void **s)
{
	struct lldp l = decoded(IDS "fe03 aabbcc" END);

	(void)s;
	assert_int_equal(l.raw_count, 0);
}

static void only_the_first_description_counts(void **s)
{
	struct lldp l = decoded(IDS "0c01 61 0c01 62" END);

	(void)s;
	assert_string_equal(l.system_description, "a");
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, it_is_read_whole);
	SUITE_ADD(&s, bytes_are_kept_as_sent);
	SUITE_ADD(&s, the_longest_is_kept_in_part);
	SUITE_ADD(&s, those_beyond_sixteen_are_counted);
	SUITE_ADD(&s, one_without_a_subtype_is_invalid);
	SUITE_ADD(&s, only_the_first_description_counts);
	return suite_run(&s, "decode_switches");
}
