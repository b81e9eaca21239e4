#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How fast heddle simulates beside FOGSim and BookSim2: the same switches, traffic and cycles.

usage: peers.py [--fogsim PROGRAM] [--booksim2 PROGRAM] [--h 2,4,8] [--loads 0.2,0.5]
                [--cycles N] [-r TIMES] HEDDLE

PROGRAM is what the peer's own Makefile builds; nothing of a peer is built or kept here. Dragonflies
have a = 2h, p = h. FOGSim runs the configuration of experiments/peers/fogsim.ini, BookSim2 (h = 2
alone: its dragonflynew has k = h) that of booksim2.ini. Each row is one configuration: N cycles of
warm-up and N that are measured, programs in turns, TIMES times; of the CPU seconds the least. Prints
a Markdown table: what was done (accepted load, latency, links of a packet), the speed in packet-hops,
and how many times less CPU heddle takes for a cycle.
"""
import argparse
import csv
import io
import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = os.path.join(HERE, '..', 'experiments', 'peers')

FOGSIM = '''[CONFIG]
P={h}
A={a}
H={h}
WarmupCycles={cycles}
MaxCycles={cycles}
Switch=IOQ_SW
XbarDelay=5
InternalSpeedup=2
ArbiterIterations=2
InjectionQueueLength=256
LocalQueueLength=32
GlobalQueueLength=256
OutQueueLength=32
RingInjectionBubble=1
LocalLinkTransmissionDelay=10
GlobalLinkTransmissionDelay=100
InjectionDelay=1
PacketSize=8
FlitSize=8
PalmTreeConfiguration=1
LocalLinkChannels=2
InjectionChannels=3
GlobalChannels=2
Traffic=UN
routing=MIN
deadlock_avoidance=DALLY
Probability={percent}
Seed=1
OutputFileName={output}
'''

BOOKSIM2 = '''topology = dragonflynew;
k = {h};
n = 1;
routing_function = min;
num_vcs = 2;
vc_buf_size = 256;
wait_for_tail_credit = 0;
vc_allocator = separable_input_first;
sw_allocator = separable_input_first;
alloc_iters = 1;
credit_delay = 2;
routing_delay = 0;
vc_alloc_delay = 1;
sw_alloc_delay = 1;
st_final_delay = 1;
input_speedup = 1;
output_speedup = 1;
internal_speedup = 2.0;
sim_type = throughput;
warmup_periods = 1;
sample_period = {cycles};
max_samples = 2;
sim_count = 1;
priority = none;
traffic = uniform;
injection_rate = {load};
injection_rate_uses_flits = 1;
packet_size = 16;
'''


def timed(command, statuses=(0,)):
    """What COMMAND prints, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in statuses:
        sys.exit(f'{command[0]}: status {done.returncode}: {done.stderr.strip()[-300:]}')
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def number(pattern, text, program):
    found = re.search(pattern, text)
    if not found:
        sys.exit(f'{program} says nothing that matches "{pattern}"')
    return float(found.group(1))


# Each returns accepted load, latency in cycles, links of a packet, cycles in all, CPU seconds.

def fogsim(program, h, load, cycles):
    hosts = 2 * h * h * (2 * h * h + 1)
    with tempfile.TemporaryDirectory() as folder:
        config, output = os.path.join(folder, 'config'), os.path.join(folder, 'out')
        with open(config, 'w', encoding='utf-8') as file:
            file.write(FOGSIM.format(h=h, a=2 * h, cycles=cycles, percent=100 * load, output=output))
        _, seconds = timed([program, config])
        with open(output, encoding='utf-8') as file:
            said = file.read()
    packets = number(r'Packets Received: (\d+)', said, program)
    links = number(r'Total Hops: (\d+)', said, program) / packets + 2  # with those of hosts
    return packets * 8 / cycles / hosts, number(r'Average Total Latency: ([\d.]+)', said, program), links, 2 * cycles, seconds


def booksim2(program, h, load, cycles):
    with tempfile.NamedTemporaryFile('w', suffix='.cfg') as config:
        config.write(BOOKSIM2.format(h=h, load=load, cycles=cycles))
        config.flush()
        said, seconds = timed([program, config.name], (0, 255))  # 255 is success
    total = number(r'Time taken is (\d+)', said, program)  # it goes on until all have arrived
    said = said[said.rindex('Overall Traffic Statistics'):]
    return (number(r'Accepted flit rate average = ([\d.]+)', said, program), number(r'Packet latency average = ([\d.]+)', said, program),
            number(r'Hops average = ([\d.]+)', said, program) + 1, total, seconds)


def heddle(program, scenario, h, load, cycles):
    spec = f'dragonfly:a={2 * h},p={h},h={h}' + (',global=palmtree' if scenario == 'fogsim.ini' else '')
    said, seconds = timed([program, 'sim', os.path.join(PEERS, scenario), '--quiet', '--csv', '-', '-j', '1', '-s', f'fabric.topology={spec}',
                           '-s', f'traffic.load={load}', '-s', 'run.seeds=1', '-s', f'run.warmup={cycles}', '-s', f'run.measure={cycles}'])
    row = next(csv.DictReader(io.StringIO(said)))
    return float(row['accepted']), float(row['latency_mean']), float(row['hops_mean']), 2 * cycles, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--fogsim', metavar='PROGRAM')
    parser.add_argument('--booksim2', metavar='PROGRAM')
    parser.add_argument('--h', default='2', help='sizes of the dragonfly (2)')
    parser.add_argument('--loads', default='0.2,0.5')
    parser.add_argument('--cycles', type=int, default=4000)
    parser.add_argument('-r', type=int, default=2, help='times (2)')
    parser.add_argument('heddle')
    args = parser.parse_args()
    rows = [('FOGSim', fogsim, args.fogsim, 'fogsim.ini', 8, h) for h in map(int, args.h.split(',')) if args.fogsim]
    rows += [('BookSim2', booksim2, args.booksim2, 'booksim2.ini', 16, 2)] if args.booksim2 else []
    if not rows:
        sys.exit('peers.py: neither --fogsim nor --booksim2')
    print('| peer | hosts | load | accepted | heddle | latency, cycles | heddle | links | heddle | packet-hops/s | heddle | CPU ratio |\n'
          '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|')
    for name, run, program, scenario, size, h in rows:
        hosts = 2 * h * h * (2 * h * h + 1)
        for load in map(float, args.loads.split(',')):
            pairs = [(run(program, h, load, args.cycles), heddle(args.heddle, scenario, h, load, args.cycles)) for _ in range(args.r)]
            peer, own = (min(side, key=lambda row: row[4] / row[3]) for side in zip(*pairs))
            speed = [row[0] * hosts / size * row[2] * row[3] / row[4] for row in (peer, own)]
            print(f'| {name} | {hosts:,} | {load:g} | {peer[0]:.4f} | {own[0]:.4f} | {peer[1]:.1f} | {own[1]:.1f} | {peer[2]:.2f} | {own[2]:.2f} |'
                  f' {speed[0]:,.0f} | {speed[1]:,.0f} | {peer[4] / peer[3] / (own[4] / own[3]):.0f} |', flush=True)


if __name__ == '__main__':
    main()
