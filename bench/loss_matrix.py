#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How long stock OpenSM takes to SUBNET UP on an emulated fabric that loses MADs, by engine, loss and wrapper, beside OpenSM's own
updn on the same fabric; and how fast the log grows.

    loss_matrix.py [--losses L,...] [--wrappers W,...] [--engines E,...] [--seeds N] [--limit S] [--watch S] [--prove]
                   [--csv FILE] [--option "LINE"]...

Each of the ports loses that share of the MADs that it transmits (simfabric's "Drop"). A run ends S seconds (--watch) after SUBNET UP,
or at the limit. Its log counts per minute that it took, at least one. With --prove what the nodes held after each Set is proved.
Runs that are in the CSV file are kept. Run it in a build directory.
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
COLUMNS = ['loss', 'wrapper', 'fabric', 'engine', 'seed', 'up_s', 'hosts', 'ran_s', 'log_bytes', 'sweeps', 'unconfirmed', 'states', 'unsound']


def wanted(arguments):
    """All runs, with updn before what is compared with it; seed by seed, so that all cells grow together."""
    for seed in range(1, arguments.seeds + 1):
        for loss in arguments.losses:
            for wrapper in arguments.wrappers:
                for fabric in dict.fromkeys(FABRICS.values()):
                    for engine in ['updn'] + list(FABRICS):
                        if engine in arguments.engines and FABRICS.get(engine, fabric) == fabric:
                            yield loss, wrapper, fabric, engine, seed


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


def prove(history, fabric, engine, directory):
    """With the path SLs of an engine that has several."""
    words = ['./heddle', 'check', '--quiet', '--json', '--history', history]
    if engine == 'hdor':
        subprocess.run(['./heddle', 'route', '--quiet', fabric, '-e', engine, '-o', f'{directory}/tables'], check=True)
        words.append(f'{directory}/tables')
    out = subprocess.run(words, capture_output=True, text=True, check=False)
    number = {key: re.search(rf'"{key}": (\d+)', out.stdout) for key in ('states', 'unsound')}
    return {key: found[1] if found else '?' for key, found in number.items()}


def run(loss, wrapper, fabric, engine, seed, arguments, scratch):
    directory = f'{scratch}/run'
    shutil.rmtree(directory, ignore_errors=True)
    configure(directory, engine, arguments.option)
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
           'sweeps': text.count('tables configured'), 'unconfirmed': text.count('blocks unconfirmed')}
    if arguments.prove and engine != 'updn':
        row |= prove(history, fabric, engine, directory)
    if arguments.keep:
        name = f'{arguments.keep}/{engine}-{fabric.replace(":", "-")}-{loss}-{wrapper}-{seed}'
        os.makedirs(arguments.keep, exist_ok=True)
        for what in ('log', 'history'):
            if os.path.exists(f'{directory}/{what}'):
                shutil.copy(f'{directory}/{what}', f'{name}.{os.path.basename(what)}')
    return row


def cell(rows, loss, wrapper, fabric, engine, limit):
    """N of M up, median of all (one that is not up counts as the limit), log a minute at most."""
    these = [row for row in rows if (row['loss'], row['wrapper'], row['fabric'], row['engine']) == (loss, wrapper, fabric, engine)]
    if not these:
        return None, '', ''
    times = [float(row['up_s'] or limit) for row in these]
    up = sum(1 for row in these if row['up_s'])
    middle = statistics.median(times)
    log = max(int(row['log_bytes']) / max(1, float(row['ran_s']) / 60) for row in these)
    hosts = [int(row['hosts']) for row in these if row['up_s']]
    shown = f'{middle:.2f} s' if middle < limit else '-'
    return middle, f'{up} of {len(these)}, {shown}' + (f', {statistics.median_low(hosts)} hosts' if hosts else ''), f'{log / 1e6:.2f}'


def table(rows, arguments):
    """As Markdown."""
    print('| loss | wrapper | engine | up, median | stock updn | times | log, MB/min | stock updn |')
    print('|---|---|---|---|---|---|---|---|')
    for loss in arguments.losses:
        for wrapper in arguments.wrappers:
            for engine in FABRICS:
                ours, shown, log = cell(rows, loss, wrapper, FABRICS[engine], engine, arguments.limit)
                theirs, shown_theirs, log_theirs = cell(rows, loss, wrapper, FABRICS[engine], 'updn', arguments.limit)
                if ours is None or theirs is None:
                    continue
                ratio = f'{ours / theirs:.2f}' if min(ours, theirs) < arguments.limit else '-'
                print(f'| {loss}% | {wrapper} | `{engine}` | {shown} | {shown_theirs} | {ratio} | {log} | {log_theirs} |')
    proved = [row for row in rows if row.get('states', '').isdigit()]
    if proved:
        print(f'\n{len(proved)} runs with a history: {sum(int(row["states"]) for row in proved)} states,',
              f'{sum(int(row["unsound"]) for row in proved)} unsound')


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
