/* Profiles and rules, and how they give the desired settings of one port. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_RESOLVE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_RESOLVE_H

#include "classes.h"
#include "match.h"
#include "settings_json.h"

#define WHEN_MAX 32 /* entries of one profile; a 32-bit mask selects among them */

/* An entry of "when": an overlay for ports that match its condition. */
struct conditional {
	struct match when;
	struct overlay set;
};

struct profile {
	char name[ID_MAX]; /* "" in a show document */
	struct classes classes;
	struct config base; /* settings derived from the classes, overlaid with the profile's own */
	setting_set own;    /* settings that the profile itself gives, or removes */
	setting_set asserted; /* settings of `base` that the policy's congestion control gives */
	setting_set optional; /* settings that a port may lack */
	const struct conditional *when; /* in document order; borrowed */
	size_t when_count;
	const struct json_place *place; /* where it is in the document; borrowed */
	bool broken;			/* has errors; only while a policy is loaded */
};

#define PORTS_COUNT_MAX 1024 /* largest "count" of a rule */

struct port_rule {
	struct match match;
	const struct profile *profile;
	const struct overlay *set; /* NULL: none */
	bool required;		   /* at least one port must match */
	bool may_match_none;	   /* "required": false; a host without such a port is in sync */
	uint16_t ports_count;	   /* number of ports that must match; 0: any */
	const struct json_place *place; /* where it is in the document; borrowed */
};

/* The parts of a policy that decide a desired setting; a later one overrides the earlier ones. */
enum policy_part {
	PART_NONE,
	PART_CONGESTION_CONTROL,
	PART_CLASSES,
	PART_PROFILE,
	PART_WHEN,
	PART_RULE,
};

/* Why a port desires the value of a setting, or does not: a "set" may remove it. */
struct because {
	uint8_t part;	 /* enum policy_part */
	uint8_t when;	 /* the index of the entry of PART_WHEN */
	uint8_t setting; /* the setting given there: the same, or one that implies it */
};

/*
 * The last of `count` rules that matches the port, or *ret NULL if none does. Fails with
 * ERR_UNKNOWN if a rule needs a property that the port does not report; *ret is that rule, because
 * an earlier one must not apply instead.
 */
bool rule_for(const struct port_rule *rules, size_t count, const struct identity *id,
	      const struct port_rule **ret, struct err *err) must_check;

/* True if the rule leaves no setting to any port, whatever entries of "when" match. */
bool rule_requires_nothing(const struct port_rule *r);

/*
 * The desired settings: the rule's profile, overlaid in document order with the entries of "when"
 * that match the port, then with the rule's "set"; and why each is desired, unless `because` is
 * NULL: so, too, if they contradict each other. Fails with ERR_UNKNOWN if an entry needs a property
 * that the port does not report, with ERR_POLICY if the entries that match contradict each other.
 */
bool rule_desired(const struct port_rule *r, const struct identity *id, struct config *ret,
		  struct because because[SETTING_COUNT], struct err *err) must_check;

/* As rule_desired() without a port, for the entries of "when" in the bit mask `entries`. */
bool rule_desired_of(const struct port_rule *r, uint32_t entries, struct config *ret,
		     struct because because[SETTING_COUNT], struct err *err) must_check;

#endif
