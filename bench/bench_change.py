#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What the plug-in computes for a change in rounds, in instructions: no other load of the machine changes these.

    bench_change.py [--changes N] FABRIC BUILD...

Stock OpenSM runs under callgrind on simfabric, with engine dla and the plug-in of each BUILD, a build directory. Links between
switches fail and return (N of them, 1). Prints Markdown: millions of instructions of all changes, by part: reading what nodes hold,
the plan with all proofs of mixtures, confirmations, and what is done between rounds. `engine` is the call of the engine with its
plan, in the bring-up, too.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(SOURCE.parent / 'experiments'), str(SOURCE.parent / 'experiments/changes')]
from emulated import Fabric  # noqa: E402
from opensm import switch_links  # noqa: E402

PARTS = {'reading': 'hd_osm_programmed_read', 'plan': 'hd_osm_transition_plan', 'confirming': 'hd_osm_read_back_settle',
         'between rounds': 'hd_osm_transition_go_on', 'engine': 'build_lid_matrices'}


def write_opensm(directory, out, functions):
    """An opensm in @directory that runs the real one under callgrind, which counts in @functions alone."""
    wrapper = directory / 'opensm'
    toggles = ' '.join(f'--toggle-collect={function}' for function in functions)
    wrapper.write_text(f'#!/bin/sh\nexec valgrind --tool=callgrind {toggles} --callgrind-out-file={out} '
                       f'{shutil.which("opensm")} "$@"\n', encoding='ascii')
    wrapper.chmod(0o755)


def count(out, function):
    """Instructions in @function and all that it calls."""
    text = subprocess.run(['callgrind_annotate', '--inclusive=yes', '--threshold=100', out], capture_output=True, text=True,
                          check=True).stdout
    found = re.search(rf'^ *([\d,]+) .*:{function}(?: |$)', text, re.MULTILINE)
    return int(found.group(1).replace(',', '')) if found else 0


def measure(fabric, build, n_changes, functions):
    """Instructions of each of @functions while links fail and return."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        (directory / 'bin').mkdir()
        write_opensm(directory / 'bin', directory / 'out', functions)
        path = os.environ['PATH']
        os.environ['PATH'] = f'{directory / "bin"}:{path}'
        rng = random.Random(1)
        with Fabric(build, fabric, 'dla', 'transition=rounds', directory, more=['transaction_timeout 5000']) as at:
            os.environ['PATH'] = path
            at.wait_for_sweep()
            at.settle(0)
            links = switch_links(at.net)
            for _ in range(n_changes):
                end = rng.choice(rng.choice(links))
                for what in 'Down', 'Up':
                    before = at.sweeps()
                    at.console.say(f'{what} "S-{end[1]}"[{end[2]}]')
                    at.settle(before)
        return {function: count(directory / 'out', function) for function in functions}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--changes', type=int, default=1)
    parser.add_argument('fabric')
    parser.add_argument('builds', nargs='+', metavar='BUILD', type=lambda text: pathlib.Path(text).absolute())
    arguments = parser.parse_args()
    print('| of | ' + ' | '.join(PARTS) + ' |\n|---' + '|---:' * len(PARTS) + '|')
    for build in arguments.builds:
        # parts may call one another, so the engine, whose call has the plan, is counted in a run of its own
        found = measure(arguments.fabric, build, arguments.changes, list(PARTS.values())[:-1])
        found |= measure(arguments.fabric, build, arguments.changes, list(PARTS.values())[-1:])
        print(f'| {os.path.relpath(build)} | ' + ' | '.join(f'{found[f] / 1e6:.1f}' for f in PARTS.values()) + ' |', flush=True)


main()
