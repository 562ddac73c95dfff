/* Fuzz target: a policy of any bytes. */
#include <string.h>

#include "fuzz.h"
#include "policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	MUST(text);
	memcpy(text, data, size);
	text[size] = '\0';
	policy_judge(text, size);
	free(text);
	return 0;
}
