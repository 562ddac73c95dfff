#include "../../policy/document/policy.h"
#include "../output/print.h"
#include "verbs.h"

int verb_schema(struct cli *c, struct err *err)
{
	(void)err;
	print_json(c, policy_schema());
	return EXIT_SUCCESS;
}
