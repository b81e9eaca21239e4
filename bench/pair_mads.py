#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Round trips of single MADs through the own umad library, of two builds by turns.

    bench/pair_mads.py OLD NEW [-n PAIRS] [--mads N] [--under COMMAND]

OLD and NEW are build directories in which `make bench/bench_mads` was run. Each pair runs OLD and NEW, or NEW and OLD,
one right after the other, on a fabric that each has up all the time; ratios are NEW / OLD of a pair. COMMAND goes before
simulators and clients: with "chrt -f 1" (root) nothing else on the machine gets between two MADs.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("old")
parser.add_argument("new")
parser.add_argument("-n", type=int, default=41, help="pairs")
parser.add_argument("--mads", type=int, default=4000)
parser.add_argument("--under", default="", help="for instance: chrt -f 1")
arguments = parser.parse_args()
builds = (os.path.abspath(arguments.old), os.path.abspath(arguments.new))


def name(build):
    return f"pair-{os.getpid()}-{builds.index(build)}"


def start(build):
    server = subprocess.Popen(
        [*arguments.under.split(), build + "/simfabric/simfabric", "-s", name(build), "dragonfly:a=4,p=2,h=2"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    server.stdout.readline()
    return server


def once(build, mad, window):
    """Microseconds of a MAD."""
    command = [*arguments.under.split(), "env", f"LD_PRELOAD={build}/libsimfabric-umad.so",
               builds[0] + "/bench/bench_mads", "0,1", mad, str(arguments.mads), str(window)]
    output = subprocess.run(command, env=dict(os.environ, IBSIM_SOCKNAME=name(build)), check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    seconds, answers, _ = output.split()
    if int(answers) != arguments.mads:
        sys.exit(f"pair_mads.py: {build} lost MADs: {output}")
    return float(seconds) * 1e6 / arguments.mads


def compare(mad, window):
    times = {build: [] for build in builds}
    for i in range(arguments.n):
        for build in builds[::-1] if i % 2 else builds:
            times[build].append(once(build, mad, window))
    old, new = (times[build] for build in builds)
    quarters = statistics.quantiles([b / a for a, b in zip(old, new)], n=4)
    print(f"| {mad} | {window} | {statistics.median(old):.2f} | {statistics.median(new):.2f} | {quarters[1]:.3f} | "
          f"{quarters[0]:.3f} to {quarters[2]:.3f} |", flush=True)


servers = [start(build) for build in builds]
try:
    time.sleep(0.5)
    print("| MAD | at once | old us | new us | ratio | quartiles |")
    print("|---|---:|---:|---:|---:|---:|")
    for mad in ("get", "set"):
        for window in (1, 4, 8):
            compare(mad, window)
finally:
    for server in servers:
        server.terminate()
