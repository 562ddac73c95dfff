#!/usr/bin/env python3
"""List the names that scripts, dashboards and policies may depend on, by kind, sorted.

identifiers.py BUILD             compares the names with tests/golden/v1/identifiers
identifiers.py BUILD --update    writes the file

Each line is "KIND NAME [DETAIL...]". Within version 1 lines may be added; a removed or changed line
breaks users.
"""

import difflib
import json
import pathlib
import re
import subprocess
import sys

BUILD = pathlib.Path(sys.argv[1])
GOLDEN = pathlib.Path("tests/golden/v1/identifiers")
KINDS = {
    "policy_keys": "policy-key",
    "thresholds": "threshold",
    "settings": "setting",
    "lints": "lint",
    "fabrics": "fabric",
    "congestion_controls": "congestion-control",
    "peer_reasons": "peer-reason",
    "symptoms": "symptom",
    "ready_checks": "ready-check",
    "counters": "counter",
    "job_keys": "job-key",
    "traps": "trap",
}


def read(path):
    return pathlib.Path(path).read_text()


def say(*words):
    program = str(BUILD / "losslessctl")
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def explained():
    for group, entries in json.loads(say("--json", "explain")).items():
        if group not in KINDS:
            continue
        for entry in entries:
            name = next(value for key, value in entry.items() if key not in ("schema",))
            details = [entry[key] for key in ("severity", "status", "type") if key in entry]
            yield " ".join([KINDS[group], str(name), *details])


def keys(kind, schema, path):
    """List the keys and words of a schema. "set" and "optional" repeat the settings."""
    if isinstance(schema, bool):
        return
    for word in schema.get("enum", []):
        yield f"{kind}-value {path} {json.dumps(word)}"
    if isinstance(schema.get("const"), str):
        yield f"{kind}-value {path} {schema['const']}"
    for name, below in schema.get("properties", {}).items():
        yield f"{kind}-key {path}.{name}"
        if name not in ("set", "optional"):
            yield from keys(kind, below, f"{path}.{name}")
    for key in ("items", "additionalProperties"):
        yield from keys(kind, schema.get(key, True), path + "[]")
    for choice in schema.get("anyOf", []):
        yield from keys(kind, choice, path)


def documents():
    for name, part in json.loads(read("packaging/schema/report.json"))["$defs"].items():
        yield from keys("report", part, name)
    policy = json.loads(say("schema"))
    del policy["properties"]["severity"]["properties"]  # lints and symptoms
    yield from keys("policy", policy, "policy")


def state_files():
    """List the paths in the sources, and the keys in the golden files."""
    folders = {"FOLDER": "/run/losslessctl", "AGENT_DIR": "/run/losslessctl"}
    folders["JOURNAL_DIR"] = "/var/lib/losslessctl/journal"
    for source in pathlib.Path("agent").rglob("*.[ch]"):
        text = source.read_text()
        for path in re.findall(r'"(/(?:var/lib|run)/losslessctl/[a-z.-]+)"', text):
            yield f"file {path}"
        for folder, name in re.findall(r'\b([A-Z_]+) "(/[a-z%.-]+)"', text):
            if folder in folders:
                yield f"file {folders[folder]}{name}"
    for path in pathlib.Path("tests/golden/v1/host").rglob("*.json"):
        document = json.loads(path.read_text())
        for name in [*document, *document.get("ports", [{}])[0]]:
            yield f"state-key {document['schema']} {name}"


def command_line():
    help_text = say("--help").split("options of every verb")
    verbs = re.findall(r"^  ([a-z]+) ", help_text[0], re.M)
    common = re.findall(r"^  (?:-., )?(--[a-z-]+)", help_text[1], re.M)
    yield from (f"option {option}" for option in common)
    for verb in verbs:
        yield f"verb {verb}"
        for option in re.findall(r"^  (?:-., )?(--[a-z-]+)", say(verb, "--help"), re.M):
            if option not in common:
                yield f"option {verb} {option}"
    codes = re.findall(r"\b(\d+) +([a-z]+(?: [a-z]+)*)", help_text[1].split("exit codes")[1])
    yield from (f"exit-code {code} {name}" for code, name in codes)
    for source in pathlib.Path("cli").rglob("*.c"):
        for name in re.findall(r'getenv\("([A-Z_]+)"\)', source.read_text()):
            yield f"environment {name}"


def agent():
    log = read("agent/host/log.c")
    for severity, event_id, word in re.findall(r"\{ ([A-Z]+), \"([0-9a-f]{32})\",\s+\"([a-z-]+)\" \}", log):
        yield f"event {word} {event_id} {severity.lower()}"
    yield from (f"journal-field {name}" for name in re.findall(r'"(LOSSLESSCTL_[A-Z]+)="', log))
    families = read("agent/daemon/metrics/metrics.c")
    for name, kind in re.findall(r'\{ "([a-z_]+)", (GAUGE|COUNTER),', families):
        yield f"metric losslessctl_{name} {kind.lower()}"
    page = read("tests/packaging/prometheus/metrics.prom")
    for name, labels in re.findall(r"^([a-z_]+)\{(.*)\} ", page, re.M):
        for label, value in re.findall(r'([a-z0-9_]+)="([^"]*)"', labels):
            is_word = label in ("status", "outcome", "reason", "direction")
            yield f"metric-label {name} {label}" + (f"={value}" if is_word else "")
    for source in [*pathlib.Path("dcb").rglob("*.c"), *pathlib.Path("roce").rglob("*.c")]:
        for body in re.findall(r"^const struct feature .*?^\};", source.read_text(), re.M | re.S):
            yield "feature " + re.search(r'\.name = "([a-z0-9-]+)"', body)[1]


def integrations():
    rules = read("packaging/prometheus/losslessctl.rules.yml")
    for kind, name in re.findall(r"^ *- (alert|record): (\S+)", rules, re.M):
        yield f"{kind} {name}"
    monitor = json.loads(read("packaging/kubernetes/npd/losslessctl-monitor.json"))
    for entry in monitor["conditions"]:
        yield f"node-condition {entry['type']} {entry['reason']}"
    for entry in monitor["rules"]:
        yield f"node-condition {entry['condition']} {entry['reason']}"
    label = re.search(r"losslessctl\.[a-z-]+(?==%s)", read("agent/daemon/status_file.c"))
    yield f"node-label {label[0]}"


def main():
    sources = (explained, documents, state_files, command_line, agent, integrations)
    lines = sorted({line for source in sources for line in source()})
    text = "\n".join(lines) + "\n"
    if "--update" in sys.argv:
        GOLDEN.write_text(text)
        return
    before = GOLDEN.read_text().splitlines()
    for line in difflib.unified_diff(before, lines, lineterm="", n=0):
        if line[:3] not in ("---", "+++") and line[0] in "+-":
            print(line)
    if before != lines:
        print("if that is meant: tests/static/identifiers.py build --update")


main()
