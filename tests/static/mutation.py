"""Find the rows of tests/static/mutations in the sources of the current directory.

mutation.py FUNCTION EXPRESSION [REPLACEMENT]   prints the file, and replaces the expression in it
mutation.py --check BUILD                       prints the rows that do not fit
"""

import glob
import json
import os
import re
import subprocess
import sys

ROWS = "tests/static/mutations"
ROOMS = ["policy", "agent", "dcb", "roce", "cli"]


class Unfit(Exception):
    """The row does not fit the sources."""


def bodies():
    """Map each function and table, alone and as FILE:NAME, to its files and lines."""
    sources = [f for room in ROOMS for f in glob.glob(room + "/**/*.c", recursive=True)]
    command = ["ctags", "-x", "--_xformat=%F %N %n %e", "--languages=C", "--kinds-C=fv"]
    found = {}
    for tag in subprocess.check_output(command + sources, text=True).splitlines():
        file, name, *lines = tag.split(" ")
        for key in name, os.path.basename(file) + ":" + name:
            if lines[1].isdigit():
                found.setdefault(key, []).append((file, int(lines[0]), int(lines[1])))
    return found


def pattern(expression):
    """Return a pattern for the expression's tokens with any white space between them."""
    tokens = re.findall(r"\w+|[^\w\s]", expression)
    middle = r"\s*".join(map(re.escape, tokens))
    return re.compile(rf"(?!\B\w){middle}(?<!\w\B)")


def place(found, function, expression):
    """Return the file, its text, and the offsets of the expression's begin and end."""
    where = found.get(function, [])
    if len(where) != 1:
        files = ", ".join(file for file, _, _ in where)
        raise Unfit(f"{function} is defined {len(where)} times, not once: {files}")
    file, first, last = where[0]
    with open(file, encoding="utf-8") as source:
        lines = source.read().splitlines(keepends=True)
    start, end = (len("".join(lines[:n])) for n in (first - 1, last))
    text = "".join(lines)
    spans = [match.span() for match in pattern(expression).finditer(text, start, end)]
    if len(spans) != 1:
        raise Unfit(f"{function} in {file} has this {len(spans)} times, not once: {expression}")
    return file, text, *spans[0]


def mutate(function, expression, replacement=None):
    file, text, start, end = place(bodies(), function, expression)
    if replacement is not None:
        with open(file, "w", encoding="utf-8") as source:
            source.write(text[:start] + replacement + text[end:])
    print(file)


def check(build):
    found = bodies()
    tests = json.loads(subprocess.check_output(["meson", "introspect", "--tests", build]))
    known = {"policies"} | {test["name"] for test in tests}
    known |= {"guest:" + os.path.basename(f)[:-3] for f in glob.glob("tests/system/*.sh")}
    seen = set()
    with open(ROWS, encoding="utf-8") as rows:
        lines = rows.readlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            continue
        row = line.rstrip("\n").split("\t")
        try:
            if len(row) not in (4, 5) or not all(row) or row[1] == row[2]:
                raise Unfit(
                    "expected four or five fields, none empty, and a replacement that differs"
                )
            place(found, row[0], row[1])
            unknown = set(row[3].split(",")) - known
            if unknown:
                raise Unfit("no such test: " + ", ".join(sorted(unknown)))
            if tuple(row[:3]) in seen:
                raise Unfit("the same mutation is listed above")
            seen.add(tuple(row[:3]))
        except Unfit as why:
            print(f"{ROWS}:{number}: {why}")


try:
    check(*sys.argv[2:]) if sys.argv[1] == "--check" else mutate(*sys.argv[1:])
except Unfit as why:
    sys.exit(str(why))
