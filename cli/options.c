#include "options.h"

#include <stdio.h>
#include <string.h>

#define FIELD(member) offsetof(struct options, member)

/* clang-format off: one row per option */
static const struct option options[] = {
	{ "--json", NULL, NULL, FLAG, FIELD(json), NULL,
	  "print JSON: one document, or in watch and agent one a line" },
	{ "--root", NULL, "DIR", TEXT, FIELD(root), NULL,
	  "read files below DIR instead of /; read-only verbs only" },
	{ "--color", NULL, "WHEN", COLOUR, FIELD(colour), NULL,
	  "auto, always or never (default: auto)" },
	{ "--quiet", "-q", NULL, FLAG, FIELD(quiet), NULL, "print errors only" },
	{ "--verbose", "-v", NULL, FLAG, FIELD(verbose), NULL,
	  "report each step and more details" },
	{ "--help", "-h", NULL, FLAG, FIELD(help), NULL, "print help" },
	{ "--version", NULL, NULL, FLAG, FIELD(version), NULL, "print the version" },
	{ "--state", NULL, "FILE", TEXT, FIELD(state),
	  " show plan verify env peer ready doctor history draft ",
	  "use the state saved in FILE (show --json or bundle) instead of this host" },
	{ "--expand", NULL, NULL, FLAG, FIELD(expand), " check ",
	  "print the settings that each rule results in" },
	{ "--all", NULL, NULL, FLAG, FIELD(all), " verify ready ",
	  "also list the settings that are in sync, or the checks that are ready" },
	{ "--nagios", NULL, NULL, FLAG, FIELD(nagios), " verify ready ",
	  "print one line for a monitoring plugin, with its exit codes" },
	{ "--slurm", NULL, NULL, FLAG, FIELD(slurm), " ready ",
	  "print one line, for a Slurm drain reason" },
	{ "--require", NULL, "N/M", SHARE, FIELD(require), " ready ",
	  "exit 2 only if N of the last M runs, at most 64, were not ready" },
	{ "--strict", NULL, NULL, FLAG, FIELD(strict), " check ", "exit 65 on warnings" },
	{ "--strict", NULL, NULL, FLAG, FIELD(strict), " verify ",
	  "exit 2 on warnings and on advice about the host" },
	{ "--no-link-flap", NULL, NULL, FLAG, FIELD(no_link_flap), " plan apply rollback ",
	  "refuse every step that flaps a link, before anything is written" },
	{ "--allow-disruption", NULL, NULL, FLAG, FIELD(allow_disruption), " plan apply rollback ",
	  "flap links that carry the default route, this SSH session or RDMA connections" },
	{ "--allow-disruption", NULL, NULL, FLAG, FIELD(allow_disruption), " probe ",
	  "probe ports that carry RDMA connections, which the traffic slows down" },
	{ "--any-driver", NULL, NULL, FLAG, FIELD(any_driver), " plan apply agent ",
	  "write to ports of other drivers than mlx5_core as well, which nobody has tried" },
	{ "--via", NULL, "ssh", TEXT, FIELD(via), " probe ",
	  "start the other end by ssh: nothing listens" },
	{ "--hosts", NULL, "FILE", TEXT, FIELD(hosts), " probe ",
	  "probe between all hosts of FILE, one a line, by ssh (2 to 128)" },
	{ "--bind", NULL, "ADDRESS", TEXT, FIELD(bind), " probe ",
	  "serve at this address, or ADDRESS:PORT, for the token that it prints" },
	{ "--token", NULL, "-", TEXT, FIELD(token), " probe ",
	  "read the token that the other end has printed from standard input" },
	{ "--peer-port", NULL, "PORT", TEXT, FIELD(peer_port), " probe ",
	  "the other host's port (default: of the same name, or its only one)" },
	{ "--messages", NULL, "NUMBER", MESSAGES, FIELD(messages), " probe ",
	  "messages of 4096 bytes in each run, 500 to 100000 (default: 20000)" },
	{ "--stdio", NULL, NULL, FLAG, FIELD(stdio), " probe ",
	  "serve on standard input and output, as --via ssh starts it" },
	{ "--yes", "-y", NULL, FLAG, FIELD(yes), " probe ",
	  "do not ask before the traffic starts" },
	{ "--keep-going", NULL, NULL, FLAG, FIELD(keep_going), " apply rollback ",
	  "continue with the other ports if one is refused or fails" },
	{ "--dry-run", NULL, NULL, FLAG, FIELD(dry_run), " apply ",
	  "print what `losslessctl plan` prints, with its exit codes; write nothing" },
	{ "--list", NULL, NULL, FLAG, FIELD(list), " rollback ",
	  "list the last ten applies, newest first; write nothing" },
	{ "--to", NULL, "NUMBER", APPLY, FIELD(to), " rollback ",
	  "roll back to the state before apply NUMBER of the list" },
	{ "--recording", NULL, "NUMBER", RECORDING, FIELD(recording), " history ",
	  "print the minutes before the incident of recording NUMBER, a row for each sample" },
	{ "--lock-timeout", NULL, "SECONDS", TIMEOUT, FIELD(lock_timeout_s),
	  " apply confirm rollback ", "wait up to SECONDS for the lock (default: 0)" },
	{ "--confirm-within", NULL, "SECONDS", PERIOD, FIELD(confirm_s), " apply ",
	  "roll back automatically unless `losslessctl confirm` runs within SECONDS" },
	{ "--trust-read-only-mount", NULL, NULL, FLAG, FIELD(trust_read_only_mount),
	  " plan apply agent ",
	  "accept a policy of any mode on a read-only mount, such as a ConfigMap" },
	{ "--allow-other-netns", NULL, NULL, FLAG, FIELD(allow_other_netns), " plan apply agent ",
	  "allow a network namespace other than the host's" },
	{ "--bundle", NULL, "FILE", TEXT, FIELD(file), " doctor ",
	  "write what `losslessctl bundle` collects to a new FILE as well" },
	{ "--anonymise", NULL, NULL, FLAG, FIELD(anonymise), " bundle doctor ",
	  "replace addresses and the names of the host, users, policies and switches" },
	{ "--listen-for", NULL, "SECONDS", PERIOD, FIELD(listen_for_s),
	  " peer verify bundle doctor draft ",
	  "listen for LLDP frames for SECONDS (default: until each port received one, at most "
	  "35; bundle: do not listen; doctor: 10, while it samples the counters)" },
	{ "--fix-switch", NULL, NULL, FLAG, FIELD(fix_switch), " peer ",
	  "print the commands that would give the switch's port the settings of this port" },
	{ "--switch-os", NULL, "OS", TEXT, FIELD(switch_os), " peer ",
	  "print them for cumulus, sonic, eos or nxos (default: what the switch's LLDP system "
	  "description names, else all)" },
	{ "--from", NULL, "SOURCE", TEXT, FIELD(from), " draft ",
	  "host, or switch for what the switch advertises (default: host)" },
	{ "--fabric", NULL, "FABRIC", TEXT, FIELD(fabric), " draft ",
	  "the fabric that the policy names" },
	{ "--firmware", NULL, NULL, FLAG, FIELD(firmware), " plan verify ready ",
	  "query the firmware.* settings as well; slow, and writes PCI configuration space" },
	{ "--sample-for", NULL, "SECONDS", WINDOW, FIELD(sample_for_s), " verify bundle doctor ",
	  "sample the counters for 1 to 3600 SECONDS; verify reports symptoms" },
	{ "--format", NULL, "FORMAT", TEXT, FIELD(format), " env ",
	  "nccl.conf, rccl, ucx, sh, k8s or slurm (default: nccl.conf)" },
	{ "--nccl", NULL, "VERSION", TEXT, FIELD(nccl), " env verify ",
	  "version of NCCL, such as 2.19 (default: job.nccl_version, else the newest)" },
	{ "--check", NULL, "FILE", OPTIONAL_TEXT, FIELD(environ), " env ",
	  "judge the environment of a job instead: FILE, as env(1) prints it, - for standard "
	  "input, or that of this command; and /etc/nccl.conf for what it leaves unset" },
	{ "--pid", NULL, "PID", TEXT, FIELD(pid), " env ",
	  "judge the environment of this process, and the files that it reads" },
	{ "--nccl-log", NULL, "FILE", TEXT, FIELD(nccl_log), " env ",
	  "judge what NCCL reports in its log (NCCL_DEBUG=INFO); - is standard input" },
	{ "--verify-interval", NULL, "SECONDS", PERIOD, FIELD(verify_interval_s), " agent ",
	  "time between two verifications of all settings (default: 30)" },
	{ "--sample-interval", NULL, "SECONDS", PERIOD, FIELD(sample_interval_s), " agent ",
	  "time between two samples of the counters (default: 5)" },
	{ "--nfd", NULL, "FILE", TEXT, FIELD(nfd), " agent ",
	  "write the label losslessctl.in-sync for node-feature-discovery to FILE as well" },
	{ "--interval", NULL, "SECONDS", INTERVAL, FIELD(interval_s), " watch ",
	  "time between two samples, 1 to 60 (default: 1)" },
	{ "--count", NULL, "SAMPLES", SAMPLES, FIELD(count), " watch ",
	  "stop after this number of samples" },
	{ "--speed", NULL, "MBPS", TEXT, FIELD(speed), " headroom ", "link speed: 100000 or 100G" },
	{ "--mtu", NULL, "BYTES", TEXT, FIELD(mtu), " headroom ", "MTU of the port" },
	{ "--cable", NULL, "METRES", TEXT, FIELD(cable), " headroom ", "length of the cable" },
	{ "--max-mtu", NULL, "BYTES", TEXT, FIELD(max_mtu), " headroom ",
	  "largest MTU that the port supports (default: 9978)" },
	{ "--cell", NULL, "BYTES", TEXT, FIELD(cell), " headroom ",
	  "cell size of the adapter's buffers (default: 128)" },
};
/* clang-format on */

#define OPTIONS_COUNT (sizeof(options) / sizeof(options[0]))

bool option_applies(const struct option *o, const struct verb *v)
{
	char word[32];

	if (!o->verbs)
		return true;
	if (!v)
		return false;
	snprintf(word, sizeof(word), " %s ", v->name);
	return strstr(o->verbs, word);
}

const struct option *option_at(size_t i)
{
	return i < OPTIONS_COUNT ? &options[i] : NULL;
}
