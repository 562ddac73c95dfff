/* Resolves a policy for one port: the rule that applies, and the desired settings. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_RESOLVE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_RESOLVE_H

#include "profile.h"

#define PORTS_COUNT_MAX 1024 /* largest "count" of a rule */

struct port_rule {
	struct match match;
	const struct profile *profile;
	const struct overlay *set; /* NULL: none */
	bool required;		   /* at least one port must match */
	bool may_match_none;	   /* "required": false; a host without such a port is in sync */
	uint16_t ports_count;	   /* number of ports that must match; 0: any */
};

/*
 * The last of `count` rules that matches the port, or *ret NULL if none does. Fails with
 * ERR_UNKNOWN if a rule needs a property that the port does not report; *ret is that rule, because
 * an earlier one must not apply instead.
 */
bool rule_for(const struct port_rule *rules, size_t count, const struct identity *id,
	      const struct port_rule **ret, struct err *err) must_check;

/* True if neither the profile nor the rule has a setting, whatever port matches. */
bool rule_requires_nothing(const struct port_rule *r);

/*
 * The desired settings: the rule's profile, overlaid in document order with the entries of "when"
 * that match the port, then with the rule's "set". Fails with ERR_UNKNOWN if an entry needs a
 * property that the port does not report, with ERR_POLICY if the entries that match contradict each
 * other.
 */
bool rule_desired(const struct port_rule *r, const struct identity *id, struct config *ret,
		  struct err *err) must_check;

/* The entries of "when" that match the port, as a bit mask. Fails as rule_desired(). */
bool rule_entries(const struct port_rule *r, const struct identity *id, uint32_t *ret,
		  struct err *err) must_check;

/* As rule_desired() without a port, for the entries of "when" in the bit mask `entries`. */
bool rule_desired_of(const struct port_rule *r, uint32_t entries, struct config *ret,
		     struct err *err) must_check;

#endif
