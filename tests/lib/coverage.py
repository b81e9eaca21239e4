#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Lines that the tests have run, by room: coverage.py SOURCE-DIRECTORY BUILD-DIRECTORY [-v]

BUILD-DIRECTORY was configured with --enable-coverage; what counts is all that has run there since it was built.
A line that several programs have counts once. -v: by file, with the lines that nothing has run.
"""
import json
import os
import subprocess
import sys


def objects(build):
    for directory, _, files in os.walk(build):
        for name in files:
            if name.endswith(".gcno"):
                yield os.path.join(directory, name)


def main():
    source, build = (os.path.realpath(path) for path in sys.argv[1:3])
    verbose = "-v" in sys.argv[3:]
    lines = {}  # file -> {line: whether it has run}
    for path in objects(build):
        found = subprocess.run(["gcov", "--json-format", "--stdout", path], cwd=build, capture_output=True, text=True,
                               check=False)
        for text in found.stdout.splitlines():
            data = json.loads(text)
            for file in data["files"]:
                at = os.path.realpath(os.path.join(data["current_working_directory"], file["file"]))
                name = os.path.relpath(at, source)
                if name.startswith((os.pardir, "tests", "bench", "build")):
                    continue
                runs = lines.setdefault(name, {})
                for line in file["lines"]:
                    runs[line["line_number"]] = runs.get(line["line_number"], False) or line["count"] > 0
    if not lines:
        sys.exit("coverage: nothing was built here with --enable-coverage")
    rooms = {}
    for name, runs in sorted(lines.items()):
        room = rooms.setdefault(os.path.dirname(name), [0, 0])
        room[0] += sum(runs.values())
        room[1] += len(runs)
        if verbose:
            missed = [str(line) for line, run in sorted(runs.items()) if not run]
            print(f"{name}: {len(runs) - len(missed)} of {len(runs)}; not {', '.join(missed) or 'any'}")
    for room, (run, all_lines) in sorted(rooms.items()):
        print(f"{room:24} {run:6} of {all_lines:6} lines, {100 * run / all_lines:5.1f}%")
    run, all_lines = (sum(room[i] for room in rooms.values()) for i in range(2))
    print(f"{'all':24} {run:6} of {all_lines:6} lines, {100 * run / all_lines:5.1f}%")


main()
