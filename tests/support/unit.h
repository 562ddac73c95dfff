/*
 * The base of every unit test: cmocka, and a suite whose tests are functions
 * or the rows of a table. The name of each is a sentence that is true.
 */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_UNIT_H
#define LOSSLESSCTL_TESTS_SUPPORT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SUITE_MAX    256
#define SENTENCE_MAX 128
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct suite {
	struct CMUnitTest tests[SUITE_MAX];
	char sentences[SUITE_MAX][SENTENCE_MAX];
	size_t count;
};

/* Returns `few` in the short tier, and `many` in the long one. */
static inline uint64_t times(uint64_t few, uint64_t many)
{
	const char *is_long = getenv("LOSSLESSCTL_TEST_LONG");

	return is_long && strcmp(is_long, "1") == 0 ? many : few;
}

/* Adds one test; the underscores of a function's name become spaces. */
static inline void suite_add(struct suite *s, const char *sentence, CMUnitTestFunction f,
			     const void *row)
{
	struct CMUnitTest *t = &s->tests[s->count];
	char *spelled = s->sentences[s->count++];

	snprintf(spelled, SENTENCE_MAX, "%s", sentence);
	for (char *c = spelled; !row && *c; c++)
		if (*c == '_')
			*c = ' ';
	*t = (struct CMUnitTest){ .name = spelled, .test_func = f, .initial_state = (void *)row };
}

/* Adds a function without a table. */
#define SUITE_ADD(s, f) suite_add(s, #f, f, NULL)

/* Adds one test per row of an array of structs whose first member is `sentence`. */
#define SUITE_ADD_ROWS(s, rows, f) \
	do { \
		for (size_t i_ = 0; i_ < COUNT(rows); i_++) \
			suite_add(s, (rows)[i_].sentence, f, &(rows)[i_]); \
	} while (0)

/* Runs a suite; returns the exit code for main(). */
static inline int suite_run(const struct suite *s, const char *name)
{
	return _cmocka_run_group_tests(name, s->tests, s->count, NULL, NULL);
}

#endif
