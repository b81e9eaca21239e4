#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How long a change takes in a dragonfly of 2,550 hosts, with and without rounds: large.csv beside this script, and its table.

    experiments/changes/large.py BUILD [N]     N changes (12) each of transition=rounds and off, in turn; print the table
    experiments/changes/large.py               the table alone

A link between switches goes down and comes back, then a switch. Hosts send nothing, MADs take no time of their own and none is lost, so
that the time is OpenSM's and ours: from the change to the last Set that it brings.
"""
import pathlib
import random
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402
from emulated import Fabric, set_times  # noqa: E402
from opensm import switch_ids, switch_links  # noqa: E402

FABRIC = 'dragonfly:a=10,p=5,h=5'
MODES = ['transition=rounds', 'transition=rounds pause=0', 'transition=off']
COLUMNS = ['engine', 'options', 'what', 'ms']


def study(build, engine, options, n_changes):
    rng = random.Random(engine)
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        with Fabric(build, FABRIC, engine, options, directory) as at:
            at.wait_for_sweep()
            at.settle(0)
            links, switches = switch_links(at.net), switch_ids(at.net)
            kinds = []
            for i in range(n_changes // 2):
                end = rng.choice(rng.choice(links))
                place = f'"{rng.choice(switches[1:])}"' if i % 2 else f'"S-{end[1]}"[{end[2]}]'
                for what in 'Down', 'Up':
                    before = at.sweeps()
                    at.console.say(f'{what} {place}')
                    at.settle(before)
                    kinds.append(f"{'switch' if i % 2 else 'link'} {'fails' if what == 'Down' else 'returns'}")
            lasted = set_times(at.history)
    return [{'engine': engine, 'options': options, 'what': what, 'ms': round(ms)} for what, ms in zip(kinds, lasted, strict=True)]


def table(rows):
    print('| engine, options | ' + ' | '.join(f'{a} {b}' for a in ('link', 'switch') for b in ('fails', 'returns')) + ' |')
    print('|---|---:|---:|---:|---:|')
    for key in dict.fromkeys((row['engine'], row['options']) for row in rows):
        cells = []
        for what in (f'{a} {b}' for a in ('link', 'switch') for b in ('fails', 'returns')):
            ms = sorted(int(row['ms']) for row in rows if (row['engine'], row['options'], row['what']) == (*key, what))
            cells.append(f'{ms[len(ms) // 2]} ({ms[0]} to {ms[-1]})' if ms else '-')
        print(f"| {', '.join(key)} | {' | '.join(cells)} |")


def main():
    path = HERE / 'large.csv'
    rows = runs.read(path)
    n_changes = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    for options in MODES if len(sys.argv) > 1 else []:
        if not any(row['options'] == options for row in rows):
            rows += study(pathlib.Path(sys.argv[1]).absolute(), 'dla', options, n_changes)
            runs.write(path, COLUMNS, rows)
    table(rows)


main()
