"""Write the documents of a made-up fleet as losslessctl prints them, one a line.

fleet_documents.py HOSTS PORTS DIRECTORY

For each 10,000 hosts state-N.ndjson has what verify and the agents report, and links-N.ndjson what
peer, show, ready and history print; at last, `inventory` names all hosts. Equal arguments make equal
files.

One host in a hundred drifted, one in five hundred has a symptom, one in a thousand is silent; two
switches in a hundred disagree on PFC; a third of the hosts has the next generation of the policy.
Each state is shown by the first host that has it.
"""

import copy
import hashlib
import json
import pathlib
import random
import sys

HOSTS_OF_A_SWITCH = 32
HOSTS_OF_A_FILE = 10000
REPORTS = pathlib.Path(__file__).parent.parent / "golden/v1/reports"

# Drifts of a port: setting, desired, actual.
DRIFTS = [
    ("mtu", 9000, 1500),
    ("mtu", 9000, 4200),
    ("pfc.priorities", [3], []),
    ("pfc.priorities", [3], [3, 4]),
    ("trust", "dscp", "pcp"),
    ("ets.bandwidth", [50, 0, 0, 50, 0, 0, 0, 0], [100, 0, 0, 0, 0, 0, 0, 0]),
    ("cnp.dscp", 48, 0),
    ("roce.tos", 106, 0),
]
SYMPTOMS = [
    ("link-flapping", "warning", "cable"),
    ("pause-storm-received", "critical", "fabric"),
    ("ecn-marks-without-cnp", "warning", "host"),
    ("rdma-out-of-order", "warning", "fabric"),
]
GENERATIONS = [
    {"losslessctl_version": "0.1.0", "sha256": "7" * 64, "generation": 7, "clamp": False},
    {"losslessctl_version": "0.2.0", "sha256": "8" * 64, "generation": 8, "clamp": True},
]
ETS = {"prio_tc": [0, 0, 0, 3, 0, 0, 6, 0], "bandwidth": [50, 0, 0, 50, 0, 0, 0, 0]}
ETS["tsa"] = ["ets", "ets", "ets", "ets", "ets", "ets", "strict", "ets"]
DSCP = {"prio": {"26": 3, "48": 6}, "rest": 0}


def compact(value):
    return json.dumps(value, separators=(",", ":")) if value else "[]"


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def at(second):
    """Return a time on the day of the fleet's reports."""
    return f"2026-11-24T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"


def host_name(number):
    return f"gpu-node-{number:06}"


