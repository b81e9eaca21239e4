#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""An iteration of training on fabrics of about 1,000 and 4,100 to 5,300 hosts; two jobs side by side; a storage job beside training.

	training.py HEDDLE iteration >iteration.csv    ten minutes of CPU: by tables and adaptive, whole and damaged
	training.py HEDDLE jobs >jobs.csv              ten minutes: where the hosts of two jobs are
	training.py HEDDLE storage >storage.csv        five minutes: with one class of traffic, and with two
	training.py HEDDLE large >large.csv            twenty minutes: an iteration on fabrics of 4,096 to 5,256 hosts
	training.py HEDDLE PART FABRIC...              some fabrics only
	training.py table                              the tables of README.md, from the files beside this script
	training.py draw                               iteration.svg from them (gnuplot)
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
# The same kinds with about four times as many hosts.
LARGE = {
    'fat tree 1:1': 'pgft:m=32x32x4,w=1x32x2,p=1x1x16',
    'fat tree 2:1': 'pgft:m=32x32x4,w=1x16x2,p=1x1x16',
    '8 rails 1:1': 'pgft:m=32x32x4,w=1x32x2,p=1x1x16,rails=8',
    '3-level fat tree': 'tree:k=16,n=3',
    'dragonfly': 'dragonfly:a=12,p=6,h=6',
    'Dragonfly+': 'dragonflyplus:leaves=16,spines=16,hosts=16,h=4,g=16',
    'HyperX': 'hyperx:8x8x8,p=8',
    'Slim Fly': 'slimfly:q=19,p=6',
    'torus': 'torus:16x16x8,p=2',
}
KINDS = {'HyperX': 'HyperX 6x6x6', 'Slim Fly': 'Slim Fly q=13', 'torus': 'torus 8x8x8'}
TABLES = ['-e', 'heddle']
# Bars of the picture.
WHAT = [('all', 'tables'), ('95%', 'tables'), ('all', 'adaptive'), ('95%', 'adaptive')]
COLORS = ['#1f77b4', '#aec7e8', '#d62728', '#ff9896']
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


def large(heddle, folder, fabrics):
    """Rows of an iteration of 3,840 ranks, in order."""
    yield ['fabric', 'spec', 'ports', 'links', 'paths', 'iteration_us', 'fct_p99_us', 'out_of_order']
    for name, spec in fabrics.items():
        for links, fabric in (('all', spec), ('95%', damaged(heddle, spec, folder))):
            kind = KINDS.get(name, name)
            more = DAMAGED.get(kind, []) if links != 'all' else []
            for paths, how in (('tables', TABLES), ('adaptive', FABRICS[kind][1] + more)):
                row = simulate(heddle, fabric, *how, '-s', f'traffic.pattern=training:{MODEL},dp=120,ep=6,hosts=0..3839')
                yield [name, spec, size(heddle, spec), links, paths,
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


def large_table(here):
    """That of 3,840 ranks."""
    found = {(r['fabric'], r['links'], r['paths']): r for r in runs.read(os.path.join(here, 'large.csv'))}
    print('| fabric | spec | ports | tables | 95% of links | adaptive | 95% of links | best x ports |')
    print('|---|---|---:|---:|---:|---:|---:|---:|')

    def times(name):
        return [found[name, links, paths]['iteration_us'] for links, paths in WHAT]

    def price(name):
        return min(float(text) for text in times(name)[::2] if text != 'refused') * int(found[name, 'all', 'tables']['ports'])

    for name in LARGE:
        cells = [text if text == 'refused' else f'{float(text):,.0f}' for text in times(name)]
        row = found[name, 'all', 'tables']
        print(f'| {name} | `{row["spec"]}` | {int(row["ports"]):,} | {" | ".join(cells)} | {price(name) / price("fat tree 1:1"):.2f} |')


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
    large_table(here)
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


def draw():
    """iteration.svg: an iteration's time, by fabric, paths and size."""
    here = os.path.dirname(os.path.abspath(__file__))
    words = ["set terminal svg size 1060,380 font 'sans,11' background 'white'", "set output 'iteration.svg'",
             'set multiplot layout 1,2', 'set style data histograms', 'set style fill solid', 'set style histogram cluster gap 1',
             "set grid ytics lc rgb '#dddddd'", 'set xtics rotate by -35 nomirror', 'set yrange [0:5500]', 'set key top left Left reverse samplen 1',
             "set ylabel 'an iteration, us'"]
    data = []
    for title, file, where in (('960 ranks', 'iteration.csv', {'order': 'in-order'}), ('3,840 ranks', 'large.csv', {})):
        rows = [r for r in runs.read(os.path.join(here, file)) if all(r[key] == value for key, value in where.items())]
        found = {(r['fabric'], r['links'], r['paths']): r['iteration_us'].replace('refused', '?') for r in rows}
        block = f'$d{len(data)}'
        data.append(f'{block} << END')
        data += [' '.join([f'"{name}"', *(found[name, *what] for what in WHAT)]) for name in dict.fromkeys(r['fabric'] for r in rows)]
        data.append('END')
        words += [f"set title '{title}'",
                  'plot ' + ', '.join(f"{block} using {i + 2}:xtic(1) title '{paths}, {links} of links' lc rgb '{COLORS[i]}'"
                                      for i, (links, paths) in enumerate(WHAT)), 'unset key']
    subprocess.run(['gnuplot'], input='\n'.join(data + words) + '\n', text=True, check=True, cwd=here)


def main(heddle, part, *names):
    """Writes the rows of a part."""
    known = LARGE if part == 'large' else FABRICS
    fabrics = {name: known[name] for name in names or known}
    out = csv.writer(sys.stdout, lineterminator='\n')
    with tempfile.TemporaryDirectory() as folder:
        for row in {'iteration': iteration, 'large': large, 'jobs': jobs, 'storage': storage}[part](heddle, folder, fabrics):
            out.writerow(row)
            sys.stdout.flush()


if sys.argv[1:] == ['table']:
    table()
elif sys.argv[1:] == ['draw']:
    draw()
else:
    main(*sys.argv[1:])
