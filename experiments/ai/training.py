#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""An iteration of training on fabrics of about 1,000 hosts; two jobs side by side; a storage job beside training.

	training.py HEDDLE iteration >iteration.csv    ten minutes of CPU: by tables and adaptive, whole and damaged
	training.py HEDDLE jobs >jobs.csv              ten minutes: where the hosts of two jobs are
	training.py HEDDLE storage >storage.csv        five minutes: with one class of traffic, and with two
	training.py HEDDLE PART FABRIC...              some fabrics only
	training.py table                              the tables of README.md, from the files beside this script
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))
import runs  # pylint: disable=wrong-import-position

AR = ['-s', 'routing.adaptive=ar']
TREE = ['-e', 'dmodc:ar=yes', *AR]
# The fabric, and how its switches choose paths where they are adaptive.
FABRICS = {
    'fat tree 1:1': ('pgft:m=32x32,w=1x16,p=1x2', TREE),
    'fat tree 2:1': ('pgft:m=32x32,w=1x16,p=1x1', TREE),
    '8 rails 1:1': ('pgft:m=32x32,w=1x16,p=1x2,rails=8', TREE),
    '3-level fat tree': ('tree:k=10,n=3', TREE),
    'dragonfly': ('dragonfly:a=8,p=4,h=4', ['-e', 'heddle', '-s', 'routing.adaptive=pb']),
    'Dragonfly+': ('dragonflyplus:leaves=8,spines=8,hosts=8,h=4,g=16', ['-e', 'dfplus:ar=valiant', *AR]),
    'HyperX 6x6x6': ('hyperx:6x6x6,p=5', ['-e', 'heddle', '-s', 'routing.adaptive=dal']),
    'Slim Fly q=13': ('slimfly:q=13,p=3', ['-e', 'heddle', '-s', 'routing.adaptive=ugal']),
    'torus 8x8x8': ('torus:8x8x8,p=2', ['-e', 'heddle', '-s', 'routing.adaptive=dal']),
}
TABLES = ['-e', 'heddle']
# Paths are longer where links are missing: VCs for them, found by `heddle check --adaptive ROUTING --vcs RULE`.
DAMAGED = {'dragonfly': ['-s', 'routing.vcs=hop:l l g l l g l l g l l g l l'], 'Slim Fly q=13': ['-s', 'routing.vcs=hop:7']}
COMMON = ['--quiet', '--no-time', '--csv', '-', '-j', '1', '-s', 'run.warmup=0', '-s', 'run.measure=1s',
          '-s', 'link.bandwidth=400Gbps']
MODEL = 'tp=8,pp=4,layers=8,micro=4,parameters=256MiB,activation=256KiB'


def simulate(heddle, *arguments):
    """The row of one run; None: heddle refuses, and the reason is on standard error."""
    words = [str(word) for word in (heddle, 'sim', *arguments, *COMMON)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f'{" ".join(words)}: {done.stderr.strip()}', file=sys.stderr)
        return None
    return next(csv.DictReader(done.stdout.splitlines()))


def damaged(heddle, spec, folder):
    """@spec without 5% of the links between switches."""
    between = int(re.search(r'links +(\d+) between switches', runs.run(heddle, 'topo', spec))[1])
    path = os.path.join(folder, 'less.net')
    runs.run(heddle, 'topo', spec, '--fail-links', round(between * 0.05), '--seed', '1', '-o', path)
    return path


def size(heddle, spec):
    """Ports of switches that are in use."""
    between, hosts = map(int, re.search(r'links +(\d+) between switches, (\d+)', runs.run(heddle, 'topo', spec)).groups())
    return 2 * between + hosts


def iteration(heddle, folder, fabrics):
    """Rows of an iteration of 960 ranks."""
    yield ['fabric', 'ports', 'links', 'paths', 'order', 'iteration_us', 'fct_p99_us', 'out_of_order']
    for name, (spec, adaptive) in fabrics.items():
        for links, fabric in (('all', spec), ('95%', damaged(heddle, spec, folder))):
            more = DAMAGED.get(name, []) if links != 'all' else []
            for paths, how in (('tables', TABLES), ('adaptive', adaptive + more)):
                for order in ('in-order', 'random:1'):
                    row = simulate(heddle, fabric, *how, '-s', f'traffic.pattern=training:{MODEL},dp=30,ep=6,hosts=0..959,order={order}')
                    yield [name, size(heddle, spec), links, paths, order.split(':', maxsplit=1)[0],
                           *([runs.short(float(row[key]) / 1000, 5) for key in ('repetition', 'fct_p99')] if row else ['refused', '']),
                           runs.short(row.get('out_of_order') or '', 3) if row else '']


def write_jobs(path, place, storage):
    """A scenario of two jobs."""
    with open(path, 'w', encoding='utf-8') as out:
        out.write(f'[job train]\npattern = training:{MODEL},dp=15,ep=5\nhosts = 480\nplace = {place}\n')
        if storage:
            # a storage server on every thirtieth host
            servers = '+'.join(str(host) for host in range(0, 960, 30))
            out.write(f'[job storage]\npattern = collective:alltoall,size=32MiB,repeat=2\nhosts = {servers}\n')
        else:
            out.write(f'[job experts]\npattern = collective:alltoall,size=8MiB,repeat=2\nhosts = 448\nplace = {place}\n')


