/* The value of a setting as a short text, for tables. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_SHORT_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_SHORT_TEXT_H

#include "../../policy/model/setting.h"

#define SHORT_TEXT_MAX 24

/*
 * Writes "3, 4", "0,0,0,3,0,0,6,0", "ets, 6:strict" or "64 DSCPs"; "-" if unknown. Truncated text
 * ends in "...". Returns buf.
 */
const char *short_text(unsigned setting, const struct config *c, char buf[SHORT_TEXT_MAX]);

#endif
