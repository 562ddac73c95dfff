/* How good a verdict is: its colour, its mark and whether its row counts as trouble. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_LEVEL_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_LEVEL_H

enum level { LEVEL_NONE, LEVEL_GOOD, LEVEL_UNKNOWN, LEVEL_WARNING, LEVEL_BAD, LEVELS };

/* The class of style sheet. */
extern const char *const level_names[LEVELS];

/* The level of a verdict, status or severity. A word of a later version is unknown. */
enum level level_of(const char *word);

#endif
