#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The networks of Table 1 of osha-sasha-dbbq with the six techniques of its section 5, on one core: routed and proved, with
the time of the processor.

    bench_table1.py [--csv FILE] [NETWORK...]

As SLs and VLs of InfiniBand, tori with datelines; and tori with bubbles, which InfiniBand does not have, by the paper's VLs. OSHA and
SASHA have the same tables (tests/unit/test_grid_routes). Rows that are in the file are kept. Run it in a build directory.
"""
import argparse
import csv
import json
import os
import resource
import sys

import bench_engines

COLUMNS = ['network', 'end_nodes', 'lids', 'lanes', 'technique', 'sls', 'vls', 'max_hops', 'cpu_s', 'peak_mib', 'verdict']
NETWORKS = ['kns:k=48,n=2', 'kns:k=24,n=3', 'torus:48x48', 'torus:24x24x24']
TECHNIQUES = {
    '1VC': ('hdor', 'single:1'), 'BBQ-4VC': ('hdor', 'bbq:4'), 'OSHA/SASHA-2VC': ('osha', 'single:1'),
    'OSHA/SASHA-4VC-DBBQ': ('osha', 'dbbq:2'),
}


def prove(network, technique, bubble):
    engine, queues = TECHNIQUES[technique]
    words = ['./heddle', 'check', network, '-e', engine, '-q', queues, '--json']
    if bubble:
        words += ['--bubble'] + (['-l', 'single'] if engine == 'hdor' else [])
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    status, text, peak = bench_engines.run(words, env=dict(os.environ, OMP_NUM_THREADS='1'))
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
    row = {'cpu_s': f'{cpu:.1f}', 'peak_mib': round(peak)}
    if status not in (0, 1) or not text.startswith('{'):
        return row | {'verdict': text.strip().removeprefix('heddle: ').partition('\n')[0]}
    result = json.loads(text)
    return row | {key: result[key] for key in ('sls', 'vls', 'max_hops')} | {'verdict': 'sound' if result['sound'] else result['failure']}


def lids_of(network, lmc):
    """2^lmc for each end node, one for each switch."""
    fabric = bench_engines.describe(network)
    return fabric['end_nodes'], (fabric['end_nodes'] << lmc) + fabric['switches']


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--csv', default='/dev/stdout')
    parser.add_argument('networks', nargs='*', metavar='NETWORK')
    arguments = parser.parse_args()
    done = set()
    if os.path.isfile(arguments.csv):
        with open(arguments.csv, encoding='ascii') as file:
            done = {(row['network'], row['lanes'], row['technique']) for row in csv.DictReader(file)}
    with open(arguments.csv, 'a', encoding='ascii', newline='') as file:
        writer = csv.DictWriter(file, COLUMNS, restval='', lineterminator='\n')
        if not done:
            writer.writeheader()
        for network in arguments.networks or NETWORKS:
            for lanes in ['InfiniBand'] + (['bubbles'] if network.startswith('torus') else []):
                for technique, (engine, _) in TECHNIQUES.items():
                    if (network, lanes, technique) in done:
                        continue
                    end_nodes, lids = lids_of(network, 0 if engine == 'hdor' else 1)
                    writer.writerow({'network': network, 'end_nodes': end_nodes, 'lids': lids, 'lanes': lanes, 'technique': technique}
                                    | prove(network, technique, lanes == 'bubbles'))
                    file.flush()
    return 0


if __name__ == '__main__':
    sys.exit(main())
