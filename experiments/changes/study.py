#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How links and switches that fail and return get their new tables: changes.csv beside this script, and its table.

    experiments/changes/study.py build/heddle           run what changes.csv lacks, print the table
    experiments/changes/study.py --again build/heddle   run all of it
    experiments/changes/study.py                        the table alone
    experiments/changes/study.py --all build/heddle     all.csv: every link and every switch of the small fabrics, with lanes that stay
    experiments/changes/study.py --all                  its table

Of each fabric and engine, SAMPLE single links and SAMPLE single switches (all, where there are fewer), drawn with seeds 1, 2,
...: they fail, and return. Tables are routed with lanes that stay (`heddle route --previous`) and with lanes made anew; `heddle diff
--schedule` says how the one set follows the other.
"""
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402
from opensm import switch_ids, switch_links  # noqa: E402

SAMPLE = 20
STUDIES = [(fabric, engine)
           for fabric, engines in [
               ('dragonfly:a=4,p=2,h=2', ['dla', 'd3r', 'updn', 'df-sssp', 'df-minhop', 'dfval']),
               ('dragonfly:a=6,p=3,h=3', ['dla', 'd3r']),
               ('torus:8x8', ['hdor', 'updn']),
               ('kns:k=8,n=2', ['hdor', 'any']),
               ('tree:k=8,n=3', ['dmodc', 'updn'])]
           for engine in engines]
SMALL = [(fabric, engine)
         for fabric, engines in [
             ('dragonfly:a=4,p=2,h=2', ['dla', 'd3r', 'updn', 'df-sssp', 'df-minhop']),
             ('kns:k=8,n=2', ['hdor', 'any', 'osha', 'sasha']),
             ('torus:8x8', ['updn', 'hdor'])]
         for engine in engines]
COLUMNS = ['fabric', 'engine', 'lanes', 'what', 'changes', 'kept', 'at_once', 'rounds', 'drops', 'none', 'most_rounds', 'most_pairs_lost']
ALL_COLUMNS = [*COLUMNS, 'pairs_lost']


def call(*words):
    """The exit status and standard output; 2 ends the study."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f'{" ".join(map(str, words))}: {done.stderr.strip()}')
    return done.returncode, done.stdout


def count(row, heddle, old, new):
    """Adds one change to the row."""
    plan = json.loads(call(heddle, 'diff', '--quiet', '--schedule', '--json', old, new)[1])
    row['changes'] += 1
    if not plan['scheduled']:
        row['none'] += 1
    elif plan['at_once']:
        row['at_once'] += 1
    elif any(r['dropped_entries'] or r['dropped_rows'] for r in plan['rounds']):
        row['drops'] += 1
    else:
        row['rounds'] += 1
    row['most_rounds'] = max(row['most_rounds'], len(plan['rounds']))
    row['pairs_lost'] += plan['pairs_lost']
    row['most_pairs_lost'] = max(row['most_pairs_lost'], plan['pairs_lost'])


def route(heddle, net, engine, previous, to, row):
    """Routes after a change; False: the engine refuses."""
    words = [heddle, 'route', net, '-e', engine, '-o', to, '--quiet', '--json']
    status, text = call(*words, *(['--previous', previous] if row['lanes'] == 'stay' else []))
    row['kept'] += bool(text) and json.loads(text).get('lanes_kept', False)
    return not status


def draw(heddle, whole, what, directory):
    """The fabric without one link or switch, for each that the seeds draw."""
    done = set()
    for seed in range(1, SAMPLE + 1):
        net = directory / f'less{seed}.net'
        call(heddle, 'topo', whole, f'--fail-{what}', 1, '--seed', seed, '-o', net, '--quiet')
        if net.read_text() not in done:
            done.add(net.read_text())
            yield net


def each(heddle, whole, what, directory):
    """The same for every one."""
    names = {guid: name for ends in switch_links(whole) for name, guid, _ in ends}
    if what == 'links':
        places = [f'{ends[0][0]}[{ends[0][2]}]' for ends in switch_links(whole)]
    else:
        places = [names[quoted[2:]] for quoted in switch_ids(whole)]
    for place in places:
        net = directory / 'less.net'
        call(heddle, 'topo', whole, f'--fail-{what}', place, '-o', net, '--quiet')
        yield net


def study(heddle, fabric, engine, lanes, what, directory, choose):
    """Failures of one kind; their return is a change, too."""
    whole, less, back = directory / 'whole', directory / 'less', directory / 'back'
    row = dict.fromkeys(ALL_COLUMNS, 0) | {'fabric': fabric, 'engine': engine, 'lanes': lanes, 'what': what}
    call(heddle, 'route', fabric, '-e', engine, '-o', whole, '--quiet')
    for net in choose(heddle, whole / 'fabric.net', what, directory):
        shutil.rmtree(less, ignore_errors=True)
        shutil.rmtree(back, ignore_errors=True)
        if not route(heddle, net, engine, whole, less, row):
            continue
        count(row, heddle, whole, less)
        route(heddle, whole / 'fabric.net', engine, less, back, row)
        count(row, heddle, less, back)
    return row


def table_of_all(rows):
    """The rows of --all as Markdown."""
    print('| fabric, engine | one fails and returns | changes | kept | at once is safe | in rounds | some dropped | none | without a drop | rounds at most'
          ' | pairs lost, mean (most) |')
    print('|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|')
    for row in rows:
        n = int(row['changes'])
        without = int(row['at_once']) + int(row['rounds'])
        print(f"| {row['fabric']}, {row['engine']} | {row['what']} | {n} | {row['kept']} | {row['at_once']} | {row['rounds']} | {row['drops']} "
              f"| {row['none']} | {100 * without / n:.0f}% | {row['most_rounds']} | {int(row['pairs_lost']) / n:.1f} ({row['most_pairs_lost']}) |")


def table(rows):
    """The rows as Markdown."""
    print('| fabric, engine | lanes | one fails and returns | changes | kept | at once is safe | in rounds | some dropped | none | rounds at most | pairs lost at most |')
    print('|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|')
    for row in rows:
        print(f"| {row['fabric']}, {row['engine']} | {row['lanes']} | {row['what']} | {row['changes']} | {row['kept']} | {row['at_once']} | {row['rounds']} | {row['drops']} "
              f"| {row['none']} | {row['most_rounds']} | {row['most_pairs_lost']} |")


def main():
    words = sys.argv[1:]
    again, is_all = '--again' in words, '--all' in words
    heddle = next((os.path.abspath(word) for word in words if not word.startswith('-')), None)
    path = HERE / ('all.csv' if is_all else 'changes.csv')
    rows = [] if again else runs.read(path)
    done = {(row['fabric'], row['engine'], row['lanes'], row['what']) for row in rows}
    for fabric, engine in (SMALL if is_all else STUDIES) if heddle else []:
        for lanes, what in itertools.product(['stay'] if is_all else ['stay', 'anew'], ['links', 'switches']):
            if (fabric, engine, lanes, what) in done:
                continue
            with tempfile.TemporaryDirectory() as directory:
                row = study(heddle, fabric, engine, lanes, what, pathlib.Path(directory), each if is_all else draw)
            columns = ALL_COLUMNS if is_all else COLUMNS
            rows.append({name: row[name] for name in columns})
            runs.write(path, columns, rows)
    (table_of_all if is_all else table)(rows)


main()
