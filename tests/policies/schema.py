"""Compare the verdicts of the schema and of the parser on every case; print differences."""

import json
import pathlib
import sys

import jsonschema

# Cases that a schema cannot express: sums, relations of keys, names of profiles and settings, and
# details that a reader of JSON drops (a duplicate key, 9000.0 for 9000).
BEYOND = {
    "bandwidth-of-99",
    "bandwidth-of-a-strict-class",
    "class-of-cnps-is-lossless",
    "class-of-cnps-with-two-dscps",
    "class-of-cnps-without-a-dscp",
    "class-of-the-rest-is-lossless",
    "class-shares-of-90",
    "class-strict-with-a-share",
    "class-without-a-share",
    "classes-of-cnps",
    "classes-of-one-dscp",
    "classes-of-one-name",
    "classes-of-one-priority",
    "classes-with-trust-pcp",
    "classes-with-two-rests",
    "classes-without-a-rest",
    "congestion-control-mrc-with-lossless-class",
    "congestion-control-spectrum-x-with-dcqcn",
    "control-characters",
    "credit-based-shaper",
    "dscp-without-an-entry",
    "duplicate-dscp",
    "duplicate-key",
    "match-speed-in-gbps",
    "misspelt-profile",
    "mtu-with-a-fraction",
    "pattern-of-a-firmware-not-equal",
    "pattern-of-a-firmware-with-a-letter",
    "pattern-of-a-firmware-with-equals",
    "pattern-of-a-firmware-with-plus",
    "pattern-of-a-firmware-with-x",
    "pattern-of-a-mac-with-dashes",
    "pattern-of-a-part-of-a-firmware",
    "pattern-of-a-regular-expression",
    "pattern-of-drivers",
    "pattern-of-half-a-mac",
    "pattern-with-a-blank",
    "pattern-with-a-comma",
    "pattern-with-an-open-bracket",
    "pcp-with-a-dscp-map",
    "pfc-beside-pause",
    "pfc-beside-pause-on-one-of-two-rules",
    "lint-dcbx-host-mode-willing",
    "lint-lossless-buffer-size-zero",
    "lint-lossless-headroom-too-small",
    "lint-maxrate-wraps",
    "lint-vlan-egress-not-lossless",
    "when-breaks-a-rule",
    "when-contradicts-the-profile",
    "when-speed-from-more-to-less",
}


def document(path):
    """Return the case's policy, or None for text that is no JSON and for documents of show."""
    try:
        policy = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return None if "schema" in policy else policy


def main(schema, folder, expected):
    validator = jsonschema.Draft202012Validator(json.loads(pathlib.Path(schema).read_text("utf-8")))
    validator.check_schema(validator.schema)
    judged = 0
    for path in sorted(pathlib.Path(folder, expected).glob("*/policy.json")):
        policy, case = document(path), path.parent.name
        if policy is None:
            continue
        judged += 1
        taken = validator.is_valid(policy)
        if taken != (expected == "valid" or case in BEYOND):
            print(f"{case}: the schema {'takes' if taken else 'refuses'} it")
    if not judged:
        print("no case was judged")


main(*sys.argv[1:])
