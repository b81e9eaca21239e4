#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What engines need on one core: SLs, VLs, hops, time to route and to prove, memory.

    bench_engines.py [--heddle ENGINES] [--opensm ENGINES] [--rounds N] [--csv FILE] FABRIC...

Ours run in `heddle route`, which tells its own times; the best of the rounds counts. OpenSM's run in
the stock daemon on simfabric, once; their time is that between "building routing" and "tables
configured" in its log. Engines are names separated by commas; "-": none. A FABRIC is a spec; with
"@N" after it, at most N seconds are given to one run of OpenSM. Run it in a build directory.
"""
import argparse
import csv
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time

COLUMNS = ["fabric", "end_nodes", "switches", "engine", "of", "sls", "vls", "max_hops",
           "route_s", "check_s", "peak_mib", "verdict"]


def run(command, limit=None, **options):
    """Exit status (None: killed when the time was up), standard output, peak memory in MiB."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, **options)
        end = time.monotonic() + limit if limit else None
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG if end else 0)
            if pid:
                break
            if time.monotonic() > end:
                os.killpg(process.pid, 9)
                os.wait4(process.pid, 0)
                return None, "", 0
            time.sleep(0.05)
        out.seek(0)
        return os.waitstatus_to_exitcode(status), out.read(), usage.ru_maxrss / 1024


def ours(spec, engine, rounds):
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    best = None
    for _ in range(rounds):
        status, text, peak = run(["./heddle", "route", spec, "-e", engine, "--json"],
                                 env=environment)
        if status != 0 and not text.startswith("{"):
            return {"verdict": text.strip().removeprefix("heddle: ")}
        result = json.loads(text)
        if best is None or result["route_seconds"] < best["route_s"]:
            best = {"route_s": result["route_seconds"], "sls": result["sls"],
                    "vls": result["vls"], "max_hops": result["max_hops"],
                    "verdict": "sound" if result["sound"] else "unsound",
                    "check_s": result["check_seconds"], "peak_mib": round(peak)}
    return best


def stamp(line):
    text = " ".join(line.split()[:4])
    return datetime.datetime.strptime("2000 " + text, "%Y %b %d %H:%M:%S %f")


def write_torus(spec, path):
    """torus-2QoS wants to be told the torus: its sizes and a link along each dimension."""
    found = re.match(r"torus:(\d+)x(\d+)(?:x(\d+))?$", spec)
    if not found:
        return
    sizes = [int(size or 1) for size in found.groups()]
    with open(path, "w") as stream:
        print("torus", *sizes, file=stream)
        stride = 1
        for name, size in zip("xyz", sizes):
            if size > 1:
                print(f"{name}p_link 0x1000000000000 {0x1000000000000 + stride:#x}", file=stream)
            stride *= size


def opensm(spec, engine, limit):
    """One bring-up; updn gets a switch as its root, as it finds none by itself."""
    with tempfile.TemporaryDirectory() as directory:
        log, roots = directory + "/log", directory + "/roots"
        with open(roots, "w") as stream:
            print("0x0001000000000000", file=stream)
        with open(directory + "/conf", "w") as stream:
            print("max_wire_smps 32", file=stream)
        write_torus(spec, directory + "/torus")
        environment = dict(os.environ, OSM_TMP_DIR=directory, OSM_CACHE_DIR=directory,
                           LD_LIBRARY_PATH=os.getcwd())
        command = ["simfabric/simfabric", spec, "--wrapper", "own", "--", "opensm", "-o", "-F",
                   directory + "/conf", "-R", engine, "-f", log, "-D", "0x07"]
        if engine in ("updn", "dnup"):
            command += ["-a", roots]
        if engine == "torus-2QoS":
            command += ["--torus_config", directory + "/torus"]
        if engine in ("lash", "dfsssp", "nue", "torus-2QoS"):
            command += ["-Q"]
        status, _, peak = run(command, limit, env=environment, start_new_session=True)
        if status is None:
            return {"verdict": f"over {limit} s"}
        begin, end, vls = None, None, ""
        with open(log, errors="replace") as stream:
            for line in stream:
                if f"building routing with '{engine}'" in line:
                    begin = stamp(line)
                elif f"{engine} tables configured" in line and begin:
                    end = stamp(line)
                    break
                found = re.search(r"(?:Virtual Lanes|Lanes) needed: (\d+)|(\d+) lanes needed", line)
                if found:
                    vls = found.group(1) or found.group(2)
        if not end:
            return {"verdict": "refused"}
        return {"route_s": round((end - begin).total_seconds(), 6), "vls": vls,
                "peak_mib": round(peak), "verdict": "configured"}


def describe(spec):
    status, text, _ = run(["./heddle", "topo", spec, "--json"])
    if status:
        sys.exit(text)
    fabric = json.loads(text)
    return {"fabric": spec, "end_nodes": fabric["adapters"], "switches": fabric["switches"]}


def names(text):
    return [] if text == "-" else text.split(",")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default="dla,d3r,df-minhop,df-sssp,dfval,updn")
    parser.add_argument("--opensm", default="minhop,updn")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--csv")
    parser.add_argument("fabrics", nargs="+", metavar="FABRIC")
    arguments = parser.parse_args()
    stream = open(arguments.csv, "w", newline="") if arguments.csv else sys.stdout
    writer = csv.DictWriter(stream, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for given in arguments.fabrics:
        spec, _, limit = given.partition("@")
        known = describe(spec)
        for engine in names(arguments.heddle):
            writer.writerow(known | {"engine": engine, "of": "heddle"} |
                            ours(spec, engine, arguments.rounds))
            stream.flush()
        for engine in names(arguments.opensm):
            writer.writerow(known | {"engine": engine, "of": "OpenSM"} |
                            opensm(spec, engine, int(limit) if limit else 600))
            stream.flush()


if __name__ == "__main__":
    main()
