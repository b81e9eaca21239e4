#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Mixtures of rounds, each made by itself and proved by itself: mixtures.csv beside this script, and its table.

    experiments/changes/mixtures.py build   run tests/unit/test_schedule of that build at length, print the table
    experiments/changes/mixtures.py         the table alone

Of links that fail and return in small fabrics, every round of hd_schedule_make(): random subsets of its entries, rows and path SLs,
MIXTURES of them, applied to the tables before the round and proved as tables are (hd_check(), which knows nothing of rounds). And the
mutation: how many changes of several rounds have an entry which is found to close a loop when it goes with round 1 already.
"""
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

MIXTURES = 2000
LINE = re.compile(r'(\S+:\S+), (\S+), lanes (\w+): (\d+) changes, (\d+) at once, (\d+) rounds at most, (\d+) drop, (\d+) have none; '
                  r'an entry too early is found in (\d+); (\d+) mixtures, none with a loop')
COLUMNS = ['fabric', 'engine', 'lanes', 'changes', 'at_once', 'most_rounds', 'drop', 'none', 'found', 'mixtures']


def main():
    path = HERE / 'mixtures.csv'
    if len(sys.argv) > 1:
        program = pathlib.Path(sys.argv[1]) / 'tests/unit/test_schedule'
        done = subprocess.run([program], env=os.environ | {'HD_MIXTURES': str(MIXTURES)}, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        runs.write(path, COLUMNS, [dict(zip(COLUMNS, match)) for match in LINE.findall(done.stdout + done.stderr)])
    print('| fabric, engine | lanes | changes | at once | some dropped | none | rounds at most | mixtures | with a loop | an entry too early is found in |')
    print('|---|---|---:|---:|---:|---:|---:|---:|---:|---:|')
    for row in runs.read(path):
        print(f"| {row['fabric']}, {row['engine']} | {row['lanes']} | {row['changes']} | {row['at_once']} | {row['drop']} | {row['none']} | {row['most_rounds']} "
              f"| {row['mixtures']} | 0 | {row['found']} |")


main()
