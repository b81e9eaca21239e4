#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Lines and branches that the tests have run: coverage.py SOURCE BUILD [LINES BRANCHES]

BUILD was configured with --enable-coverage; what counts is all that has run there since its directory profiles was made.
Prints per cent by room, and the files with the most lines that nothing has run. Fails if no program has a file, or if lines
or branches are fewer than these per cent.
"""
import glob
import json
import os
import re
import subprocess
import sys

# Every function of ours is in one of these, or in an archive, or left out.
PROGRAMS = ['heddle', 'simfabric/simfabric', 'libheddle.so.0', 'libheddle-lids.so']
# What no test of a build with sanitizers and without OpenSM reaches; tests of the plain build do.
LEFT_OUT = {
    'opensm/': 'OpenSM loads it',
    'tools/scenario_page.c': 'the build runs it, for a manual page',
    'sim/traffic/chakra_none.c': 'builds without protobuf-c have it instead',
    **dict.fromkeys(('live/', 'tools/cmd_dump.c', 'tools/cmd_agent.c', 'tools/agent_'), 'it needs a fabric that OpenSM has set up'),
    **dict.fromkeys((f'simfabric/umad/{name}.c' for name in ('adapter', 'address', 'connection', 'issm', 'port', 'umad')),
                    'stock programs preload it, without sanitizers'),
    **dict.fromkeys((f'host/recorder/{name}.c' for name in ('communicators', 'lifetime', 'messages', 'operations', 'probes',
                                                            'recorder', 'refused', 'requests')),
                    'MPI programs preload it, without sanitizers'),
}
WORST = 20


class Count:
    """Of lines and of branches: how many there are, how many have run."""

    def __init__(self):
        self.all, self.run = [0, 0], [0, 0]

    def add(self, summary):
        for i, what in enumerate(('lines', 'branches')):
            self.all[i] += summary[what]['count']
            self.run[i] += summary[what]['covered']

    def missed(self):
        return self.all[0] - self.run[0]

    def shares(self):
        return [100 * run / of if of else 100 for run, of in zip(self.run, self.all)]

    def __str__(self):
        lines, branches = self.shares()
        return f'{self.run[0]:6} of {self.all[0]:6} lines, {lines:5.1f}%; {self.run[1]:6} of {self.all[1]:6} branches, {branches:5.1f}%'


def is_ours(name):
    return not name.startswith((os.pardir, 'tests/', 'bench/', 'experiments/', 'docs/', 'build'))


def is_left_out(name):
    return name.startswith(tuple(LEFT_OUT))


def merge(build):
    """The counts of all processes in one file."""
    profiles = glob.glob(f'{build}/profiles/*.profraw')
    if not profiles:
        sys.exit(f'coverage: nothing has run in {build} since it was configured with --enable-coverage')
    subprocess.run(['llvm-profdata-14', 'merge', '-sparse', '-o', f'{build}/profiles/all.profdata', *profiles], check=True)


def link(build):
    """Archives as an object that llvm-cov reads: programs have only the files that they use."""
    subprocess.run(['clang', '-shared', '-o', f'{build}/profiles/archives.so', '-Wl,--whole-archive',
                    *glob.glob(f'{build}/*.a'), '-Wl,--no-whole-archive'], check=True)


def words(build, command, *more):
    """The command for llvm-cov. A function counts once, whichever programs have run it."""
    objects = [f'{build}/{name}' for name in PROGRAMS if os.path.exists(f'{build}/{name}')]
    named = (word for name in objects for word in ('-object', name))
    return ['llvm-cov-14', command, f'{build}/profiles/archives.so', *named, f'-instr-profile={build}/profiles/all.profdata',
            f'-compilation-dir={build}', *more]


def read(source, build):
    """The files of the programs by name, with what of them has run."""
    exported = subprocess.run(words(build, 'export', '-summary-only'), check=True, stdout=subprocess.PIPE)
    files = {}
    for file in json.loads(exported.stdout)['data'][0]['files']:
        name = os.path.relpath(os.path.realpath(os.path.join(build, file['filename'])), source)
        if is_ours(name) and not is_left_out(name) and file['summary']['lines']['count']:
            files.setdefault(name, Count()).add(file['summary'])
    return files


def has_function(path):
    with open(path, encoding='utf-8') as file:
        return re.search('^{', file.read(), re.M)


def strangers(source, files):
    """Sources with functions that nothing links."""
    names = [os.path.relpath(path, source) for path in glob.glob(f'{source}/**/*.c', recursive=True) if has_function(path)]
    return [name for name in sorted(names) if is_ours(name) and not is_left_out(name) and name not in files]


def total(counts):
    whole = Count()
    for count in counts:
        for i in range(2):
            whole.all[i] += count.all[i]
            whole.run[i] += count.run[i]
    return whole


def show(files):
    rooms = {}
    for name, count in sorted(files.items()):
        rooms.setdefault(os.path.dirname(name), []).append(count)
    for room, counts in rooms.items():
        print(f'{room:24} {total(counts)}')
    whole = total(files.values())
    print(f'{"all":24} {whole}\n')
    for name, count in sorted(files.items(), key=lambda item: -item[1].missed())[:WORST]:
        print(f'{name:36} {count.missed():4} lines not run; {count}')
    for reason in dict.fromkeys(LEFT_OUT.values()):
        print(f'left out, since {reason}:', *(name for name, why in LEFT_OUT.items() if why == reason))
    return whole


def main():
    source, build = (os.path.realpath(path) for path in sys.argv[1:3])
    least = [float(word) for word in sys.argv[3:5]] or [0, 0]
    link(build)
    merge(build)
    files = read(source, build)
    whole = show(files)
    print('how often each line has run:', *words(build, 'show'))
    unknown = strangers(source, files)
    if unknown:
        print('in no program:', *unknown)
    lines, branches = whole.shares()
    print(f'coverage: lines {lines:.1f}% (at least {least[0]:g}), branches {branches:.1f}% (at least {least[1]:g})')
    return bool(unknown) or lines < least[0] or branches < least[1]


sys.exit(main())
