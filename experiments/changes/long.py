#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What opensm with the plug-in takes after very many changes: memory, descriptors and lines of its log stay as they were.

    experiments/changes/long.py BUILD [N] [MINUTES]    N changes (2000) of a dragonfly of 342 hosts, or as many as these minutes allow

A link between switches or a switch goes down, and comes back. Prints a row for each tenth of the changes; exit status 1: the last row
has 2% more memory than the middle one, or more descriptors.
"""
import pathlib
import random
import re
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from emulated import Fabric  # noqa: E402
from opensm import switch_ids, switch_links  # noqa: E402

FABRIC = 'dragonfly:a=6,p=3,h=3'


def find_daemon(simfabric):
    """The process ID of the opensm that simfabric has started."""
    children = pathlib.Path(f'/proc/{simfabric}/task/{simfabric}/children').read_text(encoding='ascii').split()
    return next(int(child) for child in children if pathlib.Path(f'/proc/{child}/comm').read_text(encoding='ascii') == 'opensm\n')


def measure(at, daemon, n_changes):
    """Changes so far, MiB in memory, open descriptors, bytes of the log, changes that were stopped or not proved."""
    status = pathlib.Path(f'/proc/{daemon}/status').read_text(encoding='ascii')
    log = at.log.read_text(errors='replace')
    return (n_changes, int(re.search(r'VmRSS:\s+(\d+)', status)[1]) / 1024, len(list(pathlib.Path(f'/proc/{daemon}/fd').iterdir())),
            len(log), len(re.findall('change over', log)), len(re.findall('change stopped|not fully proved|transient loops', log)))


def study(build, n_changes, seconds):
    rng, end, rows = random.Random(1), time.monotonic() + seconds, []
    with tempfile.TemporaryDirectory() as name:
        with Fabric(build, FABRIC, 'dla', '', pathlib.Path(name)) as at:
            at.wait_for_sweep()
            at.settle(0)
            daemon = find_daemon(at.process.pid)
            links, switches = switch_links(at.net), switch_ids(at.net)
            rows.append(measure(at, daemon, 0))
            for i in range(n_changes // 2):
                link = rng.choice(rng.choice(links))
                place = f'"{rng.choice(switches[1:])}"' if i % 2 else f'"S-{link[1]}"[{link[2]}]'
                for what in 'Down', 'Up':
                    before = at.sweeps()
                    at.console.say(f'{what} {place}')
                    at.settle(before)
                is_over = time.monotonic() > end
                if is_over or not (i + 1) % max(n_changes // 20, 1):
                    rows.append(measure(at, daemon, 2 * (i + 1)))
                if is_over:
                    break
    return rows


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    n_changes = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    minutes = float(sys.argv[3]) if len(sys.argv) > 3 else 600
    rows = study(pathlib.Path(sys.argv[1]).absolute(), n_changes, 60 * minutes)
    print('| changes | MiB | descriptors | log, kB | kB a change | changes over | stopped or not proved |\n|---:|---:|---:|---:|---:|---:|---:|')
    for last, row in zip(rows[:1] + rows, rows):
        n, mib, descriptors, size, over, other = row
        each = f'{(size - last[3]) / 1000 / (n - last[0]):.2f}' if n > last[0] else '-'
        print(f'| {n} | {mib:.1f} | {descriptors} | {size / 1000:.0f} | {each} | {over} | {other} |')
    if len(rows) < 3:
        return
    middle, last = rows[len(rows) // 2], rows[-1]
    sys.exit(last[1] > 1.02 * middle[1] or last[2] > middle[2])


if __name__ == '__main__':
    main()
