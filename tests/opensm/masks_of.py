#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What tests/opensm/host_5 prints if the plug-in does right, from a snapshot: masks_of.py SNAPSHOT

"lft GUID LID PORT" for each entry, and, where the snapshot has port sets, "mask GUID GUID PLFT SUBGROUP PORT...": the
ports that are in the sets of all LIDs on the other switch. Reads the files alone, and nothing of heddle's.
"""
import collections
import re
import sys

at = sys.argv[1]
lids_on = collections.defaultdict(list)  # of each switch: its own, and those of the adapters on it
ports_to = collections.defaultdict(dict)  # [switch][LID] set of ports
guid = None
with open(at + '/fabric.net', encoding='utf-8') as file:
    for line in file:
        if line.startswith('switchguid='):
            guid = int(re.match(r'switchguid=(0x[0-9a-f]+)', line)[1], 16)
        elif line.startswith(('caguid=', 'rtguid=')):
            guid = None
        elif guid is not None and (found := re.match(r'Switch.* lid (\d+) lmc (\d+)', line)):
            lids_on[guid].append(int(found[1]))
        elif guid is not None and (found := re.match(r'\[\d+\]\s+"H-.*" lid (\d+)(?: lmc (\d+))?', line)):
            lids_on[guid] += range(int(found[1]), int(found[1]) + (1 << int(found[2] or 0)))
with open(at + '/opensm-lfts.dump', encoding='utf-8') as file:
    for line in file:
        if found := re.search(r'^Unicast lids.*guid (0x[0-9a-f]+)', line):
            guid = int(found[1], 16)
        elif found := re.match(r'(0x[0-9a-f]+) (\d+)', line):
            ports_to[guid][int(found[1], 16)] = {int(found[2])}
            print(f'lft 0x{guid:016x} 0x{int(found[1], 16):04x} {int(found[2])}')
try:
    with open(at + '/ar.dump', encoding='utf-8') as file:
        groups = {}
        for line in file:
            if found := re.match(r'Switch (0x[0-9a-f]+)', line):
                guid = int(found[1], 16)
                groups = {}
            elif found := re.match(r'group (\d+): ([\d ]+)', line):
                groups[int(found[1])] = set(map(int, found[2].split()))
            elif (found := re.match(r'(0x[0-9a-f]+) (\d+) (\w+) (\d+)', line)) and found[3] != 'static':
                ports_to[guid][int(found[1], 16)] = groups[int(found[4])]
except FileNotFoundError:
    sys.exit(0)
for one in lids_on:
    for other in lids_on:
        common = set.intersection(*(ports_to[one][lid] for lid in lids_on[other])) if one != other else ()
        if common:
            print(f'mask 0x{one:016x} 0x{other:016x} 0 0', *sorted(common))
