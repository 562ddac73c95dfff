#include "verbs.h"

#include "../sandbox/privileges.h"

#define PLANS_CHANGES (TAKES_POLICY | TAKES_PORTS | GUARDS_SSH)

#define TALK	&rights_talk
#define READ	&rights_read
#define LISTEN	&rights_listen
#define WRITE	&rights_write
#define APPLY	&rights_apply
#define PCI	&rights_pci
#define EXAMINE &rights_examine
#define PROBE	&rights_probe

/* clang-format off: one row per verb */
const struct verb verbs[] = {
	{ "check", "POLICY... [--expand] [--strict]", TAKES_POLICY | TAKES_POLICIES | NEEDS_POLICY,
	  false, TALK, verb_check, "check policies without reading this host",
	  "Reports all errors of each file and then its verdict, such as \"FILE: valid, 6 "
	  "warnings\". "
	  "Exits 65 if a policy is invalid or has a finding of severity critical. Warnings alone "
	  "exit 0, or 65 with --strict.",
	  "check ./policy.json" },
	{ "schema", "", 0, false, TALK, verb_schema, "print the JSON Schema of a policy", NULL,
	  "schema > policy.schema.json" },
	{ "explain", "[NAME]", TAKES_NAME, false, TALK, verb_explain,
	  "explain a setting, policy key, lint, symptom, counter, exit code or term",
	  "Ignores case. NAME may be the last part of a name, an object of settings such as "
	  "pfc, or a term of the glossary such as drift. Without NAME it lists all but the terms.",
	  "explain pfc.cable_m" },
	{ "show", "[PORT...]", TAKES_PORTS, false, READ, verb_show,
	  "print the current configuration of the ports",
	  "Reads only. The output of --json is accepted as a policy. Three or more ports with the "
	  "same configuration are printed once. Name a port to print it in full.",
	  "show ens1f0np0" },
	{ "plan", "[POLICY] [PORT...]", PLANS_CHANGES, false, READ, verb_plan,
	  "print what apply would change, step by step",
	  "Reads only. Exits 0 if the ports are in sync, 2 if apply would change a setting, and 1 "
	  "if apply would refuse a port, or would not begin: because of the policy's file or "
	  "signature, the network namespace, its rights or the state directory. What ends by "
	  "itself, as another run that writes, is a warning. A setting that is not created yet may "
	  "be in sync once apply has created it: then plan counts \"at most\" so many steps.",
	  "plan ./policy.json 'ens1*'" },
	{ "apply", "[POLICY] [PORT...]", PLANS_CHANGES, true, APPLY, verb_apply,
	  "configure the ports as the policy says, and verify them",
	  "Each port is planned, recorded in the journal, written, read back and verified. If a "
	  "port fails, apply rolls it back and verifies the rollback. Exits 4 if the rollback "
	  "fails.\n"
	  "With --confirm-within, apply returns at once. A background process rolls all ports back "
	  "at the deadline, or on SIGTERM, even if this session has ended. `losslessctl confirm` "
	  "keeps the changes.",
	  "apply ./policy.json --confirm-within 120" },
	{ "confirm", "", 0, true, WRITE, verb_confirm, "keep an apply that awaits confirmation",
	  "Stops the rollback that `apply --confirm-within` has scheduled, if the ports still have "
	  "what was applied: it reads them back. Exits 1 if a setting has changed since, and 3 if "
	  "a port is not present; the apply goes on waiting. Exits 1 if no apply awaits "
	  "confirmation, or if the deadline has passed.",
	  "confirm" },
	{ "rollback", "[PORT...]", TAKES_PORTS | GUARDS_SSH, true, APPLY, verb_rollback,
	  "restore the settings from before the last apply",
	  "Rolls the last apply back on all its ports. If you name ports, rollback restores each "
	  "one to its state before the last apply that changed it. --to rolls back the apply with "
	  "that number and all later ones; the journal keeps the last ten. Exits 1 if a named port "
	  "has nothing to roll back, and 3 if a port is not present.",
	  "rollback --list" },
	{ "verify", "[POLICY] [PORT...]", TAKES_POLICY | TAKES_PORTS | READS_ENVIRONMENT, false,
	  LISTEN, verb_verify, "report whether the ports are in sync with the policy",
	  "Reads only. Exits 0 if all settings are in sync, 2 on drift, and 3 if a setting is "
	  "unknown or unsupported. A finding of severity critical counts as drift. Warnings exit 0 "
	  "unless --strict is given. With --sample-for, verify also samples the counters: a "
	  "critical symptom exits 2. /etc/nccl.conf, /etc/rccl.conf and /etc/ucx/ucx.conf are "
	  "verified as the libraries read them; `losslessctl env --check` judges that of a job.",
	  "verify --sample-for 10" },
	{ "doctor", "[POLICY] [PORT...]", TAKES_POLICY | TAKES_PORTS | READS_ENVIRONMENT, false,
	  EXAMINE, verb_doctor, "examine the host: settings, switch, readiness and counters",
	  "Reads only. Does what verify, peer and ready do, samples the counters for 10 seconds, "
	  "and prints all findings on one page: the worst first, each with what to run. Exits 2 on "
	  "a critical finding and 3 if something is unknown. Without a policy it compares no "
	  "settings. With --bundle it writes what bundle collects as well, for a ticket.",
	  "doctor" },
	{ "env", "[POLICY] [PORT...]", TAKES_POLICY | TAKES_PORTS | TAKES_ENVIRONMENT, false, READ,
	  verb_env, "print the environment of NCCL, RCCL and UCX, or judge that of a job",
	  "Reads only. Derives traffic class, devices and GID from the policy and the ports, each "
	  "with its reason as a comment. Exits 2 if a port does not treat that class as the "
	  "policy has it now, and 3 if a variable is unknown. Name the ports of one network if the "
	  "ports need different classes.\n"
	  "--check, --pid and --nccl-log judge the environment of a job instead: 0 if it agrees "
	  "with the policy, 2 if not, and 3 if it could not be judged. Name POLICY and PORT before "
	  "--check, or FILE with it.",
	  "env --format nccl.conf" },
	{ "peer", "[POLICY] [PORT...]", TAKES_POLICY | TAKES_PORTS, false, LISTEN, verb_peer,
	  "compare PFC, ETS and APP with the switch's port",
	  "Reads only. Prints the desired, the actual, the advertised and the peer's value. The "
	  "peer's values come from lldpad, or from LLDP frames that this program receives itself. "
	  "Exits 0 if all agree, 2 if they differ, and 3 if the peer's values are unknown.",
	  "peer ens1f0np0" },
	{ "ready", "[POLICY] [PORT...]", TAKES_POLICY | TAKES_PORTS, false, PCI, verb_ready,
	  "report whether a job can start on this host",
	  "Reads only, and needs no policy: its key \"ready\" has what is expected. Checks the "
	  "PCI Express links, the GPUs, limits, addresses and firmware. Exits 0 if all is ready, "
	  "2 if a check is not ready, and 3 if one is unknown: run it with sudo for all of them.",
	  "ready --all" },
	{ "probe", "HOST|serve|--hosts FILE [POLICY] [PORT...]",
	  TAKES_PEER | TAKES_POLICY | TAKES_PORTS, false, PROBE, verb_probe,
	  "send test traffic and report which traffic class it used",
	  "Runs perftest (package perftest) between this host and another one, and compares what "
	  "both ports count by priority: for queue pairs with a traffic class, for rdma_cm with "
	  "and without one, and for unmarked traffic, which must stay out of lossless priorities. "
	  "`losslessctl probe serve` is the other end; --via ssh starts it. With --hosts it runs "
	  "between all hosts of a file, and prints a matrix. Exits 0 if all "
	  "travels in class, 2 if something does not or cannot connect, and 3 if something is "
	  "unknown.",
	  "probe gpu-17 --via ssh" },
	{ "agent", "[POLICY] [PORT...]", PLANS_CHANGES, true, WRITE, verb_agent,
	  "watch the ports, report drift and symptoms, and repair if allowed",
	  "Runs until SIGTERM. SIGHUP reloads the policy. The agent verifies a port when the "
	  "kernel reports a change, and all ports periodically. It writes "
	  "/run/losslessctl/status.json, /run/losslessctl/metrics.prom, and the history and "
	  "recordings that `losslessctl history` prints. It changes a port only if the policy has "
	  "\"mode\": \"enforce\" or \"refresh_headroom\": true. After an apply of another policy "
	  "or a rollback the agent pauses repairs until it reloads the policy. With --json it "
	  "prints one document per event.",
	  "agent --verify-interval 60" },
	{ "watch", "[PORT...]", TAKES_PORTS, false, READ, verb_watch,
	  "show live rates of pause, CNPs, traffic and symptoms",
	  "Reads only, and needs no policy. On a terminal it redraws a table until you press q or "
	  "Ctrl-C. In a pipe it prints one line per port and sample. With --json it prints one "
	  "document per sample.",
	  "watch --interval 5" },
	{ "history", "[PORT...]", TAKES_PORTS, false, READ, verb_history,
	  "print the history of drift: when, what, and the likely writer",
	  "Reads the history that the agent records; the newest record comes last. Name a port as "
	  "it was called then, or by its PCI address. Below the history it lists the recordings of "
	  "the minutes before critical symptoms; --recording prints one of them.",
	  "history ens1f0np0" },
	{ "bundle", "[FILE] [PORT...]", TAKES_FILE | TAKES_PORTS | READS_POLICY, false, EXAMINE,
	  verb_bundle, "collect the state of this host in one JSON document",
	  "Reads only. The document has what show, ready, verify, peer, history and `rollback "
	  "--list` report, the counters, the agent's status and recordings, and the kernel's files "
	  "that were read. A part that cannot be read says why: run it with sudo for all of them. "
	  "It goes to standard output, or to "
	  "a new FILE that only you can read. FILE has a slash or ends in .json.",
	  "bundle --anonymise ./host.json" },
	{ "draft", "[PORT...]", TAKES_PORTS, false, LISTEN, verb_draft,
	  "print a policy that describes the ports as they are",
	  "Reads only. Says as classes what classes can say, and as settings what they cannot. "
	  "Settings at their defaults, and buffers, which the driver sizes, are left out. `verify` "
	  "of it is in sync on the same ports. With --from switch it takes what the switch "
	  "advertises by LLDP: PFC, ETS and DSCPs.",
	  "draft >policy.json" },
	{ "diff", "FILE FILE", TAKES_POLICY | TAKES_POLICIES, false, TALK, verb_diff,
	  "print what two hosts differ in, by their show --json or bundle",
	  "Reads no host. Ports are compared by their names: settings first, then driver, "
	  "firmware, link and limits, then kernel and driver of the host. Names and addresses are "
	  "no difference. Exits 2 if there is any, else 3 if a value is unknown. Two files of one "
	  "host tell what changed.",
	  "diff ./node-1.json ./node-2.json" },
	{ "headroom", "--speed MBPS --mtu BYTES --cable METRES", 0, false, TALK, verb_headroom,
	  "compute the smallest buffer of a lossless priority",
	  "Prints the formula of the mlx5 driver, its terms and the result.",
	  "headroom --speed 400G --mtu 9000 --cable 30" },
	{ "help", "[VERB]", TAKES_VERB, false, TALK, verb_help,
	  "print help about the program or a verb", NULL, "help apply" },
};
/* clang-format on */

const size_t verbs_count = sizeof(verbs) / sizeof(verbs[0]);
