#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What opensm with the plug-in takes after very many changes: memory, descriptors and lines of its log stay as they were.

    experiments/changes/long.py BUILD [N] [MINUTES]    N changes (2000) of a dragonfly of 342 hosts, or as many as these minutes allow

A link between switches or a switch goes down, and comes back. Prints a row for each 100 changes, or for each tenth of fewer than 1,000;
exit status 1: the last row has 2% more memory than the middle one, or more descriptors.
"""
import pathlib
import random
import re
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from emulated import Fabric, find_daemon  # noqa: E402
from opensm import switch_ids, switch_links  # noqa: E402

FABRIC = 'dragonfly:a=6,p=3,h=3'
UNSEEN = 5  # seconds to wait for a change that the sweep after it did not see


def resident(process):
    """MiB of memory that a process has now."""
    status = pathlib.Path(f'/proc/{process}/status').read_text(encoding='ascii')
    return int(re.search(r'VmRSS:\s+(\d+)', status)[1]) / 1024


def measure(at, daemon, n_changes):
    """Changes so far; MiB of opensm and of simfabric, open descriptors of both, bytes of the log, changes over, stopped or not proved."""
    told = at.told.read()
    processes = daemon, at.process.pid
    return (n_changes, *map(resident, processes), *(len(list(pathlib.Path(f'/proc/{each}/fd').iterdir())) for each in processes),
            at.told.size, told['overs'], sum(told[name] for name in ('stopped', 'unproved', 'unscheduled')))


def show(last, row):
    n, daemon, fabric, descriptors, descriptors_fabric, size, over, other = row
    each = f'{(size - last[5]) / 1000 / (n - last[0]):.2f}' if n > last[0] else '-'
    print(f'| {n} | {daemon:.1f} | {descriptors} | {fabric:.1f} | {descriptors_fabric} | {size / 1000:.0f} | {each} | {over} | {other} |',
          flush=True)


def change(at, what):
    """Makes a change and waits until it is over. A sweep that an earlier event has asked for may come first; it does not know of this
    one, and what comes back before OpenSM has seen that it was away is no change of tables."""
    before, overs = at.sweeps(), at.told.read()['overs']
    at.console.say(what)
    at.settle(before)
    end = time.monotonic() + UNSEEN
    while at.told.read()['overs'] == overs and time.monotonic() < end:
        time.sleep(0.05)


def study(build, n_changes, seconds):
    rng, end, rows = random.Random(1), time.monotonic() + seconds, []
    step = 50 if n_changes >= 1000 else max(n_changes // 20, 1)
    print('| changes | opensm, MiB | descriptors | simfabric, MiB | descriptors | log, kB | kB a change | changes over | '
          'stopped or not proved |\n' + '|---:' * 9 + '|')
    with tempfile.TemporaryDirectory() as name:
        with Fabric(build, FABRIC, 'dla', '', pathlib.Path(name)) as at:
            at.wait_for_sweep()
            at.settle(0)
            daemon = find_daemon(at.process.pid)
            links, switches = switch_links(at.net), switch_ids(at.net)
            rows.append(measure(at, daemon, 0))
            show(rows[0], rows[0])
            for i in range(n_changes // 2):
                link = rng.choice(rng.choice(links))
                place = f'"{rng.choice(switches[1:])}"' if i % 2 else f'"S-{link[1]}"[{link[2]}]'
                for what in 'Down', 'Up':
                    change(at, f'{what} {place}')
                is_over = time.monotonic() > end
                if is_over or not (i + 1) % step:
                    rows.append(measure(at, daemon, 2 * (i + 1)))
                    show(rows[-2], rows[-1])
                if is_over:
                    break
    return rows


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    n_changes = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    minutes = float(sys.argv[3]) if len(sys.argv) > 3 else 600
    rows = study(pathlib.Path(sys.argv[1]).absolute(), n_changes, 60 * minutes)
    if len(rows) < 3:
        return
    middle, last = rows[len(rows) // 2], rows[-1]
    sys.exit(last[1] > 1.02 * middle[1] or any(last[i] > middle[i] for i in (3, 4)))


if __name__ == '__main__':
    main()
