#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""An all-to-all by htsim (github.com/Broadcom/csg-htsim) and by heddle: messages a second of CPU.

usage: bench_htsim.py [-r ROUNDS] [--size BYTES] HTSIM_ROCE HEDDLE

HTSIM_ROCE is the program htsim_roce that htsim's own Makefile builds. Equal work: 128 hosts of 100 Gb/s on a fat tree of three
levels, 1:1, of switches of 8 ports; every host sends BYTES (16,384) to every other, all at once, in packets of 4,096 bytes, without
loss (htsim: RoCE, PFC, ECMP by flow; heddle: credits, tables by dmodc). htsim also sends and carries acknowledgements. Programs
take turns, ROUNDS times (3), on one core; the least CPU of each counts, with its start.
"""
import argparse
import csv
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HOSTS, PACKET = 128, 4096


def used(command, folder=None):
    """CPU seconds of a command in @folder, and its standard output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def htsim(program, scratch, size):
    """CPU seconds, messages that arrived, and the time of the last one in us."""
    matrix = os.path.join(scratch, 'all.cm')
    with open(matrix, 'w', encoding='ascii') as file:
        print(f'Nodes {HOSTS}\nConnections {HOSTS * (HOSTS - 1)}', file=file)
        number = 0
        for shift in range(1, HOSTS):
            for host in range(HOSTS):
                number += 1
                print(f'{host}->{(host + shift) % HOSTS} id {number} start 0 size {size}', file=file)
    seconds, text = used([os.path.abspath(program), '-o', os.path.join(scratch, 'log'), '-nodes', str(HOSTS), '-conns',
                          str(HOSTS * (HOSTS - 1)), '-tm', matrix, '-strat', 'ecmp_host', '-paths', '16', '-queue_type', 'lossless_input',
                          '-q', '100', '-pfc_thresholds', '12', '15', '-mtu', str(PACKET), '-end', '10000', '-seed', '1'],
                         scratch)  # it leaves files where it runs
    ends = [float(end) for end in re.findall(r'finished at ([0-9.e+]+)', text)]
    return seconds, len(ends), max(ends, default=0)


def heddle(program, size):
    """The same."""
    seconds, text = used([program, 'sim', '--quiet', '-j', '1', 'pgft:m=4x4x8,w=1x4x4', '-e', 'dmodc', '-s', 'link.bandwidth=100Gbps',
                          '-s', 'traffic.packet=4KiB', '-s', 'run.warmup=0', '-s', 'run.measure=10s', '--csv', '-', '-s',
                          f'traffic.pattern=collective:alltoall,algorithm=direct,size={size * HOSTS}'])
    row = next(csv.DictReader(text.splitlines()))
    return seconds, int(float(row['messages'])), float(row['makespan']) / 1000


def main():
    parser = argparse.ArgumentParser(usage=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('-r', type=int, default=3)
    parser.add_argument('--size', type=int, default=16384)
    parser.add_argument('htsim')
    parser.add_argument('heddle')
    args = parser.parse_args()
    for program in args.htsim, args.heddle:
        if not shutil.which(program):
            parser.error(f'{program}: no such program')
    best = {}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(args.r):
            for name, result in ('htsim', htsim(args.htsim, scratch, args.size)), ('heddle', heddle(args.heddle, args.size)):
                best[name] = min(best.get(name, result), result)
    print('| program | messages | last one, us | CPU, s | messages / s |\n|---|---:|---:|---:|---:|')
    for name, (seconds, messages, last) in best.items():
        print(f'| {name} | {messages:,} | {last:.0f} | {seconds:.2f} | {messages / seconds:,.0f} |')
    if any(messages != HOSTS * (HOSTS - 1) for _, messages, _ in best.values()):
        sys.exit('bench_htsim.py: not all messages arrived, so the work is not equal')


main()
