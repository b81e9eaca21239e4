#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How long stock OpenSM takes to SUBNET UP on an emulated fabric that loses MADs, by engine, loss and wrapper, beside OpenSM's own
updn on the same fabric; and how fast the log grows.

    loss_matrix.py [--losses L,...] [--wrappers W,...] [--engines E,...] [--seeds N] [--limit S] [--watch S] [--prove]
                   [--csv FILE] [--option "LINE"]...

Each of the ports loses that share of the MADs that it transmits (simfabric's "Drop"). A run ends S seconds (--watch) after SUBNET UP,
or at the limit. Its log counts per minute that it took, at least one; "ours" are the plug-in's lines of it. With --prove what the nodes
held after each Set is proved, for dla and hdor with the path SLs of the whole fabric. Runs that are in the CSV file are kept. Run it in a
build directory.
"""
import argparse
import csv
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

# What each engine is tried on: updn of OpenSM is tried on all of these.
FABRICS = {'dla': 'dragonfly:a=4,p=2,h=2', 'hdor': 'torus:4x4', 'dmodc': 'tree:k=4,n=3', 'any': 'dragonfly:a=4,p=2,h=2'}
COLUMNS = ['loss', 'wrapper', 'fabric', 'engine', 'seed', 'up_s', 'hosts', 'ran_s', 'log_bytes', 'our_bytes', 'sweeps',
           'unconfirmed', 'states', 'unsound']


def wanted(arguments):
    """All runs, with updn before what is compared with it; seed by seed, so that all cells grow together."""
    for seed in range(1, arguments.seeds + 1):
        for loss in arguments.losses:
            for wrapper in arguments.wrappers:
                for fabric in dict.fromkeys(FABRICS.values()):
                    for engine in ['updn'] + list(FABRICS):
                        if engine in arguments.engines and FABRICS.get(engine, fabric) == fabric:
                            yield loss, wrapper, fabric, engine, seed


def fix_lids(directory, fabric, engine):
    """Tables of the whole fabric, and their LIDs for OpenSM, which else gives LIDs in the order in which it finds ports."""
    subprocess.run(['./heddle', 'route', '--quiet', fabric, '-e', engine, '-o', f'{directory}/tables'], check=True,
                   stdout=subprocess.DEVNULL)
    net = read(f'{directory}/tables/fabric.net')
    lids = re.findall(r'^switchguid=\w+\((\w+)\)\nSwitch.* lid (\d+) lmc', net, re.MULTILINE)
    lids += re.findall(r'^\[\d+\]\((\w+)\).*# lid (\d+) lmc', net, re.MULTILINE)
    with open(f'{directory}/cache/guid2lid', 'w', encoding='ascii') as file:
        for guid, lid in lids:
            print(f'0x{guid:0>16} 0x{int(lid):04x} 0x{int(lid):04x}\n', file=file)


def configure(directory, engine, options):
    os.makedirs(f'{directory}/cache')
    with open(f'{directory}/opensm.conf', 'w', encoding='ascii') as file:
        for line in ['qos TRUE', 'max_wire_smps 32', 'force_log_flush TRUE'] + options:
            print(line, file=file)
        # stock updn alone: no plug-in that could do anything for it
        print('routing_engine', engine if engine == 'updn' else f'{engine},no_fallback', file=file)
        if engine != 'updn':
            print('event_plugin_name osmheddle', file=file)


def read(name):
    try:
        with open(name, encoding='utf-8', errors='replace') as file:
            return file.read()
    except FileNotFoundError:
        return ''


def wait_for_up(process, log, limit):
    """Seconds from now until the log says it, or None."""
    begin, size, text = time.monotonic(), 0, ''
    while time.monotonic() - begin < limit and process.poll() is None:
        time.sleep(0.02)
        if os.path.exists(log) and os.path.getsize(log) > size:
            with open(log, encoding='utf-8', errors='replace') as file:
                file.seek(size)
                part = file.read()
            size += len(part.encode(errors='replace'))
            text = text[-40:] + part
            if 'SUBNET UP' in text:
                return time.monotonic() - begin
            text = text[-40:]
    return None


def hosts_of(history):
    """Adapters whose port is active: 4 in the history."""
    node, active = '', {}
    for line in read(history).splitlines():
        words = line.split()
        if words[:1] in (['set'], ['of']):
            node = words[2 if words[0] == 'set' else 1]
        elif words[:1] == ['port'] and words[2:3] == ['state'] and node.startswith('0x0002'):
            active[node] = words[4] == '4'
    return sum(active.values())


def stop(process):
    """simfabric stops the program that it runs."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def goes_by_sl(history):
    """Whether some row that was set tells SLs apart; the defaults of OpenSM are on ports without a link."""
    rows = re.findall(r'^sl2vl \S+ \S+ \S+ (\w{16})$', read(history), re.MULTILINE)
    return any(len(set(row)) > 1 for row in set(rows) - {'7654321076543210', '7edcba9876543210'})


def prove(history, directory):
    """With path SLs where there are tables, else with any SL. No verdict where SLs matter that hosts would get from tables on the way."""
    words = ['./heddle', 'check', '--quiet', '--json', '--history', history]
    if os.path.isdir(f'{directory}/tables'):
        words.append(f'{directory}/tables')
    out = subprocess.run(words, capture_output=True, text=True, check=False)
    number = {key: re.search(rf'"{key}": (\d+)', out.stdout) for key in ('states', 'unsound', 'looping')}
    result = {key: found[1] if found else '?' for key, found in number.items()}
    looping = result.pop('looping')
    if result['unsound'] not in ('0', '?') and goes_by_sl(history):
        # packets go round whatever their SL is
        result['unsound'] = '?' if looping == '0' else looping
    return result


def run(loss, wrapper, fabric, engine, seed, arguments, scratch):
    directory = f'{scratch}/run'
    shutil.rmtree(directory, ignore_errors=True)
    options = arguments.option
    if arguments.prove and engine in ('dla', 'hdor'):
        options = options + ['honor_guid2lid_file TRUE']
    configure(directory, engine, options)
    if options != arguments.option:
        fix_lids(directory, fabric, engine)
    with open(f'{directory}/script', 'w', encoding='ascii') as file:
        print(f'0s Drop {loss}%', file=file)
    log, history = f'{directory}/log', f'{directory}/history'
    words = ['simfabric/simfabric', fabric, '-s', f'loss-{os.getpid()}', '--seed', str(seed), '--script', f'{directory}/script', '--quiet',
             '--wrapper', 'own' if wrapper == 'own' else 'stock', '--history', history]
    words += ['--', 'env', f'LD_LIBRARY_PATH={os.getcwd()}', f'OSM_TMP_DIR={directory}/cache', f'OSM_CACHE_DIR={directory}/cache',
              'opensm', '-F', f'{directory}/opensm.conf', '-f', log, '--dump_files_dir', f'{directory}/cache'] + arguments.log_flags
    begin = time.monotonic()
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        up = wait_for_up(process, log, arguments.limit)
        hosts = hosts_of(history) if up is not None else ''
        if up is not None:
            time.sleep(arguments.watch)
        ran = time.monotonic() - begin
        size = os.path.getsize(log) if os.path.exists(log) else 0
        stop(process)
    text = read(log)
    row = {'up_s': '' if up is None else f'{up:.2f}', 'hosts': hosts, 'ran_s': f'{ran:.1f}', 'log_bytes': size,
           'our_bytes': sum(len(line) for line in text.splitlines(True) if 'heddle: ' in line),
           'sweeps': text.count('tables configured'), 'unconfirmed': text.count('blocks unconfirmed')}
    if arguments.prove and engine != 'updn':
        row |= prove(history, directory)
    if arguments.keep:
        name = f'{arguments.keep}/{engine}-{fabric.replace(":", "-")}-{loss}-{wrapper}-{seed}'
        os.makedirs(arguments.keep, exist_ok=True)
        for what in ('log', 'history'):
            if os.path.exists(f'{directory}/{what}'):
                shutil.copy(f'{directory}/{what}', f'{name}.{os.path.basename(what)}')
    return row


def a_minute(rows, key):
    """Of the run that has most, in MB."""
    return max(int(row[key]) / max(1, float(row['ran_s']) / 60) for row in rows) / 1e6


def median_up(rows, limit):
    """One that is not up counts as the limit."""
    return statistics.median(float(row['up_s'] or limit) for row in rows)


def median_hosts(rows):
    return statistics.median_low([int(row['hosts'] or 0) for row in rows])


def describe(rows, limit):
    """N of M up, median time and hosts."""
    up = sum(1 for row in rows if row['up_s'])
    middle = median_up(rows, limit)
    return f'{up} of {len(rows)}, ' + (f'{middle:.2f} s, {median_hosts(rows)} hosts' if middle < limit else '-')


def ratio(ours, theirs, limit):
    """Of medians, where both have the same subnet."""
    if median_up(ours, limit) >= limit or median_up(theirs, limit) < limit and median_hosts(theirs) < median_hosts(ours):
        return '-'
    return ('< ' if median_up(theirs, limit) >= limit else '') + f'{median_up(ours, limit) / median_up(theirs, limit):.2f}'


def table(rows, arguments):
    """As Markdown."""
    print('| loss | wrapper | engine | up, median | stock `updn` | times | log, MB/min | ours | stock `updn` |')
    print('|---|---|---|---|---|---|---|---|---|')
    for loss in arguments.losses:
        for wrapper in arguments.wrappers:
            for engine, fabric in FABRICS.items():
                ours, theirs = ([row for row in rows if (row['loss'], row['wrapper'], row['fabric'], row['engine']) ==
                                 (loss, wrapper, fabric, one)] for one in (engine, 'updn'))
                if not ours or not theirs:
                    continue
                print(f'| {loss}% | {wrapper} | `{engine}` | {describe(ours, arguments.limit)} | {describe(theirs, arguments.limit)} |',
                      f'{ratio(ours, theirs, arguments.limit)} | {a_minute(ours, "log_bytes"):.2f} | {a_minute(ours, "our_bytes"):.3f} |',
                      f'{a_minute(theirs, "log_bytes"):.2f} |')
    proved = [row for row in rows if row.get('unsound', '').isdigit()]
    if proved:
        print(f'\n{len(proved)} runs with a verdict: {sum(int(row["states"]) for row in proved)} states,',
              f'{sum(int(row["unsound"]) for row in proved)} unsound;', sum(row.get('unsound') == '?' for row in rows), 'runs without')


def main():
    def words(text):
        return text.split(',')
    parser = argparse.ArgumentParser(description=__doc__.split('\n    ')[0], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--losses', type=words, default=['0.5', '2', '5', '10', '30'], help='per cent, by commas')
    parser.add_argument('--wrappers', type=words, default=['stock', 'own'])
    parser.add_argument('--engines', type=words, default=['updn'] + list(FABRICS))
    parser.add_argument('--seeds', type=int, default=10)
    parser.add_argument('--limit', type=float, default=60, help='seconds to SUBNET UP')
    parser.add_argument('--watch', type=float, default=0, help='seconds after SUBNET UP')
    parser.add_argument('--prove', action='store_true', help='prove what the nodes held after each Set')
    parser.add_argument('--csv', help='keeps and adds runs')
    parser.add_argument('--keep', help='a directory for the logs and histories')
    parser.add_argument('--option', action='append', default=[], metavar='LINE', help='of opensm.conf')
    parser.add_argument('--log-flags', type=words, default=[], help='such as -D,0x07')
    arguments = parser.parse_args()
    rows, writer = [], None
    if arguments.csv and os.path.exists(arguments.csv):
        with open(arguments.csv, encoding='ascii') as file:
            rows = list(csv.DictReader(file))
    done = {tuple(row[key] for key in COLUMNS[:5]) for row in rows}
    file = open(arguments.csv, 'a', encoding='ascii', newline='') if arguments.csv else None
    if file:
        writer = csv.DictWriter(file, COLUMNS, restval='', lineterminator='\n')
        if not rows:
            writer.writeheader()
    with tempfile.TemporaryDirectory(prefix='heddle-loss.', dir='/dev/shm' if os.path.isdir('/dev/shm') else None) as scratch:
        for loss, wrapper, fabric, engine, seed in wanted(arguments):
            if (loss, wrapper, fabric, engine, str(seed)) in done:
                continue
            row = {'loss': loss, 'wrapper': wrapper, 'fabric': fabric, 'engine': engine, 'seed': str(seed)}
            row |= run(loss, wrapper, fabric, engine, seed, arguments, scratch)
            rows.append(row)
            print(*(f'{key}={row.get(key, "")}' for key in COLUMNS), file=sys.stderr, flush=True)
            if writer:
                writer.writerow(row)
                file.flush()
    table(rows, arguments)


if __name__ == '__main__':
    main()
