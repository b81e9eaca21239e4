#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Changes under stock OpenSM whose every round an independent judge looks at (tests/lib/judge.py): judged.csv beside this script,
and its table.

    experiments/changes/judged.py BUILD [OPTION...] [FABRIC ENGINE[,ENGINE...] [PLUGIN-OPTIONS]]
    experiments/changes/judged.py                                   the table alone

N changes (20) on each fabric that the script lists, or on one, are added to judged.csv; with --try, one run is printed and not
kept. A change is a link, a switch or a host that fails or returns, several of them at once, or another engine: OpenSM ends, and
the next one takes over. The first tables are those of OpenSM's minhop. Switches take Sets in any order, within 10 ms, and lose
1% of all MADs. The judge knows the history alone, and the path SLs of the whole fabric, which hosts keep. A round is inherited
if the tables before were unsound, as minhop's are. It is doubted if the plug-in said beforehand that it cannot prove the change
with those path SLs, or that it gives others, and from then on, as the plug-in goes by the path SLs that hosts get now. Else it
has to be sound. `heddle check --history` must agree: it finds no unsound state where the judge has none, and something wherever
the judge does. Exit status: 0 all rounds are sound and both agree, 1 no.
"""
import argparse
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / 'tests/lib')]
import emulated  # noqa: E402
import judge  # noqa: E402
import runs  # noqa: E402
from emulated import LMC, Fabric, configure, start_traffic, traffic  # noqa: E402
from opensm import switch_ids, switch_links  # noqa: E402

PAUSE = 60  # milliseconds between rounds
SILENCE = judge.seconds('0.04')  # a longer one ends a round
LIFE = judge.seconds('0.05')
emulated.LONGEST = 8  # seconds: of a part that is cut off, OpenSM sees nothing
# engines after the first one take over from one another: on the whole fabric, where all have the same path SLs, since a subnet
# manager that takes over cannot know which SLs hosts have from the last one
STUDIES = [('torus:4x4', 'hdor,updn,any'), ('dragonfly:a=2,p=1,h=1', 'dla,updn,any'), ('dragonfly:a=4,p=1,h=2', 'dla,updn'),
           ('tree:k=2,n=3', 'dmodc,updn'), ('kns:k=3,n=2', 'hdor,updn'), ('hyperx:3x3', 'hdor,any,updn'),
           ('dragonflyplus:leaves=2,spines=2,hosts=2,h=2', 'dfplus,updn'), ('dragonfly:a=2,p=1,h=1', 'd3r'),
           ('dragonfly:a=2,p=1,h=1', 'df-sssp'), ('dragonfly:a=2,p=1,h=1', 'df-minhop'), ('kns:k=3,n=2', 'osha'),
           ('kns:k=3,n=2', 'sasha'), ('torus:4x4', 'heddle')]
CLOCKS = 0.1  # seconds by which clocks of the log and the history may differ
EVER = 1e6
COLUMNS = ['fabric', 'engines', 'options', 'changes', 'takeovers', 'refused', 'sets', 'states', 'rounds', 'inherited', 'doubted', 'unsound',
           'disagree', 'packets', 'deadlocks']
SCRIPT = """trap 'kill $!; exit' TERM
opensm -o -F first.conf -f first.log
touch first.done
while [ ! -e stop ]; do
	opensm -F opensm.conf -f log &
	echo $! >pid.new; mv pid.new pid
	wait $!
