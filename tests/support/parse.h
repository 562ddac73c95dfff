/* Parsers for JSON in tests, which is written with ' for " and so keeps its columns. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_PARSE_H
#define LOSSLESSCTL_TESTS_SUPPORT_PARSE_H

#include "policy/document/policy.h"
#include "policy/document/resolve.h"
#include "policy/document/settings_json.h"

#define JSON_TEXT_MAX 4096

/* The text with ' turned into ". Returns `buf`. */
const char *json_quoted(const char *text, char buf[JSON_TEXT_MAX]);

/* The tree of a text; the test fails where it is no JSON. The caller owns it. */
json_t *json_of(const char *text);

/* The config of an object of settings; the test fails where it is refused. */
struct config config_of(const char *text);

/* Puts an object of settings over *c, as `set` does. */
bool amend(struct config *c, const char *text, struct err *err);

/* A whole policy that must be valid; the caller frees it. */
struct policy *policy_of(const char *text);

/* The desired settings of the i-th rule without a port; the test fails on an error. */
struct config desired_of(const struct policy *p, size_t i);

/* The error of a whole policy that must be refused. */
struct err refusal_of(const char *text);

#endif