class Host:
    """The properties of one host, which depend on its number alone."""

    def __init__(self, number, ports):
        draw = random.Random(number)
        self.number = number
        self.name = host_name(number)
        self.id = digest(self.name)[:32]
        self.boot_id = f"00000000-0000-4000-8000-{number:012}"
        self.second = draw.randrange(80000)
        self.silent = draw.random() < 0.001
        self.new = draw.random() < 1 / 3
        self.generation = GENERATIONS[self.new]
        self.drifts = {}  # by port
        if draw.random() < 0.01:
            drift = draw.choice(DRIFTS)
            first, last = draw.choice([(0, ports), (0, 1), (ports // 2, ports // 2 + 1)])
            self.drifts = {port: drift for port in range(first, last)}
        self.symptom = draw.choice(SYMPTOMS) if draw.random() < 0.002 else None
        if number % 25000 < 3:
            self.symptom = ("pause-deadlock-suspected", "critical", "fabric")
        self.ready = draw.random() >= 0.003
        self.verdict = "drift" if self.drifts else self.port_verdict(0)

    def state_key(self):
        return f"{self.new} {sorted(self.drifts.items())}"

    def head(self, kind, second):
        return (
            f'{{"schema":"losslessctl/{kind}/1","host":"{self.name}","host_id":"{self.id}",'
            f'"boot_id":"{self.boot_id}",'
            f'"losslessctl_version":"{self.generation["losslessctl_version"]}",'
            f'"observed_at":"{at(second)}"'
        )

    def policy(self):
        generation = self.generation
        return (
            f'"policy":{{"name":"gpu-backend","sha256":"{generation["sha256"]}",'
            f'"generation":{generation["generation"]}}}'
        )

    def symptoms(self, port, **more):
        if port or not self.symptom:
            return []
        symptom, severity, origin = self.symptom
        found = {"symptom": symptom, "severity": severity, "origin": origin}
        return [found | {"message": "The cause is behind the port, or in the cable."} | more]

    def drifted(self, port):
        return [self.drifts[port]] if port in self.drifts else []

    def port_verdict(self, port):
        critical = not port and self.symptom and self.symptom[1] == "critical"
        return "drift" if port in self.drifts else "symptom" if critical else "in_sync"


def port_name(port):
    return f"ens{port + 1}f0np0"


def verify_port(host, port):
    critical = host.port_verdict(port) == "symptom"
    symptoms = host.symptoms(port, status="symptom" if critical else "advice")
    settings = [
        {
            "setting": setting,
            "status": "drift",
            "desired": desired,
            "actual": actual,
            "kernel_interface": "dcbnl IEEE PFC",
            "origin": "/etc/losslessctl/policy.json:9",
            "message": "A 4096-byte RDMA packet needs an MTU of at least 4200.",
            "fix": "run `losslessctl apply` to repair it",
        }
        for setting, desired, actual in host.drifted(port)
    ]
    return (
        f'{{"port":"{port_name(port)}","verdict":"{host.port_verdict(port)}",'
        '"link":{"carrier":true,"speed_mbps":400000,"best_speed_mbps":400000},'
        f'"settings":{compact(settings)},"comparisons":[],'
        f'"symptoms":{compact(symptoms)},"findings":[]}}'
    )


def verify(host, ports, state_hash):
    listed = ",".join(verify_port(host, port) for port in range(ports))
    return (
        f"{host.head('verify', host.second)},{host.policy()},"
        f'"verdict":"{host.verdict}","warning_count":0,"unmet_rules":0,"unmet_message":null,'
        f'"state_hash":"{state_hash}","ports":[{listed}],"port_differences":[]}}'
    )


def status_port(host, port):
    drifted = [
        {
            "setting": setting,
            "state": "contested" if host.number % 8 == 1 else "drift",
            "first_seen_at": at(host.second - host.second % 600),
            "desired": desired,
            "actual": actual,
        }
        for setting, desired, actual in host.drifted(port)
    ]
    return (
        f'{{"port":"{port_name(port)}","verdict":"{host.port_verdict(port)}","present":true,'
        f'"carrier":true,"repair_paused":false,"drifted_settings":{compact(drifted)},'
        f'"unknown_settings":[],"symptoms":{compact(host.symptoms(port))}}}'
    )


def status(host, ports, state_hash):
    listed = ",".join(status_port(host, port) for port in range(ports))
    return (
        f'{host.head("status", host.second)},"pid":{1000 + host.number % 30000},'
        f'"verified_at":"{at(host.second)}","mode":"report",{host.policy()},'
        f'"last_reload_successful":true,"verdict":"{host.verdict}","unmet_rules":0,'
        f'"unmet_message":null,"state_hash":"{state_hash}","ports":[{listed}]}}'
    )


def comparison(subject, desired, actual, theirs):
    judged = {"subject": subject, "status": "agrees" if actual == theirs else "differs"}
    judged |= {"desired": desired, "actual": actual, "advertised": None, "peer": theirs}
    if actual != theirs:
        judged |= {
            "reason": "peer-pfc-mismatch",
            "message": "the switch has other lossless priorities",
            "fix": "set PFC of the switch's port to the policy's priorities",
        }
    return compact(judged)


def pfc(priorities):
    return {"pfc": {"priorities": priorities}}


def pfc_comparisons():
    """Return the comparisons, by the priorities of host and switch."""
    lists = ([], [3], [3, 4])
    return {
        (tuple(ours), tuple(theirs)): comparison("pfc", pfc([3]), pfc(ours), pfc(theirs))
        for ours in lists
        for theirs in lists
    }


PFC = pfc_comparisons()
ALIKE = comparison("ets", {"ets": ETS}, {"ets": ETS}, {"ets": ETS})
ALIKE += "," + comparison("app", {"dscp": DSCP}, {"dscp": DSCP}, {"dscp": DSCP})


def peer_port(host, port):
    switch = host.number // HOSTS_OF_A_SWITCH
    lists = [actual for setting, _, actual in host.drifted(port) if setting == "pfc.priorities"]
    actual = lists[0] if lists else [3]
    theirs = [3, 4] if digest(f"switch {switch} {port}")[:2] < "05" else [3]
    differs = actual != theirs
    peer = (
        f'{{"chassis_id":"02:00:00:{switch >> 8:02x}:{switch & 255:02x}:{port:02x}",'
        f'"port_id":"Ethernet{host.number % HOSTS_OF_A_SWITCH + 1}",'
        f'"system_name":"leaf-{switch:04}-{port}","port_description":"{host.name}",'
        '"ttl_s":120,"sender_count":1}'
    )
    text = (
        f'{{"port":"{port_name(port)}","verdict":"{"differs" if differs else "agrees"}",'
        f'"lldp_source":"raw_socket","peer":{peer},'
        f'"comparisons":[{PFC[tuple(actual), tuple(theirs)]},{ALIKE}]}}'
    )
    return differs, text


def peer(host, ports):
    judged = [peer_port(host, port) for port in range(ports)]
    verdict = "differs" if any(differs for differs, _ in judged) else "agrees"
    return (
        f"{host.head('peer', host.second + 60)},{host.policy()},"
        f'"verdict":"{verdict}","ports":[{",".join(text for _, text in judged)}]}}'
    )


def changed(config, setting, value):
    group, _, key = setting.partition(".")
    if key:
        config[group] = config[group] | {key: value}
    else:
        config[group] = value


class Shows:
    """Write the show documents: one for each state, from the first host that has it."""

    def __init__(self, ports):
        first = (REPORTS / "show.jsonl").read_text().splitlines()[0]
        self.model = json.loads(first)
        self.ports = ports
        self.hashes = {}

    def hash_of(self, host):
        """Return the hash, and whether the host is the first with that state."""
        key = host.state_key()
        known = key in self.hashes
        return self.hashes.setdefault(key, digest(key)), not known

    def port(self, host, port):
        shown = copy.deepcopy(self.model["ports"][0])
        shown["port"] = port_name(port)
        config = shown["config"]
        for setting, desired, _ in DRIFTS:
            changed(config, setting, desired)
        config["dcqcn"]["clamp_tgt_rate"] = host.generation["clamp"]
        for setting, _, actual in host.drifted(port):
            changed(config, setting, actual)
        return shown

    def document(self, host, state_hash):
        rest = {"state_hash": state_hash, "platform": self.model["platform"]}
        rest["ports"] = [self.port(host, port) for port in range(self.ports)]
        rest |= {"port_differences": [], "ignored_interfaces": []}
        return host.head("show", host.second) + "," + compact(rest)[1:]


def not_ready(host):
    failed = {"check": "memlock", "port": None, "status": "not_ready"}
    failed |= {"expected": "unlimited", "actual": 65536, "details": None}
    failed |= {"message": "jobs cannot register memory", "fix": "set LimitMEMLOCK=infinity"}
    failed |= {"kernel_interface": "/proc/self/limits"}
    return (
        f"{host.head('ready', host.second + 120)},{host.policy()},"
        '"verdict":"not_ready","totals":{"ready":0,"not_ready":1,"unknown":0},'
        f'"checks":[{compact(failed)}]}}'
    )


def drift_record(host, port):
    setting, desired, actual = host.drifts[port]
    time = at(host.second)
    record = {"port": port_name(port), "pci": f"0000:{port:02x}:00.0", "setting": setting}
    record |= {"event": "detected", "from": desired, "to": actual}
    record |= {"likely_writer": "a program on this host, which set the port's DCB settings"}
    return record | {"recorded_at": time, "first_seen_at": time, "duration_s": None}


def drift(host):
    records = [drift_record(host, port) for port in sorted(host.drifts)]
    head = host.head("history", host.second + 180)
    return f'{head},"dropped_count":0,"records":{compact(records)}}}'


def write_host(host, shows, state_file, links_file):
    state_hash, is_first = shows.hash_of(host)
    state = status if host.number % 2 else verify
    state_file.write(state(host, shows.ports, state_hash) + "\n")
    links_file.write(peer(host, shows.ports) + "\n")
    if is_first:
        links_file.write(shows.document(host, state_hash) + "\n")
    if not host.ready:
        links_file.write(not_ready(host) + "\n")
    if host.drifts:
        links_file.write(drift(host) + "\n")


def write_hosts(begin, end, shows, directory):
    number = begin // HOSTS_OF_A_FILE
    with (
        open(directory / f"state-{number}.ndjson", "w", encoding="utf-8") as state_file,
        open(directory / f"links-{number}.ndjson", "w", encoding="utf-8") as links_file,
    ):
        for host in (Host(number, shows.ports) for number in range(begin, end)):
            if not host.silent:
                write_host(host, shows, state_file, links_file)


def main(count, ports, directory):
    shows = Shows(ports)
    for begin in range(0, count, HOSTS_OF_A_FILE):
        write_hosts(begin, min(begin + HOSTS_OF_A_FILE, count), shows, directory)
    names = "".join(f"{host_name(number)}\n" for number in range(count))
    (directory / "inventory").write_text(names)


main(int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3]))
