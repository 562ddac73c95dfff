#include <stdlib.h>
#include <string.h>

#include "tests/support/lldpdu.h"
#include "tests/support/unit.h"

void add_hex(struct bytes *b, const char *hex)
{
	unsigned byte;

	for (; *hex; hex += *hex == ' ' ? 1 : 2)
		if (*hex != ' ') {
			assert_int_equal(sscanf(hex, "%2x", &byte), 1);
			assert_true(b->len < PDU_MAX);
			b->at[b->len++] = (uint8_t)byte;
		}
}

void add_tlv(struct bytes *b, unsigned type, const void *value, size_t len)
{
	b->at[b->len++] = (uint8_t)(type << 1 | len >> 8);
	b->at[b->len++] = (uint8_t)len;
	memcpy(b->at + b->len, value, len);
	b->len += len;
}

bool decode(const struct bytes *b, struct lldp *ret, struct err *err)
{
	uint8_t *copy = malloc(b->len ? b->len : 1);
	bool ok;

	assert_non_null(copy);
	memcpy(copy, b->at, b->len);
	ok = lldp_decode(copy, b->len, ret, err);
	free(copy);
	return ok;
}

struct lldp decoded(const char *hex)
{
	struct bytes b = { .len = 0 };
	struct err err = { 0 };
	struct lldp l;

	add_hex(&b, hex);
	if (!decode(&b, &l, &err))
		fail_msg("%s", err.text);
	return l;
}
