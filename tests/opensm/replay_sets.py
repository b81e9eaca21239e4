#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What switches held while OpenSM sent tables, from its own log: every answer to a Get or Set of an LFT or of SL2VL tables, in
order, as OpenSM logs them with the flag FRAMES (0x20).

    replay_sets.py LOG NETFILE LIVE HOST FROM OUT

HOST is where OpenSM runs: directed routes begin there. After the line of the log with the number FROM, each answer to a Set that
changes something is another state that the fabric was in: OUT/1, OUT/2, ... have 200 of them at most, the last one too, as snapshots of
the fabric LIVE, without LIDs that nobody has there. A line is printed for each round that the plug-in says is confirmed: its number, how many states there were,
how many LFT entries and SL2VL rows changed in it. NETFILE is the fabric before anything failed.
"""
import itertools
import pathlib
import re
import shutil
import sys

MOST = 200
LINE = '#--------------------------------------------------------'
ANSWER = re.compile(r'\n\s*method\.+0x81 [^[]*?\n\s*attr_id\.+0x1[79] ')
STAMP = re.compile(r'\n(?=[A-Z][a-z]{2} \d\d )')  # begins with what is found fast, for a log of a hundred MB


def read_netfile(path):
    """(node, port) -> (node, port), all LIDs, and GUIDs by which dumps name nodes; nodes by the name in quotes."""
    links, lids, guids, node = {}, set(), {}, None
    for line in open(path, encoding='utf-8'):
        if match := re.match(r'(Switch|Ca|Hca|Rt)\s+\d+\s+"([^"]+)"(.*)', line):
            node = match[2]
            guids[node] = node[2:]
            lids.update(int(lid) for lid in re.findall(r' lid (\d+)', line))
        elif match := re.match(r'\[(\d+)\](?:\([0-9a-f]+\))?\s+"([^"]+)"\[(\d+)\]', line):
            links[node, int(match[1])] = match[2], int(match[3])
            lids.update(int(lid) for lid in re.findall(r' lid (\d+)', line))
            if port := re.match(r'\[\d+\]\(([0-9a-f]+)\)', line):
                guids[node] = port[1].zfill(16)
    return links, lids, guids


def messages(log):
    """Line number and text of the log's messages."""
    starts = [0] + [match.end() for match in STAMP.finditer(log)]
    number = 1
    for start, end in zip(starts, starts[1:] + [len(log)]):
        yield number, log[start:end]
        number += log.count('\n', start, end)


class Replay:
    """The state of the fabric as answers tell it."""

    def __init__(self, netfile, live, host, out):
        self.links = read_netfile(netfile)[0]
        self.lids, self.guids = read_netfile(live)[1:]
        self.live, self.host, self.out = live, host, out
        self.lfts, self.rows = {}, {}
        self.entries = self.n_rows = 0
        self.changes = []
        self.first = None
        self.lft_texts, self.row_texts = {}, {}  # of nodes, as they were written last

    def node_at(self, path):
        """The node at the end of a directed route."""
        node = self.host
        for port in path[1:]:
            if (node, port) not in self.links:
                return None
            node = self.links[node, port][0]
        return node

    def answer(self, text, counts):
        """One answer."""
        attribute = re.search(r'attr_id\.+0x(\w+)', text)[1]
        modifier = int(re.search(r'attr_mod\.+0x(\w+)', text)[1], 16)
        status = int(re.search(r'status\.+0x(\w+)', text)[1], 16)
        node = self.node_at([int(n) for n in re.search(r'Initial path: ([\d,]+)', text)[1].split(',')])
        data = bytes.fromhex(text[text.index('\n', text.index('Reserved:')):])
        if node not in self.guids or status:
            return
        if counts and not self.first:
            self.first = {node: dict(lft) for node, lft in self.lfts.items()}, dict(self.rows)
        if attribute == '19':
            lft = self.lfts.setdefault(node, {})
            new = {lid: port for lid, port in enumerate(data, 64 * modifier) if lid in self.lids}
            changed = sum(lid in lft and lft[lid] != port for lid, port in new.items())
            lft.update(new)
            self.entries += changed if counts else 0
            change = self.apply_entries, node, new
        else:
            row = [vl for byte in data[:8] for vl in (byte >> 4, byte & 15)]
            place = node, modifier >> 8 & 255, modifier & 255
            changed = self.rows.get(place, row) != row
            self.rows[place] = row
            self.n_rows += changed if counts else 0
            change = self.apply_row, place, row
        if counts:
            self.changes.append((change, changed))

    def apply_entries(self, node, new):
        """Makes a change of an LFT once more."""
        self.lfts.setdefault(node, {}).update(new)
        self.lft_texts.pop(node, None)

    def apply_row(self, place, row):
        """Makes a change of a row once more."""
        self.rows[place] = row
        self.row_texts.pop(place[0], None)

    @property
    def states(self):
        """How many states there were."""
        return sum(bool(changed) for _, changed in self.changes)

    def write_states(self):
        """Writes the states, or as many of them as are to be."""
        n, total = 0, self.states
        if self.first:
            self.lfts, self.rows = self.first
        for (apply, place, value), changed in self.changes:
            apply(place, value)
            n += bool(changed)
            if changed and (n % (total // MOST + 1) == 0 or n == total):
                self.write(n)

    def lft_text(self, node):
        """A switch's LFT as OpenSM dumps it."""
        lft = self.lfts[node]
        lines = [f'Unicast lids [0x0-0x{max(lft):x}] of switch Lid 0 guid 0x{node[2:]} (switch):']
        lines += [f'0x{lid:04x} {port:03} :' for lid, port in sorted(lft.items()) if port != 255]
        lines.append(f'{sum(port != 255 for port in lft.values())} valid lids dumped\n')
        return '\n'.join(lines)

    def row_text(self, node, rows):
        """A node's rows likewise."""
        kind = 'Switch' if node.startswith('S-') else 'Channel Adapter'
        lines = [f'{kind} 0x{self.guids[node]}, base LID 0, ""', '#in out :', LINE]
        lines += [f'{i} {o} : ' + ' '.join(map(str, self.rows[node, i, o])) for node, i, o in rows]
        return '\n'.join(lines + [LINE + '\n'])

    def write(self, number):
        """The state as a snapshot."""
        to = self.out / str(number)
        to.mkdir(parents=True)
        shutil.copyfile(self.live, to / 'fabric.net')
        for node in self.lfts:
            if node not in self.lft_texts:
                self.lft_texts[node] = self.lft_text(node)
        (to / 'opensm-lfts.dump').write_text(''.join(self.lft_texts[node] for node in sorted(self.lfts)), encoding='utf-8')
        for node, rows in itertools.groupby(sorted(self.rows), lambda place: place[0]):
            if node not in self.row_texts:
                self.row_texts[node] = self.row_text(node, rows)
        (to / 'opensm-sl2vl.dump').write_text(''.join(text for _, text in sorted(self.row_texts.items())), encoding='utf-8')


def main():
    log, netfile, live, host, first, out = sys.argv[1:]
    replay = Replay(netfile, live, host, pathlib.Path(out))
    for number, text in messages(pathlib.Path(log).read_text(encoding='utf-8', errors='replace')):
        if 'SMP dump' in text and ANSWER.search(text):
            replay.answer(text, number > int(first))
        elif number > int(first) and (match := re.search(r'heddle: .* change: round (\d+) of (\d+) is', text)):
            print(match[1], replay.states, replay.entries, replay.n_rows)
            replay.entries = replay.n_rows = 0
    print('end', replay.states)
    replay.write_states()


main()
