#include "policy_keys.h"

/* clang-format off: one block per key, in the order of a document */
const struct policy_key policy_keys[] = {
	{ "version", "The version of the policy language: 1.",
	  "A policy begins with it. Keys may be added within a version; none changes its "
	  "meaning." },
	{ "name", "What the policy is called in reports; the file's name if it is not given.",
	  "In a match it is the name of a port, or of the bond that a port is a member "
	  "of." },
	{ "generation", "A whole number that grows with each version of a signed policy.",
	  "A host that takes signed policies only (/etc/losslessctl/allowed_signers) refuses one "
	  "with a smaller number than it has taken; the same one may come again." },
	{ "mode", "For the agent: \"report\" (the default) or \"enforce\".",
	  "apply and verify do not look at it: apply always writes, verify never does." },
	{ "enforce", "For the agent: what it may do of its own accord.",
	  "allow_link_flap: make repairs that flap the link, in mode enforce; without it such "
	  "drift is only reported." },
	{ "refresh_headroom", "For the agent: send PFC again when the link comes up.",
	  "True or false (the default), in either mode. The agent sends the unchanged PFC again "
	  "when the link comes up after an apply without one, so that headroom fits the link's "
	  "real speed." },
	{ "thresholds", "From when on what is counted is called a symptom.",
	  "window_s is how long is counted, 10 s; the others are shares and rates within it, as in "
	  "{\"pause_received_percent\": 20}. `losslessctl explain` lists all, with their "
	  "defaults." },
	{ "severity", "The severity of lints and symptoms, by identifier.",
	  "As in {\"roce-on-wrong-priority\": \"critical\", \"host-tcp-ecn-disabled\": "
	  "\"ignore\"}. "
	  "Lints: error, warning, info, ignore; symptoms: critical, warning, info, ignore. "
	  "A lowered error no longer stops apply." },
	{ "fabric", "The switch that the ports lead to: is the host's marking lossless there?",
	  "A name that `losslessctl explain` lists, or an object with the switch's own "
	  "map." },
	{ "profiles", "Named setups, which rules give to ports.",
	  "What a profile does not mention is not touched and not judged." },
	{ "classes",
	  "In a profile, the intent: classes of traffic, from which settings are derived.",
	  "A class has a name and a priority, and may have dscp, lossless, bandwidth or "
	  "strict, ecn, cnp. One class without dscp takes all the rest. A setting beside "
	  "the classes overrides." },
	{ "when", "In a profile, settings for ports of a certain speed or firmware.",
	  "A list of {speed_mbps or firmware, set}; those that hold are laid over the "
	  "profile in order." },
	{ "optional", "In a profile, settings that a port may lack without being wrong.",
	  "Names or globs, as in [\"ecn.*\", \"roce.traffic_class\"]; what is lacking is "
	  "skipped." },
	{ "rules", "The rules, in order: which port gets which profile.",
	  "The last rule that matches a port wins, whole: rules are not merged with each "
	  "other." },
	{ "match", "Which ports a rule speaks of; all keys of one match must hold.",
	  "name, pci, driver, rdma, mac (globs), speed_mbps and firmware (globs or "
	  "comparisons)." },
	{ "profile", "The profile that a rule gives to its ports.", "One of \"profiles\"." },
	{ "set", "In a rule or an entry of when: settings laid over the profile, leaf by leaf.",
	  "A list or a map is one leaf and is replaced whole; null leaves a setting "
	  "alone again." },
	{ "required", "In a rule: true: some port must match; false: a host may have none.",
	  "A required rule without a port makes the run unknown (exit 3). Without the key it is a "
	  "warning; but a run in which no rule matches any port ends with 3, unless every rule "
	  "says false." },
	{ "count", "In a rule: how many ports of the host must match.",
	  "1 to 1024. Another number of ports, fewer or more, makes the run unknown (exit 3): an "
	  "adapter is lost, or one is there that the policy does not expect. Ports that a later "
	  "rule takes count, too; virtual functions do not. Not judged where ports are named on "
	  "the command line." },
	{ "comment", "A comment, wherever an object stands; it is not looked at.",
	  "JSON has no comments of its own." },
};
/* clang-format on */

const size_t policy_keys_count = sizeof(policy_keys) / sizeof(policy_keys[0]);
