# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What tables carry, as shares of hosts' links, and tables of stock OpenSM, for the studies of slimfly/ and hyperx/.

Each measure returns the share, whether it is steady ("ends": traffic that ends by itself), and the window in us."""
import os
import statistics
import tempfile

from runs import is_steady, run, sim

RATE = 4  # bytes of a host's link in a nanosecond
here = os.path.dirname(os.path.abspath(__file__))


def tables_of(fabric, engine, lmc, directory):
    """A snapshot of @fabric by an engine of heddle, or by OpenSM's ("opensm-nue:4": with at most four VLs)."""
    if not engine.startswith('opensm-'):
        run('heddle', 'route', fabric, '-e', engine, '--lmc', lmc, '-o', directory)
        return
    name, _, vls = engine.removeprefix('opensm-').partition(':')
    run('bash', f'{here}/capture.sh', '--hosts', fabric, name, directory, f'lmc {lmc}',
        *([f'nue_max_num_vls {vls}'] if vls else []))


def finish(tables, messages, size, each, keys=()):
    """A finite trace: the time that host links need at least, @each messages, as a share of the time that it takes."""
    with tempfile.TemporaryDirectory() as work:
        with open(f'{work}/trace', 'w', encoding='ascii') as file:
            file.writelines(f'0 {source} {to} {size}\n' for source, to in messages)
        row = sim('heddle', tables, {'switch.voq': 'yes', 'traffic.pattern': f'trace:{work}/trace', 'run.warmup': 0,
                                     'run.measure': '1s', **dict(keys)})[0]
    return each * size / RATE / float(row['makespan']), 'ends', 0


def exchange(tables, hosts, size, keys=()):
    """Each of the first @hosts hosts sends to every other, in shifted order."""
    return finish(tables, [(host, (host + step) % hosts) for step in range(1, hosts) for host in range(hosts)], size,
                  hosts - 1, keys)


def stream(tables, pattern, longest, seeds=1, keys=()):
    rows = sim('heddle', tables, {'switch.voq': 'yes', 'traffic.pattern': pattern, 'traffic.load': 1, 'run.warmup': '250us',
                                  'run.measure': 'auto', 'run.longest': longest, 'run.seeds': f'1..{seeds}', **dict(keys)})
    steady = 'yes' if all(is_steady(row) for row in rows) else 'no'
    return statistics.mean(float(row['accepted']) for row in rows), steady, max(float(row['window']) for row in rows) / 1000
