# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Stock OpenSM with the plug-in on an emulated fabric that is told what to do, for the scripts beside this one."""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

import runs
from opensm import guid2lid

QUIET = 0.25  # seconds without a Set after the end of a sweep or of its rounds, after which a change is over
PATIENT = 0.8  # the same where no such end is in the log
LONGEST = 60  # seconds until it is over in any case
LMC = {'dfval': 2, 'osha': 1, 'sasha': 1}  # engines that have several ways to a host


class Console:
    """The console of simfabric, at a stream socket."""

    def __init__(self, path):
        for _ in range(200):
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                self.socket.connect(str(path))
                break
            except OSError:
                time.sleep(0.05)
        self.file = self.socket.makefile('rw', encoding='utf-8')

    def say(self, command):
        """The lines that answer it. An unknown command ends them."""
        self.file.write(f'{command}\n=\n')
        self.file.flush()
        lines = []
        for line in self.file:
            if line.startswith("error: no command '='"):
                return lines
            lines.append(line.rstrip('\n'))
        sys.exit('simfabric has ended')


def start_traffic(console, snapshot, seed=1):
    return console.say(f'Traffic start uniform 0.3 packet=1KiB rate=0.0005 path_sl={snapshot} seed={seed}')


def traffic(console):
    """What the console shows of traffic, as numbers."""
    text = '\n'.join(console.say('Traffic show'))
    numbers = {name: int(n) for n, name in re.findall(r'(\d+) (generated|delivered|dropped|looped|lost)', text)}
    for name, words in [('circled', 'in circles'), ('broken', 'on links that failed')]:
        found = re.search(rf'(\d+) {words}', text)
        numbers[name] = int(found.group(1)) if found else 0
    found = re.search(r'us in ([\d.]+) s', text)
    numbers['seconds'] = float(found.group(1)) if found else 0
    return numbers, 'deadlock' in text, 'traffic is over' in text


def set_times(history):
    """Milliseconds from each failure or return to the last Set before the next one."""
    found, begin, last = [], None, None
    with open(history, encoding='ascii', errors='replace') as file:
        for line in file:
            words = line.split(' ', 2)
            if words[0] in ('plug', 'unplug', 'on', 'off'):
                if begin is not None and last is not None:
                    found.append(1000 * (last - begin))
                begin, last = float(words[1]), None
            elif words[0] == 'set':
                last = float(words[1])
    if begin is not None and last is not None:
        found.append(1000 * (last - begin))
    return found


def configure(path, engine, options, more=()):
    """Writes an opensm.conf, with @more lines: @engine is as routing_engine has it."""
    lines = ['event_plugin_name osmheddle', f'routing_engine {engine}', 'qos TRUE', 'max_wire_smps 64', 'max_wire_smps2 64',
             'sweep_interval 3', 'force_log_flush TRUE', 'transaction_timeout 100', 'honor_guid2lid_file TRUE']
    lmc = LMC.get(engine.split(',')[0])
    if lmc:
        lines.append(f'lmc {lmc}')
    if options:
        lines.append(f'event_plugin_options {options}')
    path.write_text('\n'.join([*lines, *more]) + '\n', encoding='ascii')


def find_daemon(simfabric):
    """The process ID of the opensm that simfabric has started, once it has."""
    children = pathlib.Path(f'/proc/{simfabric}/task/{simfabric}/children').read_text(encoding='ascii').split()
    return next((int(child) for child in children if pathlib.Path(f'/proc/{child}/comm').read_text(encoding='ascii') == 'opensm\n'), None)


class Log:
    """What OpenSM's log has told so far. Each line is read once, since a long run asks often."""

    MARKS = {'sweeps': 'tables configured', 'ups': 'SUBNET UP', 'overs': 'change over', 'stopped': 'change stopped',
             'unproved': 'not fully proved', 'unscheduled': 'transient loops'}

    def __init__(self, path):
        self.path, self.file, self.rest, self.size = path, None, '', 0
        self.counts = dict.fromkeys([*self.MARKS, 'refusals'], 0)
        self.is_over = False  # a sweep, or the rounds of one, have ended behind the last tables

    def read(self):
        """The counts after what has been written since the last call."""
        if self.file is None:
            if not self.path.exists():
                return self.counts
            self.file = open(self.path, encoding='utf-8', errors='replace')
        text = self.file.read()
        self.size += len(text)
        *lines, self.rest = (self.rest + text).split('\n')
        for line in lines:
            for name, mark in self.MARKS.items():
                if mark in line:
                    self.counts[name] += 1
                    self.is_over = name in ('ups', 'overs') or (self.is_over and name != 'sweeps')
            self.counts['refusals'] += bool(re.search('heddle: engine .* refuses: ', line))
        return self.counts


class Fabric:
    """OpenSM on an emulated fabric; or @script, which has opensm.conf and a log called log beside it."""

    def __init__(self, build, fabric, engine, options, directory, script=None, more=()):
        self.directory = directory
        self.net, self.snapshot = directory / 'net', directory / 'snapshot'
        runs.run(build / 'heddle', 'route', fabric, '-e', engine, '--lmc', str(LMC.get(engine, 0)), '-o', self.snapshot, '--quiet')
        shutil.copy(self.snapshot / 'fabric.net', self.net)
        if not LMC.get(engine):
            (directory / 'guid2lid').write_text(guid2lid(self.net), encoding='ascii')
        name = f'heddle-{engine}' if engine in ('minhop', 'updn') else engine
        configure(directory / 'opensm.conf', f'{name},no_fallback', options, more)
        self.history, self.log = directory / 'history', directory / 'log'
        self.told = Log(self.log)
        libraries = ':'.join([str(build), os.environ.get('LD_LIBRARY_PATH', '')])
        environment = dict(os.environ, LD_LIBRARY_PATH=libraries, OSM_TMP_DIR=str(directory), OSM_CACHE_DIR=str(directory),
                           OMP_NUM_THREADS='1')
        wrapper = build / 'libsimfabric-umad.so'
        wrapper = wrapper if wrapper.exists() else 'own'
        self.process = subprocess.Popen(
            [build / 'simfabric/simfabric', '--quiet', self.net, '--history', self.history, '--console', directory / 'console',
             '--wrapper', wrapper, '--',
             *(['sh', '-c', script] if script else ['opensm', '-F', directory / 'opensm.conf', '-f', self.log])],
            cwd=directory, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.console = Console(directory / 'console')

    def settle(self, sweeps):
        """Waits until tables were made since there were so many sweeps, and nothing is written to the history any more; or until
        the engine has refused in two sweeps without tables, since the first may lack what a lost MAD would have told. Returns
        whether it refused."""
        begin = last = time.monotonic()
        refusals = self.refusals()
        size = -1
        while time.monotonic() - begin < LONGEST:
            quiet = time.monotonic() - last
            if quiet > QUIET and self.sweeps() != sweeps and (quiet > PATIENT or self.is_over()):
                break
            if self.sweeps() == sweeps and self.refusals() >= refusals + 2:
                return True
            time.sleep(0.05)
            if self.history.stat().st_size != size:
                size = self.history.stat().st_size
                last = time.monotonic()
        return False

    def refusals(self):
        return self.told.read()['refusals']

    def sweeps(self):
        return self.told.read()['sweeps']

    def is_over(self):
        """Whether the log ends a sweep, or the rounds of one, behind the last tables."""
        self.told.read()
        return self.told.is_over

    def wait_for_sweep(self):
        for _ in range(200):
            if self.sweeps():
                return
            time.sleep(0.1)
        sys.exit(f'no tables: {self.log}')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
