#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What fabrics of switches with 36 ports, or as many as fit, cost: cost.csv beside this script. Rows that are there stay.

Ports and cables are counted by `heddle topo`; VLs, hops and the busiest link are those of the engine's tables for one LID a
host, which are proved. `most` is what the busiest link lets uniform traffic have of hosts' links."""
import os
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
from runs import add, heddle_json, kept, short  # noqa: E402

COLUMNS = ('name', 'fabric', 'engine', 'ports', 'hosts', 'switches', 'cables', 'diameter', 'sls', 'vls', 'hops', 'most')
FABRICS = (
    ('fat tree, 2 levels', 'pgft:m=18x36,w=1x18', 'dmodc'),
    ('fat tree, 3 levels', 'pgft:m=18x18x18,w=1x18x9,p=1x1x2', 'dmodc'),
    ('fat tree, 3 levels, 2:1', 'pgft:m=24x18x14,w=1x12x9,p=1x1x2', 'dmodc'),
    ('orthogonal fat tree', 'oft:k=18', 'layered'),
    ('HyperX, 2 dimensions', 'hyperx:13x13,p=12', 'hdor'),
    ('HyperX, 3 dimensions', 'hyperx:9x9x9,p=9', 'hdor'),
    ('dragonfly', 'dragonfly:a=18,p=9,h=9,g=38', 'dla'),
    ('Dragonfly+', 'dragonflyplus:leaves=18,g=19', 'dfplus'),
    ('Slim Fly, q=16', 'slimfly:q=16', 'layered'),
    ('PolarFly, q=23', 'polarfly:q=23', 'layered'),
    ('Jellyfish', 'jellyfish:n=512,r=24', 'layered'),
)


def study(name, fabric, engine):
    topo = heddle_json('topo', fabric)
    with tempfile.TemporaryDirectory() as work:
        told = heddle_json('route', fabric, '-e', engine, '--lmc', '0', '-o', f'{work}/t')
        load = heddle_json('show', f'{work}/t', 'load')
    busiest = max(each['max'] for kind, each in load['links'].items() if kind not in ('injection', 'terminal'))
    hosts = topo['adapters']
    add(f'{here}/cost.csv', COLUMNS, {
        'name': name, 'fabric': fabric, 'engine': engine, 'ports': topo['switch_ports'][1], 'hosts': hosts,
        'switches': topo['switches'], 'cables': topo['switch_links'], 'diameter': topo['diameter'], 'sls': told['sls'],
        'vls': told['vls'], 'hops': short(load['total_hops'] / load['flows'], 4), 'most': short(min(1, (hosts - 1) / busiest), 3)})


def main():
    done = kept(f'{here}/cost.csv', ('fabric',))
    for each in FABRICS:
        if (each[1],) not in done:
            print(*each, file=sys.stderr)
            study(*each)


main()
