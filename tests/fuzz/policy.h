/* What must hold of every policy that the parser takes, and of every refusal. */
#ifndef LOSSLESSCTL_TESTS_FUZZ_POLICY_H
#define LOSSLESSCTL_TESTS_FUZZ_POLICY_H

#include <stddef.h>

/* Parses `size` bytes at `text`, which ends in NUL, and judges what comes of it. */
void policy_judge(const char *text, size_t size);

#endif
