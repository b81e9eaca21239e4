#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How long people wait for snapshots: two builds of heddle write, prove and compare them, in turns.

usage: bench_files.py [-n ROUNDS] [--directory DIR] OLD-HEDDLE NEW-HEDDLE [FABRIC [ENGINE ENGINE]]

Each round, each build in turn routes FABRIC with both engines and writes a snapshot, checks both, and compares them, on one core.
Printed: the least processor time (user and system) of the rounds, its ratio, the most memory, and the bytes of the snapshots. The
output of check and diff must be the same.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def run(command):
    """Processor seconds, MiB at most, and what the command printed."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL,
                                   env=dict(os.environ, OMP_NUM_THREADS='1'))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        if process.returncode not in (0, 1):
            sys.exit(f'{" ".join(map(str, command))}: exit status {process.returncode}')
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output.read()


def steps(heddle, fabric, engines, at):
    for engine in engines:
        yield f'route {engine} -o', [heddle, 'route', fabric, '-e', engine, '-o', at / engine], False
    for engine in engines:
        yield f'check {engine}', [heddle, 'check', at / engine], True
    yield 'diff', [heddle, 'diff', at / engines[0], at / engines[1]], True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('-n', type=int, default=3)
    parser.add_argument('--directory')
    parser.add_argument('old')
    parser.add_argument('new')
    parser.add_argument('fabric', nargs='?', default='dragonfly:a=16,p=8,h=8')
    parser.add_argument('engines', nargs='*', default=['dla', 'df-sssp'])
    arguments = parser.parse_args()
    best, size = {}, {}
    with tempfile.TemporaryDirectory(dir=arguments.directory) as directory:
        for _ in range(arguments.n):
            printed = {}
            for side, heddle in (('old', arguments.old), ('new', arguments.new)):
                at = pathlib.Path(directory) / side
                at.mkdir()
                for name, command, is_compared in steps(heddle, arguments.fabric, arguments.engines, at):
                    seconds, memory, output = run(command)
                    least = best.setdefault((name, side), [seconds, memory])
                    least[0], least[1] = min(seconds, least[0]), max(memory, least[1])
                    if is_compared and printed.setdefault(name, output) != output:
                        sys.exit(f'{name}: the outputs differ')
                for engine in arguments.engines:
                    size[engine, side] = sum(file.stat().st_size for file in (at / engine).iterdir()) / 1e6
                shutil.rmtree(at)
    print('| step | old s | new s | ratio | old MiB | new MiB |\n|---|---:|---:|---:|---:|---:|')
    for name in dict.fromkeys(name for name, _ in best):
        old, new = best[name, 'old'], best[name, 'new']
        print(f'| `{name}` | {old[0]:.2f} | {new[0]:.2f} | {old[0] / new[0]:.1f} | {old[1]:.0f} | {new[1]:.0f} |')
    for engine in arguments.engines:
        print(f'{engine}: {size[engine, "old"]:,.0f} MB, {size[engine, "new"]:,.0f} MB')


if __name__ == '__main__':
    main()
