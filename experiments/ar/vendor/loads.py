#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What published schemes of adaptive routing accept, beside engines whose paths are fixed.

    experiments/ar/vendor/loads.py [HEDDLE [WORD]]

prints the second table of README.md, or those rows of it that have WORD, in three minutes of one core: accepted load at load 1 of uniform
and of adversarial traffic, and the share of hosts' links that an all-to-all keeps busy. All have a
buffer of 16 packets for each VL, and a FIFO for each VL. "~": not shown to be steady. With two
service classes, half of the traffic each, VLs take turns; these rows have no all-to-all.
"""
import csv
import io
import subprocess
import sys
import tempfile

import vendor

CLASSES = "[class a]\nshare = 1/2\n[class b]\nshare = 1/2\n"
TWO = ["-s", "routing.classes=CLASSES"]
IN_TURN = ["-s", "switch.scheduler=rr"]

ROWS = [
    # fabric, adversarial traffic, rows of: what, arguments (None: tables by vendor.py)
    ("dragonflyplus:leaves=4,g=5", "adversarial:1", [
        ("`dfplus`", ["-e", "dfplus"]),
        ("`dfplus -q xordet:2`", ["-e", "dfplus", "-s", "routing.queues=xordet:2"]),
        ("`any`", ["-e", "any"]),
        ("`dfplus:ar=minimal`", ["-e", "dfplus", "-s", "routing.options=ar=minimal"]),
        ("`dfplus`, two classes", ["-e", "dfplus", *TWO, *IN_TURN]),
        ("`dfplus:ar=minimal`, two classes", ["-e", "dfplus", "-s", "routing.options=ar=minimal", *TWO]),
        ("`any:ar=yes`", ["-e", "any", "-s", "routing.options=ar=yes"]),
        ("`dfplus:ar=valiant`: progressive, 2 VLs", ["-e", "dfplus", "-s", "routing.options=ar=valiant"]),
        ("progressive, a VL for each link between groups", vendor.dragonfly_plus(2)),
    ]),
    ("hyperx:4x4,p=4", "shift:20", [
        ("`hdor`", ["-e", "hdor"]),
        ("`hdor -q xordet:2`", ["-e", "hdor", "-s", "routing.queues=xordet:2"]),
        ("`hdor:ar=minimal`", ["-e", "hdor", "-s", "routing.options=ar=minimal"]),
        ("`hdor`, two classes", ["-e", "hdor", *TWO, *IN_TURN]),
        ("`hdor:ar=minimal`, two classes", ["-e", "hdor", "-s", "routing.options=ar=minimal", *TWO]),
        ("`any`", ["-e", "any"]),
        ("`any:ar=yes`", ["-e", "any", "-s", "routing.options=ar=yes"]),
        ("dimension order with detours", vendor.hyperx(True)),
    ]),
    ("torus:4x4,p=4", "tornado", [
        ("`hdor`", ["-e", "hdor"]),
        ("dimension order, either way where both are as short", vendor.torus(True)),
    ]),
    ("kns:k=8,n=2", "bitreverse", [
        ("`hdor`", ["-e", "hdor"]),
        ("`sasha`", ["-e", "sasha"]),
        ("`sasha`, two classes", ["-e", "sasha", *TWO, *IN_TURN]),
        ("`hdor:ar=minimal`", ["-e", "hdor", "-s", "routing.options=ar=minimal"]),
    ]),
    ("tree:k=4,n=3", "bitreverse", [
        ("`dmodc`", ["-e", "dmodc"]),
        ("`dmodc:ar=yes`", ["-e", "dmodc", "-s", "routing.options=ar=yes"]),
        ("`dmodc`, two classes", ["-e", "dmodc", *TWO, *IN_TURN]),
        ("`dmodc:ar=yes`, two classes", ["-e", "dmodc", "-s", "routing.options=ar=yes", *TWO]),
        ("`any`", ["-e", "any"]),
        ("`any:ar=yes`", ["-e", "any", "-s", "routing.options=ar=yes"]),
    ]),
]

WINDOW = ["-s", "run.warmup=250us", "-s", "run.measure=auto", "-s", "run.longest=20ms"]


def simulate(arguments, traffic, column):
    """Mean of the column over three seeds, and whether all windows are steady."""
    done = vendor.heddle("sim", *arguments, "-s", f"traffic.pattern={traffic}", "-s", "switch.allocator=input",
                         "-s", "run.seeds=1..3", "--no-time", "--csv", "-",
                         *(["-s", "run.warmup=0", "-s", "run.measure=20ms"] if traffic.startswith("collective")
                           else [*WINDOW, "-s", "traffic.load=1"]))
    if done.returncode or "," not in done.stdout:
        raise SystemExit(done.stderr)
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in done.stdout.split("\n") if "," in line))))
    values = [float(row[column]) for row in rows]
    return sum(values) / len(values), all(row["steady"] == "1" for row in rows)


def show(value, steady):
    return f"{value:.3f}" + ("" if steady else " ~")


def main():
    scratch = tempfile.mkdtemp()
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    with open(scratch + "/classes", "w", encoding="ascii") as stream:
        stream.write(CLASSES)
    print("| fabric, adversarial traffic | routes | uniform | adversarial | all-to-all |")
    print("|---|---|---:|---:|---:|")
    for spec, adversary, schemes in ROWS:
        fabric = vendor.open_fabric(spec)
        hosts = sum(len(hosts) for hosts in fabric.hosts.values())
        for what, how in schemes:
            if word not in what:
                continue
            arguments = [spec, *how] if isinstance(how, list) else [scratch]
            arguments = [each.replace("CLASSES", scratch + "/classes") for each in arguments]
            if not isinstance(how, list):
                vendor.write(fabric, how, scratch)
            if not isinstance(how, list) or any("ar=" in word for word in how):
                arguments += ["-s", "routing.adaptive=ar"]
            uniform = show(*simulate(arguments, "uniform", "accepted"))
            worst = show(*simulate(arguments, adversary, "accepted"))
            exchange = ""
            if not isinstance(how, list) or TWO[1] not in how:
                exchange = f"{simulate(arguments, f'collective:alltoall,size={16 * hosts}KiB', 'bus_use')[0]:.3f}"
            print(f"| `{spec}`, {adversary} | {what} | {uniform} | {worst} | {exchange} |", flush=True)


if __name__ == "__main__":
    main()
