/*
 * The interface of fuzz targets. A target is a file in this directory with the
 * function below, a directory corpus/TARGET of seed inputs, and a row in
 * tests/meson.build.
 */
#ifndef LOSSLESSCTL_TESTS_FUZZ_FUZZ_H
#define LOSSLESSCTL_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Run one input; libFuzzer or replay.c calls this. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Abort if the condition, which must hold for every input, is false. */
#define MUST(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

#endif
