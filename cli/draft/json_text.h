/* JSON as people write a policy: what fits on a line stands on one. */
#ifndef LOSSLESSCTL_CLI_DRAFT_JSON_TEXT_H
#define LOSSLESSCTL_CLI_DRAFT_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints a value, indented by two blanks a level, and a newline. False: out of memory. */
bool json_text_print(FILE *to, const json_t *value);

#endif
