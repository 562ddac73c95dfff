"""Compare the verdicts of `check` and of the schema on generated policies; print differences.

    agree.py PROGRAM FOLDER COUNT [SEED]

Each document is one of FOLDER/valid, or one generated from the schema, changed in a few
places: other types, values at and beside bounds, keys unknown, missing, misspelt and swapped.
FOLDER/beyond.tsv lists the reasons of check that no schema can express.
"""

import collections
import copy
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import jsonschema

ODD = [None, True, False, 0, -1, 1, 7, 8, 63, 64, 100, 101, 255, 256, 65535, 65536, 2**31, 2**53 + 1,
       1.0, 1.5, -0.0, "", "a", "3", "strict", "none", ">=100000", "[", "n" * 63, "n" * 64, "\u202e",
       [], [3], [3, 3], [None], {}, {"a": 1}, {"comment": "x"}]


def resolve(schema, draw):
    while "anyOf" in schema and "properties" not in schema:
        schema = draw.choice(schema["anyOf"])
    return schema


def some_text(schema, draw):
    if "pattern" in schema:
        return draw.choice(["roce", "a-b_c", "28.41.*", ">=28.39", "", "a b", "mlx5*", "100G", ">=100000"])
    return draw.choice(["p", "a", "ens*", "roce.*", "0000:3b:00.0", "mtu", "x y"])


def some_list(schema, draw):
    size = draw.randint(schema.get("minItems", 0), min(schema.get("maxItems", 3), 8))
    return [some(schema.get("items", {}), draw) for _ in range(size)]


def some_object(schema, draw):
    known = schema.get("properties", {})
    keys = [k for k in known if k in schema.get("required", []) or draw.random() < 3 / (len(known) + 1)]
    out = {k: some(known[k], draw) for k in keys}
    for pattern, value in schema.get("patternProperties", {}).items():
        keys = draw.sample([str(n) for n in range(70)] + ["v100", "a b", "00", "7 "], draw.randint(0, 4))
        out.update({k: some(value, draw) for k in keys if re.search(pattern, k) or draw.random() < 0.1})
    extra = schema.get("additionalProperties")
    if isinstance(extra, dict):
        out.update({k: some(extra, draw) for k in draw.sample(["p", "q", "v100", "3", "26"], draw.randint(0, 2))})
    return out


