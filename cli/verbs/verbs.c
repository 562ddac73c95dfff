#include "verbs.h"

#include "../sandbox/privileges.h"

#define TALK   &rights_talk
#define READ   &rights_read
#define LISTEN &rights_listen
#define WRITE  &rights_write
#define APPLY  &rights_apply

/* clang-format off: one row per verb */
const struct verb verbs[] = {
	{ "check", "POLICY [--expand]", TAKES_POLICY | NEEDS_POLICY, false, TALK, verb_check,
	  "check a policy, without looking at this host",
	  "Exits 65 where the policy is wrong or breaks a rule, and 0 otherwise, with warnings on "
	  "standard error." },
	{ "schema", "", 0, false, TALK, verb_schema, "print the JSON Schema of a policy", NULL },
	{ "explain", "[NAME]", TAKES_NAME, false, TALK, verb_explain,
	  "explain a setting, a rule, a symptom, a counter or an exit code",
	  "Without a name it lists what can be explained." },
	{ "show", "[PORT...]", TAKES_PORTS, false, READ, verb_show,
	  "show how the ports are set up now",
	  "What --json prints is accepted as a policy. Three or more ports alike are printed once; "
	  "a port that is\n"
	  "named is printed in full." },
	{ "plan", "[POLICY] [PORT...]", TAKES_POLICY | TAKES_PORTS, false, READ, verb_plan,
	  "show what apply would do, step by step",
	  "Exits 0 when there is nothing to do, 2 when there is, and 1 when apply would refuse." },
	{ "apply", "[POLICY] [PORT...]", TAKES_POLICY | TAKES_PORTS, true, APPLY, verb_apply,
	  "set the ports up as the policy says, and prove it",
	  "Each port is planned, noted in the journal, written, and read back; a port that fails "
	  "is put back as it\n"
	  "was, and that is proven too. Exits 4 only when a port could not be put back.\n"
	  "With --confirm-within it returns at once, and leaves a process behind that takes all "
	  "of it back when the\n"
	  "time is over, also when this session is gone by then; `losslessctl confirm` keeps "
	  "it. Asked to end\n"
	  "(SIGTERM), that process takes it back at once." },
	{ "confirm", "", 0, true, WRITE, verb_confirm, "keep an apply that waits for confirmation",
	  "Ends the wait of `apply --confirm-within`. Exits 1 when nothing waits, or when it is "
	  "too "
	  "late." },
	{ "rollback", "[PORT...]", TAKES_PORTS, true, APPLY, verb_rollback,
	  "take the last apply back",
	  "Restores what the last apply changed, on all its ports; of each port that is named, "
	  "what the last\n"
	  "apply that changed that port changed. --to rolls back the apply with that number and "
	  "all later ones;\n"
	  "the journal keeps ten. Exits 1 when a port that is named has nothing to roll back, and "
	  "3 when a port\n"
	  "is not present." },
	{ "verify", "[POLICY] [PORT...]", TAKES_POLICY | TAKES_PORTS, false, LISTEN, verb_verify,
	  "tell whether the ports are as the policy says",
	  "Reads only. Exits 0 when all is as wished, 2 on drift, and 3 when something cannot be "
	  "told.\n"
	  "A finding of severity error, about what the port has, is drift; a warning exits 0 "
	  "unless --strict is\n"
	  "given. With --sample-for it counts for a while: a critical symptom exits 2, a warning "
	  "does not." },
	{ "peer", "[PORT...] [POLICY]", TAKES_POLICY | TAKES_PORTS, false, LISTEN, verb_peer,
	  "tell whether the switch agrees: policy, kernel, advertised, switch",
	  "Reads only; listens to LLDP where no lldpad does. Exits 0 when they agree, 2 when they "
	  "differ, and 3\n"
	  "when it cannot be told." },
	{ "agent", "[POLICY] [PORT...]", TAKES_POLICY | TAKES_PORTS, true, WRITE, verb_agent,
	  "watch over the ports: report drift and symptoms, and repair if the policy says so",
	  "Runs until SIGTERM; SIGHUP loads the policy anew. Looks at a port when the kernel tells "
	  "of a change, and\n"
	  "at all of them now and then. Writes /run/losslessctl/status.json and metrics.prom, and "
	  "the history\n"
	  "that `losslessctl drift` shows. It writes to no port unless the policy says \"mode\": "
	  "\"enforce\",\n"
	  "or \"refresh_headroom\": true. It leaves what is applied "
	  "or rolled back by\n"
	  "hand, also when it is started again with the same policy, until SIGHUP." },
	{ "watch", "[PORT...]", TAKES_PORTS, false, READ, verb_watch,
	  "watch pause, CNPs, traffic and symptoms, live",
	  "Reads only, and needs no policy. On a terminal a table that is redrawn in place, until "
	  "q "
	  "or Ctrl-C; in a\n"
	  "pipe one line per port and sample; with --json one document a line." },
	{ "drift", "[PORT...]", TAKES_PORTS, false, READ, verb_drift,
	  "show what drifted: when, from what to what, and who likely did it",
	  "Reads only, and no port: what is shown was noted by the agent. The newest comes last; "
	  "a port is named as\n"
	  "it was then, or by its PCI address." },
	{ "headroom", "--speed --mtu --cable", 0, false, TALK, verb_headroom,
	  "compute how large a lossless buffer must be",
	  "Shows the formula of the mlx5 driver, its terms, and what they add up to." },
};
/* clang-format on */

const size_t verbs_count = sizeof(verbs) / sizeof(verbs[0]);
