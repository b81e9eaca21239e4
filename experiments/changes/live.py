#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Links and switches that fail and return under stock OpenSM, on an emulated fabric whose switches take Sets in any order:
live.csv beside this script, and its table.

    experiments/changes/live.py BUILD                                run what live.csv lacks, print the table
    experiments/changes/live.py BUILD FABRIC ENGINE [OPTIONS [N]]    one row: N changes (50); FABRIC may be a netfile, OPTIONS are as in event_plugin_options
    experiments/changes/live.py --again ...                          run the row anew
    experiments/changes/live.py --more ...                           add N other changes to the row
    experiments/changes/live.py                                      the table alone

$KEEP is a directory for the history, snapshot and log of each row, by its name. BUILD is a build directory with simfabric, heddle and libosmheddle.so. A link between switches goes down and comes back, then a
switch, and so on, drawn by a seed. SMPs wait up to 20 ms at switches, those of every eighth switch 10 ms more; every port loses
$LOSS (2%) of the MADs that it sends; hosts send uniform traffic at load 0.3. `heddle check --history` proves every state, with the path
SLs of the intact fabric. Times are from a change to the last Set that it brings; where the engine refuses what is left of the fabric (column
refused of live.csv), switches keep their tables until it is whole again.
"""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402
from emulated import Fabric, set_times, start_traffic, traffic  # noqa: E402
from lost import lost_pairs  # noqa: E402
from opensm import switch_ids, switch_links  # noqa: E402

CHANGES = 50
PAUSE = 'pause=500'  # between rounds: 250 us of the packets' time
LARGE = 'dragonfly:a=6,p=3,h=3'
ROUNDS = [('dragonfly:a=4,p=2,h=2', ['updn', 'any', 'dla', 'd3r', 'df-sssp', 'df-minhop', 'heddle', 'dfval']),
          ('torus:8x8', ['updn', 'any', 'hdor']),
          ('kns:k=8,n=2', ['hdor', 'any', 'osha', 'sasha']),
          (LARGE, ['dla', 'd3r']),
          ('tree:k=8,n=3', ['dmodc', 'updn']),
          ('dragonflyplus:leaves=2,spines=2,hosts=2,h=2', ['dfplus'])]
OFF = [('dragonfly:a=4,p=2,h=2', ['dla', 'd3r', 'updn', 'df-sssp']), ('torus:8x8', ['hdor'])]
STUDIES = [(fabric, engine, options) for options, fabrics in [(PAUSE, ROUNDS), ('transition=off', OFF)]
           for fabric, engines in fabrics for engine in engines]
COLUMNS = ['fabric', 'engine', 'options', 'changes', 'states', 'looping', 'cyclic', 'sets', 'sweeps', 'ms', 'most_ms',
           'generated', 'looped', 'circled', 'broken', 'dropped', 'deadlocks', 'looked_at', 'pairs', 'lost_pairs', 'most_lost_pairs',
           'said_pairs', 'refused']
SLOWEST_MS = int(os.environ.get('SHUFFLE', '20'))
LOSS = os.environ.get('LOSS', '2%')


def first_switch(net):
    """The switch of the adapter where the subnet manager is."""
    text = net.read_text(encoding='ascii')
    adapters = sorted(re.findall(r'^Ca\s+\d+\s+"(H-[0-9a-f]+)".*\n\[1\]\([0-9a-f]+\)\s+"(S-[0-9a-f]+)"', text, re.M))
    return adapters[0][1]


def name_of(fabric):
    """A netfile is called by its name."""
    return pathlib.Path(fabric).stem if pathlib.Path(fabric).is_file() else fabric


def study(build, fabric, engine, options, n_changes, done_before):
    rng = random.Random(f'{name_of(fabric)} {engine} {done_before}')
    row = dict.fromkeys(COLUMNS, 0) | {'fabric': name_of(fabric), 'engine': engine, 'options': options}
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        with Fabric(build, fabric, engine, options, directory) as at:
            at.wait_for_sweep()
            at.settle(0)
            links, switches, home = switch_links(at.net), switch_ids(at.net), first_switch(at.net)
            at.console.say(f'Shuffle {SLOWEST_MS}ms 1')
            for switch in switches[::8]:
                at.console.say(f'Delay "{switch}" 10ms')
            at.console.say(f'Drop {LOSS}')
            start_traffic(at.console, at.snapshot)
            sweeps = at.sweeps()

            def count(numbers):
                for what in ('generated', 'looped', 'circled', 'broken', 'dropped'):
                    row[what] += numbers.get(what, 0)

            for i in range(n_changes // 2):
                if i % 2:
                    place = f'"{rng.choice([s for s in switches if s != home])}"'
                else:
                    end = rng.choice(rng.choice(links))
                    place = f'"S-{end[1]}"[{end[2]}]'
                for what in 'Down', 'Up':
                    before = at.sweeps()
                    at.console.say(f'{what} {place}')
                    row['changes'] += 1
                    row['refused'] += at.settle(before)
                    numbers, is_dead, is_over = traffic(at.console)
                    if is_over:
                        print(f'{fabric}, {engine}: {what} {place}:', *at.console.say('Traffic show')[-1:], file=sys.stderr)
                        row['deadlocks'] += is_dead
                        count(numbers)
                        start_traffic(at.console, at.snapshot)
            count(traffic(at.console)[0])
            row['sweeps'] = at.sweeps() - sweeps
        done = subprocess.run([build / 'heddle', 'check', '--quiet', '--json', '--history', at.history, at.snapshot],
                              capture_output=True, text=True, check=False)
        if done.returncode > 1:
            sys.exit(done.stderr)
        verdict = json.loads(done.stdout)
        for what in ('states', 'looping', 'cyclic', 'sets'):
            row[what] = verdict[what]
        lasted = set_times(at.history)
        row['ms'], row['most_ms'] = round(sum(lasted) / max(len(lasted), 1)), round(max(lasted, default=0))
        lost = lost_pairs(at.history)
        row['looked_at'], row['pairs'] = len(lost), max((of for _, _, of in lost), default=0)
        row['lost_pairs'], row['most_lost_pairs'] = sum(n for _, n, _ in lost), max((n for _, n, _ in lost), default=0)
        row['said_pairs'] = sum(int(n) for n in re.findall(r'change over: .*?(\d+) pairs of hosts dropped', at.log.read_text(errors='replace')))
        if 'KEEP' in os.environ:
            words = '-'.join(re.findall(r'\w+', f'{fabric} {engine} {options}'))
            shutil.copytree(directory, pathlib.Path(os.environ['KEEP']) / words, dirs_exist_ok=True,
                            ignore=lambda _, names: [n for n in names if n == 'console'])
    return row


def number(row, what):
    """0 where the row is older than the column."""
    return int(row.get(what) or 0)


def add(row, more):
    """The row of all changes of both."""
    both = dict(row)
    for what in COLUMNS[3:]:
        old, new = number(row, what), int(more[what])
        if what == 'ms':
            both[what] = round((old * int(row['changes']) + new * int(more['changes'])) / (int(row['changes']) + int(more['changes'])))
        else:
            both[what] = max(old, new) if what in ('most_ms', 'pairs', 'most_lost_pairs') else old + new
    return both


def share(part, whole, digits=1):
    return f'{100 * int(part) / int(whole):.{digits}f}%' if int(whole) else '-'


def table(rows):
    """The rows as Markdown."""
    print('| fabric, engine | options | changes | states | with a loop | with a cycle | sweeps | ms (most) | packets | looped | lost on links'
          ' | lost in all | deadlocks | pairs lost by Sets (most) |')
    print('|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|')
    for row in rows:
        print(f"| {row['fabric']}, {row['engine']} | {row['options'] or '-'} | {row['changes']} | {row['states']} "
              f"| {row['looping']} ({share(row['looping'], row['states'])}) | {row['cyclic']} ({share(row['cyclic'], row['states'])}) "
              f"| {row['sweeps']} | {row['ms']} ({row['most_ms']}) | {row['generated']} | {row['looped']} | {row['broken']} "
              f"| {row['dropped']} | {row['deadlocks']} "
              f"| {share(number(row, 'lost_pairs'), number(row, 'looked_at') * number(row, 'pairs'), 3)} "
              f"({share(number(row, 'most_lost_pairs'), number(row, 'pairs'), 2)}) |")


def key_of(row):
    return row['fabric'], row['engine'], row['options']


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    words = [word for word in sys.argv[1:] if word not in ('--again', '--more')]
    build = pathlib.Path(words[0]).absolute() if words else None
    path = HERE / 'live.csv'
    rows = runs.read(path)
    wanted = STUDIES
    if len(words) > 2:
        wanted = [(words[1], words[2], words[3] if len(words) > 3 else '')]
    n_changes = int(words[4]) if len(words) > 4 else CHANGES
    for key in wanted if build else []:
        named = (name_of(key[0]), *key[1:])
        old = next((row for row in rows if key_of(row) == named), None)
        if old and not {'--more', '--again'} & set(sys.argv):
            continue
        is_more = old and '--more' in sys.argv
        row = study(build, *key, n_changes, int(old['changes']) if is_more else 0)
        # others may have added theirs meanwhile
        rows = runs.read(path)
        at = next((i for i, other in enumerate(rows) if key_of(other) == named), len(rows))
        rows[at:at + 1] = [add(old, row) if is_more else row]
        runs.write(path, COLUMNS, rows)
    table(rows)


main()
