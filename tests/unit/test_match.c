#include <string.h>

#include "../../policy/match.h"
#include "unit.h"

static const struct identity port = {
	.name = "ens1f0np0",
	.pci = "0000:3b:00.0",
	.driver = "mlx5_core",
	.rdma = "mlx5_0",
	.mac = "02:00:00:00:00:01",
	.bond = "bond0",
};
static const struct identity bare = { .name = "veth0" };

#define PATTERN(...) \
	{ \
		.pattern = { __VA_ARGS__ } \
	}

static const struct holds_row {
	const char *sentence;
	struct match match;
	const struct identity *id;
	bool holds;
} holds[] = {
	{ "a name matches itself", PATTERN(.name = "ens1f0np0"), &port, true },
	{ "a name is not a prefix", PATTERN(.name = "ens1f0"), &port, false },
	{ "a name is not a suffix", PATTERN(.name = "np0"), &port, false },
	{ "* stands for any text", PATTERN(.name = "ens*"), &port, true },
	{ "* stands for no text, too", PATTERN(.name = "ens1f0np0*"), &port, true },
	{ "* alone is every port that has the key", PATTERN(.rdma = "*"), &port, true },
	{ "* is no port that lacks the key", PATTERN(.rdma = "*"), &bare, false },
	{ "? is one character", PATTERN(.name = "ens1f?np0"), &port, true },
	{ "? is not none", PATTERN(.name = "ens1f0np0?"), &port, false },
	{ "upper case is another name", PATTERN(.name = "ENS1F0NP0"), &port, false },
	{ "a PCI address matches", PATTERN(.pci = "0000:3b:00.0"), &port, true },
	{ "a glob of PCI addresses matches", PATTERN(.pci = "0000:3b:00.*"), &port, true },
	{ "another function does not", PATTERN(.pci = "0000:3b:00.1"), &port, false },
	{ "a driver matches", PATTERN(.driver = "mlx5_core"), &port, true },
	{ "another driver does not", PATTERN(.driver = "mlx4_en"), &port, false },
	{ "an RDMA device matches", PATTERN(.rdma = "mlx5_0"), &port, true },
	{ "a MAC address matches", PATTERN(.mac = "02:00:00:*"), &port, true },
	{ "all keys must hold", PATTERN(.name = "ens*", .driver = "mlx5_core"), &port, true },
	{ "one that does not hold is enough", PATTERN(.name = "ens*", .driver = "ice"), &port,
	  false },
	{ "the first that does not hold is enough", PATTERN(.name = "eth*", .driver = "mlx5_core"),
	  &port, false },
	{ "a bond's name means its members", PATTERN(.name = "bond0"), &port, true },
	{ "a glob of bonds means their members", PATTERN(.name = "bond*"), &port, true },
	{ "another bond does not", PATTERN(.name = "bond1"), &port, false },
	{ "a bond's name is no driver", PATTERN(.driver = "bond0"), &port, false },
	{ "who is in no bond is matched by none", PATTERN(.name = "bond*"), &bare, false },
	{ "a bond's name and a driver must both hold", PATTERN(.name = "bond0", .driver = "ice"),
	  &port, false },
};

static void holds_or_not(void **s)
{
	const struct holds_row *row = *s;

	assert_int_equal(match_holds(&row->match, row->id), row->holds);
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
	{ "two globs are not compared", PATTERN(.name = "e*"), PATTERN(.name = "ens*"), false },
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
};

static void covers_or_not(void **s)
{
	const struct covers_row *row = *s;

	assert_int_equal(match_covers(&row->wide, &row->narrow), row->covers);
}

/* What covers says must be what holds says, for every pair of rows. */
static void who_covers_holds_for_every_port_of_the_other(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(holds); i++)
		for (size_t j = 0; j < COUNT(holds); j++)
			if (match_covers(&holds[i].match, &holds[j].match) &&
			    match_holds(&holds[j].match, &port) &&
			    !match_holds(&holds[i].match, &port))
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

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, holds, holds_or_not);
	SUITE_ADD_ROWS(&s, covers, covers_or_not);
	SUITE_ADD(&s, who_covers_holds_for_every_port_of_the_other);
	SUITE_ADD(&s, every_key_has_its_own_field_and_a_sentence);
	return suite_run(&s, "match");
}
