#!/usr/bin/env python3
"""Compare the commands in texts of the product with the table of fixes.

fixes.py    prints a line for each command that fixes.tsv lacks or that no text has, and for each test
            that does not run its command

A fix with a command in backquotes is to be run as it stands; a fix without is an instruction. A row of
fixes.tsv has the kind of a command, the command, and the test that runs it, by tabs:

repairs      it changes what the message complains of
shows        it only prints
switch       it runs on a switch
name         it is no command but the name of a verb, an option or a program
instruction  a fix names it without backquotes, because no test can run it: the reason, instead of a test
"""

import collections
import pathlib
import re

TABLE = pathlib.Path("tests/static/fixes.tsv")
ROOMS = ("policy", "agent", "dcb", "roce", "cli")
KINDS = ("repairs", "shows", "switch", "name", "instruction")
TOKEN = re.compile(r"""/\*.*?\*/|"((?:\\.|[^"\\])*)"|'(?:\\.|[^'\\])*'|\w+|\S""", re.S)


def texts(source):
    """Yield each string, with those beside it, as the compiler joins them."""
    joined = None
    for token in TOKEN.finditer(source):
        if token[0].startswith("/*"):
            continue
        if token[0].startswith('"'):
            joined = (joined or "") + token[1]
        elif joined is not None:
            yield joined
            joined = None


def commands():
    """Find the commands in backquotes, with their files, and the texts without these."""
    found, rest = collections.defaultdict(set), []
    for path in (p for room in ROOMS for p in pathlib.Path(room).rglob("*.*")):
        if path.suffix in (".c", ".h", ".def"):
            for text in texts(path.read_text()):
                for command in re.findall("`([^`]+)`", text):
                    found[command].add(str(path))
                rest.append(re.sub("`[^`]+`", "", text))
    return found, rest


def runs(test, command):
    """True if the test has the program, and of losslessctl also the verb."""
    words = command.split("%")[0].split()
    return " ".join(words[:2] if words[0] == "losslessctl" else words[:1]) in test.read_text()


def main():
    found, rest = commands()
    listed = set()
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        kind, command, test = line.split("\t")
        if kind not in KINDS or command in listed:
            print(f"{TABLE}:{number}: {line}")
        listed.add(command)
        if kind == "instruction":
            if not any(command in text for text in rest):
                print(f"{TABLE}:{number}: no text has {command} without backquotes")
            for printed in found:
                if f" {command} " in f" {printed} ":
                    print(f"{TABLE}:{number}: `{printed}` is printed, and no test can run it")
            continue
        if command not in found:
            print(f"{TABLE}:{number}: no text has `{command}`")
        if kind == "repairs" and test == "-":
            print(f"{TABLE}:{number}: no test runs `{command}`")
        if test != "-" and not (pathlib.Path(test).is_file() and runs(pathlib.Path(test), command)):
            print(f"{TABLE}:{number}: {test} does not run `{command}`")
    for command in sorted(found.keys() - listed):
        print(f"{min(found[command])}: {TABLE} lacks `{command}`")
    if len(found) < 100:
        print(f"hardly any command: {len(found)}")


main()
