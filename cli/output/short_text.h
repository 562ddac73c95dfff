/* A setting in few letters, for a table. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_SHORT_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_SHORT_TEXT_H

#include "../../policy/model/setting.h"

#define CELL_MAX 24

/*
 * "3, 4", "0,0,0,3,0,0,6,0", "ets, 6:strict", "64 DSCPs"; "-" where it is not
 * known. What has no room ends in "...".
 */
const char *cell_text(unsigned setting, const struct config *c, char buf[CELL_MAX]);

/*
 * The same for both sides of a change: where they would look equal, each begins with the first
 * words that differ.
 */
void cell_change(unsigned setting, const struct config *from, const struct config *to,
		 char before[CELL_MAX], char after[CELL_MAX]);

#endif
