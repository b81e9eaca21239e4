#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Collective operations on fabrics of about 1,000 hosts, whole and without 5% of the links between switches.

	run.py HEDDLE [FABRIC...] >results.csv    three minutes of CPU; a line for each fabric, state and order of ranks
"""
import csv
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))
import runs  # pylint: disable=wrong-import-position

FABRICS = {
    'fat tree 1:1': 'pgft:m=32x32,w=1x16,p=1x2',
    'fat tree 2:1': 'pgft:m=32x32,w=1x16,p=1x1',
    '3-level fat tree': 'tree:k=10,n=3',
    '8 rails 1:1': 'pgft:m=32x32,w=1x16,p=1x2,rails=8',
    'dragonfly': 'dragonfly:a=8,p=4,h=4',
    'Dragonfly+': 'dragonflyplus:leaves=8,spines=8,hosts=8,h=4,g=16',
    'HyperX 16x16': 'hyperx:16x16,p=4',
    'HyperX 6x6x6': 'hyperx:6x6x6,p=5',
    'torus 8x8x8': 'torus:8x8x8,p=2',
    'torus 4x4x4x4': 'torus:4x4x4x4,p=4',
}

# Columns: the operation, and whether ranks are also in random order. A node has eight ranks.
OPERATIONS = {
    'ring_step': ('sendrecv,size=1MiB', True),
    'tree': ('allreduce,algorithm=tree,size=1MiB', True),
    'alltoall': ('alltoall,algorithm=direct,size=1MiB', True),
    'nodes': ('alltoall,algorithm=direct,size=1MiB,group=8,local=8', False),
}
COLUMNS = ['fabric', 'links', 'order', 'ports', 'cables', 'engine', *OPERATIONS, 'alltoall_p99']


def measure(heddle, fabric, order):
    """bus_use of each operation, and the p99 of flow completion times of the all-to-all in us."""
    names = [name for name, (_, any_order) in OPERATIONS.items() if any_order or order == 'in-order']
    patterns = ', '.join(f'collective:{OPERATIONS[name][0]},order={order}' for name in names)
    text = runs.run(heddle, 'sim', fabric, '-e', 'heddle', '--quiet', '--no-time', '--csv', '-', '-j', '1',
                    '-s', 'run.warmup=0', '-s', 'run.measure=1s', '-s', 'link.bandwidth=400Gbps',
                    '-s', f'traffic.pattern={patterns}')
    rows = list(csv.DictReader(text.splitlines()))
    found = {name: row['bus_use'] or 'none' for name, row in zip(names, rows, strict=True)}
    found['alltoall_p99'] = float(rows[names.index('alltoall')]['fct_p99']) / 1000
    return found


def describe(heddle, fabric):
    """Ports of switches that are in use, cables between switches."""
    text = runs.run(heddle, 'topo', fabric)
    between, hosts = map(int, re.search(r'links +(\d+) between switches, (\d+)', text).groups())
    return {'ports': 2 * between + hosts, 'cables': between}


def main(heddle, *names):
    """Writes the rows."""
    out = csv.DictWriter(sys.stdout, COLUMNS, lineterminator='\n', extrasaction='ignore')
    out.writeheader()
    with tempfile.TemporaryDirectory() as folder:
        for name in names or FABRICS:
            spec = FABRICS[name]
            what = describe(heddle, spec)
            less = os.path.join(folder, 'less.net')
            runs.run(heddle, 'topo', spec, '--fail-links', round(what['cables'] * 0.05), '--seed', '1', '-o', less)
            for links, fabric in (('all', spec), ('95%', less)):
                route = runs.run(heddle, 'route', fabric, '-e', 'heddle', '-o', os.path.join(folder, links))
                engine = re.search(r'engine +(\w[\w-]*)', route)[1]
                for order in ('in-order', 'random:1'):
                    row = {'fabric': name, 'links': links, 'order': order.split(':', maxsplit=1)[0], **what,
                           'engine': engine, **measure(heddle, fabric, order)}
                    out.writerow({key: runs.short(row.get(key, ''), 3) for key in COLUMNS})
                    sys.stdout.flush()


main(*sys.argv[1:])
