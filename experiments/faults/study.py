#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Studies of failures with `heddle faults`: faults.csv beside this script, and the tables in docs/faults.md.

    experiments/faults/study.py HEDDLE          run what faults.csv lacks, write the tables
    experiments/faults/study.py --again HEDDLE  run all of it
"""
import csv
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CSV = os.path.join(HERE, "faults.csv")
DOCS = os.path.join(HERE, "..", "..", "docs", "faults.md")

SMALL, MEDIUM, LARGE = "dragonfly:a=4,p=2,h=2", "dragonfly:a=6,p=3,h=3", "dragonfly:a=8,p=4,h=4"
DRAGONFLY_ENGINES = ["dla", "d3r", "dfval --lmc 1", "df-minhop", "df-sssp", "updn"]
GRID_ENGINES = ["hdor", "osha", "sasha", "updn"]
GRIDS = ["kns:k=4,n=2", "kns:k=8,n=2", "torus:8x8", "torus:4x4x4"]

# (title, fabric, engines, failures)
STUDIES = (
    [("Every single link", fabric, DRAGONFLY_ENGINES, "--links 1") for fabric in (SMALL, MEDIUM)]
    + [("Every single link", fabric, GRID_ENGINES, "--links 1") for fabric in GRIDS]
    + [("Every single switch", fabric, DRAGONFLY_ENGINES, "--switches 1") for fabric in (SMALL, MEDIUM)]
    + [("Every single switch", fabric, GRID_ENGINES, "--switches 1") for fabric in GRIDS]
    + [("Every pair of links", SMALL, DRAGONFLY_ENGINES, "--links 2"),
       ("Every pair of links", "kns:k=4,n=2", GRID_ENGINES, "--links 2"),
       ("Every pair of links", "torus:8x8", ["hdor"], "--links 2"),
       ("1% of the links", LARGE, ["dla"], "--links 1% --sample 1000"),
       ("1% of the links", LARGE, ["d3r", "df-minhop", "df-sssp"], "--links 1% --sample 100"),
       ("1% of the links", LARGE, ["dfval --lmc 1"], "--links 1% --sample 20"),
       ("5% of the links", MEDIUM, ["dla", "d3r", "df-sssp"], "--links 5% --sample 200"),
       ("5% of the links", "kns:k=8,n=2", GRID_ENGINES, "--links 5% --sample 200"),
       ("5% of the links", "torus:8x8", GRID_ENGINES, "--links 5% --sample 200")])

COLUMNS = ["fabric", "engine", "failures", "sets", "disconnected", "routed", "refused", "unsound", "sls",
           "one_sl", "vls", "max_hops", "worst_load_mean", "worst_load_max", "lft_changed_mean",
           "lft_changed_max", "lft_entries"]


def run(heddle, fabric, engine, failures):
    command = [heddle, "faults", fabric, "-e", *engine.split(), *failures.split(), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if not done.stdout:
        sys.exit(f"{' '.join(command)} gives nothing")
    result = json.loads(done.stdout)
    for reason in result["reasons"]:
        print(f"  {reason['sets']}: {reason['reason']} (without {reason['first']})")
    row = {column: result[column] for column in COLUMNS if column in result}
    row.update(engine=engine, failures=failures, sets=result["sets"],
               worst_load_mean=round(result["worst_load"]["mean"], 3),
               worst_load_max=round(result["worst_load"]["max"], 3),
               lft_changed_mean=round(result["lft_entries_changed"]["mean"], 1),
               lft_changed_max=int(result["lft_entries_changed"]["max"]))
    return row


def write(rows):
    with open(CSV, "w", newline="", encoding="ascii") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def tables(rows):
    lines, title = [], None
    for study_title, fabric, engines, failures in STUDIES:
        if study_title != title:
            title = study_title
            lines += ["", f"### {title}", "",
                      "| fabric | engine | sets | cut in parts | routed | refused | SLs | one SL | VLs | hops "
                      "| worst link, mean | most | LFT entries, mean | most |",
                      "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
        for engine in engines:
            for row in rows:
                if (row["fabric"], row["engine"], row["failures"]) == (fabric, engine, failures):
                    entries = float(row["lft_entries"])
                    lines.append(
                        f"| `{fabric}` | `{engine}` | {row['sets']} | {row['disconnected']} | {row['routed']} "
                        f"| {int(row['refused']) + int(row['unsound'])} | {row['sls']} | {row['one_sl']} "
                        f"| {row['vls']} | {row['max_hops']} | {float(row['worst_load_mean']):.2f} "
                        f"| {float(row['worst_load_max']):.2f} "
                        f"| {100 * float(row['lft_changed_mean']) / entries:.2f}% "
                        f"| {100 * float(row['lft_changed_max']) / entries:.2f}% |")
    return "\n".join(lines[1:]) + "\n"


def main():
    arguments = sys.argv[1:]
    again = "--again" in arguments
    arguments = [argument for argument in arguments if argument != "--again"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    rows = []
    if os.path.exists(CSV) and not again:
        with open(CSV, newline="", encoding="ascii") as file:
            rows = list(csv.DictReader(file))
    for _, fabric, engines, failures in STUDIES:
        for engine in engines:
            if any((row["fabric"], row["engine"], row["failures"]) == (fabric, engine, failures) for row in rows):
                continue
            print(f"{fabric} -e {engine} {failures}", flush=True)
            rows.append(run(arguments[0], fabric, engine, failures))
            write(rows)
    with open(DOCS, encoding="ascii") as file:
        text = file.read()
    begin, end = "<!-- tables: experiments/faults/study.py -->\n", "<!-- end of tables -->\n"
    head, rest = text.split(begin)
    with open(DOCS, "w", encoding="ascii") as file:
        file.write(head + begin + "\n" + tables(rows) + "\n" + end + rest.split(end)[1])


if __name__ == "__main__":
    main()
