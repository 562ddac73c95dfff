#include "terms.h"

/* In the order of packaging/docs/glossary.md. */
const struct term terms[] = {
	{ "setting", "a value that can be set or verified, such as pfc.priorities" },
	{ "desired", "the value that the policy asks for" },
	{ "actual", "the value that the kernel reports" },
	{ "default", "the value of a setting before anyone sets it" },
	{ "policy", "the JSON document with the desired configuration of a host: profiles, and "
		    "rules that assign them to ports" },
	{ "class", "traffic with one priority and its DSCPs, from which settings are derived" },
	{ "rule", "an entry of rules that assigns a profile to ports; the last rule that matches a "
		  "port wins, and rules are not merged" },
	{ "valid", "said of a policy without errors; it may have warnings" },
	{ "origin", "where a desired value comes from: file and line, rule, class or default" },
	{ "port", "a network device that owns a wire, with its RDMA device" },
	{ "class selector", "the default map of the adapter: priority = DSCP >> 3 (RFC 2474)" },
	{ "in sync", "actual equals desired, within rounding that is known" },
	{ "drift", "actual differs from desired" },
	{ "unknown", "it cannot be read here and now: no permission, no link, an error" },
	{ "unsupported", "the port, its driver or firmware does not have it" },
	{ "skipped", "unsupported, and listed under \"optional\": the port is in sync without it" },
	{ "advice", "a difference that does not change the verdict, such as host.tcp_ecn" },
	{ "contested", "another program reverts the agent's repairs; the agent pauses repairs of "
		       "the setting and reports it" },
	{ "plan", "the steps from actual to desired, in a safe order; reads only" },
	{ "step", "one write of one feature, for example PFC" },
	{ "apply", "carry out the plan, read back, verify" },
	{ "roll back", "return to the state before; verified like an apply" },
	{ "rollback failed", "rolling back did not succeed: the port is partially configured, and "
			     "exit code 4 and the report name each setting" },
	{ "not reversible", "a change that cannot be rolled back exactly, named in the plan: "
			    "deleting a DSCP entry maps that DSCP to priority 0" },
	{ "refused", "nothing was written, for a reason that the report names" },
	{ "not attempted", "a port that a run did not reach: unchanged" },
	{ "link flap", "the link goes down and comes back; a PFC change causes one" },
	{ "transaction",
	  "the change of one port, from the first write to verified or rolled back" },
	{ "applying", "said of a run that writes now: its ports change until it ends" },
	{ "rolling back", "said of a run that is rolled back now: its ports change until it ends" },
	{ "awaiting confirmation", "said of an apply that confirm keeps; otherwise it is rolled "
				   "back at its deadline" },
	{ "incomplete", "said of a run that was killed, or whose rollback failed: rollback or "
			"apply completes it" },
	{ "transaction journal", "the file that is written before the first change, and from which "
				 "rollback and the run after a crash restore a port" },
	{ "repair", "bring a drifted port back; done by apply, or by the agent in mode enforce" },
	{ "fix", "how to repair something, in a message: mostly a command" },
	{ "report", "the mode of the agent that only reports drift" },
	{ "lint", "a check of a configuration, such as \"PFC and global pause are both on\"; "
		  "severity critical, warning or info" },
	{ "finding", "a violation of a lint by a port or a policy" },
	{ "symptom", "a fault that counters point to; severity critical, warning or info" },
	{ "recording", "the samples of a port in the minutes before a critical symptom, which the "
		       "agent saved; drift --recording prints them" },
	{ "threshold", "the rate from which a counter becomes a symptom" },
	{ "peer reason", "why a port and its peer agree or not, or why that is unknown" },
	{ "trap", "the reason why a value in a job's environment does not mean what its author "
		  "wrote, such as quotes" },
	{ "verdict", "the result of verify: in sync, drift, unknown or symptom" },
	{ "lossless", "said of a priority that is paused instead of dropped" },
	{ "global pause", "802.3x flow control: pause for the whole link; excludes PFC" },
	{ "pause storm",
	  "pause for most of the time; the storm timeout ends it, and the port then drops" },
	{ "headroom", "the receive buffer for what still arrives after pause was sent; grows with "
		      "speed, cable and MTU" },
	{ "traffic class", "a queue of the adapter; priorities map to it" },
	{ "TC", "traffic class: a queue of the adapter; priorities map to it" },
	{ "TSA", "transmission selection algorithm of a traffic class: strict, ETS or vendor" },
	{ "priority", "0 to 7; PCP in the VLAN tag carries it" },
	{ "PCP",
	  "the mark in the VLAN tag, 0 to 7: of rdma_cm and of sockets, what vlan.egress has for "
	  "the kernel's priority of the ToS; of other queue pairs, the service level" },
	{ "service level",
	  "SL: a number that a program gives its queue pairs (NCCL_IB_SL, UCX_IB_SL), "
	  "by default 0; in a VLAN it is the PCP" },
	{ "ToS", "the byte of the IP header with DSCP and ECN: DSCP × 4 + ECN bits. 106 is DSCP 26 "
		 "with ECT(0)" },
	{ "traffic class byte", "the byte of the IP header with DSCP and ECN: DSCP × 4 + ECN bits. "
				"106 is DSCP 26 with ECT(0)" },
	{ "APP entry",
	  "a DCB table entry: an ethertype, a port number or a DSCP, and its priority" },
	{ "NP", "notification point: the receiver that sends CNPs" },
	{ "RP", "reaction point: the sender that slows down" },
	{ "FEC", "forward error correction of the link" },
};

const size_t terms_count = sizeof(terms) / sizeof(terms[0]);
