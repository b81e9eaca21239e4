#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The rows of experiments/adaptive/invariants.sh."""
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
HEDDLE, CYCLES = sys.argv[1], int(sys.argv[2])
SHAPES = {72: 'a=4,p=2,h=2', 342: 'a=6,p=3,h=3'}
# links that fail make minimal paths longer, and with them the sequence
LONGER = 'hop:l g l l g l l g l l g l'

ROUTINGS = ['minimal', 'trunk', 'ugal', 'ugal:info=global', 'pb:policy=rrg', 'pb:policy=crg']
ROUTINGS += [f'{name}:{option}' for name in ('valiant', 'par') for option in ('policy=rrg', 'policy=crg', 'policy=nrg')]
ROUTINGS += ['valiant:to=group', 'valiant:recompute=yes', 'olm:draw=best']
ROUTINGS += [f'olm:policy={policy},local={local}' for policy in ('rrg', 'crg', 'nrg', 'mm') for local in ('yes', 'no')]
CASES = [(routing, '') for routing in ROUTINGS]
CASES += [('olm:policy=mm', trigger) for trigger in ('contention:3', 'filtered:3', 'hybrid:4', 'ectn:3', 'probability')]

# Each routing's sequence without its last local, or global, VC.
FEWER = {'minimal': ['l g'], 'trunk': ['l g'], 'valiant': ['l g l l g', 'l g l l l'],
         'valiant:to=group': ['l g l g', 'l g l l'], 'ugal': ['l g l l g', 'l g l l l'], 'pb': ['l g l l g', 'l g l l l'],
         'par': ['l l g l l g', 'l l g l l l'], 'olm': ['l g l g', 'l g l l']}


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)


def sim(fabric, routing, trigger, vcs, pattern, *more):
    keys = [f'fabric.{"file" if fabric.endswith(".net") else "topology"}={fabric}', f'routing.adaptive={routing}',
            f'routing.trigger={trigger}', f'routing.vcs={vcs}', f'traffic.pattern={pattern}', 'run.warmup=0',
            f'run.measure={CYCLES}', 'switch.buffer_terminal=8 flits', 'switch.buffer_local=8 flits',
            'switch.buffer_global=8 flits', 'switch.output=8 flits']
    return run(HEDDLE, 'sim', '--quiet', HERE / 'adaptive.ini', '--csv', '-', *more, *(f'-s{key}' for key in keys))


def row(text, is_right):
    print(text if is_right else f'{text}  wrong', flush=True)
    if not is_right:
        sys.exit(1)


def lives(fabric, name, routing, trigger, vcs):
    if fabric.endswith('.net'):
        words = ['--trigger', trigger] if trigger else []
        proof = run(HEDDLE, 'check', fabric, '-e', 'dla', '--adaptive', routing, '--vcs', vcs, *words)
        if proof.returncode:
            row(f'{name} {routing} {trigger}: refused by the proof', proof.returncode == 1)
            return
    for pattern in ('uniform', 'adversarial:1'):
        done = sim(fabric, routing, trigger, vcs, pattern)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        if done.returncode or not rows:
            row(f'{name} {routing} {trigger}: {done.stderr.strip()}', False)
        delivered = int(rows[0]['packets'])
        row(f'{name:20} {routing:28} {trigger:14} {pattern:14} {delivered:9} packets, {rows[0]["hops_max"]:>2} hops at most',
            rows[0]['deadlock'] in ('0', 'no') and delivered > 0)


def dies(routing, vcs):
    fabric = f'dragonfly:{SHAPES[72]},global=palmtree'
    proof = run(HEDDLE, 'check', fabric, '-e', 'dla', '--adaptive', routing, '--vcs', vcs)
    refused = sim(fabric, routing, '', vcs, 'uniform')
    found = [pattern for pattern in ('uniform', 'adversarial:1') if 'deadlock' in sim(
        fabric, routing, '', vcs, pattern, '--no-proof').stderr]
    row(f'{routing:28} {vcs:16} refused, and deadlocked with {", ".join(found) or "neither pattern"}',
        proof.returncode == 1 and refused.returncode == 1)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for hosts, shape in SHAPES.items():
            spec, failed = f'dragonfly:{shape},global=palmtree', f'{folder}/{hosts}.net'
            if run(HEDDLE, 'topo', spec, '--fail-links', '5', '--seed', '3', '-o', failed).returncode:
                sys.exit('no fabric')
            for routing, trigger in CASES:
                lives(spec, f'{hosts} hosts', routing, trigger, '')
                lives(failed, f'{hosts}, 5 links failed', routing, trigger, LONGER)
    for routing in ROUTINGS:
        for sequence in FEWER.get(routing, FEWER[routing.split(':')[0]]):
            dies(routing, f'hop:{sequence}')


main()
