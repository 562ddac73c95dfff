/* Checks of every policy that the parser accepts, and of every refusal. */
#ifndef LOSSLESSCTL_TESTS_FUZZ_POLICY_H
#define LOSSLESSCTL_TESTS_FUZZ_POLICY_H

#include <stddef.h>

/* Parse `size` bytes at `text`, which ends in NUL, and check the result. */
void policy_judge(const char *text, size_t size);

#endif
