/* Prints a policy's JSON Schema for editors, as `losslessctl schema` does, with line breaks. */
#include <stdio.h>
#include <stdlib.h>

#include "../../policy/document/policy.h"

int main(void)
{
	json_auto_t *schema = policy_schema();
	bool done = schema && json_dumpf(schema, stdout, JSON_INDENT(2)) == 0;

	return done && puts("") >= 0 && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
