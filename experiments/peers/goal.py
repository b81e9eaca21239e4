#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""heddle beside LogGOPSim of github.com/spcl/atlahs, on schedules of its own generator and of its sample traces.

goal.py ATLAHS HEDDLE [WORK]

ATLAHS is a clone. Builds LogGOPSim and txt2bin in WORK (needs g++, re2c, gengetopt, libgraphviz-dev), with their comparison of
events by order compiled in, which is a comment in LogGOPSim.hpp: without it, events of one time come in any order. Runs the
generator's patterns for 8 ranks, and its samples bcast and sweep3d-2x2, eager and with rendezvous from 1,000 bytes on. heddle's
fabric is a crossbar of 32 Gb/s, so G is .25 ns a byte, and 112 ns of L are its own. Schedules where several ranks send to one at
once differ: LogGOPSim's network has no contention.
"""
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

PATTERNS = ('binomialtreereduce binarytreebcast binomialtreebcast nwaydissemination doublering linbarrier dissemination '
            'random_bisect random_bisect_fd_sym scatter linear_alltoall allreduce_recdoub allreduce_ring gather').split()
TRACES = {'bcast': 'bcast/trace_bcast-0.dat', 'sweep3d-2x2': 'sweep3d-2x2/pmpi-trace-rank-0.txt'}


def run(*command, cwd=None):
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def build(atlahs, work):
    folder = os.path.join(work, 'LogGOPSim')
    shutil.copytree(os.path.join(atlahs, 'sim', 'LogGOPSim'), folder, dirs_exist_ok=True)
    header = os.path.join(folder, 'LogGOPSim.hpp')
    text = re.sub(r'^// (#ifdef STRICT_ORDER|    if\(x\.time == y\.time.*|#endif)', r'\1', open(header).read(), flags=re.M)
    open(header, 'w').write('#define STRICT_ORDER\n' + text)
    scanner = os.path.join(folder, 'txt2bin.re')
    text = open(scanner).read()
    open(scanner, 'w').write(re.sub(r'^main\(', 'int main(', text, flags=re.M))
    options = ['-w', '-O2', '-fpermissive', '-I/usr/include/graphviz']
    for name, more in (('simulator', []), ('txt2bin', ['--file-name=cmdline_txt2bin'])):
        with open(os.path.join(folder, name + '.ggo')) as file:
            subprocess.run(['gengetopt', *more], stdin=file, cwd=folder, check=True)
    run('re2c', '-o', 'txt2bin.cpp', 'txt2bin.re', cwd=folder)
    run('g++', *options, 'txt2bin.cpp', 'cmdline_txt2bin.c', '-o', 'txt2bin', cwd=folder)
    run('g++', *options, 'LogGOPSim.cpp', 'cmdline.c', '-o', 'LogGOPSim', '-lcgraph', cwd=folder)
    return folder


def main():
    atlahs, heddle = (os.path.abspath(path) for path in sys.argv[1:3])
    work = os.path.abspath(sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp(prefix='heddle-goal.'))
    os.makedirs(work, exist_ok=True)
    folder = build(atlahs, work)
    schedgen = os.path.join(atlahs, 'goal_gen', 'hpc', 'Schedgen')
    generator = shutil.copy(os.path.join(schedgen, 'schedgen'), os.path.join(work, 'schedgen'))
    os.chmod(generator, 0o755)
    print('%-22s %9s %14s %14s %9s' % ('schedule', 'S', 'LogGOPSim', 'heddle', 'differ'))
    for name in PATTERNS + list(TRACES):
        text, binary, table = (os.path.join(work, name + suffix) for suffix in ('.goal', '.bin', '.csv'))
        what = ['trace', '--traces', os.path.join('liballprof-samples', TRACES[name])] if name in TRACES else \
            [name, '-s', '8', '-d', '40000']
        run(generator, '-p', *what, '-o', text, cwd=schedgen)
        run(os.path.join(folder, 'txt2bin'), '-i', text, '-o', binary)
        run(heddle, 'convert', text, os.path.join(work, 'own.bin'))
        same = open(binary, 'rb').read() == open(os.path.join(work, 'own.bin'), 'rb').read()
        for size in (65535, 1000):
            out = run(os.path.join(folder, 'LogGOPSim'), '-f', binary, '-L', '2500', '-o', '1500', '-g', '1000', '-G', '0.25',
                      '-S', str(size), '-b')
            theirs = float(re.search(r'host \d+: (\d+)', out)[1])
            run(heddle, 'sim', 'tree:k=8,n=1', '-e', 'dmodc', '-s', 'run.warmup=0ns', '-s', 'run.measure=100s',
                '-s', f'traffic.pattern=trace:{binary}', '-s', f'host.model=loggop:L=2388,S={size}', '--csv', table)
            ours = float(next(csv.DictReader(open(table)))['makespan'])
            print('%-22s %9d %14.0f %14.0f %8.3f%%%s' % (name, size, theirs, ours, 100 * (ours / theirs - 1),
                                                        '' if same else '  txt2bin differs'))


main()
