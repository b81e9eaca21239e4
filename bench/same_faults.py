#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Whether two builds of heddle say the same of failures, and how much processor time each takes.

usage: same_faults.py [-n RUNS] [--seed SEED] [--whole] [--rows] [--fabric FILE...] OLD-HEDDLE NEW-HEDDLE

RUNS random studies of small fabrics; with --whole all studies of docs/faults.md; with --rows the
table of bench/README.md, with FILEs for dmodc and heddle. JSON but for the seconds and exit
statuses must be equal. Exit status 0: all are equal, 1: some differ.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / 'experiments/faults')]
import same_tables  # noqa: E402
import study  # noqa: E402

ROWS = [('dragonfly:a=8,p=4,h=4 -e dla --links 1', 1, 101), ('dragonfly:a=16,p=8,h=8 -e dla --links 1', 1, 21)]


def whole():
    for _, fabric, engines, failures in study.STUDIES:
        for engine in engines:
            yield [fabric, '-e', *engine.split(), *failures.split()]


def some(rng, n):
    for _ in range(n):
        engine = rng.choice(sorted(same_tables.FABRICS))
        words = [rng.choice(same_tables.FABRICS[engine]), '-e', engine, '--links', str(rng.choice([1, 1, 2, 3, 6]))]
        if rng.random() < .15:
            words += ['--switches', '1']
        if rng.random() < .3:
            words += ['--lmc', str(rng.randrange(3))]
        if rng.random() < .2:
            words += ['-q', rng.choice(same_tables.QUEUES)]
        if rng.random() < .2:
            words += ['--max-vls', str(rng.choice([1, 2, 4, 8]))]
        yield [*words, '--sample', str(rng.choice([1, 5, 20])), '--seed', str(rng.randrange(1000))]


def run(heddle, words):
    """The answer, and the processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([heddle, 'faults', *words, '-j', '1', '--json', '--quiet'], capture_output=True, check=False,
                          env=dict(os.environ, OMP_NUM_THREADS='1'))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = done.stdout.decode()
    if answer.startswith('{'):
        answer = json.loads(answer)
        del answer['seconds']
    return (done.returncode, answer, done.stderr.decode()), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(args, words):
    (old, seconds), (new, seconds_new) = run(args.old, words), run(args.new, words)
    if old != new:
        print(*words, 'differs:', old, new, flush=True)
    return old != new, seconds, seconds_new


def rows(args):
    """Milliseconds for each set, without what the whole fabric takes: the difference of two samples."""
    different = 0
    for text, few, many in [*ROWS, *((f'{file} -e {engine} --links 1', 1, 41) for file in args.fabric
                                        for engine in ('dmodc', 'heddle'))]:
        figures = []
        for sample in (few, many):
            differs, *seconds = compare(args, [*text.split(), '--sample', str(sample)])
            different += differs
            figures.append(seconds)
        old, new = (1000 * (figures[1][i] - figures[0][i]) / (many - few) for i in range(2))
        print(f'| `{text}` | {old:.1f} | {new:.1f} | {old / new:.1f} | {1000 * figures[0][1]:.0f} |', flush=True)
    return different


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('-n', type=int, default=200, help='random studies (200)')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--whole', action='store_true', help='the studies of docs/faults.md, too')
    parser.add_argument('--rows', action='store_true', help='the table of bench/README.md alone')
    parser.add_argument('--fabric', action='append', default=[], help='a fabric of --rows for dmodc and heddle')
    parser.add_argument('old')
    parser.add_argument('new')
    args = parser.parse_args()
    if args.rows:
        return 1 if rows(args) else 0
    n = different = 0
    total = [0, 0]
    for words in [*(whole() if args.whole else ()), *some(random.Random(args.seed), args.n)]:
        differs, *seconds = compare(args, words)
        n, different = n + 1, different + differs
        total = [a + b for a, b in zip(total, seconds)]
    print(f'{n} studies, {different} differ; {total[0]:.1f} s, then {total[1]:.1f} s')
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
