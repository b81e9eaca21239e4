#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Engine heddle beside every engine whose tables are sound: the table of docs/defaults.md.

	bench/defaults.py HEDDLE [--recorded DIR] [--measure TIME] [--jobs N] [FABRIC...]

For each fabric, and each engine whose tables pass the proof with all traffic: flows of the busiest link between
switches (heddle show load), SLs, VLs, and what the simulator accepts of uniform traffic at load 1. "~" stands before
a figure of a run that the simulator does not call steady. Without FABRIC, the fabrics of the page; those of DIR, as
recorded, are among them where DIR is given.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

ENGINES = ("heddle", "dla", "d3r", "df-sssp", "df-minhop", "dfplus", "hdor", "layered", "dmodc", "any", "updn", "minhop")
RECORDED = ("superpod-gb200.net", "psmn-x5.net", "superbench-dangling.net", "plafrim-p.net", "director-cs7500.net.xz")
# a spec, or one with links that fail: SPEC -N
FABRICS = (
    "director:lines=30x24,uplinks=9",
    "director:lines=30x24,uplinks=7",
    "director:lines=36,uplinks=18x18x9x5x1,hosts=18x18x24x18x6",
    "director:lines=36,edges=40,uplinks=9,direct=6",
    "director:uplinks=9x18x4,aggregation=yes",
    "director:lines=18,spines=9,cables=2,uplinks=10x3",
    "director:lines=30x24,uplinks=9 -20",
    "tree:k=8,n=3",
    "tree:k=8,n=3 -10",
    "pgft:m=16x8x4,w=1x8x4",
    "pgft:m=7x9x6,w=1x3x4,p=1x3x1",
    "dragonfly:a=4,p=2,h=2",
    "dragonfly:a=6,p=3,h=3",
    "dragonfly:a=6,p=3,h=3 -1",
    "dragonfly:a=6,p=3,h=3 -10",
    "dragonfly:a=3,p=2,h=3,g=7",
    "dragonfly:a=6,p=2,h=2,local=ring",
    "dragonflyplus:leaves=4,g=9",
    "dragonflyplus:leaves=4,g=9 -4",
    "torus:8x8",
    "torus:8x8 -4",
    "mesh:8x8",
    "hyperx:6x6",
    "hyperx:6x6 -4",
    "kns:k=8,n=2",
    "kns:k=8,n=2 -2",
    "slimfly:q=5",
    "slimfly:q=5 -4",
    "slimfly:q=7",
    "slimfly:q=7 -4",
    "polarfly:q=7",
    "polarfly:q=7 -4",
)


def run(*command):
    return subprocess.run([str(each) for each in command], capture_output=True, text=True)


class Case:
    """One fabric, one engine."""

    def __init__(self, arguments, name, path, engine):
        self.arguments, self.name, self.path, self.engine = arguments, name, path, engine

    def measure(self):
        """SLs, VLs, the engine in the end, flows, accepted share; None: refused, or not sound."""
        heddle, scratch = self.arguments.heddle, tempfile.mkdtemp()
        try:
            tables = os.path.join(scratch, "tables")
            routed = run(heddle, "route", self.path, "--lmc", 0, "-e", self.engine, "--quiet", "--json", "-o", tables)
            if routed.returncode:
                return None
            result = json.loads(routed.stdout)
            load = json.loads(run(heddle, "show", tables, "load", "--json").stdout)["links"]
            busiest = max(each["max"] for kind, each in load.items()
                          if kind not in ("injection", "terminal"))
            out = os.path.join(scratch, "sim.csv")
            run(heddle, "sim", tables, "--quiet", "-s", "traffic.load=1", "-s", f"run.warmup={self.arguments.measure}",
                "-s", f"run.measure={self.arguments.measure}", "--csv", out)
            with open(out, encoding="utf-8") as file:
                row = next(csv.DictReader(file))
            steady = "" if row.get("steady", "yes") in ("yes", "1", "") else "~"
            return result["engine"], result["sls"], result["vls"], busiest, steady + f"{float(row['accepted']):.3f}"
        finally:
            shutil.rmtree(scratch)


def prepare(arguments, directory):
    """(name, path) of each fabric."""
    names = list(arguments.fabrics) or list(FABRICS)
    if arguments.recorded and not arguments.fabrics:
        names = [each for each in RECORDED if os.path.exists(os.path.join(arguments.recorded, each))] + names
    for number, name in enumerate(names):
        recorded = os.path.join(arguments.recorded or "", name)
        spec, _, failed = name.partition(" -")
        if arguments.recorded and os.path.exists(recorded):
            yield name, recorded
            continue
        path = os.path.join(directory, f"{number}.net")
        command = [arguments.heddle, "topo", "--quiet", spec, "--assign-lids", "-o", path]
        if run(*command, *(["--fail-links", failed] if failed else [])).returncode:
            sys.exit(f"defaults.py: no such fabric: {name}")
        yield name, path


def print_rows(name, results):
    best = min(each[3] for engine, each in results if engine != "heddle")
    for engine, (taken, sls, vls, busiest, accepted) in results:
        shown = f"`heddle` ({taken})" if engine == "heddle" else f"`{engine}`"
        print(f"| {f'`{name}`' if engine == 'heddle' else ''} | {shown} | {busiest:,} | {busiest / max(best, 1):.2f} "
              f"| {accepted} | {sls} | {vls} |")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("heddle")
    parser.add_argument("fabrics", nargs="*", metavar="FABRIC")
    parser.add_argument("--recorded", metavar="DIR", help="where recorded fabrics are")
    parser.add_argument("--measure", default="200us", help="window of the simulation, after a warm-up of as long")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    print("| fabric | engine | busiest link, flows | of the best | accepted at load 1 | SLs | VLs |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for name, path in prepare(arguments, directory):
            cases = [Case(arguments, name, path, engine) for engine in ENGINES]
            results = list(zip(ENGINES, pool.map(Case.measure, cases)))
            if results[0][1]:
                print_rows(name, [each for each in results if each[1]])


if __name__ == "__main__":
    main()
