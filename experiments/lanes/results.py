#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Results of experiments/lanes:

	results.py lanes JSON [KIND]       VLs that the tables of `heddle route --json` have, or that the runs of
	                                   `heddle sim --json` used on terminal, local or global links
	results.py rows JSON KEY=VALUE...  runs of `heddle sim --json` as rows of CSV, with these columns before
	results.py points CSV              what draw.sh draws: PATTERN ENGINE SCHEME LOAD MEAN HALF-WIDTH
	results.py table CSV               the tables of README.md, in Markdown
	results.py compare CSV PATTERN ENGINE SCHEME SCHEME
	                                   the first less the second at full load, 95% and 99% half widths

Runs of one seed have the same traffic whatever the scheme, so that schemes are compared seed by seed: a star is
where the 99% interval of the mean difference from one queue (Student's t) does not have 0 in it. A tilde is where a
run was never steady.
"""
import csv
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import runs  # noqa: E402

SWEPT = ["fabric.topology", "routing.engine", "routing.layers", "routing.queues", "switch.voq", "switch.buffer",
         "switch.buffer_terminal", "switch.buffer_local", "switch.buffer_global", "traffic.pattern",
         "traffic.load", "run.warmup", "run.measure", "run.longest"]
RESULTS = ["accepted", "source_jain", "deadlock", "steady"]
BACKGROUND = "background_accepted"
STUDENT = {.95: [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262],
           .99: [63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250]}  # 2 to 10 seeds


def lanes(path, kind=None):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    if not kind:
        return data["vls"]
    name = "injection" if kind == "terminal" else kind
    return max(len(run["details"]["links"].get(name, {}).get("vls", {}))
               for point in data["points"] for run in point["runs"])


def background(details):
    """What hosts that send to no hot spot got through, of what their own links carry."""
    hosts = details["links"]["injection"]["links"]
    of = hosts / (hosts - hosts // 4)  # form=osha: a quarter sends to the spot
    flows = next(c for c in details["classes"] if c["name"] == "background")
    return flows["accepted"] * of


def number(value):
    return int(value) if isinstance(value, bool) else value


def read_results(run, pattern, before, voq):
    """Of a run what points() and table() read, so that files stay small: under hot spots what the other hosts get, and
    Jain's index at full load in switches without VOQs, whose buffers are divided by fabric."""
    results = {k: number(run["results"].get(k, "")) for k in RESULTS}
    if pattern.startswith("hotspot"):
        return {**results, "accepted": "", "source_jain": "", BACKGROUND: background(run["details"])}
    if (before["part"], before["division"], voq) != ("full", "fabric", "no"):
        results["source_jain"] = ""
    return results


def rows(path, columns):
    before = dict(c.split("=", 1) for c in columns)
    table = []
    with open(path, encoding="utf-8") as file:
        for point in json.load(file)["points"]:
            parameters = point["parameters"]
            for run in point["runs"]:
                results = read_results(run, parameters["traffic.pattern"], before, parameters["switch.voq"])
                table.append({**parameters, **results, **before, "seed": run["seed"]})
    runs.write_short(sys.stdout, [*before, *SWEPT, "seed", *RESULTS, BACKGROUND], table)


def interval(values, level=.95):
    """Mean and half width."""
    n = len(values)
    mean = sum(values) / n
    if n == 1:
        return mean, 0.
    variance = sum((v - mean) ** 2 for v in values) / (n - 1)
    return mean, STUDENT[level][n - 2] * math.sqrt(variance / n)


class Shape:
    """The runs of a shape, by point: (part, pattern, engine, voq, division), scheme, load, then seed."""

    def __init__(self, path):
        self.runs, self.lanes, self.patterns = {}, {}, []
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                pattern = row["traffic.pattern"].split(":")[0]
                setting = row["part"], pattern, row["routing.engine"], row["switch.voq"], row["division"]
                key = setting, row["scheme"], float(row["traffic.load"])
                self.runs.setdefault(key, {})[int(row["seed"])] = row
                if pattern not in self.patterns:
                    self.patterns.append(pattern)
                self.lanes[row["routing.engine"], row["scheme"]] = int(row["vls"])

    def values(self, setting, scheme, load, column=None):
        """Of each seed: what got through, under hot spots of the hosts that send to none."""
        column = column or (BACKGROUND if setting[1] == "hotspot" else "accepted")
        runs = self.runs.get((setting, scheme, load), {})
        return {seed: float(row[column]) for seed, row in runs.items()}

    def differs(self, setting, scheme, load):
        one = self.values(setting, "single:1", load)
        other = self.values(setting, scheme, load)
        difference, half = interval([other[s] - one[s] for s in sorted(other)], .99)
        return abs(difference) > half

    def mark(self, setting, scheme, load):
        runs = self.runs[setting, scheme, load].values()
        return "" if all(row["steady"] == "1" for row in runs) else "~"

    def cell(self, setting, scheme, column=None):
        values = list(self.values(setting, scheme, 1., column).values())
        if not values:
            return ""
        star = "*" if not column and scheme != "single:1" and self.differs(setting, scheme, 1.) else ""
        tilde = self.mark(setting, scheme, 1.) if not column else ""
        return "%.3f +- %.3f%s%s" % (*interval(values), star, tilde)

    def best(self, setting, scheme):
        loads = [load for s, q, load in self.runs if (s, q) == (setting, scheme)]
        best, load = max((interval(list(self.values(setting, scheme, load).values()))[0], load) for load in loads)
        return "%.3f%s" % (best, self.mark(setting, scheme, load))


def points(shape):
    for setting, scheme, load in shape.runs:
        part, pattern, engine, _, _ = setting
        if part == "curve":
            mean, half = interval(list(shape.values(setting, scheme, load).values()))
            print(pattern, engine, scheme, load, "%.6f %.6f" % (mean, half))


def table(shape):
    for pattern in shape.patterns:
        print("\n**%s**\n" % pattern)
        print("| engine | scheme | VLs | full load | best | Jain | each link | VOQs |")
        print("|---|---|---:|---:|---:|---:|---:|---:|")
        for (engine, scheme), vls in shape.lanes.items():
            setting = "full", pattern, engine, "no", "fabric"
            curve = "curve", *setting[1:]
            jain = "" if pattern == "hotspot" else shape.cell(setting, scheme, "source_jain")
            print("| `%s` | `%s` | %d | %s | %s | %s | %s | %s |" % (
                engine, scheme, vls, shape.cell(setting, scheme), shape.best(curve, scheme), jain,
                shape.cell(("full", pattern, engine, "no", "link"), scheme),
                shape.cell(("full", pattern, engine, "yes", "fabric"), scheme)))


def compare(shape, pattern, engine, first, second):
    for division, voq in ("fabric", "no"), ("link", "no"), ("fabric", "yes"):
        one, other = (shape.values(("full", pattern, engine, voq, division), s, 1.) for s in (first, second))
        if one:
            gains = [one[seed] - other[seed] for seed in sorted(one)]
            print("%-6s VOQs %-3s %+.4f +- %.4f, +- %.4f" % (division, voq, *interval(gains), interval(gains, .99)[1]))


def main(arguments):
    if len(arguments) in (2, 3) and arguments[0] == "lanes":
        print(lanes(*arguments[1:]))
    elif len(arguments) >= 2 and arguments[0] == "rows":
        rows(arguments[1], arguments[2:])
    elif len(arguments) == 2 and arguments[0] in ("points", "table"):
        {"points": points, "table": table}[arguments[0]](Shape(arguments[1]))
    elif len(arguments) == 6 and arguments[0] == "compare":
        compare(Shape(arguments[1]), *arguments[2:])
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
