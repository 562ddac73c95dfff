/* The text of --help. */
#ifndef LOSSLESSCTL_CLI_HELP_H
#define LOSSLESSCTL_CLI_HELP_H

struct verb;

/* Prints the help of a verb; of the whole program when verb is NULL. */
void help_print(const struct verb *verb);

#endif
