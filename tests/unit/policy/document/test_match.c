#include <string.h>

#include "policy/document/match.h"
#include "tests/support/unit.h"

static const struct identity port = {
	.name = "ens1f0np0",
	.pci = "0000:3b:00.0",
	.driver = "mlx5_core",
	.rdma = "mlx5_0",
	.mac = "02:00:00:00:00:01",
	.bond = "bond0",
	.alt_names = { "rail0\0enp59s0f0np0" },
	.bond_alt_names = { "compute" },
	.firmware = "22.41.1000 (MT_0000000359)",
	.speed_mbps = 100000,
};
static const struct identity member = { .name = "ens1f1np1", .bond_rdma = "mlx5_bond_0" };
static const struct identity bare = { .name = "veth0" };
static const struct identity no_carrier = { .name = "ens2f0np0", .firmware = "22.41.1000" };

#define PATTERN(...) \
	{ \
		.pattern = { __VA_ARGS__ } \
	}

#define SPEED(a, b) \
	{ \
		.speed_mbps = { a, b } \
	}

static const struct holds_row {
	const char *sentence;
	struct match match;
	const struct identity *id;
	enum match_result holds;
} holds[] = {
	{ "a name matches itself", PATTERN(.name = "ens1f0np0"), &port, MATCH_YES },
	{ "a name is not a prefix", PATTERN(.name = "ens1f0"), &port, MATCH_NO },
	{ "a name is not a suffix", PATTERN(.name = "np0"), &port, MATCH_NO },
	{ "* stands for any text", PATTERN(.name = "ens*"), &port, MATCH_YES },
	{ "* stands for no text, too", PATTERN(.name = "ens1f0np0*"), &port, MATCH_YES },
	{ "* alone is every port that has the key", PATTERN(.rdma = "*"), &port, MATCH_YES },
	{ "* is no port that lacks the key", PATTERN(.rdma = "*"), &bare, MATCH_NO },
	{ "? is one character", PATTERN(.name = "ens1f?np0"), &port, MATCH_YES },
	{ "? is not none", PATTERN(.name = "ens1f0np0?"), &port, MATCH_NO },
	{ "upper case is another name", PATTERN(.name = "ENS1F0NP0"), &port, MATCH_NO },
	{ "a PCI address matches", PATTERN(.pci = "0000:3b:00.0"), &port, MATCH_YES },
	{ "a glob of PCI addresses matches", PATTERN(.pci = "0000:3b:00.*"), &port, MATCH_YES },
	{ "another function does not", PATTERN(.pci = "0000:3b:00.1"), &port, MATCH_NO },
	{ "a driver matches", PATTERN(.driver = "mlx5_core"), &port, MATCH_YES },
	{ "another driver does not", PATTERN(.driver = "mlx4_en"), &port, MATCH_NO },
	{ "an RDMA device matches", PATTERN(.rdma = "mlx5_0"), &port, MATCH_YES },
	{ "an RDMA device matches the bond's other member", PATTERN(.rdma = "mlx5_bond_0"), &member,
	  MATCH_YES },
	{ "so does a glob of RDMA devices", PATTERN(.rdma = "mlx5_*"), &member, MATCH_YES },
	{ "another RDMA device does not", PATTERN(.rdma = "mlx5_1"), &member, MATCH_NO },
	{ "a MAC address matches", PATTERN(.mac = "02:00:00:*"), &port, MATCH_YES },
	{ "all keys must hold", PATTERN(.name = "ens*", .driver = "mlx5_core"), &port, MATCH_YES },
	{ "one that does not hold is enough", PATTERN(.name = "ens*", .driver = "ice"), &port,
	  MATCH_NO },
	{ "the first that does not hold is enough", PATTERN(.name = "eth*", .driver = "mlx5_core"),
	  &port, MATCH_NO },
	{ "a bond's name means its members", PATTERN(.name = "bond0"), &port, MATCH_YES },
	{ "a glob of bonds means their members", PATTERN(.name = "bond*"), &port, MATCH_YES },
	{ "another bond does not", PATTERN(.name = "bond1"), &port, MATCH_NO },
	{ "an alternative name is as good", PATTERN(.name = "enp59s0f0np0"), &port, MATCH_YES },
	{ "a glob matches alternative names", PATTERN(.name = "rail?"), &port, MATCH_YES },
	{ "a part of an alternative name does not", PATTERN(.name = "rail"), &port, MATCH_NO },
	{ "a bond's alternative name means its members", PATTERN(.name = "compute"), &port,
	  MATCH_YES },
	{ "an alternative name is no PCI address", PATTERN(.pci = "rail0"), &port, MATCH_NO },
	{ "a bond's name is no driver", PATTERN(.driver = "bond0"), &port, MATCH_NO },
	{ "who is in no bond is matched by none", PATTERN(.name = "bond*"), &bare, MATCH_NO },
	{ "a bond's name and a driver must both hold", PATTERN(.name = "bond0", .driver = "ice"),
	  &port, MATCH_NO },
	{ "a speed within the span matches", SPEED(100000, UINT32_MAX), &port, MATCH_YES },
	{ "a speed below it does not", SPEED(100001, UINT32_MAX), &port, MATCH_NO },
	{ "a speed above it does not", SPEED(1, 99999), &port, MATCH_NO },
	{ "a speed that is not known is neither", SPEED(1, UINT32_MAX), &bare, MATCH_UNKNOWN },
	{ "firmware matches a glob", PATTERN(.firmware = "22.41.*"), &port, MATCH_YES },
	{ "firmware matches without its board", PATTERN(.firmware = "22.41.1000"), &port,
	  MATCH_YES },
	{ "firmware matches with its board", PATTERN(.firmware = "*(MT_*359)"), &port, MATCH_YES },
	{ "other firmware does not", PATTERN(.firmware = "28.*"), &port, MATCH_NO },
	{ "firmware is compared", PATTERN(.firmware = ">=22.40"), &port, MATCH_YES },
	{ "older firmware does not match", PATTERN(.firmware = ">=22.42"), &port, MATCH_NO },
	{ "firmware that is not known is neither", PATTERN(.firmware = "22.*"), &bare,
	  MATCH_UNKNOWN },
	{ "what another key excludes needs no answer", PATTERN(.name = "ens*", .firmware = "22.*"),
	  &bare, MATCH_NO },
	{ "wherever it stands",
	  { .pattern.firmware = "28.*", .speed_mbps = { 1, UINT32_MAX } },
	  &no_carrier,
	  MATCH_NO },
};

