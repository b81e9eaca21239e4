#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Prints the tables of README.md from ar.csv: means of seeds; ~ where a window was not shown to be steady."""
import csv
import sys

VARIANTS = ("LFT", "LFT xordet:4", "free", "free xordet:4", "bounded 30us", "bounded 3us")

rows = {}
for row in csv.DictReader(open(sys.argv[1], encoding="ascii")):
    case = f"`{row['fabric'].replace(' ', ',')}`, {row['traffic']}"
    rows.setdefault(case, {}).setdefault(float(row["load"]), {}).setdefault(row["variant"], []).append(row)


def of(runs, column, digits, scale=1):
    """The mean of the seeds."""
    values = [float(run[column] or 0) * scale for run in runs]
    note = "" if all(run["steady"] == "1" for run in runs) else " ~"
    return f"{sum(values) / len(values):.{digits}f}{note}"


def spread():
    """The greatest half distance of seeds, of what was accepted at load 1, as a share of the mean."""
    worst = 0
    for loads in rows.values():
        for runs in loads[1].values():
            values = [float(run["accepted"]) for run in runs]
            worst = max(worst, (max(values) - min(values)) / sum(values) * len(values) / 2)
    return worst


def table(title, columns, cells):
    print(f"\n{title}\n\n| | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}")
    for case, loads in rows.items():
        print(f"| {case}{cells(loads)} |")


table("Accepted at load 1", VARIANTS, lambda loads: "".join(
    f" | {of(loads[1][v], 'accepted', 3)}" for v in VARIANTS))
table("Out of order, % of packets: at load 1, and below saturation (the load of the next table)", VARIANTS[2:],
      lambda loads: "".join(f" | {of(loads[1][v], 'out_of_order', 1, 100)}, "
                            f"{of(loads[min(loads)][v], 'out_of_order', 2, 100)}" for v in VARIANTS[2:]))
table("Below saturation: mean latency, and 99th percentile in the network, us", ("load",) + VARIANTS,
      lambda loads: f" | {min(loads)}" + "".join(
          f" | {of(loads[min(loads)][v], 'latency_mean', 2, 1e-3)}, "
          f"{of(loads[min(loads)][v], 'network_latency_p99', 1, 1e-3)}" for v in VARIANTS))
print(f"\nSeeds differ by at most {100 * spread():.0f}% from the mean at load 1.")
