#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""From OpenSM's minhop, whose tables have a credit loop, to dla on a dragonfly of 72 hosts that send: takeover.csv beside this
script, and its table.

    experiments/changes/takeover.py BUILD [N]      tries until there are N (100) with rounds and N with transition=off
    experiments/changes/takeover.py                the table alone

Stock minhop brings the fabric up and ends; hosts send uniform traffic at load 0.3; then stock OpenSM with engine dla comes, under
which switches take Sets in any order (20 ms, every eighth switch 10 ms more). A deadlock is one that the model finds; one that
was there before dla came is counted apart, and not as a try. Milliseconds are from the plug-in's first line to its last.
"""
import pathlib
import re
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402
from emulated import Fabric, configure, start_traffic, traffic  # noqa: E402

FABRIC = 'dragonfly:a=4,p=2,h=2'
COLUMNS = ['options', 'try', 'deadlock_before', 'deadlock', 'rounds', 'pairs_dropped', 'ms', 'generated', 'looped', 'dropped']
SCRIPT = """opensm -o -F first.conf -f first.log; touch first.done
while [ ! -e go ]; do sleep 0.05; done; exec opensm -F opensm.conf -f log"""


def wait(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def attempt(build, options, number):
    row = dict.fromkeys(COLUMNS, 0) | {'options': options, 'try': number}
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        configure(directory / 'first.conf', 'minhop', '')
        with Fabric(build, FABRIC, 'dla', options, directory, SCRIPT) as at:
            if not wait((directory / 'first.done').exists):
                sys.exit(f'minhop does not end: {directory}')
            switches = re.findall(r'^Switch\s+\d+\s+"(S-[0-9a-f]+)"', at.net.read_text(encoding='ascii'), re.M)
            at.console.say(f'Shuffle 20ms {number}')
            for switch in switches[::8]:
                at.console.say(f'Delay "{switch}" 10ms')
            start_traffic(at.console, at.snapshot, seed=number)
            time.sleep(0.3)
            _, row['deadlock_before'], _ = traffic(at.console)
            (directory / 'go').touch()
            at.wait_for_sweep()
            at.settle(0)
            numbers, row['deadlock'], _ = traffic(at.console)
            for what in 'generated', 'looped', 'dropped':
                row[what] = numbers.get(what, 0)
            text = at.log.read_text(errors='replace')
            found = re.findall(r'change over: (\d+) rounds?, (\d+) pairs of hosts dropped meanwhile, (\d+) ms', text)
            if found:
                row['rounds'], row['pairs_dropped'], row['ms'] = found[0]
    row['deadlock_before'], row['deadlock'] = int(row['deadlock_before']), int(row['deadlock'])
    return row


def table(rows):
    print('| options | tries | deadlocked before | deadlocks | rounds | pairs dropped at most | ms (most) | packets | looped |')
    print('|---|---:|---:|---:|---:|---:|---:|---:|---:|')
    for options in sorted({row['options'] for row in rows}):
        mine = [row for row in rows if row['options'] == options]
        good = [row for row in mine if not int(row['deadlock_before'])]
        ms = [int(row['ms']) for row in good]
        print(f"| {options or '-'} | {len(good)} | {len(mine) - len(good)} | {sum(int(row['deadlock']) for row in good)} "
              f"| {max((int(row['rounds']) for row in good), default=0)} | {max((int(row['pairs_dropped']) for row in good), default=0)} "
              f"| {round(sum(ms) / max(len(ms), 1))} ({max(ms, default=0)}) | {sum(int(row['generated']) for row in good)} "
              f"| {sum(int(row['looped']) for row in good)} |")


def main():
    path = HERE / 'takeover.csv'
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    rows = runs.read(path)
    for number in range(1, n + 1) if len(sys.argv) > 1 else []:
        for options in '', 'transition=off':
            if any(row['options'] == options and int(row['try']) == number for row in rows):
                continue
            row = attempt(pathlib.Path(sys.argv[1]).absolute(), options, number)
            runs.add(path, COLUMNS, row)
            rows.append({key: str(value) for key, value in row.items()})
    table(rows)


main()
