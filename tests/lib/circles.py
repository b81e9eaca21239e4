#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Circles of source files that use one another: circles.py BUILD-DIRECTORY

A file uses another when its object needs a symbol of the other's, as nm tells; calls through pointers do not count.
Prints each circle with its symbols, and exits 1 when one is not known (KNOWN); 2: nm shows nothing, as of objects for
link-time optimization. Tests and benchmarks are left out.
"""
import collections
import os
import subprocess
import sys

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
LEFT_OUT = ("tests", "bench")
NOT_DEFINED = "Uwv"

# Circles that may be there, or a part of each, and why.
KNOWN = (
    ("pattern mix is made of patterns, of which it is one",
     "sim/traffic/mix.c sim/traffic/parse.c sim/traffic/patterns.c"),
    ("layer rule flex asks the engine's own rule, by its name",
     "sl2vl/layer_flex.c sl2vl/rules.c"),
    ("topology multiplane is made of another topology",
     "topologies/multiplane.c topologies/topology.c"),
)


def objects(build):
    for directory, directories, files in os.walk(build):
        below = os.path.relpath(directory, build)
        # other builds, too, when this one is in the source directory
        if below.split(os.sep)[0] in LEFT_OUT or (below != "." and "config.status" in files):
            directories.clear()
            continue
        yield from (os.path.normpath(os.path.join(below, name)) for name in files if name.endswith(".o"))


def source_of(path):
    """The source of an object, whose name may begin with its program's; None where it is gone."""
    directory, name = os.path.split(path[:-2] + ".c")
    parts = name.split("-")
    for first in range(len(parts)):
        source = os.path.join(directory, "-".join(parts[first:]))
        if os.path.exists(os.path.join(SOURCE, source)):
            return source
    return None


def uses_of(build):
    """{source: {source that it uses: symbols}}"""
    defined = collections.defaultdict(set)
    needed = collections.defaultdict(set)
    sources = {path: source_of(path) for path in objects(build)}
    paths = [path for path, source in sources.items() if source]
    listing = subprocess.run(["nm", "-AgP"] + paths, cwd=build, stdout=subprocess.PIPE, check=True) if paths else None
    for line in listing.stdout.decode().splitlines() if listing else ():
        path, rest = line.split(": ", 1)
        symbol, kind = rest.split()[:2]
        if kind in NOT_DEFINED:
            needed[sources[path]].add(symbol)
        else:
            defined[symbol].add(sources[path])
    uses = {source: collections.defaultdict(set) for source in sources.values() if source}
    for source, symbols in needed.items():
        for symbol in symbols:
            for other in defined[symbol] - {source}:
                uses[source][other].add(symbol)
    return uses


def reached_from(uses, source):
    reached, left = set(), [source]
    while left:
        new = set(uses[left.pop()]) - reached
        reached |= new
        left.extend(new)
    return reached


def circles_of(uses):
    reached = {source: reached_from(uses, source) for source in uses}
    circles = {frozenset(other for other in reached[source] if source in reached[other])
               for source in uses if source in reached[source]}
    return sorted(circles, key=lambda circle: (len(circle), sorted(circle)))


def show(uses, circle, why):
    print("%d files: %s" % (len(circle), why))
    for source in sorted(circle):
        for other in sorted(circle & set(uses[source])):
            print("\t%s uses %s: %s" % (source, other, " ".join(sorted(uses[source][other]))))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    uses = uses_of(sys.argv[1])
    if not any(uses.values()):
        print("circles: no object in %s is seen to use another" % sys.argv[1])
        sys.exit(2)
    new = 0
    for circle in circles_of(uses):
        why = [reason for reason, files in KNOWN if circle <= set(files.split())]
        show(uses, circle, why[0] if why else "a new circle")
        new += not why
    sys.exit(1 if new else 0)


if __name__ == "__main__":
    main()
