#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Engines with more VLs than any, and more flows on the busiest link: a table of docs/defaults.md.

	bench/more_vls.py HEDDLE [--seeds FIRST:END]

Makes a random dragonfly, HyperX or ring for each seed, with uneven hosts, trunks, and links that
are missing. For each engine of its topology with several VLs and 1.02 to 1.5 times the flows of
any, prints what it accepts of uniform traffic at load 1 as a multiple of what any accepts, the same
with virtual output queues, and how many times as fast an all-to-all is.
"""
import argparse
import csv
import io
import itertools
import json
import os
import random
import subprocess
import tempfile


class Fabric:
    def __init__(self):
        self.nodes, self.links, self.ports = [], [], []

    def add(self, kind):
        self.nodes.append(kind)
        self.ports.append(0)
        return len(self.nodes) - 1

    def link(self, one, other):
        self.ports[one] += 1
        self.ports[other] += 1
        self.links.append((one, self.ports[one], other, self.ports[other]))

    def hosts(self, switch, n):
        for _ in range(n):
            self.link(switch, self.add("H"))

    def drop(self, share, seed):
        between = [each for each in self.links if self.nodes[each[0]] == self.nodes[each[2]] == "S"]
        lost = set(random.Random(seed).sample(range(len(between)), max(1, int(share * len(between)))))
        lost = {between[each] for each in lost}
        self.links = [each for each in self.links if each not in lost]

    def is_connected(self):
        reached, last = {0}, set()
        while reached != last:
            last = set(reached)
            for one, _, other, _ in self.links:
                if one in reached or other in reached:
                    reached |= {one, other}
        return len(reached) == len(self.nodes)

    def write(self, path):
        name = [f"{kind}-{(1 if kind == 'S' else 2) << 48 | 16 * i:016x}" for i, kind in enumerate(self.nodes)]
        with open(path, "w", encoding="utf-8") as file:
            for i, kind in enumerate(self.nodes):
                field, word = ("switchguid", "Switch") if kind == "S" else ("caguid", "Ca")
                file.write(f'\n{field}=0x{name[i][2:]}\n{word}\t{max(self.ports[i], 36 if kind == "S" else 1)} '
                           f'"{name[i]}"\t# "{kind}{i}"\n')
                for one, port, other, at in self.links:
                    if one == i:
                        file.write(f'[{port}]\t"{name[other]}"[{at}]\t# 4xHDR\n')


def dragonfly(a, g, trunk, hosts):
    fabric, used = Fabric(), [0] * g
    groups = [[fabric.add("S") for _ in range(a)] for _ in range(g)]
    for group in groups:
        for one, other in itertools.combinations(group, 2):
            fabric.link(one, other)
        for switch in group:
            fabric.hosts(switch, hosts())
    for x, y in itertools.combinations(range(g), 2):
        for _ in range(trunk):
            fabric.link(groups[x][used[x] % a], groups[y][used[y] % a])
            used[x] += 1
            used[y] += 1
    return fabric


def hyperx(width, height, hosts):
    fabric = Fabric()
    switches = {(x, y): fabric.add("S") for x in range(width) for y in range(height)}
    for switch in switches.values():
        fabric.hosts(switch, hosts())
    for one, other in itertools.combinations(sorted(switches), 2):
        if one[0] == other[0] or one[1] == other[1]:
            fabric.link(switches[one], switches[other])
    return fabric


def ring(n, rng):
    fabric = Fabric()
    switches = [fabric.add("S") for _ in range(n)]
    for switch in switches:
        fabric.hosts(switch, rng.randint(6, 14))
    for i in range(n):
        for _ in range(rng.randint(2, 5)):
            fabric.link(switches[i], switches[(i + 1) % n])
    return fabric


def make(seed):
    rng, share = random.Random(seed), 0
    if seed % 4 == 0:
        fabric = dragonfly(rng.randint(3, 5), rng.randint(4, 8), rng.randint(1, 2), lambda: rng.randint(1, 5))
        share = rng.choice([0, .03, .08])
    elif seed % 4 == 1:
        fabric = hyperx(rng.randint(4, 6), rng.randint(4, 6), lambda: rng.randint(2, 6))
        share = rng.choice([0, .05, .1])
    elif seed % 4 == 2:
        fabric = ring(rng.randint(4, 8), rng)
    else:
        fabric = dragonfly(rng.randint(3, 5), rng.randint(3, 5), rng.randint(2, 4), lambda: rng.randint(2, 6))
        share = rng.choice([.05, .1, .15])
    if share:
        fabric.drop(share, seed)
    return fabric


def run(*command):
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, check=False)


def measure(heddle, net, engine, directory):
    tables = os.path.join(directory, engine)
    window = ("-s", "traffic.load=1", "-s", "run.warmup=150us", "-s", "run.measure=300us")
    all_to_all = ("-s", "traffic.pattern=collective:alltoall,size=512KiB", "-s", "run.warmup=0", "-s", "run.measure=200ms")
    if run(heddle, "route", net, "-e", engine, "--quiet", "-o", tables).returncode:
        return None
    rows = [next(csv.DictReader(io.StringIO(run(heddle, "sim", tables, "--quiet", "-j", 1, "--csv", "-", *how).stdout)))
            for how in (window, window + ("-s", "switch.voq=yes"), all_to_all)]
    return float(rows[0]["accepted"]), float(rows[1]["accepted"]), 1 / float(rows[2]["makespan"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("heddle")
    parser.add_argument("--seeds", default="1:179")
    arguments = parser.parse_args()
    print("seed,engine,vls,flows,flows_of_any,accepted,accepted_voq,all_to_all")
    for seed in range(*map(int, arguments.seeds.split(":"))):
        fabric = make(seed)
        if not fabric.is_connected():
            continue
        with tempfile.TemporaryDirectory() as directory:
            net = os.path.join(directory, "net")
            fabric.write(net)
            engines = json.loads(run(arguments.heddle, "topo", net, "--assign-lids", "--engines", "--json", "-o", net).stdout)
            found = {each["name"]: each for each in engines["engines"] if "busiest" in each}
            if "any" not in found:
                continue
            least = found["any"]["busiest"]
            of_any = None
            for name in ("dla", "d3r", "hdor"):
                engine = found.get(name, {"vls": 1})
                if engine["vls"] < 2 or not 1.02 * least < engine["busiest"] < 1.5 * least:
                    continue
                of_any = of_any or measure(arguments.heddle, net, "any", directory)
                mine = measure(arguments.heddle, net, name, directory)
                ratios = ",".join(f"{x / y:.3f}" for x, y in zip(mine, of_any))
                print(f"{seed},{name},{engine['vls']},{engine['busiest']},{least},{ratios}", flush=True)


if __name__ == "__main__":
    main()