done"""


def wait_for(event, what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            sys.exit(f'{event}: not within a minute')
        time.sleep(0.02)


class Run:
    """Random changes on one fabric."""

    def __init__(self, at, engines, options, rng):
        self.at, self.engines, self.options, self.rng = at, engines, options, rng
        self.links = switch_links(at.net)
        text = at.net.read_text(encoding='ascii')
        hosts = re.findall(r'^Ca\s+\d+\s+"(H-[0-9a-f]+)".*\n\[1\]\([0-9a-f]+\)\s+"(S-[0-9a-f]+)"', text, re.M)
        self.home = hosts[0][1]  # where OpenSM is
        self.hosts = [host for host, _ in hosts[1:]]
        self.switches = [switch for switch in switch_ids(at.net) if switch != self.home]
        self.down = []
        self.engine = 0
        self.row = dict.fromkeys(COLUMNS, 0)

    def place(self):
        kind = self.rng.random()
        if kind < 0.6 or not self.hosts:
            end = self.rng.choice(self.rng.choice(self.links))
            return f'"S-{end[1]}"[{end[2]}]'
        return f'"{self.rng.choice(self.switches if kind < 0.8 else self.hosts)}"'

    def events(self):
        """Commands of the console: what fails or returns at once."""
        found = []
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            if self.down and self.rng.random() < (0.5 if len(self.down) < 4 else 0.9):
                found.append(f'Up {self.down.pop(self.rng.randrange(len(self.down)))}')
                continue
            place = self.place()
            if place not in self.down and f'Up {place}' not in found:
                self.down.append(place)
                found.append(f'Down {place}')
        return found

    def count(self):
        numbers, is_dead, is_over = traffic(self.at.console)
        self.row['packets'] += numbers.get('generated', 0)
        self.row['deadlocks'] += is_dead
        return is_over

    def take_over(self, sweeps):
        """Another OpenSM, with the next engine."""
        self.engine = (self.engine + 1) % len(self.engines)
        configure(self.at.directory / 'opensm.conf', f'{in_opensm(self.engines[self.engine])},no_fallback', self.options, LINES)
        pid = self.at.directory / 'pid'
        old = pid.read_text()
        os.kill(int(old), signal.SIGTERM)
        wait_for('OpenSM starts anew', lambda: pid.read_text() != old)
        self.row['takeovers'] += 1
        return self.at.settle(sweeps)

    def change(self):
        sweeps = self.at.sweeps()
        is_takeover = len(self.engines) > 1 and self.rng.random() < 0.15
        if is_takeover and not self.down:
            refused = self.take_over(sweeps)
        else:
            commands = [f'Up {place}' for place in self.down] if is_takeover else self.events()
            self.down = [] if is_takeover else self.down
            for command in commands:
                self.at.console.say(command)
            refused = commands and self.at.settle(sweeps)
        self.row['changes'] += 1
        self.row['refused'] += bool(refused)
        if self.count():
            start_traffic(self.at.console, self.at.snapshot)


LINES = ['transaction_timeout 30', 'log_flags 0x07']


def in_opensm(engine):
    return f'heddle-{engine}' if engine in ('minhop', 'updn') else engine


def study(build, fabric, engines, options, given):
    engines, rng = engines.split(','), random.Random(f'{fabric} {engines} {given.seed}')
    options = ' '.join(filter(None, [f'pause={PAUSE}', options]))
    with tempfile.TemporaryDirectory() as name:
        directory = given.keep or pathlib.Path(name) / 'run'
        directory.mkdir()
        lmc = [f'lmc {LMC[engines[0]]}'] if engines[0] in LMC else []
        configure(directory / 'first.conf', 'minhop', '', LINES + lmc)
        with Fabric(build, fabric, engines[0], options, directory, SCRIPT, LINES) as at:
            wait_for('minhop ends', (directory / 'first.done').exists)
            last, zero = last_time(at.history)
            at.console.say(f'Shuffle 10ms {given.seed}')
            at.console.say('Drop 1%')
            for switch in switch_ids(at.net)[1::3] if given.slow else ():
                at.console.say(f'Delay "{switch}" {given.slow}ms')
            at.wait_for_sweep()
            at.settle(0)
            run = Run(at, engines, options, rng)
            start_traffic(at.console, at.snapshot)
            while run.row['changes'] < given.changes:
                run.change()
            run.count()
            (directory / 'stop').touch()
        verdicts(build, directory, last + 1, zero, run.row)
    return run.row | {'fabric': fabric, 'engines': ' '.join(engines), 'options': options}


def last_time(history):
    """When the last record of the history was, by the emulator; and the emulator's second 0, by the clock of files."""
    text = history.read_bytes()
    last = float(text[max(text.rfind(b'\nset '), text.rfind(b'\nbegin ')):].split()[1])
    return judge.seconds(last), history.stat().st_mtime - last


