#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
What a host can know of its two networks (osha-sasha-dbbq, section 4), compared: estimators.csv beside this script. SASHA with DBBQ,
2 + 2 VLs, on KNS of 8x8 and 48x48 at 100 Gb/s; and with 1 + 1 VLs, so that all destinations have the same two lanes, on 8x8.
report.py prints the tables of README.md and draws estimators.svg.

usage: run.py [--heddle HEDDLE] [STUDY...]      8x8, swings, 48x48; rows that are there are kept
"""
import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402

COLUMNS = ['fabric', 'queues', 'pattern', 'load', 'policy', 'seed', 'accepted', 'latency_mean', 'latency_p99', 'accepted[background]',
           'latency_mean[background]', 'latency_p99[background]', 'lid_changes', 'packets', 'steady', 'deadlock']
KEYS = ['fabric', 'queues', 'pattern', 'load', 'policy', 'seed']
# the paper's switch, link and packet; VOQs; what it leaves open: 100 ns from head to head, round robin
SETTING = {
    'routing.engine': 'sasha', 'link.bandwidth': '100Gbps', 'link.propagation': '6ns',
    'switch.voq': 'yes', 'switch.buffer': '128 KiB per port', 'switch.latency': '100ns',
    'host.admittance': 'destination', 'host.injection': '128 KiB per port', 'traffic.packet': '4KiB',
}
PATTERNS = {'zipf': 'zipf:1', 'hotspot': 'hotspot:form=osha'}
INTERVALS = ['1us', '2us', '5us', '10us', '20us', '50us', '100us', '200us', '500us', '1ms']
SMALL = (['roundrobin', 'random', 'leastoccupied', 'outstanding:delay=1us', 'outstanding:delay=10us']
         + [f'xmitwait:interval={t}' for t in INTERVALS]
         # what the end of a 16-bit counter does is what these do not have
         + [f'xmitwait:interval={t},bits=32' for t in INTERVALS[5:]])
SWINGS = SMALL[:3] + SMALL[5:]
LARGE = ['roundrobin', 'leastoccupied', 'outstanding:delay=1us', 'xmitwait:interval=1us', 'xmitwait:interval=10us',
         'xmitwait:interval=100us']
# fabric, queues, policies, (pattern, load), seeds, warm-up, window
STUDIES = {
    '8x8': ('8x8', 'dbbq:2', SMALL, [('zipf', '0.7'), ('zipf', '1'), ('hotspot', '0.6'), ('hotspot', '1')], range(1, 4), '1ms', '2ms'),
    'swings': ('8x8', 'single:1', SWINGS, [('zipf', '1')], range(1, 4), '1ms', '2ms'),
    '48x48': ('48x48', 'dbbq:2', LARGE, [('hotspot', '0.6'), ('zipf', '1')], range(1, 2), '300us', '700us'),
}


def run(heddle, study):
    fabric, queues, policies, points, seeds, warmup, window = STUDIES[study]
    path = HERE / 'estimators.csv'
    done = runs.kept(path, KEYS)
    for pattern, load in points:
        for policy in policies:
            todo = [seed for seed in seeds if (fabric, queues, pattern, load, policy, str(seed)) not in done]
            if not todo:
                continue
            keys = {**SETTING, 'routing.queues': queues, 'traffic.pattern': PATTERNS[pattern], 'traffic.load': load,
                    'host.policy': policy, 'run.warmup': warmup, 'run.measure': window, 'run.seeds': ','.join(map(str, todo))}
            for row in runs.sim(heddle, f'kns:k={fabric.split("x")[0]},n=2', keys):
                if row.get('accepted'):
                    runs.add(path, COLUMNS, {**row, 'fabric': fabric, 'queues': queues, 'pattern': pattern, 'load': load,
                                             'policy': policy})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--heddle', default='heddle')
    parser.add_argument('studies', nargs='*', metavar='STUDY', help='8x8, swings, 48x48')
    args = parser.parse_args()
    for study in args.studies or STUDIES:
        if study not in STUDIES:
            parser.error(f'no study {study}')
        run(args.heddle, study)


if __name__ == '__main__':
    main()
