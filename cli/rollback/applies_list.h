/* The list of `rollback --list`: the applies in the journal, and the runs that have not ended. */
#ifndef LOSSLESSCTL_CLI_ROLLBACK_APPLIES_LIST_H
#define LOSSLESSCTL_CLI_ROLLBACK_APPLIES_LIST_H

#include <jansson.h>

#include "../cli.h"

/* The list as a document, for `bundle`. The caller owns *ret. */
bool applies_document(struct cli *c, json_t **ret, struct err *err) must_check;

/* Prints the list as text or, as the options ask, as JSON. */
bool applies_list_print(struct cli *c, struct err *err) must_check;

#endif
