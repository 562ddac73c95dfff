/*
 * What a fuzz target is: one file of this folder with the one function below, a
 * folder corpus/TARGET of inputs to begin with, and a row in tests/meson.build.
 */
#ifndef LOSSLESSCTL_TESTS_FUZZ_FUZZ_H
#define LOSSLESSCTL_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Carries out one input; called by libFuzzer, or by replay.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold whatever the input is. */
#define MUST(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

#endif
