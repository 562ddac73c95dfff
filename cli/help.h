/* The text of --help. */
#ifndef LOSSLESSCTL_CLI_HELP_H
#define LOSSLESSCTL_CLI_HELP_H

#include <stddef.h>

#include "../policy/util/exit_code.h"
#include "options.h"

/* Prints the help of a verb; with NULL that of the program, which lists the verbs. */
void help_print(const struct verb *verb, const struct verb *verbs, size_t verbs_count);

#endif
