#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Rewrites snapshots of a ring whose last host fails, and writes histories of that change (tests/tools/failed-host.sh).

    failed_host.py OLD NEW HOLE ROUNDS

OLD and NEW are snapshots of torus:4,p=2, NEW without its last host. Packets that pass a switch on their way go to the right: by old
entries those to the last host and to hosts of S0, by new ones those to hosts of S0, S1 and S2. All of these together close a circle.
In the history HOLE they meet; in ROUNDS entries for the last host go in a round of their own.
"""
import re
import sys

RIGHT, LEFT = 3, 4
SWITCHES, HOSTS = range(4), range(8)
FAILED = 7


def lid_of(host):
    return 5 + host if host else 1


HOST_OF = {lid_of(host): host for host in HOSTS}


def entry(is_new, s, host):
    if is_new and host == FAILED:
        return 255
    steps = (host // 2 - s) % 4
    if steps == 2:
        goes_right = host // 2 == 0 or (host // 2 in (1, 2) if is_new else host == FAILED)
        return RIGHT if goes_right else LEFT
    return (host % 2 + 1, RIGHT, 0, LEFT)[steps]


def rewrite(snapshot, is_new):
    s, lines = None, []
    with open(f'{snapshot}/opensm-lfts.dump', encoding='ascii') as dump:
        for line in dump:
            head = re.match(r"Unicast lids .*\('S(\d)'\)", line)
            word = re.match(r'0x([0-9a-f]{4}) (\d+)(.*)', line)
            s = int(head.group(1)) if head else s
            host = HOST_OF.get(int(word.group(1), 16)) if word else None
            lines.append(line if host is None else f'0x{lid_of(host):04x} {entry(is_new, s, host):03d}{word.group(3)}\n')
    with open(f'{snapshot}/opensm-lfts.dump', 'w', encoding='ascii') as dump:
        dump.writelines(lines)


def switch_guid(s):
    return f'0x{0x1000000000000 + s % 4:016x}'


def host_guid(host):
    return f'0x{0x2000000000000 + 16 * host:016x}'


def peers(s):
    return [f'{host_guid(2 * s)}:1', f'{host_guid(2 * s + 1)}:1', f'{switch_guid(s + 1)}:{LEFT}', f'{switch_guid(s + 3)}:{RIGHT}']


def ports(ends):
    for number, end in enumerate(ends, 1):
        yield from (f'port {number} link - {end}', f'port {number} vls 0 1', f'port {number} state 1 4')


def begin():
    for s in SWITCHES:
        yield from (f'of {switch_guid(s)}', f'top 0 {lid_of(FAILED)}', f'port 0 lid 0 {s + 2}', 'port 0 vls 0 1')
        yield from (f'lft {lid_of(host)} 255 {entry(False, s, host)}' for host in HOSTS)
        yield from ports(peers(s))
    for host in HOSTS:
        yield from (f'of {host_guid(host)}', f'port 1 lid 0 {lid_of(host)}')
        yield from ports([f'{switch_guid(host // 2)}:{host % 2 + 1}'])


def record(out, head, time, rest, lines):
    lines = list(lines)
    out.write(f'{head} {time:.9f} {rest}{len(lines)}\n' + ''.join(f'{line}\n' for line in lines))


def unplug():
    switch, number = switch_guid(FAILED // 2), FAILED % 2 + 1
    yield from (f'of {host_guid(FAILED)}', f'port 1 link {switch}:{number} -', 'port 1 state 4 1')
    yield from (f'of {switch}', f'port {number} link {host_guid(FAILED)}:1 -', f'port {number} state 4 1')


def write_history(name, netfile, failed_first):
    changes = [(s, host) for host in HOSTS for s in SWITCHES if entry(False, s, host) != entry(True, s, host)]
    changes.sort(key=lambda change: (change[1] == FAILED) != failed_first)
    with open(name, 'w', encoding='ascii') as out:
        out.write(f'heddle-history 1\nfabric {len(netfile)}\n' + ''.join(netfile))
        record(out, 'begin', 0, '', begin())
        record(out, 'unplug', 1, f'{host_guid(FAILED)} 1 ', unplug())
        time, last = 2, changes[0][1]
        for s, host in changes:
            time += 0.5 if failed_first and last == FAILED != host else 0.001
            last = host
            record(out, 'set', time, f'{switch_guid(s)} LinearForwardingTable 0x0 0x0 ',
                   [f'lft {lid_of(host)} {entry(False, s, host)} {entry(True, s, host)}'])


def main():
    old, new, hole, rounds = sys.argv[1:]
    rewrite(old, False)
    rewrite(new, True)
    with open(f'{old}/fabric.net', encoding='ascii') as file:
        netfile = file.readlines()
    write_history(hole, netfile, False)
    write_history(rounds, netfile, True)


if __name__ == '__main__':
    main()
