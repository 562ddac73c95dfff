#include "help.h"

#include <stdio.h>

#include "exit_codes.h"
#include "options.h"
#include "verbs/verbs.h"

static void help_program(void)
{
	puts("losslessctl: lossless Ethernet for RoCE hosts, planned, proven and undoable\n\n"
	     "usage: losslessctl [OPTION...] VERB [WORD...]\n");
	for (size_t i = 0; i < verbs_count; i++)
		printf("  %-10s %-24s %s\n", verbs[i].name, verbs[i].words_help, verbs[i].doc);
	puts("\noptions of every verb:");
	options_list(NULL, false);
	puts("\nPOLICY is a file (a word with a slash or ending in .json) or - for standard "
	     "input;\n"
	     "without one it is /etc/losslessctl/policy.json. Any other word is a PORT: a name, a "
	     "PCI address,\n"
	     "a bond, or a pattern of one in quotes, such as 'ens1*'.\n\n"
	     "exit codes (`losslessctl explain CODE` says more):");
	for (size_t i = 0; i < exit_codes_count; i++)
		printf("%s%s %s%s", i % 6 ? " | " : "  ", exit_codes[i].code, exit_codes[i].brief,
		       i % 6 == 5 || i + 1 == exit_codes_count ? "\n" : "");
}

void help_print(const struct verb *verb)
{
	if (!verb) {
		help_program();
		return;
	}
	printf("usage: losslessctl %s%s%s [OPTION...]\n\n%s\n", verb->name,
	       verb->words_help[0] ? " " : "", verb->words_help, verb->doc);
	if (verb->more)
		printf("%s\n", verb->more);
	puts("\noptions:");
	options_list(verb, true);
	options_list(verb, false);
}
