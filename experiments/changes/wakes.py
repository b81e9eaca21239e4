#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How often the threads of OpenSM wake one another where a link between switches fails and returns.

    experiments/changes/wakes.py BUILD FABRIC ENGINE [ROUNDS]

FABRIC and ENGINE are as in scale.py; ROUNDS (6) links fail and return. Prints Markdown: of each kind of event, seconds of processor time
in programs and in the kernel, and switches of threads to others, asked for or not: median, least and most.
"""
import argparse
import contextlib
import io
import pathlib
import random
import statistics
import sys
import tempfile

import scale

COLUMNS = ['event', 'user, s', 'kernel, s', 'switches asked for', 'others']


def used(process):
    """Of all threads: seconds of user and of kernel, switches that they asked for, and others."""
    total = [0, 0, 0, 0]
    for thread in pathlib.Path(f'/proc/{process}/task').iterdir():
        words = (thread / 'stat').read_text(encoding='ascii').rpartition(')')[2].split()
        lines = (thread / 'status').read_text(encoding='ascii').splitlines()
        counts = {line.split(':')[0]: int(line.split()[1]) for line in lines if 'ctxt_switches' in line}
        values = (int(words[11]) * scale.TICK, int(words[12]) * scale.TICK, counts['voluntary_ctxt_switches'],
                  counts['nonvoluntary_ctxt_switches'])
        total = [t + v for t, v in zip(total, values)]
    return total


def study(arguments, directory):
    rng = random.Random(1)
    found = {'fails': [], 'returns': []}
    at = scale.Large(arguments, directory)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            end = at.event('bring-up')
            links = scale.switch_links(at.net)
            for _ in range(arguments.rounds):
                link = rng.choice(rng.choice(links))
                for command, word in ('Down', 'fails'), ('Up', 'returns'):
                    before = used(at.daemon)
                    end = end or at.event(word, f'{command} "S-{link[1]}"[{link[2]}]')
                    found[word].append([now - was for now, was in zip(used(at.daemon), before)])
    finally:
        at.finish()
    print('| ' + ' | '.join(COLUMNS) + ' |\n|---' + '|---:' * (len(COLUMNS) - 1) + '|')
    for word, rows in found.items():
        cells = []
        for i in range(4):
            values = [row[i] for row in rows]
            form = '.2f' if i < 2 else ',.0f'
            cells.append(f'{statistics.median(values):{form}} ({min(values):{form}} to {max(values):{form}})')
        print(f'| a link {word} | ' + ' | '.join(cells) + ' |')
    return end


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('fabric')
    parser.add_argument('engine')
    parser.add_argument('rounds', nargs='?', type=int, default=6)
    parser.set_defaults(minutes=10, gib=10)
    with tempfile.TemporaryDirectory() as name:
        sys.exit(bool(study(parser.parse_args(), pathlib.Path(name))))


if __name__ == '__main__':
    main()
