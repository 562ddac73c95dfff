/*
 * Writes JSON documents as jansson does, with harmful characters escaped. jansson checks each
 * character of a string again and looks for circles, which are half of the work of a report.
 */
#ifndef LOSSLESSCTL_POLICY_UTIL_JSON_DUMP_H
#define LOSSLESSCTL_POLICY_UTIL_JSON_DUMP_H

#include <jansson.h>

#include "err.h"

/*
 * The document as text, with the characters that sanitize.h calls harmful escaped as \uXXXX. Flags
 * are jansson's: JSON_COMPACT, JSON_INDENT(), JSON_SORT_KEYS and JSON_REAL_PRECISION(). The caller
 * frees it; NULL if out of memory.
 */
char *json_dump_sanitized(const json_t *j, size_t flags) must_check;

#endif
