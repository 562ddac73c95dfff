/* JSON in tests is written with ' for ", which moves no column. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_PARSE_H
#define LOSSLESSCTL_TESTS_SUPPORT_PARSE_H

#include "policy/document/config_json.h"
#include "policy/document/policy.h"
#include "policy/document/resolve.h"

#define JSON_TEXT_MAX 4096

/* The text with ' turned into ". Returns `buf`. */
const char *json_quoted(const char *text, char buf[JSON_TEXT_MAX]);

/* The tree of a text; the test fails where it is no JSON. The caller owns it. */
json_t *json_of(const char *text);

/* What an object of settings says; the test fails where it is refused. */
struct config config_of(const char *text);

/* Puts an object of settings over *c, as `set` does. */
bool amend(struct config *c, const char *text, struct err *err);

/* A whole policy that must be sound; the caller frees it. */
struct policy *policy_of(const char *text);

/* What the i-th rule wants without a port; the test fails where it makes no sense. */
struct config desired_of(const struct policy *p, size_t i);

/* A whole policy that must be refused: why. */
struct err refusal_of(const char *text);

#endif