static void holds_or_not(void **s)
{
	const struct holds_row *row = *s;

	assert_int_equal(match_evaluate(&row->match, row->id), row->holds);
}

static const struct covers_row {
	const char *sentence;
	struct match wide, narrow;
	bool covers;
} covers[] = {
	{ "a rule covers itself", PATTERN(.name = "ens1"), PATTERN(.name = "ens1"), true },
	{ "a glob covers a name", PATTERN(.name = "ens*"), PATTERN(.name = "ens1"), true },
	{ "a name does not cover a glob", PATTERN(.name = "ens1"), PATTERN(.name = "ens*"), false },
	{ "the same glob covers", PATTERN(.name = "ens*"), PATTERN(.name = "ens*"), true },
	{ "any name covers a glob", PATTERN(.name = "*"), PATTERN(.name = "ens*"), true },
	{ "so does a shorter beginning", PATTERN(.name = "en*"), PATTERN(.name = "ens[12]"), true },
	{ "a longer one does not", PATTERN(.name = "ens*"), PATTERN(.name = "en*"), false },
	{ "nor one with more to come", PATTERN(.name = "en*0"), PATTERN(.name = "ens*"), false },
	{ "any name covers a rule by address", PATTERN(.name = "*"), PATTERN(.pci = "0000:*"),
	  true },
	{ "many stars are any name", PATTERN(.name = "**"), PATTERN(.driver = "ice"), true },
	{ "a beginning covers no rule by address", PATTERN(.name = "e*"), PATTERN(.pci = "0000:*"),
	  false },
	{ "two globs with an end are not compared", PATTERN(.name = "e*1"), PATTERN(.name = "en*1"),
	  false },
	{ "fewer keys cover more", PATTERN(.name = "ens*"),
	  PATTERN(.name = "ens1", .driver = "mlx5_core"), true },
	{ "more keys cover less", PATTERN(.name = "ens*", .driver = "mlx5_core"),
	  PATTERN(.name = "ens1"), false },
	{ "other keys cannot be compared", PATTERN(.driver = "mlx5_core"), PATTERN(.name = "ens1"),
	  false },
	{ "a glob does not cover another name", PATTERN(.name = "eth*"), PATTERN(.name = "ens1"),
	  false },
	{ "a bracket is a glob, not a name", PATTERN(.name = "ens?"), PATTERN(.name = "ens[12]"),
	  false },
	{ "an escape is a glob, not a name", PATTERN(.name = "ens\\*"), PATTERN(.name = "ens\\?"),
	  false },
	{ "a wider span covers", SPEED(1, 9), SPEED(2, 3), true },
	{ "the same span covers", SPEED(2, 3), SPEED(2, 3), true },
	{ "a span that begins later does not", SPEED(2, 9), SPEED(1, 3), false },
	{ "a span that ends sooner does not", SPEED(1, 2), SPEED(1, 3), false },
	{ "a span does not cover any speed", SPEED(1, 9), PATTERN(.name = "a"), false },
	{ "any speed covers a span",
	  PATTERN(.name = "a"),
	  { .pattern = { .name = "a" }, .speed_mbps = { 1, 9 } },
	  true },
	{ "the same comparison covers", PATTERN(.firmware = ">=1"), PATTERN(.firmware = ">=1"),
	  true },
	{ "two comparisons are not compared", PATTERN(.firmware = ">=1"),
	  PATTERN(.firmware = ">=2"), false },
	{ "a glob of versions covers no comparison", PATTERN(.firmware = "*"),
	  PATTERN(.firmware = ">=2"), false },
};

