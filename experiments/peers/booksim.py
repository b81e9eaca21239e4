#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""heddle's switch model vc beside BookSim2 (github.com/booksim/booksim2), point by point.

booksim.py [--booksim2 FOLDER [--record]] [--seeds N] [--parts] [--commands] [--only TEXT] HEDDLE

FOLDER is a clone with src/booksim built (make -C src; needs flex and bison). Without it, BookSim2's values are those
recorded in booksim2-vc.csv, which --record writes anew. A line there is a point: its name, the value that is compared
(latency or accepted), BookSim2's options; heddle's options follow from these, and nothing is fitted. Both take the same
windows: 3,000 cycles of warm-up, then 10,000 cycles measured, --seeds times there and four times as often here. With
--parts each point also runs with one part of the switch turned at a time, and with switch model iq. --commands prints
the exact commands. Exit 1 where a point differs by more than 3%, or 5% beyond saturation.

A host that a pattern sends to itself is idle in heddle. BookSim2's accepted load is less these hosts here, and no latency
of such a pattern is compared.
"""
import argparse
import csv
import io
import os
import subprocess
import sys
import tempfile

PERIOD, WARMUP, SAMPLES = 1000, 3, 13
COMMON = {'injection_rate_uses_flits': '1', 'latency_thres': '1000000.0', 'stopping_thres': '0.0', 'acc_stopping_thres': '0.0',
          'sample_period': str(PERIOD), 'warmup_periods': str(WARMUP), 'max_samples': str(SAMPLES)}
DEFAULTS = {'num_vcs': '1', 'vc_buf_size': '32', 'packet_size': '5', 'speculative': '0', 'routing_delay': '1', 'vc_alloc_delay': '1',
            'sw_alloc_delay': '1', 'st_final_delay': '1', 'credit_delay': '0', 'wait_for_tail_credit': '0',
            'hold_switch_for_packet': '0', 'vc_allocator': 'islip', 'alloc_iters': '1'}
PARTS = ('whole packets', 'guessing', 'maximal', 'class', 'tables', 'iq')


def peer_run(folder, options, seed, load, value):
    """Latency and accepted load of one run of BookSim2, and its command."""
    settings = {**COMMON, **options, 'injection_rate': load, 'seed': str(seed),
                'sim_type': 'latency' if value == 'latency' else 'throughput'}
    settings['sw_allocator'] = settings.get('vc_allocator', 'islip')
    with tempfile.NamedTemporaryFile('w', suffix='.cfg') as file:
        file.write(''.join('%s = %s;\n' % pair for pair in settings.items()))
        file.flush()
        text = subprocess.run([os.path.join(folder, 'src', 'booksim'), file.name], stdout=subprocess.PIPE, text=True,
                              check=False).stdout
    results = {}
    for line in text.splitlines():
        for name, start in (('latency', 'Packet latency average'), ('accepted', 'Accepted flit rate average')):
            if line.startswith(start):
                results[name] = float(line.split('=')[1].split()[0])
    if 'latency' not in results or 'accepted' not in results:
        sys.exit('booksim.py: BookSim2 ended without a result: ' + ' '.join('%s=%s;' % pair for pair in settings.items()))
    return results, 'booksim with: ' + ' '.join('%s=%s;' % pair for pair in settings.items())


def fabric_of(options):
    """heddle's fabric, and what goes with it."""
    k, n = int(options['k']), int(options['n'])
    sizes = 'x'.join([str(k)] * n)
    if options['topology'] == 'fattree':
        up = {'nca': 'random', 'anca': 'two'}[options['routing_function']]
        return k ** n, ',up=' + up, {'fabric.topology': 'tree:k=%d,n=%d' % (k, n), 'routing.engine': 'dmodc', 'link.propagation_local': '1'}
    values = {'fabric.topology': '%s:%s,p=1' % (options['topology'], sizes), 'routing.engine': 'hdor',
              'link.propagation_local': '2' if options['topology'] == 'torus' else '1'}
    if options['topology'] == 'torus':
        values['routing.layers'] = 'dateline'
    return k ** n, '', values


