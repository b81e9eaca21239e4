#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""From OpenSM's minhop, whose tables have a credit loop, to dla on a dragonfly of 72 hosts that send: takeover.csv beside this
script, and its table.

    experiments/changes/takeover.py BUILD [N]      tries until there are N (100) with rounds, with transition=off, and of minhop alone
    experiments/changes/takeover.py                the table alone

Stock minhop brings the fabric up and ends; hosts send uniform traffic at load 0.3; then stock OpenSM with engine dla comes, under
which switches take Sets in any order (20 ms, every eighth switch 10 ms more). Nobody comes in the tries of minhop alone, in which
hosts send for as long as in the others. A deadlock is one that the model finds. It is minhop's own if the model found it
before the first Set that changes an LFT entry or an SL2VL row; of dropping, until the first round is confirmed, in which everything
that changes leads nowhere, and of which nothing is promised; or later. Milliseconds are those of the log's line.
"""
import calendar
import pathlib
import re
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402
from emulated import Fabric, configure, start_traffic, traffic  # noqa: E402
from opensm import switch_ids  # noqa: E402

FABRIC = 'dragonfly:a=4,p=2,h=2'
ALONE = 'minhop alone'
COLUMNS = ['options', 'try', 'deadlock', 'rounds', 'pairs_dropped', 'ms', 'generated', 'looped', 'dropped', 'seconds', 'first_set',
           'first_round', 'deadlock_at']
SCRIPT = """opensm -o -F first.conf -f first.log; touch first.done
while [ ! -e go ]; do sleep 0.05; done; exec opensm -F opensm.conf -f log"""
USUAL = 3.0  # seconds of traffic, where there are no others to go by


def wait(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def last_record(history):
    """Where the history is, and the emulator's second 0, by the clock of files."""
    text = history.read_bytes()
    at = max(text.rfind(b'\nset '), text.rfind(b'\nbegin '))
    return len(text), history.stat().st_mtime - float(text[at:].split()[1])


def first_change(history, begin):
    """The emulator's time of the first Set of tables behind byte @begin that changes something; 0: none."""
    for line in history.read_bytes()[begin:].decode(errors='replace').splitlines():
        words = line.split()
        if words[:1] == ['set'] and words[3] in ('LinearForwardingTable', 'SLtoVLMappingTable') and words[-1] != '0':
            return float(words[1])
    return 0


def log_time(text, pattern):
    """When the log first says it; 0: never."""
    found = re.search(rf'^(\w+ +\d+ [\d:]+) (\d{{6}}) .*{pattern}', text, re.M)
    if not found:
        return 0
    when = time.strptime(f'{time.localtime().tm_year} {found.group(1)}', '%Y %b %d %H:%M:%S')
    return (calendar.timegm(when) if time.localtime().tm_gmtoff == 0 else time.mktime(when)) + int(found.group(2)) / 1e6


def come(at, row):
    """Lets OpenSM with dla come, until it is done."""
    size, zero = last_record(at.history)
    (at.directory / 'go').touch()
    at.wait_for_sweep()
    at.settle(0)
    text = at.log.read_text(errors='replace')
    found = re.findall(r'change over: (\d+) rounds?, (\d+) pairs of hosts dropped meanwhile, (\d+) ms', text)
    if found:
        row['rounds'], row['pairs_dropped'], row['ms'] = found[0]
    first = first_change(at.history, size)
    row['first_set'] = zero + first if first else 0
    row['first_round'] = log_time(text, 'change: round 1 of')


def attempt(build, options, number, seconds):
    row = dict.fromkeys(COLUMNS, 0) | {'options': options, 'try': number}
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        configure(directory / 'first.conf', 'minhop', '')
        plugin = '' if options == ALONE else options
        with Fabric(build, FABRIC, 'dla', plugin, directory, SCRIPT, ['log_flags 0x07']) as at:
            if not wait((directory / 'first.done').exists):
                sys.exit(f'minhop does not end: {directory}')
            at.console.say(f'Shuffle 20ms {number}')
            for switch in switch_ids(at.net)[::8]:
                at.console.say(f'Delay "{switch}" 10ms')
            begin = time.time()
            start_traffic(at.console, at.snapshot, seed=number)
            time.sleep(0.3)
            if options == ALONE:
                time.sleep(max(seconds - 0.3, 0))
            else:
                come(at, row)
            row['seconds'] = round(time.time() - begin, 3)
            numbers, row['deadlock'], _ = traffic(at.console)
            for what in 'generated', 'looped', 'dropped':
                row[what] = numbers.get(what, 0)
    for what in 'first_set', 'first_round':
        row[what] = round(row[what] - begin, 3) if row[what] else 0
    row['deadlock_at'] = round(numbers['seconds'], 3) if row['deadlock'] else 0
    row['deadlock'] = int(row['deadlock'])
    return row


def kind(row):
    """Whose deadlock it is."""
    at, first, behind = (float(row[what]) for what in ('deadlock_at', 'first_set', 'first_round'))
    if not int(row['deadlock']):
        return 'none'
    if not first or at < first:
        return 'minhop'
    return 'dropping' if at < behind else 'later'


def table(rows):
    print('| options | tries | deadlocks before the first Set | until the first round is over | later | rounds | pairs dropped at most'
          ' | ms (most) | packets | looped | seconds of traffic, mean |')
    print('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|')
    for options in sorted({row['options'] for row in rows}):
        mine = [row for row in rows if row['options'] == options]
        ms = [int(row['ms']) for row in mine]
        kinds = [kind(row) for row in mine]
        print(f"| {options or '-'} | {len(mine)} | {kinds.count('minhop')} | {kinds.count('dropping')} | {kinds.count('later')} "
              f"| {max(int(row['rounds']) for row in mine)} | {max(int(row['pairs_dropped']) for row in mine)} "
              f"| {round(sum(ms) / len(ms))} ({max(ms)}) | {sum(int(row['generated']) for row in mine)} "
              f"| {sum(int(row['looped']) for row in mine)} | {sum(float(row['seconds']) for row in mine) / len(mine):.1f} |")


def usual_seconds(rows):
    """The mean of hosts' sending in tries with rounds."""
    mine = [float(row['seconds']) for row in rows if row['options'] == '']
    return sum(mine) / len(mine) if mine else USUAL


def main():
    path = HERE / 'takeover.csv'
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    rows = runs.read(path)
    for number in range(1, n + 1) if len(sys.argv) > 1 else []:
        for options in '', 'transition=off', ALONE:
            if any(row['options'] == options and int(row['try']) == number for row in rows):
                continue
            row = attempt(pathlib.Path(sys.argv[1]).absolute(), options, number, usual_seconds(rows))
            runs.add(path, COLUMNS, row)
            rows.append({key: str(value) for key, value in row.items()})
    table(rows)


main()
