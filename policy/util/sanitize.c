#include "sanitize.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Ranges of Unicode code points beyond ASCII, first to last (Unicode 15: Bidi_Control, Zl, Zp). */
static const struct code_range {
	unsigned first, last;
} harmful[] = {
	{ 0x80, 0x9f },	    /* C1 */
	{ 0x61c, 0x61c },   /* Arabic letter mark */
	{ 0x200e, 0x200f }, /* left-to-right and right-to-left mark */
	{ 0x2028, 0x2029 }, /* line and paragraph separator */
	{ 0x202a, 0x202e }, /* embeddings and overrides */
	{ 0x2066, 0x2069 }, /* isolates */
};

/*
 * First bytes of multi-byte UTF-8 sequences and the smallest code point of each length (RFC 3629).
 */
static const struct lead {
	uint8_t mask, is;
	size_t size;
	unsigned least;
} leads[] = {
	{ 0xe0, 0xc0, 2, 0x80 },
	{ 0xf0, 0xe0, 3, 0x800 },
	{ 0xf8, 0xf0, 4, 0x10000 },
};

static bool is_scalar(unsigned code, unsigned least)
{
	return code >= least && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/* Length in bytes of the multi-byte UTF-8 sequence at `p`; 0 if it is invalid. */
static size_t decode(const uint8_t *p, unsigned *ret_code)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
		const struct lead *l = &leads[i];
		unsigned code = p[0] & (uint8_t)~l->mask;
		size_t n = 1;

		if ((p[0] & l->mask) != l->is)
			continue;
		for (; n < l->size && (p[n] & 0xc0) == 0x80; n++)
			code = code << 6 | (p[n] & 0x3f);
		*ret_code = code;
		return n == l->size && is_scalar(code, l->least) ? n : 0;
	}
	return 0;
}

static bool is_harmful(unsigned code)
{
	for (size_t i = 0; i < sizeof(harmful) / sizeof(harmful[0]); i++)
		if (code >= harmful[i].first && code <= harmful[i].last)
			return true;
	return false;
}

/* Length of the character, or 1 for a byte that is not UTF-8; 0 at the end of the text. */
static size_t classify(const uint8_t *p, unsigned *ret_code, bool *ret_harm)
{
	size_t n;

	*ret_code = p[0];
	*ret_harm = p[0] < 0x20 || p[0] == 0x7f;
	if (p[0] < 0x80)
		return p[0] ? 1 : 0;
	n = decode(p, ret_code);
	*ret_harm = !n || is_harmful(*ret_code);
	if (!n)
		*ret_code = p[0];
	return n ? n : 1;
}

size_t sanitize_harmful_length(const char *text, unsigned *ret_code)
{
	unsigned code;
	bool harm;
	size_t n = classify((const uint8_t *)text, &code, &harm);

	if (ret_code)
		*ret_code = code;
	return harm ? n : 0;
}

size_t sanitize_harmless_length(const char *text)
{
	unsigned code;
	bool harm;
	size_t n = classify((const uint8_t *)text, &code, &harm);

	return harm ? 0 : n;
}

const char *sanitize_next(const char **text, char buf[SANITIZED_CHAR_MAX])
{
	size_t harm = sanitize_harmful_length(*text, NULL),
	       harmless = sanitize_harmless_length(*text), used = 0;

	memcpy(buf, *text, harmless);
	buf[harmless] = '\0';
	for (size_t i = 0; i < harm; i++)
		used += (size_t)snprintf(buf + used, SANITIZED_CHAR_MAX - used, "\\x%02x",
					 (uint8_t)(*text)[i]);
	*text += harm + harmless;
	return buf;
}

const char *sanitize_text(const char *text, char *buf, size_t size)
{
	char next[SANITIZED_CHAR_MAX];
	size_t used = 0;

	buf[0] = '\0';
	while (*sanitize_next(&text, next) && used + strlen(next) < size) {
		memcpy(buf + used, next, strlen(next) + 1);
		used += strlen(next);
	}
	return buf;
}
