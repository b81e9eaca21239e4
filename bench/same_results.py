#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Whether two builds of heddle simulate the same, on random scenarios.

usage: same_results.py [-n RUNS] [--seed SEED] [--threads N] [--ranks N] [--adaptive] [--vl-queues]
                       [--keep-going] OLD-HEDDLE NEW-HEDDLE

Every random scenario - fabric, engine, switch model, buffers, arbiters, hosts, traffic - is run
by both; their JSON must be equal but for the time that the run took. For changes of the performance
model that are to change no result. With --threads NEW-HEDDLE divides each run among so many threads;
both may be one build. With --ranks so many processes of mpirun do each run together. With --adaptive
packets choose their paths in all scenarios, with --vl-queues cioq switches have a queue for each VL
before the link. Exit status 0: all are equal, 1: some differ.
"""
import argparse
import json
import random
import subprocess
import sys

FABRICS = {
    'dragonfly:a=4,p=2,h=2': ['dla', 'd3r', 'df-minhop', 'df-sssp', 'dfval', 'minhop', 'updn'],
    'dragonfly:a=3,p=2,h=1': ['dla', 'd3r', 'df-sssp', 'minhop', 'updn'],
    'torus:4x4': ['hdor', 'osha', 'sasha', 'updn', 'minhop'],
    'torus:3x3x3': ['hdor', 'updn'],
    'kns:k=4,n=2': ['hdor', 'osha', 'sasha', 'minhop'],
    'mesh:4x3': ['hdor', 'updn'],
    'hyperx:3x3,p=2': ['hdor', 'minhop'],
    'tree:k=3,n=3': ['updn', 'minhop'],
    'hyperx:2,p=70': ['minhop', 'hdor'],
}


def scenario(rng, is_adaptive=False):
    """Options of `heddle sim` for a random run."""
    fabric = rng.choice(sorted(FABRICS))
    engine = rng.choice(FABRICS[fabric])
    values = {
        'fabric.topology': fabric,
        'routing.engine': engine,
        'traffic.load': rng.choice(['0.05', '0.2', '0.4', '0.6', '0.8', '1']),
        'traffic.pattern': rng.choice(['uniform', 'uniform', 'shift:1', 'adversarial', 'adversarial-consecutive', 'hotspot:sources=5,destinations=2',
                                       'permutation']),
        'traffic.arrival': rng.choice(['poisson', 'poisson', 'deterministic', 'bernoulli']),
        'run.warmup': '20us',
        'run.measure': rng.choice(['50us', '100us', '200us']),
        'run.seeds': str(rng.randrange(1, 1000)),
        'run.slices': rng.choice(['2', '5']),
        'switch.buffer': rng.choice(['1', '2', '4', '16']) + 'packets',
        'switch.output': rng.choice(['1', '2', '4']) + 'packets',
        'switch.model': rng.choice(['iq', 'iq', 'cioq']),
        'switch.voq': rng.choice(['yes', 'no']),
        'switch.speedup': rng.choice(['1', '2', '3']),
        'switch.allocator': rng.choice(['output', 'output', 'input']),
        'switch.iterations': rng.choice(['0', '0', '1', '2']),
        'switch.arbiter': rng.choice(['roundrobin', 'roundrobin', 'oldest', 'age', 'transit', 'vl', 'lrs']),
        'host.admittance': rng.choice(['vl', 'vl', 'fifo', 'destination']),
    }

    def sometimes(chance, key, choices):
        if rng.random() < chance:
            values[key] = rng.choice(choices)

    sometimes(.2, 'switch.damq', ['yes'])
    sometimes(.2, 'switch.damq_reserved', ['0.25', '0.5', '0.75'])
    sometimes(.2, 'run.buffers', ['yes'])
    sometimes(.2, 'host.policy', ['first', 'roundrobin', 'leastoccupied', 'random'])
    sometimes(.15, 'host.consumption', ['0.5', '0.9'])
    sometimes(.1, 'traffic.reply', ['yes'])
    sometimes(.2, 'link.bandwidth_global', ['16Gbps', '64Gbps'])
    sometimes(.2, 'link.bandwidth_local', ['16Gbps', '100Gbps'])
    sometimes(.2, 'link.propagation_global', ['100ns', '1us'])
    sometimes(.2, 'traffic.packet', ['256', '2KiB'])
    if rng.random() < .2 and fabric != 'hyperx:2,p=70':
        values['routing.queues'] = rng.choice(['dbbm:2', 'bbq:2', 'xordet:2'])
    if rng.random() < .4:
        in_cycles(rng, values)
        # what machines of their own leave out is drawn less often, so that runs have those machines
        if rng.random() < .7:
            for key in ('switch.damq', 'switch.arbiter', 'host.policy', 'host.consumption', 'traffic.reply', 'run.buffers'):
                values.pop(key, None)
            values['host.admittance'] = 'vl'
    if rng.random() < .25 or is_adaptive:
        adaptive(rng, values)
    elif 'run.clock' not in values and rng.random() < .15:
        hierarchical(rng, values)
    return values


def hierarchical(rng, values):
    """The same through switches of MPorts and central buffers, which take tables as they are."""
    for key in ('switch.buffer', 'switch.voq', 'switch.speedup', 'switch.allocator', 'switch.iterations', 'switch.arbiter'):
        values.pop(key, None)
    ports = rng.choice([1, 2, 4, 8])
    values.update({
        'switch.model': f'hierarchical:mport={ports},links={rng.choice([1, 2])},speed={rng.choice([1, 3])},central_speed={rng.choice([1, 4])}',
        'switch.port_buffer': rng.choice(['32KiB', '64KiB', '256KiB']),
        'switch.output': rng.choice(['32KiB', '64KiB']),
        'switch.central': rng.choice(['128KiB', '512KiB']),
        'switch.scheduler': rng.choice(['rr', 'rr', 'vlarb']),
        'switch.crossbar_latency': rng.choice(['0', '10ns']),
    })


def in_cycles(rng, values):
    """The same as cycle-accurate simulators have it: a tick is a cycle, a packet a few phits."""
    def phits(*choices):
        return f'{rng.choice(choices)} flits'

    for key in [key for key in values if key.startswith(('link.', 'traffic.packet', 'routing.queues'))]:
        del values[key]
    values.update({
        'run.clock': 'cycles',
        'link.bandwidth': '1',
        'link.propagation_terminal': rng.choice(['0', '1', '2']),
        'link.propagation_local': rng.choice(['0', '1', '10', '17']),
        'link.propagation_global': rng.choice(['10', '100']),
        'traffic.packet': '8',
        'traffic.arrival': rng.choice(['bernoulli:1', 'bernoulli:1', 'bernoulli', 'poisson']),
        'switch.model': rng.choice(['cioq', 'cioq', 'cioq', 'iq']),
        'switch.speedup': rng.choice(['1', '2', '2', '3']),
        'switch.buffer_terminal': phits(8, 32, 256),
        'switch.buffer_local': phits(8, 32, 64),
        'switch.buffer_global': phits(8, 64, 256),
        'switch.output': phits(8, 32, 32, 128),
        'switch.latency': rng.choice(['0', '0', '3']),
        'switch.crossbar_latency': rng.choice(['0', '1', '5', '5', '30']),
        'switch.allocator': rng.choice(['input', 'input', 'output']),
        'switch.iterations': rng.choice(['0', '1', '2', '2']),
        'switch.cycle': rng.choice(['1', '1', '2']),
        'run.warmup': '2000',
        'run.measure': rng.choice(['2000', '4000']),
    })
    values.pop('switch.buffer', None)


# Packets that choose their paths on dragonflies.
ADAPTIVE = ['olm', 'olm', 'olm:policy=rrg', 'olm:draw=best', 'pb', 'pb:period=20', 'par', 'ugal', 'ugal:info=global', 'ugal:recompute=yes',
            'minimal', 'valiant', 'valiant:to=group', 'trunk']

# The same elsewhere: fabric, engine, options of it, routing.
ADAPTIVE_ELSEWHERE = [
    ('torus:4x4', 'hdor', '', 'dal'),
    ('hyperx:3x3,p=2', 'hdor', '', 'dal:draw=random'),
    ('kns:k=4,n=2', 'hdor', '', 'dal'),
    ('tree:k=3,n=3', 'updn', 'ar=yes', 'ar'),
    ('tree:k=3,n=3', 'updn', 'ar=yes', 'ar:bounded,age=300'),
    ('hyperx:3x3,p=2', 'updn', '', 'valiant'),
]


def adaptive(rng, values):
    """The same for packets that choose their paths."""
    for key in ('routing.queues', 'switch.damq', 'host.policy'):
        values.pop(key, None)
    values.update({
        'fabric.topology': rng.choice(['dragonfly:a=4,p=2,h=2', 'dragonfly:a=4,p=2,h=2,global=palmtree']),
        'routing.engine': 'dla',
        'routing.adaptive': rng.choice(ADAPTIVE),
        'switch.voq': 'no',
        'switch.arbiter': rng.choice(['roundrobin', 'roundrobin', 'oldest', 'age']),
        'host.admittance': 'vl',
        'traffic.load': rng.choice(['0.2', '0.5', '1']),
    })
    if rng.random() < .25:
        fabric, engine, options, values['routing.adaptive'] = rng.choice(ADAPTIVE_ELSEWHERE)
        values.update({'fabric.topology': fabric, 'routing.engine': engine, 'routing.options': options,
                       'traffic.pattern': rng.choice(['uniform', 'shift:1', 'permutation'])})
        if values['routing.adaptive'] == 'valiant':
            values['routing.vcs'] = 'hop:8'
        if 'run.clock' not in values:
            values['routing.adaptive'] = values['routing.adaptive'].replace('=300', '=1us')
    values['routing.select'] = rng.choice(['jsq', 'jsq', 'random', 'lowest'])
    if values['routing.adaptive'].startswith('olm'):
        values['routing.trigger'] = rng.choice(['contention', 'contention:3', 'credits', 'filtered', 'hybrid', 'ectn'])
    if rng.random() < .3:
        values['host.vc'] = rng.choice(['destination', 'random'])
        values['switch.vcs_terminal'] = '3'
    if rng.random() < .3:
        values['host.queue'] = '16 packets'


def run(heddle, values, threads=0, ranks=0):
    command = [heddle, 'sim', values['fabric.topology'], '-e', values['routing.engine'], '--json', '-', '-j', '1']
    if threads:
        command += ['--threads', str(threads)]
    if ranks:
        # -q: mpirun hands the status on
        command[:0] = ['mpirun', '-q', '--allow-run-as-root', '--oversubscribe', '-n', str(ranks)]
    for key, value in values.items():
        if key not in ('fabric.topology', 'routing.engine'):
            command += ['-s', f'{key}={value}']
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


# Of the JSON: what older builds call otherwise.
NEW_NAMES = {'waiting': 'queued'}


def without_times(text):
    """The JSON less what may differ."""
    try:
        whole = json.loads(text)
    except json.JSONDecodeError:
        return text

    def strip(node):
        if isinstance(node, dict):
            node = {NEW_NAMES.get(k, k): v for k, v in node.items()}
            return {k: strip(v) for k, v in node.items() if k not in ('wall_s', 'version', 'events', 'scenario', 'parameters', 'columns')}
        if isinstance(node, list):
            return [strip(v) for v in node]
        return node
    return strip(whole)


def common(old, new):
    """@new less the keys that @old lacks: a newer build may tell more."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {k: common(old[k], v) for k, v in new.items() if k in old}
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [common(a, b) for a, b in zip(old, new)]
    return new


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('-n', type=int, default=200, help='runs (200)')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--threads', type=int, default=0, help='of the second build, in each run')
    parser.add_argument('--ranks', type=int, default=0, help='processes of the second build, in each run')
    parser.add_argument('--adaptive', action='store_true', help='scenarios of adaptive routing alone')
    parser.add_argument('--vl-queues', action='store_true', help='cioq:queues=vl in place of iq and cioq')
    parser.add_argument('--keep-going', action='store_true')
    parser.add_argument('old')
    parser.add_argument('new')
    args = parser.parse_args()
    rng = random.Random(args.seed)
    statuses, different, whole = {}, 0, 0
    for i in range(args.n):
        values = scenario(rng, args.adaptive)
        if args.vl_queues and values['switch.model'] in ('iq', 'cioq'):
            values['switch.model'] = 'cioq:queues=vl'
        old, new = run(args.old, values), run(args.new, values, args.threads, args.ranks)
        statuses[old[0]] = statuses.get(old[0], 0) + 1
        was = without_times(old[1])
        whole += 'stay on one thread' in new[2] or 'each process does all' in new[2]
        if old[0] == new[0] and old[0] in (0, 1, 2) and was == common(was, without_times(new[1])):
            continue
        different += 1
        print(f'run {i} differs:', ' '.join(f'-s {k}={v}' for k, v in values.items()))
        print('  old:', old[0], old[2].strip()[:200])
        print('  new:', new[0], new[2].strip()[:200])
        if not args.keep_going:
            break
    print(f'{args.n} runs,', ', '.join(f'{n} with exit status {s}' for s, n in sorted(statuses.items())),
          f'; {different} differ' + (f'; {whole} stayed whole' if args.threads or args.ranks else ''))
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
