#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What `heddle topo` prints for schedulers, held against what they document: places.py yaml|k8s FILE

yaml: topology.yaml(5) of Slurm 24.11. Prints for each topology its name, the numbers of switches and of hosts, and how
many levels there are. k8s: nodes with labels. Prints the numbers of nodes and of values of each label. Exits 1 with a line
for what is wrong.
"""
import collections
import re
import sys

import yaml

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?")


def fail(text):
    sys.exit(f"wrong: {text}")


def expand(names):
    """The names of a list as Slurm writes it."""
    for part in re.findall(r"[^,\[]+(?:\[[^\]]*\])?", names):
        prefix, _, ranges = part.partition("[")
        if not ranges:
            yield prefix
            continue
        for span in ranges.rstrip("]").split(","):
            first, _, last = span.partition("-")
            for number in range(int(first), int(last or first) + 1):
                yield f"{prefix}{number:0{len(first)}d}"


def check_tree(topology):
    switches = {}
    for switch in topology["tree"]["switches"]:
        if set(switch) not in ({"switch", "nodes"}, {"switch", "children"}):
            fail(f"keys {sorted(switch)}")
        if not NAME.fullmatch(switch["switch"]) or switch["switch"] in switches:
            fail(f"switch {switch['switch']}")
        switches[switch["switch"]] = switch
    below = collections.Counter(name for s in switches.values() for name in expand(s.get("children", "")))
    hosts = collections.Counter(name for s in switches.values() for name in expand(s.get("nodes", "")))
    for name, n in below.items():
        if name not in switches or n > 1:
            fail(f"child {name}, {n} times")
    for name, n in hosts.items():
        if not NAME.fullmatch(name) or n > 1:
            fail(f"node {name}, {n} times")

    def height(name):
        return 1 + max((height(child) for child in expand(switches[name].get("children", ""))), default=0)

    roots = [name for name in switches if name not in below]
    print(topology["topology"], len(switches), len(hosts), max(map(height, roots)))


def check_yaml(text):
    topologies = yaml.safe_load(text)
    if sum(bool(t.get("cluster_default")) for t in topologies) != 1:
        fail("not one default")
    for topology in topologies:
        if set(topology) != {"topology", "cluster_default", "tree"}:
            fail(f"keys {sorted(topology)}")
        check_tree(topology)


def check_k8s(text):
    nodes = list(yaml.safe_load_all(text))
    values = collections.defaultdict(set)
    for node in nodes:
        if (node["apiVersion"], node["kind"]) != ("v1", "Node"):
            fail(f"{node}")
        for label, value in node["metadata"]["labels"].items():
            if not NAME.fullmatch(value):
                fail(f"label {label}: {value}")
            values[label].add(value)
    if len({node["metadata"]["name"] for node in nodes}) != len(nodes):
        fail("a node twice")
    print(len(nodes), *(f"{label.split('/')[1]}={len(values[label])}" for label in sorted(values)))


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as file:
        {"yaml": check_yaml, "k8s": check_k8s}[sys.argv[1]](file.read())
