#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Which pairs of hosts lose packets by what a subnet manager sends, and not by what failed, read off a history.

    experiments/changes/lost.py HISTORY     a line for each failure and return

A pair is a host and a LID of another host. It is lost by a change if packets arrived before a Set and do not after it: the way by
the LFTs of that moment ends, leads over a link that is not active, or goes round in circles. What a failed link or switch cuts
off is lost by no Set and does not count; neither do rows of SL2VL tables that drop packets.
"""
import collections
import sys

EVENTS = ('unplug', 'plug', 'on', 'off')
NO_PATH = 255
ACTIVE = 4


class State:
    """What nodes hold: LFTs, links, states and LIDs of ports; for every LID of a host the switches from which packets arrive."""

    def __init__(self):
        self.lfts = collections.defaultdict(lambda: collections.defaultdict(lambda: NO_PATH))
        self.links = {}
        self.states = collections.defaultdict(lambda: 1)
        self.owners = {}
        self.lids = collections.defaultdict(lambda: [0, 0])
        self.arrives = collections.defaultdict(set)
        self.touched = set()

    def touch_link(self, end):
        for node, port in (end, self.links.get(end)) if self.links.get(end) else (end,):
            self.touched.update(lid for lid, out in self.lfts.get(node, {}).items() if out == port)
            self.touched.update(lid for lid, owner in self.owners.items() if owner == (node, port))

    def change(self, node, words):
        if words[0] == 'lft':
            self.lfts[node][int(words[1])] = int(words[3])
            self.touched.add(int(words[1]))
        elif words[0] == 'port' and words[2] == 'link':
            end = (node, int(words[1]))
            self.touch_link(end)
            self.links.pop(end, None)
            if words[4] != '-':
                peer, port = words[4].split(':')
                self.links[end] = (peer, int(port))
            self.touch_link(end)
        elif words[0] == 'port' and words[2] == 'state':
            self.states[node, int(words[1])] = int(words[4])
            self.touch_link((node, int(words[1])))
        elif words[0] == 'port' and words[2] in ('lid', 'lmc'):
            end = (node, int(words[1]))
            self.lids[end][words[2] == 'lmc'] = int(words[4])
            self.touched.update(lid for lid, owner in self.owners.items() if owner == end)
            self.owners = {lid: owner for lid, owner in self.owners.items() if owner != end}
            base, lmc = self.lids[end]
            for lid in range(base, base + (1 << lmc)) if base else ():
                self.owners[lid] = end
                self.touched.add(lid)

    def next_hop(self, switch, lid):
        """The node behind the out-port, None where packets end."""
        end = (switch, self.lfts[switch][lid])
        peer = self.links.get(end)
        return peer if peer and self.states[end] == ACTIVE and self.states[peer] == ACTIVE else None

    def find(self, lid):
        """The switches from which packets to a LID of a host arrive."""
        owner, arrives, ends = self.owners.get(lid), set(), set()
        for switch in self.lfts if owner else ():
            way, at = [], switch
            while at not in arrives and at not in ends:
                way.append(at)
                ends.add(at)
                peer = self.next_hop(at, lid)
                if not peer:
                    break
                if peer == owner:
                    arrives.update(way)
                    break
                at = peer[0]
            if at in arrives:
                arrives.update(way)
        return arrives

    def settle(self):
        """Pairs of a switch and a LID that are lost since the last call."""
        lost = set()
        for lid in self.touched:
            now = self.find(lid)
            lost.update((switch, lid) for switch in self.arrives[lid] - now)
            self.arrives[lid] = now
        self.touched = set()
        return lost

    def hosts(self):
        """Their ports by the switch where they are."""
        found = collections.defaultdict(set)
        for end in set(self.owners.values()):
            peer = self.links.get(end)
            if peer and end[0] not in self.lfts:
                found[peer[0]].add(end)
        return found

    def count(self, pairs):
        """How many pairs of hosts these pairs of switches and LIDs are."""
        hosts = self.hosts()
        return sum(len(hosts[switch] - {self.owners.get(lid)}) for switch, lid in pairs)


def lost_pairs(path):
    """For each failure or return, in order: its record, the pairs that Sets lost before the next one, and how many pairs there are."""
    state, found, event, lost, n_lines, node = State(), [], None, set(), 0, None

    def take():
        # hosts that are away now have their pairs, too: they are counted where they are lost
        lids = {lid for lid, (owner, _) in state.owners.items() if owner not in state.lfts}
        hosts = {state.owners[lid] for lid in lids}
        found.append((event, state.count({pair for pair in lost if pair[1] in lids}), len(lids) * (len(hosts) - 1)))

    with open(path, encoding='ascii', errors='replace') as file:
        file.readline()
        for _ in range(int(file.readline().split()[1])):
            file.readline()
        for line in file:
            words = line.split()
            if n_lines:
                n_lines -= 1
                if words[0] == 'of':
                    node = words[1]
                else:
                    state.change(node, words)
            else:
                n_lines = int(words[-1])
                kind = words[0]
                if kind in EVENTS:
                    if event:
                        take()
                    event, lost = ' '.join(words[:-1]), set()
                node = words[2] if kind == 'set' else None
            if not n_lines:
                gone = state.settle()
                if kind == 'set' and event:
                    lost |= gone
    if event:
        take()
    return found


if __name__ == '__main__':
    for what, pairs, of in lost_pairs(sys.argv[1]):
        print(f'{what}: {pairs} of {of} pairs')
