#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What the daemon computes between the last MAD before routing and the first MAD of tables.

    bench_daemon.py [--rounds N] [--engines ENGINES] [--opensm ENGINES] FABRIC BUILD...

Stock OpenSM brings up FABRIC, a spec, on simfabric: with the plug-in of each BUILD, a build
directory, in turns; with an engine that routes nothing, floor.c; and with OpenSM's own engines.
Prints Markdown: milliseconds of OpenSM's processor time, the median of the rounds and the least,
and how many times less than the first of --opensm's. SL2VL tables and VL arbitration are
programmed, too (-Q).
"""
import argparse
import os
import statistics
import subprocess
import tempfile

SOURCE = os.path.dirname(os.path.realpath(__file__))


def compile_library(source, target):
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-D_GNU_SOURCE", "-I/usr/include/infiniband",
                    f"{SOURCE}/{source}", "-o", target, "-ldl"], check=True)


def bring_up(fabric, engine, build, plugin, libraries):
    """Seconds of processor time before the first MAD of tables, in one bring-up; @plugin: its name, or None."""
    with tempfile.TemporaryDirectory() as directory:
        with open(directory + "/conf", "w", encoding="utf-8") as conf:
            print("max_wire_smps 32", file=conf)
            if plugin:
                print("event_plugin_name", plugin, file=conf)
        with open(directory + "/roots", "w", encoding="utf-8") as roots:
            print("0x0001000000000000", file=roots)
        times = directory + "/times"
        environment = dict(os.environ, OSM_TMP_DIR=directory, OSM_CACHE_DIR=directory,
                           LD_LIBRARY_PATH=f"{build}:{libraries}", FIRST_LFT_LOG=times)
        # in front of simfabric's libibumad, which simfabric would put first
        preloads = f"LD_PRELOAD={libraries}/first_lft.so:{build}/libsimfabric-umad.so"
        command = [build + "/simfabric/simfabric", fabric, "--wrapper", "own", "--", "env",
                   preloads, "opensm", "-o", "-Q", "-F", directory + "/conf",
                   "-f", directory + "/log", "-R", engine + (",no_fallback" if plugin else "")]
        if engine == "updn" and not plugin:
            command += ["-a", directory + "/roots"]
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        with open(times, encoding="utf-8") as lines:
            return float(lines.readline().split()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engines", default="dla")
    parser.add_argument("--opensm", default="updn")
    parser.add_argument("fabric")
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    arguments = parser.parse_args()
    builds = [os.path.abspath(build) for build in arguments.builds]
    with tempfile.TemporaryDirectory() as libraries:
        compile_library("first_lft.c", libraries + "/first_lft.so")
        compile_library("floor.c", libraries + "/libfloor.so")
        cases = [(engine, build, "osmheddle") for engine in arguments.engines.split(",")
                 for build in builds]
        cases.append(("floor", builds[0], "floor"))
        cases += [(engine, builds[0], None) for engine in arguments.opensm.split(",") if engine]
        seconds = {case: [] for case in cases}
        for _ in range(arguments.rounds):
            for case in cases:
                engine, build, plugin = case
                seconds[case].append(bring_up(arguments.fabric, engine, build, plugin, libraries))
    own = [case for case in cases if not case[2]]
    reference = statistics.median(seconds[own[0]]) if own else None
    print("| engine | of | ms before tables | least | times less |\n|---|---|---:|---:|---:|")
    for case, values in seconds.items():
        median = statistics.median(values)
        of = {"osmheddle": os.path.relpath(case[1]), "floor": "nobody"}.get(case[2], "OpenSM")
        times = f"{reference / median:.1f}" if reference else ""
        print(f"| `{case[0]}` | {of} | {median * 1e3:.1f} | {min(values) * 1e3:.1f} | {times} |")


if __name__ == "__main__":
    main()
