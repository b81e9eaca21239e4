#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Rearranges the links between groups of a dragonfly whose pairs of groups have several.

usage: heddle topo dragonfly:a=8,p=4,h=4,g=G | arrange.py KIND > FILE

Groups of 8 switches, and T = 2 or 4 links to each other group. KIND says at which switches of a group its links to
the group d further end:

together  all at one
disjoint  each at another one, those of d = 1 .. h at as many switches as there are; no two groups share both switches
          (T = 2), or more than two of the four (T = 4)
star      the same links, but numbered so that the groups d = 1 .. h all have a link at the last switch
"""
import re
import sys

A = 8


def tournament():
    """The seven perfect matchings of eight switches, by turns around a circle."""
    for turn in range(A - 1):
        yield [(A - 1, turn)] + [((turn + k) % (A - 1), (turn - k) % (A - 1)) for k in range(1, A // 2)]


def planes():
    """The halves of eight points of the affine space over two elements: two of them share 0 or 2 points of 4."""
    for mask in range(1, A):
        half = tuple(x for x in range(A) if bin(x & mask).count('1') % 2)
        yield half, tuple(x for x in range(A) if x not in half)


def blocks(kind, n, trunk):
    """Switches that the links to the group d further end at, d = 1 .. n."""
    if kind == 'together':
        return [(d * trunk // (n * trunk // A),) * trunk for d in range(n)]
    parts = tournament() if trunk == 2 else planes()
    found = [block for part in parts for block in part][:n]
    if kind == 'star':
        found.sort(key=lambda block: A - 1 not in block)
    return found


def main():
    lines = sys.stdin.read().splitlines()
    between, inside, at = [], {}, None
    for i, line in enumerate(lines):
        switch = re.match(r'Switch.*"(S-[0-9a-f]+)".*# "G(\d+)S(\d+)"', line)
        port = re.match(r'\[(\d+)\]\t"(S-[0-9a-f]+)"\[(\d+)\]\t\t# "G(\d+)S(\d+)"', line)
        if switch:
            at = (int(switch[2]), int(switch[3]))
            inside[at] = [i, switch[1], []]
        elif re.match('Ca', line):
            at = None
        elif at and port and int(port[4]) != at[0]:
            between.append(i)
            inside[at][2].append(int(port[1]))
    n = len(inside) // A
    trunk = len(between) // (n * (n - 1))
    ends = blocks(sys.argv[1], n - 1, trunk)
    links = []
    for low in range(n):
        for high in range(low + 1, n):
            there = ends[n - 1 - (high - low)]
            for s, t in zip(ends[high - low - 1], reversed(there)):
                links.append(((low, s), (high, t)))
    rows = {}
    for x, y in links:
        ports = [inside[end][2].pop(0) for end in (x, y)]
        rows.setdefault(x, []).append((ports[0], y, ports[1]))
        rows.setdefault(y, []).append((ports[1], x, ports[0]))
    drop = set(between)
    heads = {of[0]: at for at, of in inside.items()}
    for i, line in enumerate(lines):
        if i not in drop:
            print(line)
        for port, (group, switch), far in sorted(rows.get(heads.get(i), [])):
            print(f'[{port}]\t"{inside[group, switch][1]}"[{far}]\t\t# "G{group}S{switch}" lid 0 4xHDR')


main()
