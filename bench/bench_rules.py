#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How fast heddle check --rules judges 20 rules on large fabrics.

    bench_rules.py [--keep DIRECTORY] [SPEC:ENGINE:LMC...]

Run it in a build directory. `kept`: rules of all kinds that the tables keep. `violated`: the same
with bounds that no table keeps, so every rule has violations. Seconds are of CPU on one core, with
reading the snapshot and printing; MiB at most.
"""
import argparse
import os
import subprocess
import sys
import tempfile

SPECS = ["tree:k=22,n=3:dmodc:0", "tree:k=22,n=3:dmodc:1", "dragonfly:a=16,p=8,h=8,g=83:dla:0"]

SETS = """
[set storage]  nodes = H-000[0-4]*
[set compute]  sets = hosts  without = storage
[set fabric]  kind = switch
[set none]  nodes = none*  at_least = 0
[set quarter]  nodes = *[0369]  kind = switch
[set roots]  nodes = %s
"""

# what a table keeps, and what none keeps
KINDS = [
    ("max_hops = 5", "max_hops = 1"),
    ("from = compute  to = storage  max_hops = 5  avoid = none", "from = compute  to = storage  max_hops = 1  avoid = fabric"),
    ("stay_in = fabric", "stay_in = none"),
    ("via = fabric  sl = 0-15", "via = none  sl = 15"),
    ("max_load = 30", "max_load = 1"),
    ("from = storage  to = compute  max_flows = 10000000", "from = storage  to = compute  max_flows = 1"),
    ("from = compute  to = storage  together = yes  survive = any  min_spines = 2  spines = roots",
     "from = compute  to = storage  together = yes  survive = any  min_spines = 1000  spines = roots"),
]
LIDS = [("survive = link  lids = all", "disjoint = switches  survive = any")]


def rules(roots, violated, several_lids):
    kinds = KINDS + (LIDS if several_lids else [])
    text = SETS % roots
    for r in range(20):
        text += "[rule r%d]  %s\n" % (r, kinds[r % len(kinds)][violated])
    return text


def run(command, statuses):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=dict(os.environ, OMP_NUM_THREADS="1"))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in statuses:
        sys.exit("%s: exit status %d" % (" ".join(command), process.returncode))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep")
    parser.add_argument("specs", nargs="*", default=SPECS)
    arguments = parser.parse_args()
    print("%-32s %-8s %4s %9s %8s %6s" % ("fabric", "engine", "LMC", "rules", "seconds", "MiB"))
    with tempfile.TemporaryDirectory() as scratch:
        directory = arguments.keep or scratch
        snapshot = os.path.join(directory, "snapshot")
        for spec in arguments.specs:
            fabric, engine, lmc = spec.rsplit(":", 2)
            run(["./heddle", "route", fabric, "-e", engine, "--lmc", lmc, "-o", snapshot], (0,))
            for violated in False, True:
                path = os.path.join(directory, "rules")
                with open(path, "w") as file:
                    file.write(rules("L2S*, S2.*" if fabric.startswith("tree") else "G*0", violated, lmc != "0"))
                seconds, memory = run(["./heddle", "check", snapshot, "--rules", path], (0, 1))
                print("%-32s %-8s %4s %9s %8.2f %6.0f" % (fabric, engine, lmc, "violated" if violated else "kept", seconds, memory))


main()