def doubts(log, zero):
    """When the plug-in said of changes, before it made them, that it cannot prove them: [(begin, end)] in the emulator's ns. Where
    path SLs were the cause, it proves what follows with others, which the judge does not know."""
    found, year = [], time.localtime().tm_year
    for line in log.read_text(errors='replace').splitlines():
        words = re.match(r'(\w+ +\d+ [\d:]+) (\d{6}) .*heddle: engine \S+: '
                         r'(change not fully proved|SLs and VLs reassigned|change over)(.*)', line)
        if not words:
            continue
        now = time.mktime(time.strptime(f'{year} {words.group(1)}', '%Y %b %d %H:%M:%S')) + int(words.group(2)) / 1e6
        others = words.group(3) == 'SLs and VLs reassigned' or 'path SLs' in words.group(4)
        if words.group(3) != 'change over':
            found.append([judge.seconds(now - zero - CLOCKS), judge.seconds(EVER) if others else None])
        elif found and found[-1][1] is None:
            found[-1][1] = judge.seconds(now - zero + CLOCKS)
    return [(begin, judge.seconds(EVER) if end is None else end) for begin, end in found]


def overlap(one, others):
    return any(one[0] <= end and begin <= one[1] for begin, end in others)


def heddle_says(build, directory, since):
    done = subprocess.run([build / 'heddle', 'check', '--quiet', '--json', '--scope', 'hosts', '--life', f'{LIFE}ns', '--since',
                           f'{since}ns', '--history', directory / 'history', directory / 'snapshot'],
                          capture_output=True, text=True, check=False)
    if done.returncode > 1:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def verdicts(build, directory, since, zero, row):
    """Of all that came after minhop."""
    path_sls = judge.read_path_sls(directory / 'snapshot/path-sl.dump')
    options = argparse.Namespace(silence=SILENCE, life=0, since=since, each=False)
    found = judge.judge(directory / 'history', path_sls, options)
    said = doubts(directory / 'log', zero)
    row['rounds'], row['inherited'] = found.counts['rounds'], found.counts['inherited_rounds']
    for begin, end, what in found.unsound:
        is_doubted = overlap((begin, end), said)
        row['doubted' if is_doubted else 'unsound'] += 1
        if not is_doubted:
            print(f'unsound from {begin / 1e9} to {end / 1e9} s: {what}', file=sys.stderr)
    given = heddle_says(build, directory, since)
    row['sets'], row['states'] = given['sets'], given['states']
    stretches = [(judge.seconds(each['begin']), judge.seconds(each['end'])) for each in given['stretches']]
    row['disagree'] = sum(not overlap(each, found.periods) for each in stretches)
    if found.unsound and not given['unsound'] and not given['windows_unsound']:
        row['disagree'] += 1


def add(rows, row):
    """The row of all changes of both."""
    old = next((other for other in rows if all(other[what] == str(row[what]) for what in COLUMNS[:3])), None)
    if not old:
        rows.append(row)
        return
    for what in COLUMNS[3:]:
        old[what] = int(old[what] or 0) + int(row[what])


def table(rows):
    print('| fabric, engines | changes, takeovers | states | rounds | inherited | doubted | unsound | disagreements | packets '
          '| deadlocks |')
    print('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|')
    for row in rows:
        print(f"| {row['fabric']}, {row['engines']} | {row['changes']}, {row['takeovers']} | {row['states']} | {row['rounds']} "
              f"| {row['inherited']} | {row['doubted']} | {row['unsound']} | {row['disagree']} | {row['packets']} | {row['deadlocks']} |")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    parser = argparse.ArgumentParser()
    parser.add_argument('build', nargs='?', type=lambda text: pathlib.Path(text).absolute())
    parser.add_argument('fabric', nargs='?')
    parser.add_argument('engines', nargs='?')
    parser.add_argument('options', nargs='?', default='')
    parser.add_argument('--changes', type=int, default=20)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', type=pathlib.Path, metavar='DIRECTORY')
    parser.add_argument('--slow', type=int, default=0, metavar='MS', help='every third switch takes Sets so much later')
    parser.add_argument('--try', action='store_true', dest='is_try')
    given = parser.parse_args()
    path = HERE / 'judged.csv'
    bad = 0
    for fabric, engines in [(given.fabric, given.engines)] if given.fabric else STUDIES if given.build else []:
        row = study(given.build, fabric, engines, given.options, given)
        bad += bool(row['unsound'] or row['disagree'])
        print(json.dumps(row), flush=True)
        if not given.is_try:
            rows = runs.read(path) if path.exists() else []
            add(rows, row)
            runs.write(path, COLUMNS, rows)
    if not given.is_try:
        table(runs.read(path))
    sys.exit(bool(bad))


main()
