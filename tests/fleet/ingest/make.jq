# Print documents of every kind, superseded ones, and one of each trap.
def head($kind; $host; $id; $at): {schema: "losslessctl/\($kind)/1", host: $host, host_id: $id,
	boot_id: "b", losslessctl_version: "0.1.0", observed_at: "2026-11-24T\($at)Z"};
def policy: {policy: {name: "gpu", sha256: "p1", generation: 3}};
def setting($name; $status; $desired; $actual): {setting: $name, status: $status, desired: $desired,
	actual: $actual, origin: "policy.json:6", kernel_interface: "rtnetlink link"};
def link_of($port; $chassis; $ours; $theirs): {port: $port, verdict: "differs",
	lldp_source: "raw_socket", peer: {chassis_id: $chassis, port_id: "swp1", system_name: "leaf",
		port_description: null, ttl_s: 120, sender_count: 1},
	comparisons: [{subject: "ets", status: "agrees", actual: {}, peer: null},
		{subject: "pfc", status: "differs", actual: {pfc: {priorities: $ours}},
			peer: {pfc: {priorities: $theirs}}}]};
def check($name; $port; $status; $expected; $actual): {check: $name, port: $port, status: $status,
	expected: $expected, actual: $actual};
def record($event; $at): {recorded_at: "2026-11-24T\($at)Z", port: "p0", setting: "mtu", event: $event,
	from: 9000, to: 1500, likely_writer: "a program", first_seen_at: "2026-11-24T08:00:00Z",
	duration_s: null};
def run($path; $state; $data): {path: $path, state: $state, data: $data, acknowledgements:
	(if $data then {verdict: "in_class"} else null end)};

# verify --all of one host has a drifted value, and a map with only its differences.
(head("verify"; "gpu-1"; "id1"; "10:00:00") + policy + {verdict: "drift", state_hash: "s1",
	unmet_rules: 1, unmet_message: "rule 2 found no port", ports: [
	{port: "p0", verdict: "drift", settings: [setting("mtu"; "drift"; 9000; 1500),
		setting("trust"; "in_sync"; "dscp"; "dscp"),
		setting("dscp.prio"; "drift"; {"26": 3}; {"26": 4}),
		setting("ecn.np"; "unsupported"; true; null), setting("host.tcp_ecn"; "advice"; 1; 2),
		setting("no.such"; "in_sync"; 1; 1)],
	 comparisons: [{subject: "pfc", status: "drift", desired: {pfc: {priorities: [3]}}, actual: null}],
	 symptoms: [{symptom: "cnp-ignored", status: "warning", severity: "warning"},
		{symptom: "lossless-drops", status: "in_sync", severity: "critical"}],
	 findings: [{lint: "pfc-with-global-pause", severity: "critical", message: "PFC and pause", fix: "f"},
		{lint: "roce-tos-not-lossless", severity: "warning", message: "not lossless", fix: "f"}]},
	{port: "p1", verdict: "unknown", settings: [setting("mtu"; "unknown"; 9000; null),
		setting("trust"; "in_sync"; "dscp"; "dscp")], comparisons: [], symptoms: []}]}),
# The agent's status of the same second loses to verify; the next is of another host.
(head("status"; "gpu-1"; "id1"; "10:00:00") + policy + {verdict: "in_sync", state_hash: "s1",
	ports: [{port: "p0", verdict: "in_sync", drifted_settings: [], unknown_settings: [], symptoms: []}]}),
(head("status"; "gpu-2"; "id2"; "10:00:00") + policy + {verdict: "drift", state_hash: "s2", ports: [
	{port: "p0", verdict: "drift", drifted_settings: [{setting: "mtu", state: "contested", desired: 9000,
		actual: 1500}], unknown_settings: ["link.fec"],
	 symptoms: [{symptom: "pause-storm-sent", severity: "critical"}], findings: [{lint:
		"buffer-empty", severity: "critical", message: "no room", fix: "f"}]},
	{port: "p1", verdict: "unknown", present: false, drifted_settings: [], unknown_settings: [],
	 symptoms: []}]}),
(head("show"; "gpu-2"; "id2"; "10:00:01") + {state_hash: "s2", ports: [{port: "p0", config: {mtu: 1500,
	pfc: {priorities: [3]}, link: {fec: "rs"}}}, {port: "p1", config: {mtu: 1500}}]}),
(head("peer"; "gpu-1"; "id1"; "10:00:00") + {policy: null, verdict: "differs",
	ports: [link_of("p0"; "00:01"; [3]; [3, 4]), link_of("p1"; "00:02"; []; "x")]}),
(head("peer"; "gpu-1"; "id1"; "09:00:00") + {policy: null, verdict: "agrees",
	ports: [link_of("p2"; "00:09"; [3]; [3])]}),
(head("ready"; "gpu-1"; "id1"; "10:00:00") + {policy: null, verdict: "not_ready", checks: [
	check("gid"; "p0"; "not_ready"; "v2"; null), check("memlock"; null; "unknown"; 8; [1, "a"]),
	check("numa-node"; "p0"; "ready"; 0; 0)]}),
# A record from before the clock was set back is left out.
(head("history"; "gpu-1"; "id1"; "10:00:00") + {records: [record("detected"; "08:00:00"),
	record("repaired"; "08:00:05"),
	record("repaired"; "08:00:06") + {recorded_at: "2099-11-24T08:00:00Z"}]}),
(head("history"; "gpu-1"; "id1"; "11:00:00") + {records: [record("detected"; "08:00:00"),
	record("resolved"; "10:30:00")]}),
(head("probe"; "gpu-1"; "id1"; "10:00:00") + {peer: "gpu-2", pairs: [{port: "p0", peer_port: "p1", runs: [
	run("verbs"; "connected"; {verdict: "rewritten"}), run("gpu"; "unsupported"; null)]}]}),
(head("probe-matrix"; "gpu-1"; "id1"; "12:00:00") + {hosts: [{address: "a1", host: "gpu-1"},
	{address: "a3", host: null}], pairs: [{address: "a1", peer_address: "a3", port: null, peer_port: null,
	runs: []}]}),
# A clone has the machine-id of another host, and the same time; another host has no machine-id.
(head("verify"; "gpu-3"; "id2"; "10:00:00") + policy + {verdict: "in_sync", state_hash: null, ports: []}),
(head("verify"; "gpu-4"; null; "10:00:00") + {policy: null, verdict: "unknown", state_hash: null, ports: []}),
# The parts of a bundle are documents; a confirm document is not for a fleet.
(head("bundle"; "gpu-5"; "id5"; "10:00:00") + {show: (head("show"; "gpu-5"; "id5"; "10:00:00") +
	{state_hash: "s2", ports: [{port: "p0", config: {mtu: 1500, pfc: {priorities: [3]}}},
		{port: "p1", config: {mtu: 1500}}]}), peer: null}),
(head("confirm"; "gpu-1"; "id1"; "10:00:00") + {outcome: "confirmed"})
