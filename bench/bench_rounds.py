#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How long a change takes in rounds, and without: two OpenSMs on two emulated fabrics, in turns.

    bench_rounds.py [--changes N] [--real-time] FABRIC BUILD

Links between switches fail and return, N of them (6), on both fabrics. Prints Markdown: milliseconds from the change to the last Set
that it brings, and OpenSM's processor time until it rests: median, least and most. With --real-time both fabrics and both OpenSMs have
a real-time priority meanwhile, so that nothing else on the machine gets between them.
"""
import argparse
import contextlib
import os
import pathlib
import random
import statistics
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(SOURCE.parent / 'experiments'), str(SOURCE.parent / 'experiments/changes')]
from emulated import Fabric, find_daemon, set_times  # noqa: E402
from opensm import switch_links  # noqa: E402

MODES = ['rounds', 'off']


def threads(process):
    return map(int, os.listdir(f'/proc/{process}/task'))


def used(process):
    """Milliseconds of processor time."""
    return sum(int(pathlib.Path(f'/proc/{process}/task/{thread}/schedstat').read_text(encoding='ascii').split()[0])
               for thread in threads(process)) / 1e6


def hurry(process):
    for thread in threads(process):
        os.sched_setscheduler(thread, os.SCHED_FIFO, os.sched_param(1))


def change(at, command):
    """The processor time of a change."""
    daemon = find_daemon(at.process.pid)
    before, sweeps = used(daemon), at.sweeps()
    at.console.say(command)
    at.settle(sweeps)
    return used(daemon) - before


def cell(values):
    return f'{statistics.median(values):.0f} ({min(values):.0f} to {max(values):.0f})'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--changes', type=int, default=6)
    parser.add_argument('--real-time', action='store_true')
    parser.add_argument('fabric')
    parser.add_argument('build', type=lambda text: pathlib.Path(text).absolute())
    arguments = parser.parse_args()
    rng = random.Random(1)
    busy = {mode: {'fails': [], 'returns': []} for mode in MODES}
    lasted = {}
    with contextlib.ExitStack() as stack:
        fabrics = {}
        for mode in MODES:
            directory = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            fabrics[mode] = at = stack.enter_context(Fabric(arguments.build, arguments.fabric, 'dla', f'transition={mode}', directory))
            at.wait_for_sweep()
            at.settle(0)
        for at in fabrics.values() if arguments.real_time else ():
            hurry(at.process.pid)
            hurry(find_daemon(at.process.pid))
        links = switch_links(fabrics['off'].net)
        for _ in range(arguments.changes):
            end = rng.choice(rng.choice(links))
            for command, what in ('Down', 'fails'), ('Up', 'returns'):
                for mode, at in fabrics.items():
                    busy[mode][what].append(change(at, f'{command} "S-{end[1]}"[{end[2]}]'))
        for mode, at in fabrics.items():
            times = set_times(at.history)
            lasted[mode] = {'fails': times[::2], 'returns': times[1::2]}
    print('| a link | `transition` | ms | processor ms |\n|---|---|---:|---:|')
    for what in 'fails', 'returns':
        for mode in MODES:
            print(f'| {what} | `{mode}` | {cell(lasted[mode][what])} | {cell(busy[mode][what])} |')


main()
