#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""dla and d3r beside df-sssp and any on dragonflies where several links join two groups: a table of docs/defaults.md.

	bench/trunked.py HEDDLE [FABRIC...] [--measure TIME]
	bench/trunked.py HEDDLE --all P [--measure TIME]

The first form prints, for each fabric and engine, flows of the busiest link between switches (heddle show load) and
what the simulator accepts of uniform traffic at load 1, by switches with one queue for each VL and by such with
virtual output queues. "~" stands before a figure of a run that the simulator does not call steady. The second form
goes through all shapes with a <= 6 and h <= 4 with P hosts on a switch, and prints where dla or d3r is more than 2%
behind df-sssp.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

ENGINES = ("dla", "d3r", "df-sssp", "any")
SHAPES = (
    "a=3,p=2,h=3,g=7", "a=2,p=2,h=4,g=6", "a=3,p=3,h=2,g=4", "a=4,p=2,h=2,g=5", "a=4,p=2,h=2,g=8", "a=4,p=2,h=3,g=5",
    "a=4,p=4,h=2,g=3", "a=4,p=4,h=4,g=9", "a=4,p=4,h=4,g=15", "a=5,p=2,h=1,g=4", "a=5,p=2,h=2,g=7", "a=5,p=2,h=4,g=13",
    "a=5,p=3,h=3,g=8", "a=6,p=3,h=2,g=11", "a=6,p=3,h=3,g=10",
)


def run(*command):
    return subprocess.run([str(each) for each in command], capture_output=True, text=True)


def simulate(arguments, tables, voq):
    """(accepted, whether that is steady)"""
    out = tables + ".csv"
    run(arguments.heddle, "sim", tables, "--quiet", "-s", "traffic.load=1", "-s", f"run.warmup={arguments.measure}",
        "-s", f"run.measure={arguments.measure}", "-s", f"switch.voq={voq}", "--csv", out)
    with open(out, encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    return float(row["accepted"]), row["steady"] in ("yes", "1")


def measure(arguments, fabric, engine):
    """SLs, VLs, flows, what is accepted with one queue and with virtual output queues; None: refused."""
    with tempfile.TemporaryDirectory() as scratch:
        tables = os.path.join(scratch, "tables")
        routed = run(arguments.heddle, "route", fabric, "-e", engine, "--quiet", "--json", "-o", tables)
        if routed.returncode:
            return None
        result = json.loads(routed.stdout)
        load = json.loads(run(arguments.heddle, "show", tables, "load", "--json").stdout)["links"]
        busiest = max(each["max"] for kind, each in load.items() if kind not in ("injection", "terminal"))
        return result["sls"], result["vls"], busiest, simulate(arguments, tables, "no"), simulate(arguments, tables, "yes")


def accepted(value):
    return ("" if value[1] else "~") + f"{value[0]:.3f}"


def print_table(arguments):
    print("| fabric | engine | busiest link, flows | accepted | with VOQs | SLs | VLs |\n|---|---|---:|---:|---:|---:|---:|")
    for fabric in arguments.fabrics or ["dragonfly:" + each for each in SHAPES]:
        name = f"`{fabric}`"
        for engine in ENGINES:
            result = measure(arguments, fabric, engine)
            if not result:
                continue
            sls, vls, busiest, plain, voq = result
            print(f"| {name} | `{engine}` | {busiest:,} | {accepted(plain)} | {accepted(voq)} | {sls} | {vls} |")
            sys.stdout.flush()
            name = ""


def print_behind(arguments):
    behind, ratios, n = [], {}, 0
    for a in range(1, 7):
        for h in range(1, 5):
            for g in range(2, a * h + 1):
                fabric = f"dragonfly:a={a},p={arguments.all},h={h},g={g}"
                peer = measure(arguments, fabric, "df-sssp")
                n += 1
                for engine in ("dla", "d3r"):
                    mine = measure(arguments, fabric, engine)
                    for what, ratio in (("flows", peer[2] / mine[2]), ("accepted", mine[3][0] / peer[3][0]),
                                        ("with VOQs", mine[4][0] / peer[4][0])):
                        ratios.setdefault((engine, what), []).append(ratio)
                        if ratio < 1 / 1.02:
                            behind.append((engine, what, ratio, fabric))
    for (engine, what), values in ratios.items():
        here = sorted((ratio, fabric) for e, w, ratio, fabric in behind if (e, w) == (engine, what))
        print(f"{engine}, {what}: mean {sum(values) / n:.3f} of df-sssp's, behind on {len(here)} of {n}")
        for ratio, fabric in here:
            print(f"    {ratio:.3f} {fabric}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("heddle")
    parser.add_argument("fabrics", nargs="*", metavar="FABRIC")
    parser.add_argument("--measure", default="1ms", help="window of the simulation, after a warm-up of as long")
    parser.add_argument("--all", type=int, metavar="P", help="all shapes, with P hosts on a switch")
    arguments = parser.parse_args()
    if arguments.all:
        print_behind(arguments)
    else:
        print_table(arguments)


if __name__ == "__main__":
    main()
