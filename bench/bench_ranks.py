#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How fast ranks run: GOAL schedules and collective operations, in messages a second of CPU, and bytes a message.

usage: bench_ranks.py [-r ROUNDS] HEDDLE

Each row runs on one core, the best of ROUNDS (3). Bytes, and seconds of the rate, are beyond those of a run of two messages on
the same fabric. Needs /usr/bin/time (Debian: time): started by Python itself, a process would count Python's memory, too.
"""
import argparse
import csv
import os
import resource
import subprocess
import tempfile

RANKS = 128
FABRIC = ['tree:k=8,n=3', '-e', 'dmodc']
# every rank to every other, all at once; with and without LogGOP's overhead
LOGGOP = ['-s', 'host.model=loggop:o=1000,g=100,S=65536']


def all_to_all(file, size, rounds):
    """Ranks send to all others, and wait for all before the next round."""
    print('num_ranks', RANKS, file=file)
    for r in range(RANKS):
        print(f'rank {r} {{', file=file)
        for k in range(rounds):
            for i in range(1, RANKS):
                print(f's{k}_{i}: send {size}b to {(r + i) % RANKS} tag {k} cpu 0\n'
                      f'r{k}_{i}: recv {size}b from {(r - i) % RANKS} tag {k} cpu 1', file=file)
            print(f'c{k}: calc 1000 cpu 2', file=file)
            for i in range(1, RANKS):
                print(f'c{k} requires r{k}_{i}', file=file)
                if k:
                    print(f's{k}_{i} requires c{k - 1}', file=file)
        print('}', file=file)


def ring(file, size, rounds):
    """Each rank passes on what came."""
    print('num_ranks', RANKS, file=file)
    for r in range(RANKS):
        print(f'rank {r} {{', file=file)
        for k in range(rounds):
            print(f's{k}: send {size}b to {(r + 1) % RANKS}\nr{k}: recv {size}b from {(r - 1) % RANKS} cpu 1', file=file)
            if k:
                print(f's{k} requires r{k - 1}\nr{k} requires r{k - 1}', file=file)
        print('}', file=file)


def run(heddle, pattern, more, rounds):
    """The row of results, CPU seconds, and KiB."""
    times = []
    with tempfile.TemporaryDirectory() as scratch:
        table = os.path.join(scratch, 'row.csv')
        command = [heddle, 'sim', *FABRIC, '-j', '1', '-s', 'run.warmup=0', '-s', 'run.measure=10s', '--csv', table,
                   '-s', 'traffic.pattern=' + pattern, *more]
        for _ in range(rounds):
            usage = os.path.join(scratch, 'usage')
            status = subprocess.call(['/usr/bin/time', '-o', usage, '-f', '%U %S %M', *command], stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL)
            if status:
                raise SystemExit(f'{pattern}: exit status {status}')
            with open(usage, encoding='ascii') as words:
                user, system, size = words.read().split()
            times.append((float(user) + float(system), int(size)))
        with open(table, encoding='utf-8') as rows:
            return next(csv.DictReader(rows)), min(t for t, _ in times), min(m for _, m in times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('-r', type=int, default=3, metavar='ROUNDS', help='the best of so many (3)')
    parser.add_argument('heddle')
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as scratch:
        rows = []
        for name, make, size, rounds in (('all-to-all', all_to_all, 64, 12), ('ring', ring, 4096, 1500)):
            path = os.path.join(scratch, name + '.goal')
            with open(path, 'w', encoding='utf-8') as file:
                make(file, size, rounds)
            packed = path.replace('.goal', '.bin')
            subprocess.run([arguments.heddle, 'convert', path, packed], check=True, stdout=subprocess.DEVNULL)
            n = RANKS * rounds * (RANKS - 1 if make is all_to_all else 1)
            for form in path, packed:
                for more in [], LOGGOP:
                    rows.append((f'GOAL {name}, {os.path.splitext(form)[1]}{", loggop" if more else ""}', 'trace:' + form, more, n))
        rows += [('collective ' + spec, 'collective:' + spec, [], None)
                 for spec in ('alltoall,size=32KiB', 'alltoall,size=32KiB,algorithm=direct', 'allreduce,size=2MiB,repeat=2',
                              'allreduce,algorithm=tree,size=2MiB')]
        base = run(arguments.heddle, 'collective:sendrecv,hosts=0..1,size=64', [], arguments.r)
        print('| what | messages | CPU, s | messages / s | bytes a message |\n|---|---:|---:|---:|---:|')
        for name, pattern, more, n in rows:
            row, seconds, memory = run(arguments.heddle, pattern, more, arguments.r)
            n = n or int(float(row['messages']))
            if not row['makespan']:
                raise SystemExit(f'{name}: it did not come to its end')
            print(f'| {name} | {n:,} | {seconds:.2f} | {n / (seconds - base[1]):,.0f} | '
                  f'{(memory - base[2]) * 1024 / n:.1f} |', flush=True)


main()