def some(schema, draw):
    """Generate a document of this schema, or nearly."""
    if schema is True or not schema:
        return draw.choice(ODD)
    schema = resolve(schema, draw)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return draw.choice(schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = draw.choice(kind)
    low, high = schema.get("minimum", 0), schema.get("maximum", 2**32)
    makers = {
        "integer": lambda: draw.choice([low, high, low - 1, high + 1, draw.randint(low, high), low, high]),
        "boolean": lambda: draw.random() < 0.5,
        "null": lambda: None,
        "string": lambda: some_text(schema, draw),
        "array": lambda: some_list(schema, draw),
        "object": lambda: some_object(schema, draw),
    }
    return makers[kind]() if kind in makers else draw.choice(ODD)


def places(node, found):
    """List every container of the document."""
    if isinstance(node, (dict, list)) and node:
        found.append(node)
        for value in node.values() if isinstance(node, dict) else node:
            places(value, found)
    return found


def misspell(key, draw):
    at = draw.randrange(len(key) + 1)
    return draw.choice([key.upper(), key + "s", key[:at] + key[at + 1:], key + " ", "", key[::-1], "comment"])


def change(document, schema, draw):
    """Make one small change somewhere."""
    spots = places(document, [])
    if not spots:
        return
    node = draw.choice(spots)
    keys = list(node) if isinstance(node, dict) else list(range(len(node)))
    key, other = draw.choice(keys), draw.choice(keys)
    what = draw.randrange(9)
    if what == 0:
        del node[key]
    elif what == 1:
        node[key] = copy.deepcopy(draw.choice(ODD))
    elif what == 2 and isinstance(node[key], int):
        node[key] = int(node[key]) + draw.choice([-1, 1])
    elif what == 3:
        node[key], node[other] = node[other], node[key]
    elif what == 4 and isinstance(node, dict):
        node[misspell(key, draw)] = node.pop(key)
    elif what == 5 and isinstance(node, list):
        node.append(copy.deepcopy(node[other]))
    elif what == 6 and isinstance(node[key], int):
        node[key] = float(node[key]) if draw.random() < 0.2 else str(node[key])
    elif what == 7:
        node[key] = copy.deepcopy(draw.choice(draw.choice(spots[:1] + [node]) and [node[other]]))
    elif document.get("profiles") and isinstance(document["profiles"], dict):
        name = draw.choice(list(document["profiles"]))
        document["profiles"][name] = some(schema["properties"]["profiles"]["additionalProperties"], draw)


def documents(schema, folder, count, draw):
    sources = [json.loads(p.read_text("utf-8")) for p in sorted(pathlib.Path(folder).glob("valid/*/policy.json"))]
    sources = [d for d in sources if "schema" not in d and len(json.dumps(d)) < 6000]
    for _ in range(count):
        document = copy.deepcopy(draw.choice(sources)) if draw.random() < 0.7 else some_object(schema, draw)
        for _ in range(draw.choice([0, 1, 1, 1, 2, 3])):
            change(document, schema, draw)
        yield document


def said_of(answer):
    """Return whether check accepts the policy, and the reason if it does not."""
    if answer["verdict"] == "valid":
        return True, ""
    if answer["errors"]:
        return False, answer["errors"][0]["message"]
    return False, "rule " + next(f["lint"] for f in answer["findings"] if f["severity"] == "critical")


def said_by_check(program, texts):
    """Check all texts in one process, as a sanitized one spends most of its time at the start."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{n}.json" for n in range(len(texts))]
        for name, text in zip(names, texts):
            pathlib.Path(folder, name).write_text(text, "utf-8")
        run = subprocess.run([program, "--json", "check", *names], cwd=folder, capture_output=True)
    if run.returncode not in (0, 65):
        sys.exit(f"exit code {run.returncode}: {run.stderr.decode()}")
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if [answer["file"] for answer in answers] != names:
        sys.exit(f"{len(texts)} policies, {len(answers)} answers")
    said = [said_of(answer) for answer in answers]
    if (run.returncode == 0) != all(taken for taken, _ in said):
        sys.exit(f"exit code {run.returncode}, and {sum(taken for taken, _ in said)} of {len(texts)} policies are taken")
    return said


def batches(items, size):
    items = iter(items)
    return iter(lambda: list(itertools.islice(items, size)), [])


def main(program, folder, count, seed="1"):
    schema = json.loads(subprocess.run([program, "schema"], capture_output=True, check=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    rows = [line.split("\t") for line in pathlib.Path(folder, "beyond.tsv").read_text("utf-8").splitlines()]
    beyond = [re.compile(row[0]) for row in rows]
    tally, used = collections.Counter(), set()
    made_up = documents(schema, folder, int(count), random.Random(int(seed)))
    for batch in batches(made_up, 100):
        texts = [json.dumps(document, ensure_ascii=False) for document in batch]
        for document, text, (taken, why) in zip(batch, texts, said_by_check(program, texts)):
            described = validator.is_valid(document)
            tally[taken, described] += 1
            if taken == described:
                continue
            reasons = [row for row in beyond if described and not taken and row.search(why)]
            used.update(reasons)
            if not reasons:
                print(f"check {'takes' if taken else 'refuses'}, the schema {'takes' if described else 'refuses'}: "
                      f"{why}: {text[:700]}")
    if tally[True, True] < int(count) // 20 or tally[False, False] < int(count) // 20:
        print(f"too few of one kind: {dict(tally)}")
    print(f"{count} documents: {dict(tally)}", f"{len(used)} of {len(beyond)} reasons used", file=sys.stderr)
    for row in beyond:
        if row not in used:
            print(f"not seen: {row.pattern}", file=sys.stderr)


main(*sys.argv[1:])
