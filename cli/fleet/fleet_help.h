/* The text of --help of losslessctl-fleet. */
#ifndef LOSSLESSCTL_CLI_FLEET_FLEET_HELP_H
#define LOSSLESSCTL_CLI_FLEET_FLEET_HELP_H

#include "fleet_options.h"

/* Prints the help of a verb; with NULL that of the program, which lists the verbs. */
void fleet_help_print(const struct fleet_verb *verb, const struct fleet_verb *verbs);

#endif
