#include <stdlib.h>
#include <string.h>

#include "policy/util/sha256.h"
#include "tests/support/unit.h"

/* The vectors of FIPS 180-4's examples (NIST CSRC), and "a" at every edge of the padding. */
static const struct text_row {
	const char *sentence, *text, *hex;
} texts[] = {
	{ "the empty text has its digest", "",
	  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ "NIST: abc has its digest", "abc",
	  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ "NIST: 448 bits has its digest",
	  "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	{ "NIST: 896 bits has its digest",
	  "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
	  "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
	  "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
};

static const struct size_row {
	const char *sentence;
	size_t size;
	const char *hex;
} sizes[] = {
	{ "55 bytes: the length still fits the last block", 55,
	  "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
	{ "56 bytes: the length needs another block", 56,
	  "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a" },
	{ "63 bytes: one short of a block", 63,
	  "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34" },
	{ "64 bytes: a whole block", 64,
	  "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
	{ "65 bytes: one more than a block", 65,
	  "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0" },
	{ "119 bytes: two blocks with the length", 119,
	  "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb" },
	{ "120 bytes: three blocks with the length", 120,
	  "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c" },
	{ "NIST: a million times a has its digest", 1000000,
	  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
};

static void text_has_its_digest(void **s)
{
	const struct text_row *row = *s;
	char hex[SHA256_HEX];

	sha256_hex(row->text, strlen(row->text), hex);
	assert_string_equal(hex, row->hex);
}

/* Digest exactly `size` bytes on the heap, so that reads beyond them are detected. */
static void as_have_their_digest(void **s)
{
	const struct size_row *row = *s;
	char hex[SHA256_HEX], *text = malloc(row->size);

	assert_non_null(text);
	memset(text, 'a', row->size);
	sha256_hex(text, row->size, hex);
	free(text);
	assert_string_equal(hex, row->hex);
}

static void nothing_at_no_address_is_the_empty_text(void **s)
{
	char hex[SHA256_HEX];

	(void)s;
	sha256_hex(NULL, 0, hex);
	assert_string_equal(hex, texts[0].hex);
}

static void bytes_of_zero_count(void **s)
{
	static const char zeros[2];
	char one[SHA256_HEX], two[SHA256_HEX];

	(void)s;
	sha256_hex(zeros, 1, one);
	sha256_hex(zeros, 2, two);
	assert_string_equal(one,
			    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
	assert_string_not_equal(one, two);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, texts, text_has_its_digest);
	SUITE_ADD_ROWS(&s, sizes, as_have_their_digest);
	SUITE_ADD(&s, nothing_at_no_address_is_the_empty_text);
	SUITE_ADD(&s, bytes_of_zero_count);
	return suite_run(&s, "sha256");
}
