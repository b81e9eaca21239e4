#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Whether the rooms of docs/design.md are as it says: rooms.py [--table] SOURCE

Its table has them from the top down; a room includes headers of its own, of rooms in lower rows and of those in the same
row. Base names are of one room each. Another table has the rooms that each subcommand and the plug-in include, and no others.
Prints what is not so; exits 1 if anything is. --table: prints all rooms instead, with their files, their lines, those of
them that are code, how many rooms include each (in), and how many each includes (out). tests/lib/circles.py has circles.
"""
import collections
import glob
import os
import re
import sys

# Headers that belong to a file or a room: what else includes them gets another layout, or another dependency.
BELONGS = (
    ('opensm/osm_opensm.h', 'opensm/osm.h'),
    ('infiniband/ibnetdisc.h', 'live/'),
)


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def count_code(text):
    text = re.sub(r'//[^\n]*', '', re.sub(r'/\*.*?\*/', '', text, flags=re.S))
    return sum(1 for line in text.split('\n') if line.strip())


def print_table(level, sizes, arrows):
    print('| room | files | lines | code | in | out |\n|---|---:|---:|---:|---:|---:|')
    for room in sorted(level, key=level.get):
        files = sizes[room]
        into = sum(room in others for others in arrows.values())
        print(f'| `{room}/` | {len(files)} | {sum(n for n, _ in files):,} | {sum(n for _, n in files):,} | {into} | {len(arrows[room])} |')
    every = [size for files in sizes.values() for size in files]
    print(f'| all | {len(every):,} | {sum(n for n, _ in every):,} | {sum(n for _, n in every):,} | | {sum(map(len, arrows.values()))} |')


def main():
    os.chdir(sys.argv[-1])
    table = read('docs/design.md').split('| room | what is in it |\n')[1].split('\n\n')[0]
    rows = [re.findall(r'`([\w/]+)/`', line.split('|')[1]) for line in table.split('\n')[1:]]
    level = {room: i for i, row in enumerate(rows) for room in row}
    homes = collections.defaultdict(set)
    sizes = collections.defaultdict(list)
    arrows = collections.defaultdict(set)
    wrong = []

    def room_of(path):
        while path and path not in level:
            path = os.path.dirname(path)
        return path

    for path in sorted(path for room in {room.split('/')[0] for room in level}
                       for path in glob.glob(room + '/**/*.[ch]', recursive=True) + glob.glob(room + '/**/*.inc', recursive=True)):
        room = room_of(path)
        homes[os.path.splitext(os.path.basename(path))[0]].add(os.path.dirname(path))
        text = read(path)
        sizes[room].append((text.count('\n'), count_code(text)))
        for header in re.findall(r'^#include "([\w/.]+/[\w.]+)"', text, re.M):
            other = room_of(header)
            if header.startswith('heddle/'):
                continue  # the library's public header, in include/
            if not other:
                wrong.append(f'{path} includes {header}, which is in no room')
                continue
            arrows[room] |= {other} - {room}
            if level[other] < level[room]:
                wrong.append(f'{path} includes {header}, of a room above it')
        for header, place in BELONGS:
            if f'<{header}>' in text and not path.startswith(place):
                wrong.append(f'{path} includes {header}: that is for {place}')
    wrong += [f'{name} is a file of {" and of ".join(sorted(rooms))}' for name, rooms in sorted(homes.items()) if len(rooms) > 1]
    if sys.argv[1] == '--table':
        print_table(level, sizes, arrows)
        return False
    listed = read('docs/design.md').split('| file | rooms that it includes |\n')[1].split('\n\n')[0]
    listed = {path: set(re.findall(r'`([\w/]+)/`', rooms)) for path, rooms in re.findall(r'^\| `([\w/.]+)` \|(.*)\|$', listed, re.M)}
    found = collections.defaultdict(set)
    for path in sorted(glob.glob('tools/cmd_*.c') + glob.glob('opensm/*.[ch]')):
        headers = re.findall(r'^#include "([\w/.]+/[\w.]+)"', read(path), re.M)
        found['opensm/' if path.startswith('opensm/') else path] |= {room_of(header) for header in headers} - {room_of(path)}
    wrong += [f'{path} includes {", ".join(sorted(found[path]))}; docs/design.md has {", ".join(sorted(listed.get(path, ())))}'
              for path in sorted(found.keys() | listed.keys()) if found[path] != listed.get(path)]
    print('\n'.join(wrong))
    return bool(wrong)


sys.exit(main())
