#include "address.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_hex(char c)
{
	return isxdigit((unsigned char)c);
}

static size_t hex_run(const char *text)
{
	size_t n = 0;

	while (is_hex(text[n]))
		n++;
	return n;
}

/* An address does not end within a number, nor within a longer list of groups. */
static bool ends(const char *text, char separator)
{
	return !is_hex(*text) && !(separator && *text == separator && is_hex(text[1]));
}

/* Groups of `least` to `most` hexadecimal digits. */
struct form {
	char separator;
	unsigned groups;
	size_t least, most;
};

static const struct form forms[] = {
	{ ':', 6, 2, 2 },  /* MAC */
	{ '-', 6, 2, 2 },  /* MAC, as some switches write it */
	{ '.', 3, 4, 4 },  /* MAC, as others do */
	{ ':', 8, 2, 2 },  /* EUI-64 */
	{ ':', 20, 2, 2 }, /* IP over InfiniBand */
	{ ':', 4, 4, 4 },  /* GUID */
	{ ':', 8, 1, 4 },  /* GID, IPv6 */
};

static size_t form_length(const struct form *f, const char *text)
{
	size_t used = 0;

	for (unsigned i = 0; i < f->groups; i++) {
		size_t n = hex_run(text + used);

		if (n < f->least || n > f->most)
			return 0;
		used += n;
		if (i + 1 < f->groups && text[used++] != f->separator)
			return 0;
	}
	return ends(text + used, f->separator) ? used : 0;
}

/* An IPv6 address with "::", behind its first group. */
static size_t compressed_length(const char *text)
{
	size_t used = hex_run(text), groups = 1, gaps = 0;

	while (text[used] == ':' && groups < 8) {
		bool gap = text[used + 1] == ':';
		size_t n = hex_run(text + used + 1 + gap);

		if (n > 4 || (n == 0 && !gap))
			break;
		used += 1 + gap + n;
		gaps += gap;
		groups++;
	}
	return hex_run(text) <= 4 && gaps == 1 && ends(text + used, ':') ? used : 0;
}

/* "0000:3b:00.0"; a domain of Intel's VMD has five digits. */
static size_t pci_length(const char *text)
{
	size_t n = hex_run(text);

	if (n < 4 || n > 8 || text[n] != ':' || hex_run(text + n + 1) != 2 || text[n + 3] != ':' ||
	    hex_run(text + n + 4) != 2 || text[n + 6] != '.' || hex_run(text + n + 7) != 1)
		return 0;
	return ends(text + n + 8, '\0') ? n + 8 : 0;
}

/* Four numbers, and not a version of more or fewer. */
static size_t ipv4_length(const char *text)
{
	size_t used = 0;

	for (int i = 0; i < 4; i++) {
		size_t n = strspn(text + used, "0123456789");

		if (n < 1 || n > 3 || atoi(text + used) > 255)
			return 0;
		used += n;
		if (i < 3 && text[used++] != '.')
			return 0;
	}
	return ends(text + used, '.') && !isalpha((unsigned char)text[used]) && text[used] != '-'
		       ? used
		       : 0;
}

/* Digits in a name: "enx0c42a1b2c3d4" has a MAC, "rocex0c42a10300b2c3d4" a GUID. */
static size_t name_length(const char *text, size_t at)
{
	size_t n = hex_run(text + at);

	return at > 0 && strchr("xX", text[at - 1]) && (n == 12 || n == 16) ? n : 0;
}

static size_t hex_length(const char *text)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t n = form_length(&forms[i], text);

		if (n)
			return n;
	}
	return compressed_length(text);
}

static bool is_nobody(const char *value)
{
	return value[strspn(value, "0.")] == '\0' || value[strspn(value, "f")] == '\0' ||
	       strcmp(value, "255.255.255.255") == 0;
}

static bool take(struct address *ret, enum address_kind kind, const char *text, size_t length)
{
	size_t n = 0;

	if (!length || length >= ADDRESS_MAX)
		return false;
	ret->kind = kind;
	ret->length = length;
	for (size_t i = 0; i < length; i++)
		if (is_hex(text[i]) || kind == ADDRESS_IPV4)
			ret->value[n++] = (char)tolower((unsigned char)text[i]);
	ret->value[n] = '\0';
	return !is_nobody(ret->value);
}

bool address_find(const char *text, size_t at, struct address *ret)
{
	const char *here = text + at, before = at > 0 ? text[at - 1] : ' ';

	if (!is_hex(*here) || is_hex(before))
		return false;
	return take(ret, ADDRESS_PCI, here, pci_length(here)) ||
	       take(ret, ADDRESS_HEX, here, hex_length(here)) ||
	       take(ret, ADDRESS_HEX, here, name_length(text, at)) ||
	       (!isalpha((unsigned char)before) && !strchr("-.", before) &&
		take(ret, ADDRESS_IPV4, here, ipv4_length(here)));
}

/* Each part keeps its number of digits: 1, 10 and 100 are the smallest. */
static void ipv4_replacement(const char *value, unsigned number, char ret[ADDRESS_MAX])
{
	static const unsigned first[] = { 0, 0, 10, 100 }, count[] = { 1, 10, 90, 156 };
	unsigned part[4];
	size_t digits[4];

	for (int i = 0; i < 4; i++) {
		digits[i] = strcspn(value, ".");
		value += digits[i] + (i < 3);
	}
	for (int i = 3; i >= 0; i--) {
		part[i] = first[digits[i]] + number % count[digits[i]];
		number /= count[digits[i]];
	}
	snprintf(ret, ADDRESS_MAX, "%u.%u.%u.%u", part[0], part[1], part[2], part[3]);
}

/* The digits that say what the address is: documentation prefixes (RFC 3849), or its own. */
static size_t prefix_of(const char *value, size_t size, char ret[ADDRESS_MAX])
{
	static const char mapped[] = "00000000000000000000ffff";

	if (size == 32 && strncmp(value, mapped, sizeof(mapped) - 1) == 0)
		return (size_t)snprintf(ret, ADDRESS_MAX, "%s", mapped);
	if (size != 12 && size != 16 && size > 4 && strncmp(value, "fe80", 4) == 0)
		return (size_t)snprintf(ret, ADDRESS_MAX, "fe80");
	return (size_t)snprintf(ret, ADDRESS_MAX, "%s",
				size == 12   ? "02"
				: size == 16 ? "0200"
				: size == 32 ? "20010db8"
					     : "");
}

/* Writes a number over the last digits, as far as they reach. */
static void write_number(unsigned number, char *first, char *end)
{
	while (end > first && number) {
		*--end = "0123456789abcdef"[number & 15];
		number >>= 4;
	}
}

void address_replacement(const struct address *a, unsigned number, char ret[ADDRESS_MAX])
{
	size_t size = strlen(a->value), used;

	if (a->kind == ADDRESS_IPV4) {
		ipv4_replacement(a->value, number, ret);
		return;
	}
	used = a->kind == ADDRESS_PCI ? 0 : prefix_of(a->value, size, ret);
	memset(ret + used, '0', size - used);
	ret[size] = '\0';
	if (a->kind == ADDRESS_PCI) { /* 0000:NN:00.F: functions of one device stay together */
		write_number(number, ret, ret + size - 3);
		ret[size - 1] = a->value[size - 1];
		return;
	}
	write_number(number, ret + used, ret + size);
}

char *address_write(const struct address *a, const char *value, const char *text, char *out)
{
	for (size_t i = 0; i < a->length; i++)
		*out++ = is_hex(text[i]) || a->kind == ADDRESS_IPV4 ? *value++ : text[i];
	return out;
}
