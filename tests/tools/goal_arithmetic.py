#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""LogGOPSim's arithmetic, by itself: the times of GOAL schedules without any contention in the network; random schedules.

goal_arithmetic.py time FILE L=.. o=.. g=.. G=.. S=..   the end of the last operation, in ns
goal_arithmetic.py make SEED FILE                       a ring of ranks: no two of them send to the same one
"""
import collections
import heapq
import random
import re
import sys


def read(path):
    """Ranks of operations {kind, size, peer, tag, cpu, nic, waits: [(operation, for its start)]}."""
    text = re.sub(r'/\*.*?\*/|//[^\n]*', '', open(path).read(), flags=re.S)
    ranks = [[] for _ in range(int(re.search(r'num_ranks\s+(\d+)', text)[1]))]
    for number, body in re.findall(r'\brank\s+(\d+)\s*\{(.*?)\}', text, flags=re.S):
        ops, labels = ranks[int(number)], {}
        for line in filter(None, map(str.strip, body.split('\n'))):
            wait = re.fullmatch(r'(\w+)\s+(i?)requires\s+(\w+)', line)
            if wait:
                ops[labels[wait[1]]]['waits'].append((labels[wait[3]], wait[2] == 'i'))
                continue
            label, _, rest = line.rpartition(':')
            kind, size, *words = re.sub(r'(\d)\s*b\b', r'\1', rest).split()
            keys = dict(zip(words[::2], words[1::2]))
            ops.append({'kind': kind, 'size': int(size), 'peer': int(keys.get('to', keys.get('from', 0))),
                        'tag': int(keys.get('tag', 0)), 'cpu': int(keys.get('cpu', 0)), 'nic': int(keys.get('nic', 0)),
                        'waits': []})
            if label.strip():
                labels[label.strip()] = len(ops) - 1
    return ranks


def time(ranks, L, o, g, G, S):
    queue, order = [], 0
    cpu, to_send, to_receive = (collections.defaultdict(float) for _ in range(3))
    left = {(r, i): len(op['waits']) for r, ops in enumerate(ranks) for i, op in enumerate(ops)}
    ready, dependents = collections.defaultdict(float), collections.defaultdict(list)
    posted, early = collections.defaultdict(list), collections.defaultdict(list)  # receives, messages of a rank
    end = 0

    def push(at, *event):
        nonlocal order
        heapq.heappush(queue, (at, order, event))
        order += 1

    def tell(r, i, start, at):
        nonlocal end
        end = max(end, 0 if start else at)
        for other, for_start in dependents[r, i]:
            if for_start == start:
                ready[r, other] = max(ready[r, other], at)
                left[r, other] -= 1
                if not left[r, other]:
                    push(ready[r, other], 'op', r, other)

    def take(r, i, sender, after, at):
        op, (s, j) = ranks[r][i], sender
        nic_time = max(after, at) + g
        cpu[r, op['cpu']] = nic_time + o
        to_receive[r, op['nic']] = nic_time
        if ranks[s][j]['size'] > S:
            other = ranks[s][j]
            cpu[s, other['cpu']] = max(cpu[s, other['cpu']], nic_time + o)
            to_send[s, other['nic']] = max(to_send[s, other['nic']], nic_time)
            tell(s, j, False, nic_time + o)
        tell(r, i, False, nic_time + o)

    def fits(op, s, tag):
        return op['peer'] in (-1, s) and op['tag'] in (-1, tag)

    for r, ops in enumerate(ranks):
        for i, op in enumerate(ops):
            for on, for_start in op['waits']:
                dependents[r, on].append((i, for_start))
            if not op['waits']:
                push(0, 'op', r, i)
    while queue:
        at, _, event = heapq.heappop(queue)
        if event[0] == 'message':
            r, (s, j) = event[1:]
            found = next((i for i in posted[r] if fits(ranks[r][i], s, ranks[s][j]['tag'])), None)
            if found is None:
                early[r].append((s, j))
            else:
                posted[r].remove(found)
                push(at, 'take', r, found, (s, j))
            continue
        if event[0] == 'take':
            r, i, sender = event[1:]
            op = ranks[r][i]
            free = max(cpu[r, op['cpu']], to_receive[r, op['nic']])
            if free <= at:
                take(r, i, sender, to_receive[r, op['nic']], at)
            else:
                push(free, *event)
            continue
        r, i = event[1:]
        op = ranks[r][i]
        if op['kind'] == 'recv':
            tell(r, i, True, at)
            found = next(((s, j) for s, j in early[r] if fits(op, s, ranks[s][j]['tag'])), None)
            if found is None:
                posted[r].append(i)
            else:
                early[r].remove(found)
                take(r, i, found, to_send[r, op['nic']], at)
            continue
        free = max(cpu[r, op['cpu']], to_send[r, op['nic']] if op['kind'] == 'send' else 0)
        if free > at:
            push(free, *event)
            continue
        tell(r, i, True, at)
        if op['kind'] == 'calc':
            cpu[r, op['cpu']] = at + op['size']
            tell(r, i, False, at + op['size'])
            continue
        cpu[r, op['cpu']] = at + o
        to_send[r, op['nic']] = at + g + max(op['size'] - 1, 0) * G
        push(at + o + L + max(op['size'] - 1, 0) * G, 'message', op['peer'], (r, i))
        if op['size'] <= S:
            tell(r, i, False, at + o)
    return end


def make(seed, path):
    rng = random.Random(seed)
    n = rng.randint(2, 8)
    sends = [rng.randint(1, 6) for _ in range(n)]
    sizes = [[rng.choice((0, 1, 64, 4000, rng.randint(1, 200000))) for _ in range(sends[r])] for r in range(n)]
    with open(path, 'w') as file:
        print('num_ranks', n, '// a ring\n', file=file)
        for r in rng.sample(range(n), n):
            before = (r - 1) % n
            ops = [f'send {sizes[r][k]}b to {(r + 1) % n} tag {k}' for k in range(sends[r])]
            for k in range(sends[before]):
                source = before if rng.random() < .7 else -1
                ops.append(f'recv {sizes[before][k]}b from {source} tag {k}')
            ops += [f'calc {rng.randint(0, 20000)}' for _ in range(rng.randint(0, 5))]
            rng.shuffle(ops)
            # with a processor for what is sent, one for what is received, and two that compute, nobody waits in a loop
            cpu = {'send': 0, 'recv': 1}
            print(f'rank {r} {{', file=file)
            for i, op in enumerate(ops):
                print(f'a{i}: {op} cpu {cpu.get(op.split()[0], rng.randint(2, 3))}', file=file)
            for i, op in enumerate(ops):
                for j in rng.sample(range(i), min(i, rng.randint(0, 2))):
                    # sends wait for no receive of the ring
                    if not op.startswith('send') and not (ops[j].startswith('recv') and op.startswith('send')):
                        print(f'a{i} {rng.choice(("requires", "irequires"))} a{j}', file=file)
            print('}', file=file)


if sys.argv[1] == 'make':
    make(int(sys.argv[2]), sys.argv[3])
else:
    print(time(read(sys.argv[2]), **{key: float(value) for key, value in (word.split('=') for word in sys.argv[3:])}))
