#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How fast heddle plan finds wrong cables of large fabrics, and whether it finds all of them.

    bench_plan.py [--wrong PERCENT] [--seed S] [--keep DIRECTORY] [SPEC...]

Of each spec's cables PERCENT are wrong: a quarter is removed, a quarter has an end in another port,
and the rest changed places in pairs. The plan has the same names, or other names and GUIDs
("structure"). `done` is the number of things that were done to cables, `moves` what heddle plan
wants to do about them; `left` are planned cables that are not there after these moves. Run it in a
build directory. Seconds are of CPU, with reading and printing.
"""
import argparse
import collections
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

SPECS = ["dragonfly:a=16,p=8,h=8,g=121", "tree:k=24,n=3", "torus:16x16x12,p=4", "hyperx:12x12x4,p=6"]


def read(path):
    """Nodes, {id: (type, ports, name)}, and cables, [[(id, port), (id, port)]]."""
    nodes, cables, here = {}, [], None
    for line in open(path):
        head = re.match(r'(Switch|Ca)\t(\d+) "([^"]*)"\s+# "([^"]*)"', line)
        if head:
            here = head[3]
            nodes[here] = (head[1], int(head[2]), head[4])
            continue
        port = re.match(r'\[(\d+)\]\S*\s+"([^"]*)"\[(\d+)\]', line)
        if port:
            ends = [(here, int(port[1])), (port[2], int(port[3]))]
            if ends[0] < ends[1]:
                cables.append(ends)
    return nodes, cables


def write(path, nodes, cables, rename):
    """A netfile; @rename: with other names and GUIDs, in another order."""
    ids = {n: n for n in nodes}
    if rename:
        order = list(nodes)
        random.Random(1).shuffle(order)
        ids = {n: "%s-%016x" % (n[0], 0x30000000 + 0x100 * i) for i, n in enumerate(order)}
    ports = collections.defaultdict(list)
    for ends in cables:
        for one, other in (ends, ends[::-1]):
            ports[one[0]].append((one[1], other))
    with open(path, "w") as out:
        for node, (kind, n, name) in nodes.items():
            if rename:
                name = "node %s" % ids[node]
            guid = ids[node][2:]
            out.write("\n%s=0x%s\n%s\t%d \"%s\"\t\t# \"%s\"%s\n" % (
                "switchguid" if kind == "Switch" else "caguid", guid, kind, n, ids[node], name,
                " base port 0 lid 0 lmc 0" if kind == "Switch" else ""))
            for port, (peer, there) in sorted(ports[node]):
                out.write('[%d]\t"%s"[%d]\t\t# "x" lid 0 4xHDR\n' % (port, ids[peer], there))


def do_wrong(nodes, cables, n, seed):
    """Does @n things to the cables; how many were possible."""
    draw = random.Random(seed)
    used = {end for cable in cables for end in cable}
    free = [(node, port) for node, (kind, ports, _) in nodes.items() if kind == "Switch"
            for port in range(1, ports + 1) if (node, port) not in used]
    done = 0
    chosen = draw.sample(range(len(cables)), n)
    for c in chosen[:n // 4]:
        free += [end for end in cables[c] if nodes[end[0]][0] == "Switch"]
        cables[c] = None
        done += 1
    for c in chosen[n // 4:n // 2]:
        end = draw.randrange(2)
        if nodes[cables[c][end][0]][0] != "Switch":
            end = 1 - end
        place = draw.randrange(len(free))
        if free[place][0] == cables[c][1 - end][0]:
            continue
        cables[c][end], free[place] = free[place], cables[c][end]
        done += 1
    rest = chosen[n // 2:]
    for c, d in zip(rest[::2], rest[1::2]):
        if cables[c][0][0] == cables[d][1][0] or cables[d][0][0] == cables[c][1][0]:
            continue
        cables[c][1], cables[d][1] = cables[d][1], cables[c][1]
        done += 1
    cables[:] = [c for c in cables if c]
    return done


def left(plan, now, moves):
    """How many planned cables there are not after the moves, where nodes have the same names."""
    def end(place):
        return place["name"], place["port"]
    peer = {}
    for one, other in now:
        peer[one], peer[other] = other, one

    def plug(one, other):
        peer[one], peer[other] = other, one
    for move in moves:
        one, other = end(move["from"]), end(move["to"])
        if move["move"] == "connect":
            plug(one, other)
        elif move["move"] == "remove":
            del peer[one], peer[other]
        elif move["move"] == "move":
            plug(other, peer.pop(one))
        else:
            far, far_other = peer[one], peer[other]
            plug(one, far_other)
            plug(other, far)
    return sum(peer.get(one) != other for one, other in plan)


def compare_all(arguments, directory):
    plan, now = os.path.join(directory, "plan.net"), os.path.join(directory, "now.net")
    print("%-28s %8s %10s %6s %6s %6s %8s" % ("plan", "cables", "matched by", "done", "moves", "left", "seconds"))
    for spec in arguments.specs:
        subprocess.run(["./heddle", "topo", spec, "-o", plan], check=True, stdout=subprocess.DEVNULL)
        nodes, cables = read(plan)
        # room for cables in other ports
        nodes = {n: (kind, ports + 2 * (kind == "Switch"), name) for n, (kind, ports, name) in nodes.items()}
        planned = [list(c) for c in cables]
        write(plan, nodes, planned, False)
        done = do_wrong(nodes, cables, int(len(cables) * arguments.wrong / 100), arguments.seed)
        for rename in False, True:
            write(now, nodes, cables, rename)
            begin = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = subprocess.run(["./heddle", "plan", plan, now, "--json"], text=True, capture_output=True)
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = used.ru_utime - begin.ru_utime + used.ru_stime - begin.ru_stime
            if run.returncode > 1:
                sys.exit("%s: %s" % (spec, run.stderr))
            result = json.loads(run.stdout)
            rest = "-"
            if not rename:
                def named(list_of):
                    return [[(nodes[n][2], port) for n, port in ends] for ends in list_of]
                rest = left(named(planned), named(cables), result["moves"])
            print("%-28s %8d %10s %6d %6d %6s %8.2f" % (
                spec, len(planned), "structure" if rename else "name", done, len(result["moves"]), rest, seconds))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("specs", nargs="*", default=SPECS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        compare_all(arguments, arguments.keep or scratch)


main()
