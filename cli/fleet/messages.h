/* Text, JSON and messages of losslessctl-fleet. */
#ifndef LOSSLESSCTL_CLI_FLEET_MESSAGES_H
#define LOSSLESSCTL_CLI_FLEET_MESSAGES_H

#include <jansson.h>
#include <stdio.h>

#include "../../policy/util/err.h"

/* Prints text from outside, with what harms a terminal escaped. */
void print_text(FILE *to, const char *text);

/* Prints a document on one line of standard output, or indented on a terminal; releases it. */
void print_document(json_t *document);

/* Prints "losslessctl-fleet: WHERE: TEXT" and the fix on standard error. */
void error_print(const struct err *err);

/* Returns {schema, kind, where, message, fix} of an error. The caller owns it. */
json_t *error_to_json(const struct err *err);

#endif
