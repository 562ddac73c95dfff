#include "policy_keys.h"

/* clang-format off: one block per key, in the order of a document */
const struct policy_key policy_keys[] = {
	{ "version", "The version of the policy language: 1.",
	  "Every policy has it. Later programs may add keys to a version, but do not change "
	  "their meaning." },
	{ "name", "The name of the policy in reports (default: the file's name).",
	  "In a match it is the name of a port, or of the bond that the port belongs to." },
	{ "generation", "A whole number that grows with each version of a signed policy.",
	  "A host with /etc/losslessctl/allowed_signers refuses a policy whose number is smaller "
	  "than the largest one that it has accepted." },
	{ "mode", "For the agent: \"report\" (the default) or \"enforce\".",
	  "In mode enforce the agent repairs drift. apply always writes and verify never does, in "
	  "either mode." },
	{ "enforce", "For the agent: permissions for its repairs in mode enforce.",
	  "allow_link_flap permits repairs that flap the link. Without it the agent only reports "
	  "such drift." },
	{ "refresh_headroom", "For the agent: write PFC again when the link comes up.",
	  "true or false (the default), in either mode. The adapter computes headroom from the "
	  "link's speed, so an apply without a link leaves the wrong headroom. The agent then "
	  "writes PFC again, unchanged." },
	{ "thresholds", "Thresholds above which a counter becomes a symptom.",
	  "window_s is the length of a window (default: 10). The others are shares and rates "
	  "within it, as in {\"pause_received_percent\": 20}. `losslessctl explain` lists all of "
	  "them." },
	{ "severity", "The severity of lints and symptoms, by identifier.",
	  "As in {\"roce-on-wrong-priority\": \"critical\", \"host-tcp-ecn-disabled\": "
	  "\"ignore\"}. "
	  "Lints: error, warning, info, ignore. Symptoms: critical, warning, info, ignore. "
	  "A lint that is lowered from error no longer stops apply." },
	{ "ready", "Expectations of `losslessctl ready` about the host and its ports, by check.",
	  "As in {\"pci-acs\": \"off\", \"pci-max-read-request\": 4096, \"memlock\": \"ignore\"}. "
	  "A check without an expectation only reports its value. `losslessctl explain` lists all "
	  "of them." },
	{ "fabric", "The switch's QoS map, which decides whether the host's marks are lossless.",
	  "The name of a ready-made map (`losslessctl explain` lists them), or an object that "
	  "describes the switch's map." },
	{ "congestion_control",
	  "The controller of congestion: \"dcqcn\", \"spectrum-x\", \"mrc\", \"uec\" or \"other\".",
	  "Without it nothing changes, as with \"dcqcn\". Each of the others names the controller "
	  "that owns congestion: its settings are verified and never written, settings that have "
	  "no "
	  "effect are errors, and some settings follow from it. `losslessctl explain NAME` lists "
	  "them." },
	{ "job", "Expectations about the environment of jobs, for env and verify.",
	  "control_dscp, socket_ifname, ib_timeout, ib_retry_count and nccl_version, as in "
	  "{\"ib_timeout\": 22}. The traffic class comes from the ports' settings." },
	{ "probe", "The paths that `losslessctl probe` proves, and what is in class.",
	  "paths and min_share, as in {\"paths\": [\"verbs\"], \"min_share\": 0.95}. Without it, "
	  "all "
	  "paths are proven, and 0.99 of the bytes must be in class." },
	{ "profiles", "Named sets of settings that rules assign to ports.",
	  "losslessctl neither changes nor verifies a setting that the profile does not have." },
	{ "classes", "In a profile: traffic classes, from which settings are derived.",
	  "A class has a name and a priority, and may have dscp, lossless, bandwidth or "
	  "strict, ecn, cnp. One class may omit dscp: it gets all other traffic. A setting beside "
	  "the classes overrides the derived one." },
	{ "when", "In a profile: settings for ports of a certain speed or firmware.",
	  "A list of {speed_mbps or firmware, set}. The entries that match override the profile, "
	  "in order." },
	{ "optional", "In a profile: settings that a port may lack.",
	  "Names or globs, as in [\"ecn.*\", \"roce.traffic_class\"]. A setting that the port "
	  "lacks is reported as skipped." },
	{ "rules", "The list of rules that assign profiles to ports.",
	  "The last rule that matches a port wins. Rules are not merged with each other." },
	{ "match", "In a rule: the conditions on a port; all of them must hold.",
	  "name, pci, driver, rdma and mac are globs, firmware a glob or a comparison, and "
	  "speed_mbps a number or a comparison." },
	{ "profile", "In a rule: the name of the profile.", "One of \"profiles\"." },
	{ "set", "In a rule or an entry of when: settings that override the profile.",
	  "An array or a map is replaced as a whole. null removes a setting from the profile." },
	{ "required", "In a rule: true if a port must match, false if none need match.",
	  "A required rule without a port makes the run unknown (exit 3). Without this key it is a "
	  "warning. A run in which no rule matches any port exits 3 as well, unless every rule has "
	  "false." },
	{ "count", "In a rule: the number of ports of the host that must match, 1 to 1024.",
	  "Any other number of ports makes the run unknown (exit 3): an adapter is lost, or the "
	  "policy does not expect it. Ports that a later rule takes count; virtual functions do "
	  "not. If the command line names ports, losslessctl does not check the count." },
	{ "comment", "A comment, in any object; losslessctl ignores it.",
	  "JSON has no comments of its own." },
};
/* clang-format on */

const size_t policy_keys_count = sizeof(policy_keys) / sizeof(policy_keys[0]);