static void covers_or_not(void **s)
{
	const struct covers_row *row = *s;

	assert_int_equal(match_covers(&row->wide, &row->narrow), row->covers);
}

/* For every pair of rows, match_covers() must agree with match_evaluate(). */
static void who_covers_holds_for_every_port_of_the_other(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(holds); i++)
		for (size_t j = 0; j < COUNT(holds); j++)
			if (match_covers(&holds[i].match, &holds[j].match) &&
			    match_evaluate(&holds[j].match, &port) == MATCH_YES &&
			    match_evaluate(&holds[i].match, &port) != MATCH_YES)
				fail_msg("\"%s\" covers \"%s\"", holds[i].sentence,
					 holds[j].sentence);
}

static void every_key_has_its_own_field_and_a_sentence(void **s)
{
	(void)s;
	for (size_t i = 0; i < MATCH_COUNT; i++) {
		const char *doc = match_keys[i].doc;

		assert_int_equal(match_keys[i].offset % ID_MAX, 0);
		assert_true(match_keys[i].offset < sizeof(struct identity));
		assert_int_equal(doc[strlen(doc) - 1], '.');
		for (size_t j = 0; j < i; j++) {
			assert_int_not_equal(match_keys[i].offset, match_keys[j].offset);
			assert_string_not_equal(match_keys[i].name, match_keys[j].name);
		}
	}
}

static void a_match_is_printed_as_it_is_written(void **s)
{
	struct match m = { .pattern = { .name = "ens*", .firmware = ">=28.39" },
			   .speed_mbps = { 100000, UINT32_MAX } };
	char text[MATCH_TEXT_MAX];

	(void)s;
	assert_string_equal(match_to_text(&m, text),
			    "name ens*, speed_mbps >=100000, firmware >=28.39");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, holds, holds_or_not);
	SUITE_ADD_ROWS(&s, covers, covers_or_not);
	SUITE_ADD(&s, who_covers_holds_for_every_port_of_the_other);
	SUITE_ADD(&s, every_key_has_its_own_field_and_a_sentence);
	SUITE_ADD(&s, a_match_is_printed_as_it_is_written);
	return suite_run(&s, "match");
}
