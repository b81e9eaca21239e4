#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
F, T and OLM's shares, which the thesis does not say: constants.py [HEDDLE]

With 1,056 hosts at load 1, those pass that accept of uniform traffic what minimal routing does, less 2% at most, and of
ADV+1 97% of what can leave a group. FOGSim's own are kept where they pass, or where none does; else those that pass and
are nearest to them. README.md has the table. Some minutes.
"""
import itertools
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

HEDDLE = sys.argv[1] if len(sys.argv) > 1 else 'heddle'
CEILING = (8 * 4 + 1) / (2 * 8 * 4)


def accepted(adaptive, trigger, pattern, vcs=''):
    keys = {'fabric.topology': 'dragonfly:a=8,p=4,h=4,global=palmtree', 'routing.adaptive': adaptive,
            'routing.trigger': trigger, 'routing.vcs': vcs, 'traffic.pattern': pattern, 'run.warmup': 6000,
            'run.measure': 4000}
    return runs.mean(runs.sim(HEDDLE, HERE / 'adaptive.ini', keys, '--no-proof'), 'accepted')


def row(name, adaptive, trigger, minimal):
    uniform, adversarial = (accepted(adaptive, trigger, pattern) for pattern in ('uniform', 'adversarial:1'))
    passes = uniform >= 0.98 * minimal and adversarial >= 0.97 * CEILING
    print(f'| {name} | {uniform:.4f} | {uniform / minimal - 1:+.1%} | {adversarial:.4f} | {adversarial / CEILING:.1%} | '
          f'{"passes" if passes else ""} |', flush=True)


def main():
    minimal = accepted('minimal', '', 'uniform', 'hop:3/2')
    print(f'MIN, 3 local VCs: {minimal:.4f}\n\n| | UN | to MIN | ADV+1 | of {CEILING:.4f} | |\n|---|---:|---:|---:|---:|---|')
    for share, mean, above in itertools.product((50, 70, 90, 100), (100, 150, 200), (5,)):
        row(f'OLM, share {share}%, mean {mean}%, above {above}', 'olm:policy=mm',
            f'credits:{share}%,mean={mean}%,above={above}', minimal)
    for trigger in 'hybrid:8', 'contention:4':
        row(f'OLM, {trigger}', 'olm:policy=mm', trigger, minimal)
    for weight, mean, above in itertools.product(('hops', 'factor'), (100, 200, 300), (2, 5)):
        row(f'PB, weight {weight}, mean {mean}%, above {above}', f'pb:weight={weight},mean={mean}%,above={above}', '', minimal)


main()