def jobs(heddle, folder, fabrics):
    """Rows of training beside an all-to-all."""
    yield ['fabric', 'place', 'paths', 'train_us', 'train_slowdown', 'experts_us', 'experts_slowdown']
    for name, (spec, adaptive) in fabrics.items():
        for place in ('blocks', 'topology', 'random:3'):
            path = os.path.join(folder, 'jobs.ini')
            write_jobs(path, place, False)
            for paths, how in (('tables', TABLES), ('adaptive', adaptive))[:2 if place.startswith('random') else 1]:
                row = simulate(heddle, path, '-s', f'fabric.topology={spec}', *how)
                yield [name, place.split(':', maxsplit=1)[0], paths,
                       *([runs.short(float(row[f'repetition[{job}]']) / 1000, 5) if column == 'repetition' else
                          runs.short(row[f'slowdown[{job}]'], 3) for job in ('train', 'experts')
                          for column in ('repetition', 'slowdown')] if row else ['refused', '', '', ''])]


def storage(heddle, folder, fabrics):
    """Rows of training beside storage, which has a class of its own or not."""
    yield ['fabric', 'classes', 'train_us', 'train_slowdown', 'storage_us', 'storage_slowdown']
    classes = os.path.join(folder, 'classes')
    with open(classes, 'w', encoding='utf-8') as out:
        out.write('[class train]\nshare = 70%\n[class storage]\nshare = 30%\n')
    for name, (spec, _) in fabrics.items():
        path = os.path.join(folder, 'jobs.ini')
        write_jobs(path, 'blocks', True)
        for words, how in (('one', []), ('70% / 30%', ['-s', f'routing.classes={classes}'])):
            row = simulate(heddle, path, '-s', f'fabric.topology={spec}', *TABLES, *how)
            yield [name, words, *([runs.short(float(row[f'repetition[{job}]']) / 1000, 5) if column == 'repetition' else
                                   runs.short(row[f'slowdown[{job}]'], 3) for job in ('train', 'storage')
                                   for column in ('repetition', 'slowdown')] if row else ['refused', '', '', ''])]


def table():
    """The tables of README.md."""
    here = os.path.dirname(__file__)
    found = {(r['fabric'], r['links'], r['paths'], r['order']): r for r in runs.read(os.path.join(here, 'iteration.csv'))}

    def us(*key):
        text = found[key]['iteration_us']
        return f'{float(text):,.0f}' if text != 'refused' else text

    print('| fabric | ports | tables: in order | random | 95% of links | adaptive: in order | random | 95% of links | best x ports |')
    print('|---|---:|---:|---:|---:|---:|---:|---:|---:|')
    price = {}
    for name in FABRICS:
        rows = [found[name, 'all', paths, 'in-order'] for paths in ('tables', 'adaptive')]
        price[name] = min(float(row['iteration_us']) for row in rows) * int(rows[0]['ports'])
    for name in FABRICS:
        cells = [us(name, links, paths, order) for paths in ('tables', 'adaptive')
                 for links, order in (('all', 'in-order'), ('all', 'random'), ('95%', 'in-order'))]
        ports = int(found[name, 'all', 'tables', 'in-order']['ports'])
        print(f'| {name} | {ports:,} | {" | ".join(cells)} | {price[name] / price["fat tree 1:1"]:.2f} |')
    print()
    rows = {(r['fabric'], r['place'], r['paths']): r for r in runs.read(os.path.join(here, 'jobs.csv'))}
    print('| fabric | blocks: train | experts | topology: train | experts | random: train | experts | random, adaptive: train | experts |')
    print('|---|' + '---:|' * 8)
    for name in FABRICS:
        cells = []
        for place, paths in (('blocks', 'tables'), ('topology', 'tables'), ('random', 'tables'), ('random', 'adaptive')):
            row = rows[name, place, paths]
            cells += [f'{float(row[f"{job}_us"]):,.0f} ({float(row[f"{job}_slowdown"]):.2f})' for job in ('train', 'experts')]
        print(f'| {name} | {" | ".join(cells)} |')
    print()
    rows = {(r['fabric'], r['classes']): r for r in runs.read(os.path.join(here, 'storage.csv'))}
    print('| fabric | one class: train | storage | 70% / 30%: train | storage |')
    print('|---|---:|---:|---:|---:|')
    for name in FABRICS:
        cells = [rows[name, classes][f'{job}_slowdown'] for classes in ('one', '70% / 30%') for job in ('train', 'storage')]
        print(f'| {name} | {" | ".join(cells)} |')


def main(heddle, part, *names):
    """Writes the rows of a part."""
    fabrics = {name: FABRICS[name] for name in names or FABRICS}
    out = csv.writer(sys.stdout, lineterminator='\n')
    with tempfile.TemporaryDirectory() as folder:
        for row in {'iteration': iteration, 'jobs': jobs, 'storage': storage}[part](heddle, folder, fabrics):
            out.writerow(row)
            sys.stdout.flush()


if sys.argv[1:] == ['table']:
    table()
else:
    main(*sys.argv[1:])
