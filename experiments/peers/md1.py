#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Waiting at the hosts of one switch beside M/D/1, with confidence intervals.

md1.py [--seeds N] [--measure TIME] [--buffer SIZE] [--loads L,...] HEDDLE

A host's packets arrive at random (Poisson) and have one length, so its link serves each for S, a packet's time on the
link. Waiting is from arrival until the packet begins to leave: latency less network latency. It is to be
rho / (2 (1 - rho)) S while the switch holds nobody up, which --buffer is for. Prints a Markdown table: the mean of the
seeds, in S, how far it is from the formula, and Student's 95% confidence interval of that. Exit 1 where the formula is
outside that interval and more than 0.5% away.
"""
import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

SERVICE = 256  # ns: 1 KiB at 32 Gbit/s


def student(n):
    """The 97.5% quantile of Student's distribution with n - 1 degrees of freedom (Cornish and Fisher), n >= 8."""
    z, f = 1.959964, n - 1
    return z + (z ** 3 + z) / (4 * f) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * f * f)


def main():
    parser = argparse.ArgumentParser(usage=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--seeds', type=int, default=32)
    parser.add_argument('--measure', default='200ms')
    parser.add_argument('--buffer', default='10000 packets')
    parser.add_argument('--loads', default='0.5,0.7,0.85,0.9,0.95')
    parser.add_argument('heddle')
    args = parser.parse_args()
    if args.seeds < 8:
        parser.error('an interval needs 8 seeds')
    wrong = 0
    print('| load | M/D/1, in S | here | differs | 95% interval of that |\n|---:|---:|---:|---:|---|')
    for load in args.loads.split(','):
        rho = float(load)
        rows = runs.sim(args.heddle, HERE / 'md1.ini', {
            'traffic.load': load, 'run.seeds': f'1..{args.seeds}', 'run.measure': args.measure, 'switch.buffer': args.buffer})
        waits = [(float(row['latency_mean']) - float(row['network_latency_mean'])) / SERVICE for row in rows]
        theory = rho / (2 * (1 - rho))
        mean = sum(waits) / len(waits)
        deviation = (sum((wait - mean) ** 2 for wait in waits) / (len(waits) - 1)) ** 0.5
        half = student(len(waits)) * deviation / len(waits) ** 0.5 / theory
        off = mean / theory - 1
        bad = abs(off) > max(half, 0.005)
        wrong += bad
        print(f'| {load} | {theory:.4f} | {mean:.4f} | {off:+.2%} | {off - half:+.2%} to {off + half:+.2%} |{" wrong" if bad else ""}', flush=True)
    sys.exit(wrong > 0)


main()
