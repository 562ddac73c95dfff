/* Tests of addresses in text: finding and replacing them. */
#include <string.h>

#include "cli/bundle/anonymise.h"
#include "tests/support/unit.h"

static const struct row {
	const char *sentence, *text;
	const char *out; /* every address replaced by number 26 */
} rows[] = {
	{ "a MAC", "0c:42:a1:B2:c3:d4", "02:00:00:00:00:1a" },
	{ "a MAC with dashes", "0c-42-a1-b2-c3-d4", "02-00-00-00-00-1a" },
	{ "a MAC with dots", "0c42.a1b2.c3d4", "0200.0000.001a" },
	{ "a MAC in an interface's name", "enx0c42a1b2c3d4", "enx02000000001a" },
	{ "a GUID in an RDMA device's name", "rocex0c42a10300b2c3d4", "rocex020000000000001a" },
	{ "a number of 64 bits", "0x0c42a10300b2c3d4,", "0x020000000000001a," },
	{ "an EUI-64", "0c:42:a1:03:00:b2:c3:d4", "02:00:00:00:00:00:00:1a" },
	{ "a GUID", "0c42:a103:00b2:c3d4", "0200:0000:0000:001a" },
	{ "a link-local GID keeps its prefix", "fe80:0000:0000:0000:0e42:a1ff:feb2:c3d4",
	  "fe80:0000:0000:0000:0000:0000:0000:001a" },
	{ "a GID of IPv4 keeps its prefix", "0000:0000:0000:0000:0000:ffff:0a00:0001",
	  "0000:0000:0000:0000:0000:ffff:0000:001a" },
	{ "a GID of IPv6", "2a02:1234:0000:0000:0000:0000:0000:0001",
	  "2001:0db8:0000:0000:0000:0000:0000:001a" },
	{ "a short IPv6 address", "fe80::e42:a1ff:feb2:c3d4%eth0",
	  "fe80::000:0000:0000:001a%eth0" },
	{ "an IPv6 address that ends in its gap", "from 2a02:12:: on", "from 0000:1a:: on" },
	{ "an IPv4 address", "at 172.16.5.4.", "at 100.10.2.6." },
	{ "one in brackets with a port", "[192.168.0.1]:22", "[100.100.2.6]:22" },
	{ "an IPv4-mapped address", "::ffff:172.16.5.4", "::ffff:100.10.2.6" },
	{ "a PCI address keeps its function", "0000:3b:00.1", "0000:1a:00.1" },
	{ "a PCI address in a path", "/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params",
	  "/sys/kernel/debug/mlx5/0000:1a:00.0/cc_params" },
	{ "a PCI address behind a word", "mlx5_comp3@pci:0000:3b:00.0",
	  "mlx5_comp3@pci:0000:1a:00.0" },
	{ "a PCI address with a long domain", "10000:01:00.0", "00000:1a:00.0" },
	{ "two of them", "0000:3b:00.0-0000:3b:00.1", "0000:1a:00.0-0000:1a:00.1" },
	{ "a time is none", "losslessctl apply (root, 12:00:03Z)", NULL },
	{ "a date is none", "2026-11-23T10:37:02Z", NULL },
	{ "a version of three numbers is none", "16.35.2000 (MT_0000000008)", NULL },
	{ "a version of five numbers is none", "1.2.3.4.5", NULL },
	{ "a version behind a dash is none", "24.10-1.1.4.0", NULL },
	{ "a version behind a letter is none", "v1.2.3.4", NULL },
	{ "a number above 255 is none", "1.2.3.256", NULL },
	{ "names of ports are none", "ens1f0np0 mlx5_0 swp1 Ethernet1/1 eth0:1", NULL },
	{ "zeros are none", "0000:0000:0000:0000 00:00:00:00:00:00 0.0.0.0", NULL },
	{ "ones are none", "ff:ff:ff:ff:ff:ff 255.255.255.255", NULL },
	{ "a digest is none", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	  NULL },
	{ "a time of day is none", "12:30 12:30:45", NULL },
};

static void addresses_are_replaced(void **s)
{
	const struct row *r = *s;
	char out[256], value[ADDRESS_MAX], *end = out;
	struct address a;

	for (size_t at = 0; r->text[at];) {
		if (!address_find(r->text, at, &a)) {
			*end++ = r->text[at++];
			continue;
		}
		address_replacement(&a, 26, value);
		end = address_write(&a, value, r->text + at, end);
		at += a.length;
	}
	*end = '\0';
	assert_int_equal(strlen(out), strlen(r->text));
	assert_string_equal(out, r->out ? r->out : r->text);
}

/* Return a number that is the same in every run (Numerical Recipes, "quick and dirty"). */
static unsigned drawn(unsigned *state, unsigned below)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) % below;
}

/* Write an address of some kind, never zero. */
static void draw_address(unsigned *state, char text[ADDRESS_MAX])
{
	/* 'h': a hexadecimal digit; 'N': a number of IPv4 */
	static const char *const kinds[] = {
		"hh:hh:hh:hh:hh:hh",	    "hhhh:hh:hh.h",
		"hhhh:hhhh:hhhh:hhhh",	    "hh-hh-hh-hh-hh-hh",
		"hhhh.hhhh.hhhh",	    "N.N.N.N",
		"hh:hh:hh:hh:hh:hh:hh:hh",  "enxhhhhhhhhhhhh",
		"fe80::hhh:hhhh:hhhh:hhhh", "hhhh:hhhh:hhhh:hhhh:hhhh:hhhh:hhhh:hhhh",
	};
	const char *from = kinds[drawn(state, COUNT(kinds))];
	char *to = text;

	for (; *from; from++)
		if (*from == 'N')
			to += sprintf(to, "%u", 1 + drawn(state, 255));
		else
			*to++ = *from == 'h' ? "123456789abcdef"[drawn(state, 15)] : *from;
	*to = '\0';
}

/* An address is found anywhere but within a longer number. */
static void an_address_is_found_between_any_two_characters(void **s)
{
	static const char around[] = " \t\"'()[]{}<>,;=@|/_!?#*~%gGzZ";
	unsigned state = 1;

	(void)s;
	for (uint64_t i = 0; i < times(20000, 2000000); i++) {
		char one[ADDRESS_MAX], text[2 * ADDRESS_MAX];
		struct address a;
		size_t at = 0;

		draw_address(&state, one);
		/* a letter before an IPv4 address makes it a version */
		snprintf(text, sizeof(text), "%c%s%c", around[drawn(&state, 25)], one,
			 around[drawn(&state, strchr(one, ':') || strchr(one, '-') ? 29 : 25)]);
		while (text[at] && !address_find(text, at, &a))
			at++;
		if (!text[at] || at > 4 || strlen(text) - at - a.length != 1)
			fail_msg("%s is not found in \"%s\"", one, text);
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, addresses_are_replaced);
	SUITE_ADD(&s, an_address_is_found_between_any_two_characters);
	return suite_run(&s, "address");
}
