#!/usr/bin/env python3
"""Find the modules of the product that depend on each other in a circle.

circles.py BUILD [-v]    prints a line for each circle: its modules; with -v their connections

A module is X.c with X.h; a source without its own header belongs to the header that declares its
symbols. A module depends on the modules whose headers it includes, and on those that define the
symbols it uses, wherever these are declared. Two sources of one header must not use each other.
"""

import collections
import pathlib
import re
import subprocess
import sys

ROOMS = ("policy", "agent", "dcb", "roce", "cli")
# The module that lists the verbs; two verbs print the list.
TABLE = "cli/verbs/verbs"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+[.]h)"', re.M)


class Source:
    def __init__(self, path, objects):
        here = pathlib.Path.cwd()
        text = path.read_text()
        self.name = str(path.with_suffix(""))
        self.is_header = path.suffix == ".h"
        self.words = set(re.findall(r"\w+", text))
        self.headers = [
            str((here / path.parent / name).resolve().relative_to(here).with_suffix(""))
            for name in INCLUDE.findall(text)
        ]
        of = "" if self.is_header else "_".join(path.with_suffix("").parts)
        self.uses, self.defines = objects.get(of, ([], []))


def read_objects(build):
    """Map each source, such as agent_daemon_loop, to its undefined and its defined symbols."""
    objects = {}
    for room in ROOMS:
        for path in build.glob(f"{room}/lib*.a.p/*.o"):
            objects[path] = f"{room}_{path.stem}"
        for path in build.glob(f"*.p/{room}_*.o"):
            objects[path] = path.stem
    said = subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True).stdout
    found = collections.defaultdict(lambda: ([], []))
    for line in said.splitlines():
        path, symbol = line.split(":", 1)
        kind, name = symbol.split()[-2:]
        if kind in "UTDBRC":
            found[objects[pathlib.Path(path)].removesuffix(".c")][kind != "U"].append(name)
    return found


def home(source, headers):
    """Return the source's header: its own, or the one that declares most of its symbols."""
    if source.is_header or source.name in headers:
        return source.name
    known = {name: sum(s in headers[name].words for s in source.defines)
             for name in source.headers if name in headers}
    best = max(known, key=known.get, default=None)
    return best if best and known[best] else source.name


def graph(sources):
    headers = {s.name: s for s in sources if s.is_header}
    module = {id(s): home(s, headers) for s in sources}
    owner = {symbol: module[id(s)] for s in sources for symbol in s.defines}
    edges = collections.defaultdict(dict)
    for s in sources:
        mine = module[id(s)]
        for name in s.headers:
            edges[mine].setdefault(name, f"{s.name} includes {name}.h")
        for symbol in s.uses:
            edges[mine].setdefault(owner.get(symbol, mine), f"{s.name} uses {symbol}")
    return edges


def uses(sources):
    """Map each source to the sources whose symbols it uses, whatever header declares them."""
    owner = {symbol: s.name for s in sources for symbol in s.defines if s.name != TABLE}
    edges = collections.defaultdict(dict)
    for s in sources:
        for symbol in s.uses:
            edges[s.name].setdefault(owner.get(symbol, s.name), f"{s.name} uses {symbol}")
    return edges


def reachable(edges, start):
    seen, todo = set(), [start]
    while todo:
        here = todo.pop()
        for to in edges.get(here, ()):
            if to != here and to not in seen:
                seen.add(to)
                todo.append(to)
    return seen


def circles(edges):
    """Find the sets of modules each of which reaches all others."""
    reach = {name: reachable(edges, name) for name in edges}
    done = set()
    for name in sorted(reach):
        if name in reach[name] and name not in done:
            circle = sorted(to for to in reach[name] if name in reach.get(to, ()))
            done.update(circle)
            yield circle


def main():
    build = pathlib.Path(sys.argv[1])
    objects = read_objects(build)
    sources = [Source(path, objects) for room in ROOMS for path in pathlib.Path(room).rglob("*.[ch]")]
    if sum(bool(s.defines) for s in sources) < 100:
        print(f"hardly any objects in {build}")
    for edges in graph(sources), uses(sources):
        for circle in circles(edges):
            print(*circle)
            for name in circle if "-v" in sys.argv else ():
                for to in circle:
                    if to != name and to in edges[name]:
                        print(f"    {edges[name][to]}")


main()
