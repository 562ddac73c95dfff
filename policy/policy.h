/*
 * A policy: profiles, and rules that give ports a profile. Loading it resolves
 * everything that needs no host: each rule ends in one complete config.
 */
#ifndef LOSSLESSCTL_POLICY_POLICY_H
#define LOSSLESSCTL_POLICY_POLICY_H

#include "config.h"
#include "err.h"
#include "fabric.h"
#include "match.h"
#include "sha256.h"

#define POLICY_MAX_BYTES (1u << 20)

enum policy_mode { MODE_REPORT, MODE_ENFORCE };

struct port_rule {
	struct match match;
	char profile[ID_MAX];
	struct config want; /* the profile with `set` over it, completed */
	knobset optional;   /* knobs that a port may lack */
	bool required;	    /* some port must match */
};

struct policy {
	char name[ID_MAX];
	char source[256]; /* the file, or "standard input" */
	char sha256[SHA256_HEX];
	enum policy_mode mode;
	const struct fabric *fabric; /* a row of fabrics[], or own_fabric; NULL: none named */
	struct fabric own_fabric;
	size_t count;
	struct port_rule rules[]; /* in the order of the document */
};

/*
 * Parses a policy, or a losslessctl/show/1 document, from `size` bytes at
 * `text`, which is NUL-terminated. `source` is named in messages. On success
 * the caller owns *ret and frees it with free(). Errors: ERR_POLICY, with
 * line, column and JSON pointer in err->at and "source:line:column" in err->where.
 */
bool policy_parse(struct policy **ret, const char *text, size_t size, const char *source,
		  struct err *err) must_check;

/* The rule that a port ends in: the last one that matches. NULL: none. */
const struct port_rule *policy_rule_for(const struct policy *p, const struct identity *id);

/* A later rule that takes every port this one could match, or NULL. */
const struct port_rule *policy_rule_shadowed(const struct policy *p, const struct port_rule *r);

#endif
