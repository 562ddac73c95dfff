/* Fuzz target: the list of ports of a show document that is used as a policy. */
#include <string.h>

#include "fuzz.h"
#include "policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char before[] = "{\"schema\":\"losslessctl/show/1\",\"ports\":[";
	static const char after[] = "]}";
	size_t head = sizeof(before) - 1, whole = head + size + sizeof(after) - 1;
	char *text = malloc(whole + 1);

	MUST(text);
	memcpy(text, before, head);
	memcpy(text + head, data, size);
	memcpy(text + head + size, after, sizeof(after));
	policy_judge(text, whole);
	free(text);
	return 0;
}
