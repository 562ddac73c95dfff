#include "pattern_check.h"

#include <stdio.h>
#include <string.h>

#include "pattern.h"

#define MAC_LENGTH 17

static bool has_comma(const char *p)
{
	return strchr(p, ',');
}

/* The end of the bracket expression that opens at `p` (glob(7)); NULL if nothing closes it. */
static const char *bracket_end(const char *p)
{
	p++;
	p += *p == '!' || *p == '^';
	return *p ? strchr(p + 1, ']') : NULL;
}

static bool has_braces(const char *p)
{
	const char *open = strchr(p, '{');

	return open && strchr(open, '}');
}

static bool has_open_bracket(const char *p)
{
	for (p = strchr(p, '['); p; p = strchr(p, '[')) {
		p = bracket_end(p);
		if (!p)
			return true;
	}
	return false;
}

/* Finds one of these characters outside brackets. */
static bool has_any(const char *p, const char *characters)
{
	for (; *p; p++) {
		if (strchr(characters, *p))
			return true;
		if (*p == '[' && bracket_end(p))
			p = bracket_end(p);
	}
	return false;
}

/* A name with a literal ".*" or "+" is possible, but nobody has one; "[.]*" still finds it. */
static bool is_expression(const char *p)
{
	return strstr(p, ".*") || has_any(p, "^$()|+{}");
}

/* dev_valid_name() in net/core/dev.c; `ip` refuses most of them in an alternative name, too. */
static bool has_no_name_character(const char *p)
{
	return has_any(p, "/: \t\n");
}

static bool has_dash(const char *p)
{
	return has_any(p, "-");
}

static bool is_no_mac(const char *p)
{
	if (!glob_is_wild(p))
		return strlen(p) != MAC_LENGTH || p[strspn(p, "0123456789abcdef:")];
	return has_any(p, "ghijklmnopqrstuvwxyz._/ ");
}

/* Devices that are not on a PCI bus have other names. */
static bool has_no_function(const char *p)
{
	return strchr(p, ':') && !p[strspn(p, "0123456789abcdef:")];
}

static bool is_version_and(const char *p, const char *rest)
{
	size_t n = strspn(p, "0123456789.");

	return n && strcmp(p + n, rest) == 0;
}

static bool ends_in_plus(const char *p)
{
	return is_version_and(p, "+");
}

static bool ends_in_x(const char *p)
{
	return is_version_and(p, "x");
}

static bool begins_with_equals(const char *p)
{
	return p[0] && strchr("=!~^", p[0]);
}

/* A version is three numbers, which the name of the board may follow: "16.35.2000 (MT_0000000013)".
 */
static bool is_part_of_a_version(const char *p)
{
	return is_version_and(p, "") && (!strchr(p, '.') || strchr(p, '.') == strrchr(p, '.'));
}

static bool begins_with_letter(const char *p)
{
	return (p[0] >= 'a' && p[0] <= 'z') || (p[0] >= 'A' && p[0] <= 'Z');
}

#define TEXTS " name pci driver rdma mac "

/* The first row that holds is reported. */
static const struct impossible {
	const char *keys;
	bool (*is)(const char *pattern);
	const char *found, *expected, *fix;
} impossibles[] = {
	{ TEXTS, has_braces, "braces", "a glob, with [12] for one of these characters",
	  "write [12] for {1,2}, or one rule for each" },
	{ TEXTS, has_comma, "a comma", "one pattern", "write one rule for each" },
	{ TEXTS " firmware ", has_open_bracket, "[ without ]", "a list such as [12]", "add ]" },
	{ " name driver rdma ", is_expression, "a regular expression",
	  "a glob: * for any text, ? for one character, [12] for one of these",
	  "write ens* for ens.*, and one rule for each alternative" },
	{ " name ", has_no_name_character, "a slash, colon or blank",
	  "an interface name, which has none", "`ip link` lists the names" },
	{ " pci ", has_no_function, "a PCI address without a function", "one as in 0000:3b:00.0",
	  "add .* for all functions; `lspci -D` lists the addresses" },
	{ " mac ", has_dash, "dashes", "colons, as in 02:00:00:00:00:01", "write : for -" },
	{ " mac ", is_no_mac, "no MAC address", "one as in 02:00:00:00:00:01, or 02:00:*",
	  "`ip link` lists the addresses" },
	{ " firmware ", ends_in_plus, "a version with +", "a comparison such as >=28.39",
	  "write >= before the version instead of + behind it" },
	{ " firmware ", ends_in_x, "x for a number", "* for it, as in 28.*", "write * for x" },
	{ " firmware ", is_part_of_a_version, "a part of a version",
	  "all three numbers, or * for those that may be any, as in 28.*",
	  "write .* behind it, or >= before it" },
	{ " firmware ", begins_with_letter, "a letter at the beginning", "a number, as in 28.39.*",
	  "leave the letter out" },
	{ " firmware ", begins_with_equals, "an operator other than >=, <=, > and <",
	  "28.39.* for one release, or >=28.39", "write one of these" },
};

static bool is_for(const struct impossible *i, const char *key)
{
	char word[32];

	snprintf(word, sizeof(word), " %s ", key);
	return strstr(i->keys, word);
}

/* The kernel modules of ConnectX are not all drivers of network devices. */
static bool is_driver(const char *pattern, const struct json_path *at, struct err *err)
{
	if (strcmp(pattern, "mlx5") != 0 && strcmp(pattern, "mlx5_en") != 0 &&
	    strcmp(pattern, "mlx5_ib") != 0)
		return true;
	err_policy(err, at,
		   "no port can match: found \"%s\", expected the driver of a network device",
		   pattern);
	return err_fix(err, "did you mean \"mlx5_core\"?");
}

bool pattern_can_match(const char *key, const char *pattern, const struct json_path *at,
		       struct err *err)
{
	for (size_t n = 0; n < sizeof(impossibles) / sizeof(impossibles[0]); n++) {
		const struct impossible *i = &impossibles[n];

		if (!is_for(i, key) || !i->is(pattern))
			continue;
		err_policy(err, at, "no port can match: found %s, expected %s", i->found,
			   i->expected);
		return err_fix(err, "%s", i->fix);
	}
	return strcmp(key, "driver") != 0 || is_driver(pattern, at, err);
}
