#include "trap.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct trap_text trap_texts[TRAP_COUNT] = {
	[TRAP_QUOTES] = { "quotes become a part of the value", "remove the quotes" },
	[TRAP_BLANK_IN_NAME] = { "a blank is part of the name, so another variable is set",
				 "remove the blanks before and after the name" },
	[TRAP_EXPORT] = { "\"export\" is part of the name, so another variable is set",
			  "remove \"export\": the file is not read by a shell" },
	[TRAP_OCTAL] = { "a number that begins with 0 is octal", "remove the leading 0" },
	[TRAP_TRAILING_TEXT] = { "the text after the number is ignored",
				 "put the comment on a line of its own" },
	[TRAP_NOT_A_NUMBER] = { "it is not a number", "write a number" },
	[TRAP_OUT_OF_RANGE] = { "the number is out of range", "write a number from 0 to 255" },
	[TRAP_CARRIAGE_RETURN] = { "the line ends in a carriage return, as files from Windows do",
				   "convert the file: sed -i 's/\\r$//'" },
	[TRAP_TOO_LONG] = { "the line is longer than the library reads, which cuts it",
			    "name fewer devices" },
	[TRAP_SET_TWICE] = { "the variable is set twice: this value does not count",
			     "remove one of the two" },
	[TRAP_HCA_PREFIX] = { "without = a name also matches devices whose names begin with it",
			      "put = before the list" },
	[TRAP_GID_INDEX] = { "NCCL 2.21 and newer choose the GID, and an index changes with "
			     "addresses",
			     "remove it" },
	[TRAP_NO_EQUALS] = { "a line without = sets nothing", "write NAME=VALUE" },
	[TRAP_MISSPELLED] = { "the name is misspelled, so another variable is set",
			      "write its name in full" },
	[TRAP_BYTE_ORDER_MARK] = { "the file begins with a byte order mark, which NCCL takes for a "
				   "part of the first name, so another variable is set",
				   "save the file without it: sed -i '1s/^\\xef\\xbb\\xbf//'" },
	[TRAP_INDENTED] = { "an indented line continues the one before: its text replaces the "
			    "value there, and it sets nothing itself",
			    "remove the blanks before the name" },
};

const char *trap_name(enum trap t)
{
	static const char *const names[TRAP_COUNT] = {
		[TRAP_QUOTES] = "quotes",
		[TRAP_BLANK_IN_NAME] = "blank_in_name",
		[TRAP_EXPORT] = "export",
		[TRAP_OCTAL] = "octal",
		[TRAP_TRAILING_TEXT] = "trailing_text",
		[TRAP_NOT_A_NUMBER] = "not_a_number",
		[TRAP_OUT_OF_RANGE] = "out_of_range",
		[TRAP_CARRIAGE_RETURN] = "carriage_return",
		[TRAP_TOO_LONG] = "too_long",
		[TRAP_SET_TWICE] = "set_twice",
		[TRAP_HCA_PREFIX] = "hca_prefix",
		[TRAP_GID_INDEX] = "gid_index_set",
		[TRAP_NO_EQUALS] = "no_equals",
		[TRAP_MISSPELLED] = "misspelled",
		[TRAP_BYTE_ORDER_MARK] = "byte_order_mark",
		[TRAP_INDENTED] = "indented",
	};

	return names[t];
}

/* The trap in the text of a number that ends at `rest`. */
static enum trap trap_of_number(const char *text, const char *rest)
{
	const char *digits = text + strspn(text, " \t+-");

	if (strpbrk(text, "\"'"))
		return TRAP_QUOTES;
	if (rest == text)
		return TRAP_NOT_A_NUMBER;
	if (strcmp(rest, "\r") == 0)
		return TRAP_CARRIAGE_RETURN;
	if (rest[strspn(rest, " \t")])
		return TRAP_TRAILING_TEXT;
	return digits[0] == '0' && isdigit((unsigned char)digits[1]) ? TRAP_OCTAL : TRAP_NONE;
}

int64_t nccl_integer(const char *text, int64_t unset, enum trap *trap)
{
	char *rest = NULL;
	long long value;

	*trap = TRAP_NONE;
	if (!text[0])
		return unset;
	errno = 0;
	value = strtoll(text, &rest, 0);
	*trap = errno ? TRAP_OUT_OF_RANGE : trap_of_number(text, rest);
	return errno ? unset : value;
}

int64_t ucx_integer(const char *text, enum trap *trap)
{
	char *rest = NULL;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &rest, 10);
	*trap = errno || value > INT64_MAX ? TRAP_OUT_OF_RANGE : trap_of_number(text, rest);
	if (*trap == TRAP_OCTAL)
		*trap = TRAP_NONE;
	return rest == text || value > INT64_MAX ? -1 : (int64_t)value;
}

/* One entry of the list, "NAME" or "NAME:PORT", of `length` characters. */
static bool entry_selects(const char *entry, size_t length, bool exact, const char *device,
			  unsigned port)
{
	const char *colon = memchr(entry, ':', length);
	size_t name = colon ? (size_t)(colon - entry) : length;
	long number = colon ? strtol(colon + 1, NULL, 10) : -1;

	if (!name || (number != -1 && number != (long)port))
		return false;
	return strncmp(device, entry, name) == 0 && (!exact || strlen(device) == name);
}

bool nccl_hca_selects(const char *text, const char *device, unsigned port)
{
	bool exclude = text[0] == '^', exact = text[exclude] == '=', any = false, found = false;

	text += exclude + exact;
	while (*text) {
		size_t length = strcspn(text, ",");

		any = any || (length && *text != ':');
		found = found || entry_selects(text, length, exact, device, port);
		text += length + (text[length] == ',');
	}
	return !any || found != exclude;
}
