#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Compares `heddle check` with the proof by brute force of ar_prover.py, on the AR tables of a snapshot.

    tests/lib/ar_tables.py [--seed SEED] [--mutations N] SNAPSHOT

The snapshot is in plain text (`heddle route --plain`), of a small fabric with one port a host and LMC 0. What is read is
also written again, under names of the prover's, so a part that the reader misses shows in heddle's counts.
"""
import argparse
import copy
import os
import random
import re
import sys
import tempfile

import ar_prover


class Switch(ar_prover.Switch):
    """One with ports that have no links, as real ones have."""

    def __init__(self, number, n):
        super().__init__(number)
        self.n = n

    def n_ports(self):
        return self.n


def lines(directory, name):
    with open(os.path.join(directory, name), encoding="ascii") as stream:
        return stream.read().splitlines()


def read_links(directory, fabric):
    """Switches, hosts and links; returns the index of each switch, and the end of each GUID."""
    at, ends, links, hosts = {}, {}, [], {}
    for line in lines(directory, "fabric.net"):
        switch = re.match(r'Switch\t(\d+) "S-([0-9a-f]+)".* lid (\d+) lmc 0', line)
        link = re.match(r'\[(\d+)\]\t"([SH])-([0-9a-f]+)"\[(\d+)\](\(([0-9a-f]+)\))?\s.*# ".*" lid (\d+) ', line)
        if re.match(r"(Ca|Rt)\t", line):
            break  # what follows says the same from the other end
        if switch:
            at[int(switch[2], 16)] = len(fabric.switches)
            fabric.switches.append(Switch(len(fabric.switches), int(switch[1])))
            fabric.switches[-1].lid = int(switch[3])
        elif link:
            links.append((len(fabric.switches) - 1, int(link[1]), link[2], int(link[3], 16), int(link[4]),
                          link[6] and int(link[6], 16), int(link[7])))
    for s, port, kind, node, peer, port_guid, lid in links:
        if kind == "S":
            fabric.switches[s].ports[port] = ("switch", at[node], peer)
            continue
        fabric.switches[s].ports[port] = ("host", len(fabric.hosts))
        hosts[port_guid] = len(fabric.hosts)
        fabric.hosts.append((s, port, lid))
    for node, s in at.items():
        ends[node] = ("switch", s)
    ends.update({port: ("host", i) for port, i in hosts.items()})
    return at, ends


def read_lfts(directory, fabric, at):
    for line in lines(directory, "opensm-lfts.dump"):
        switch = re.search(r"guid (0x[0-9a-f]+)", line) if line.startswith("Unicast") else None
        entry = re.match(r"(0x[0-9a-f]+) (\d+)", line)
        if switch:
            lft = fabric.switches[at[int(switch[1], 16)]].plfts[0]
        elif entry:
            lft[int(entry[1], 16)] = (int(entry[2]), "static", None)


def read_sl2vl(directory, fabric, ends):
    vls = {}
    for line in lines(directory, "opensm-sl2vl.dump"):
        node = re.match(r"(?:Switch|Channel Adapter) (0x[0-9a-f]+)", line)
        row = re.match(r"(\d+) +(\d+) +: (.*)", line)
        if node:
            kind, i = ends[int(node[1], 16)]
        elif row and kind == "switch":
            fabric.switches[i].sl2vl[int(row[1]), int(row[2])] = list(map(int, row[3].split()))
        elif row:
            vls[i] = list(map(int, row[3].split()))
    fabric.host_vls = [vls[i] for i in range(len(fabric.hosts))]


def read_sls(directory, fabric, ends):
    ends = dict(ends)
    for port, end in list(ends.items()):
        # adapters are there by the GUID of the port or of the node, which is one less
        ends.setdefault(port - 1, end)
    for line in lines(directory, "path-sl.dump"):
        source, lid, sl = line.split("#")[0].split() or (None, None, None)
        if source:
            fabric.sls[ends[int(source, 16)], int(lid)] = int(sl)


def span(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def read_ar(directory, fabric, at):
    for line in lines(directory, "ar.dump"):
        words = line.split()
        entry = re.match(r"(0x[0-9a-f]+) (\d+) (\w+)(?: (\d+))?$", line)
        if line.startswith("Switch "):
            switch, plft = fabric.switches[at[int(words[1].rstrip(","), 16)]], 0
        elif line.startswith("group "):
            parts = line.split(":")[1].split("/")
            switch.groups.append([list(map(int, part.split())) for part in parts])
        elif line.startswith("plfts "):
            switch.plfts += [{} for _ in range(int(words[1]) - 1)]
            switch.by_vl = words[3] == "VL"
        elif line.startswith("plft "):
            plft = int(words[1])
        elif line == "vl2vl":
            switch.vl2vl = {}
        elif line.startswith("in ") and words[2] == "out":
            for a in span(words[1]):
                for b in span(words[3].rstrip(":")):
                    switch.vl2vl[a, b] = list(map(int, words[4:]))
        elif line.startswith("in "):
            for port in span(words[1].rstrip(":")):
                for key, number in enumerate(words[2:]):
                    switch.map[port, key] = int(number)
        elif entry:
            group = None if entry[4] is None else int(entry[4])
            switch.plfts[plft][int(entry[1], 16)] = (int(entry[2]), entry[3], group)


def read(directory):
    fabric = ar_prover.Fabric()
    at, ends = read_links(directory, fabric)
    read_lfts(directory, fabric, at)
    read_sl2vl(directory, fabric, ends)
    read_sls(directory, fabric, ends)
    read_ar(directory, fabric, at)
    return fabric


def compare_with(snapshot, fabric, scratch):
    """The two proofs agree on what was read, and heddle says of it what it says of the snapshot."""
    ar_prover.write(fabric, scratch)
    for n_down in 0, 1:
        ar_prover.compare(fabric, scratch, n_down)
        ours, theirs = ar_prover.ask(scratch, n_down), ar_prover.ask(snapshot, n_down)
        for scope in "hosts", "all":
            for key in "failure", "states", "dependencies":
                assert ours[scope].get(key) == theirs[scope].get(key), \
                    f"{scope}, {n_down} down: {key} {ours[scope].get(key)} of what was read, {theirs[scope].get(key)} of {snapshot}"
    return ar_prover.ask(snapshot, 0)["all"]


def main():
    parser = argparse.ArgumentParser(description="Compares heddle check with brute force, on a snapshot.")
    parser.add_argument("snapshot")
    parser.add_argument("--mutations", type=int, default=0, help="how many single changes to try")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng, found, harmless = random.Random(arguments.seed), 0, 0
    fabric = read(arguments.snapshot)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            whole = compare_with(arguments.snapshot, fabric, scratch)
            for _ in range(arguments.mutations):
                changed = copy.deepcopy(fabric)
                if not ar_prover.mutate(changed, rng):
                    continue
                ar_prover.write(changed, scratch)
                after = ar_prover.compare(changed, scratch, 0)
                found += after is not None
                harmless += after is None
        except (AssertionError, RuntimeError) as error:
            print(f"{arguments.snapshot}: {error}", file=sys.stderr)
            return 1
    print(f"{len(fabric.switches)} switches: {whole['failure'] or 'sound'}, {whole.get('states')} states, and "
          f"{found + harmless} mutations agree ({found} found, {harmless} harmless)")
    return 1 if arguments.mutations and not found + harmless else 0


if __name__ == "__main__":
    sys.exit(main())
