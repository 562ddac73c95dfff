/* Tests of the memory of a document: aligned, bounded, and freed as a whole. */
#include <jansson.h>

#include "cli/fleet/input/parsed.h"
#include "tests/support/unit.h"

#define MIB ((size_t)1 << 20)

static struct arena arena;

/* Allocate memory as jansson does. */
static void *take(size_t size)
{
	json_malloc_t allocate;
	json_free_t release;

	json_get_alloc_funcs(&allocate, &release);
	return allocate(size);
}

static int begin(void **state)
{
	(void)state;
	arena = (struct arena){ 0 };
	arena_use(&arena);
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_use(NULL);
	arena_free(&arena);
	return 0;
}

static void each_part_is_aligned_and_has_its_room(void **state)
{
	static const size_t sizes[] = { 1, 7, 33, 0, MIB - 1, 3 * MIB, 2 };
	char *parts[COUNT(sizes)];

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		parts[i] = take(sizes[i]);
		assert_non_null(parts[i]);
		assert_int_equal((uintptr_t)parts[i] % _Alignof(max_align_t), 0);
		memset(parts[i], (int)i, sizes[i]);
	}
	for (size_t i = 0; i < COUNT(sizes); i++)
		for (size_t k = 0; k < sizes[i]; k++)
			if (parts[i][k] != (char)i)
				fail_msg("byte %zu of part %zu is another part's", k, i);
	assert_false(arena.exhausted);
}

static void a_document_larger_than_the_bound_is_refused(void **state)
{
	size_t taken = 0;

	(void)state;
	while (taken < 200 && take(MIB))
		taken++;
	assert_int_equal(taken, 96);
	assert_true(arena.exhausted);
}

static const struct beyond {
	const char *sentence;
	size_t size;
} beyond[] = {
	{ "a part of the bound and a byte is refused", 96 * MIB + 1 },
	{ "a part whose size wraps around is refused", SIZE_MAX },
};

static void is_refused(void **state)
{
	const struct beyond *row = *state;

	begin(NULL);
	assert_null(take(row->size));
	assert_true(arena.exhausted);
	assert_int_equal(arena.size, 0);
	end(NULL);
}

static void a_reset_one_serves_the_next_document_from_one_piece(void **state)
{
	void *first = take(8);

	(void)state;
	for (size_t i = 0; i < 100; i++)
		(void)!take(MIB);
	assert_true(arena.exhausted);
	arena_reset(&arena);
	assert_false(arena.exhausted);
	assert_int_equal(arena.size, MIB);
	assert_ptr_equal(take(8), first);
	assert_int_equal(arena.size, MIB);
}

static void a_reset_one_keeps_no_large_piece(void **state)
{
	(void)state;
	assert_non_null(take(64 * MIB));
	arena_reset(&arena);
	assert_int_equal(arena.size, 0);
	assert_null(arena.pieces);
	assert_non_null(take(8));
}

static void an_empty_one_may_be_reset(void **state)
{
	(void)state;
	arena_reset(&arena);
	assert_null(arena.pieces);
}

static void json_is_released_with_it(void **state)
{
	json_t *list = json_array();

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(json_array_append_new(list, json_pack("{s:i}", "key", i)), 0);
	json_decref(list);
	assert_true(arena.size >= MIB);
}

static void without_one_memory_is_that_of_the_process(void **state)
{
	json_t *text;

	(void)state;
	arena_use(NULL);
	text = json_string("text");
	assert_non_null(text);
	assert_int_equal(arena.size, 0);
	json_decref(text);
}

int main(void)
{
	struct suite s = { .count = 0 };

	arena_serve_jansson();
	SUITE_ADD(&s, each_part_is_aligned_and_has_its_room);
	SUITE_ADD(&s, a_document_larger_than_the_bound_is_refused);
	SUITE_ADD(&s, a_reset_one_serves_the_next_document_from_one_piece);
	SUITE_ADD(&s, a_reset_one_keeps_no_large_piece);
	SUITE_ADD(&s, an_empty_one_may_be_reset);
	SUITE_ADD(&s, json_is_released_with_it);
	SUITE_ADD(&s, without_one_memory_is_that_of_the_process);
	for (size_t i = 0; i < s.count; i++) {
		s.tests[i].setup_func = begin;
		s.tests[i].teardown_func = end;
	}
	SUITE_ADD_ROWS(&s, beyond, is_refused);
	return suite_run(&s, "arena");
}
