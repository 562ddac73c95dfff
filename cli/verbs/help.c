#include "../help.h"
#include "verbs.h"

int verb_help(struct cli *c, struct err *err)
{
	const struct verb *verb = NULL;

	if (c->opt.words_count && !verb_find(&verb, verbs, verbs_count, c->opt.words[0], err))
		return -1;
	help_print(verb, verbs, verbs_count);
	return EXIT_SUCCESS;
}
