/* Text that is not JSON: which mistake it is, where, and how to fix it. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_SYNTAX_H
#define LOSSLESSCTL_POLICY_DOCUMENT_SYNTAX_H

#include <jansson.h>
#include <stddef.h>

#include "../util/json_location.h"

/*
 * True if messages may quote this text: it is an object and has a key that only policies have. The
 * program may run as root on a file that its caller cannot read, through sudo: /etc/shadow, or a
 * JSON file with a password. Of such a file no line is printed.
 */
bool policy_may_be_quoted(const char *text, size_t size);

/*
 * Records the mistake at which jansson stopped, with line and column in err->at; always false.
 * `text` is NUL-terminated.
 */
bool err_syntax(struct err *err, const char *text, size_t size, const json_error_t *e);

#endif