def pattern_of(options, hosts):
    """heddle's pattern, and the share of hosts that send to themselves, where heddle's do not."""
    k, n = int(options['k']), int(options['n'])
    dims = 'x'.join([str(k)] * n)
    bits = hosts.bit_length() - 1
    return {'uniform': ('uniform:self=yes', 0),
            'tornado': ('tornado:dims=' + dims, 0),
            'neighbor': ('neighbour:dims=' + dims, 0),
            'bitrev': ('bitreverse', 2 ** ((bits + 1) // 2) / hosts),
            'transpose': ('transpose', 2 ** (bits // 2) / hosts)}[options['traffic']]


def scenario_of(options, load, seeds):
    """heddle's keys for a point, the options of the switch model apart; the share of idle hosts."""
    o = {**DEFAULTS, **options}
    hosts, up, values = fabric_of(o)
    pattern, idle = pattern_of(o, hosts)
    stages = int(o['routing_delay']) + int(o['st_final_delay'])
    stages += 1 if o['speculative'] == '1' else int(o['vc_alloc_delay']) + int(o['sw_alloc_delay'])
    yes = {'0': 'no', '1': 'yes'}
    model = {'vcs': o['num_vcs'], 'speculative': yes[o['speculative']], 'routing': o['routing_delay'], 'vc': o['vc_alloc_delay'],
             'cross': o['sw_alloc_delay'], 'crossbar': o['st_final_delay'], 'credit': o['credit_delay'],
             'tail': yes[o['wait_for_tail_credit']], 'whole': yes[o['hold_switch_for_packet']]}
    if up:
        model['up'] = up.split('=')[1]
    values.update({'run.clock': 'cycles', 'link.bandwidth': '1', 'link.propagation_terminal': '1', 'switch.latency': str(stages),
                   'switch.buffer': o['vc_buf_size'] + ' flits',
                   'switch.allocator': 'output' if o['vc_allocator'] == 'islip' else 'input', 'switch.iterations': o['alloc_iters'],
                   'host.admittance': 'fifo', 'traffic.pattern': pattern, 'traffic.load': load, 'traffic.packet': o['packet_size'],
                   'traffic.arrival': 'bernoulli:1', 'run.warmup': str(WARMUP * PERIOD),
                   'run.measure': str((SAMPLES - WARMUP) * PERIOD), 'run.seeds': '1..%d' % seeds})
    return values, model, idle


def turn(values, model, part):
    """The same with one part of the switch turned; None: the point does not have it."""
    values, model = dict(values), dict(model)
    if part == 'iq':
        # a VL has the room of all its VCs, and for a packet
        room = int(values['switch.buffer'].split()[0]) * int(model['vcs']) // (2 if 'routing.layers' in values else 1)
        values['switch.buffer'] = '%d flits' % max(room, int(values['traffic.packet']))
        return values, None
    if part == 'whole packets':
        model['whole'] = 'yes'
    elif part == 'guessing':
        if model['speculative'] == 'yes' and model['routing'] == '0':
            return None
        model.update(speculative='yes', routing='0', vc='1', cross='1')
    elif part == 'maximal':
        values['switch.iterations'] = '0'
    elif part == 'class':
        if values.get('routing.layers') != 'dateline':
            return None
        model['hosts'] = 'class'
    elif part == 'tables':
        if 'up' not in model:
            return None
        del model['up']
    return values, model


def heddle_run(heddle, values, model):
    keys = dict(values)
    keys['switch.model'] = 'iq' if model is None else 'vc:' + ','.join('%s=%s' % pair for pair in model.items())
    command = [heddle, 'sim', '--quiet', '--csv', '-']
    topology, engine, clock = (keys.pop(key) for key in ('fabric.topology', 'routing.engine', 'run.clock'))
    command += [topology, '-e', engine, '-s', 'run.clock=' + clock]
    for key, value in keys.items():
        command += ['-s', '%s=%s' % (key, value)]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    mean = {name: sum(float(row[column]) for row in rows) / len(rows)
            for name, column in (('latency', 'latency_mean'), ('accepted', 'accepted'))}
    return mean, ' '.join("'%s'" % word if ' ' in word else word for word in command)


def peer_value(args, point, options, load):
    """BookSim2's value of a point as it prints it, mean of the seeds."""
    if not args.booksim2:
        return float(point['booksim2'])
    results = []
    for seed in range(1, args.seeds + 1):
        values, command = peer_run(args.booksim2, {**DEFAULTS, **options}, seed, load, point['value'])
        results.append(values[point['value']])
        if args.commands:
            print(command)
    return sum(results) / len(results)


def compare(args, point):
    """Peer's and heddle's value of a point, and those with parts turned."""
    options = dict(pair.split('=') for pair in point['options'].split())
    load, value = options.pop('load'), point['value']
    values, model, idle = scenario_of(options, load, 4 * args.seeds)
    if value == 'latency' and idle:
        sys.exit('booksim.py: %s: hosts that send to themselves have no latency here' % point['name'])
    peer = peer_value(args, point, options, load)
    if args.record:
        point['booksim2'] = '%.4g' % peer
    peer -= idle * float(load) if value == 'accepted' else 0
    here, command = heddle_run(args.heddle, values, model)
    if args.commands:
        print(command)
    # beyond saturation less than what is offered is accepted
    saturated = here['accepted'] < 0.97 * float(load) * (1 - idle)
    row = {'point': point['name'], 'value': value, 'load': load, 'booksim2': peer, 'here': here[value],
           'differ': (here[value] - peer) / peer, 'limit': 0.05 if saturated else 0.03}
    for part in PARTS if args.parts else ():
        turned = turn(values, model, part)
        row[part] = heddle_run(args.heddle, *turned)[0][value] if turned else None
    return row


def show(number):
    return '-' if number is None else '%.4g' % number


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--booksim2')
    parser.add_argument('--record', action='store_true')
    parser.add_argument('--seeds', type=int, default=3)
    parser.add_argument('--parts', action='store_true')
    parser.add_argument('--commands', action='store_true')
    parser.add_argument('--only', default='')
    parser.add_argument('heddle')
    args = parser.parse_args()
    if args.record and not args.booksim2:
        sys.exit('booksim.py: --record needs --booksim2')
    columns = ['BookSim2', 'here', 'differ'] + list(PARTS if args.parts else ())
    print('%-44s %-8s %5s' % ('point', 'value', 'load') + ''.join(' %13s' % name for name in columns))
    path = os.path.join(here, 'booksim2-vc.csv')
    with open(path, newline='') as file:
        points = list(csv.DictReader(file))
    failed = False
    for point in points:
        if args.only not in point['name']:
            continue
        row = compare(args, point)
        is_far = abs(row['differ']) > row['limit']
        failed = failed or is_far
        cells = [show(row['booksim2']), show(row['here']), '%+.1f%%' % (100 * row['differ'])]
        cells += [show(row[part]) for part in PARTS if args.parts]
        print('%-44s %-8s %5s' % (row['point'], row['value'], row['load']) + ''.join(' %13s' % cell for cell in cells) +
              ('  too much' if is_far else ''), flush=True)
    if args.record:
        with open(path, 'w', newline='') as file:
            writer = csv.DictWriter(file, points[0].keys(), lineterminator='\n')
            writer.writeheader()
            writer.writerows(points)
    sys.exit(failed)


if __name__ == '__main__':
    main()
