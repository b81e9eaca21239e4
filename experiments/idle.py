#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
What claims of the five papers still wait for, run in idle time: one row of results at a time, first those of the claims that need
the least.

	idle.py --list [--rows]    what is left: cost in seconds of a processor, how many rows (each of them, with its command), the claims
	                           that they decide
	idle.py --next             the first of it, at nice 19, by one process; then verdicts.csv and the pages (verdicts.py --write)
	idle.py --all [--hours N]  one after the other, until nothing is left or so many hours have passed
	idle.py --only WORD        of all of these: rows whose name has the word

A row lands in its file when it is done, so an interrupted run goes on where it was: what the file has is not run again; pages that
it left behind are written first. Two at a time are refused, also while a row of one that was killed still runs. Costs are processor
time, measured on a short run of such a row, or on another such row (COSTS); verdicts and pages after each row are PAGES more.
"""
import argparse
import collections
import fcntl
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # in the sources, which may be others'
HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
import runs  # noqa: E402

# One row of a file: what it is called, which claims wait for it, the command, the file, its columns, and seconds of a processor
Row = collections.namedtuple('Row', 'name claims words file columns seconds')
PAGES = 8  # verdicts.py --write
COSTS = {
    'thesis, Graph500': 45,  # wall_s of such rows
    'thesis h = 8, 20,000 cycles': 180,  # 600 and 1,800 cycles: 3.7 and 14.6 s
    'thesis h = 8, 120,000 cycles': 1300,
    'thesis h = 8, 16,000 cycles, load 0.2': 30,  # two rows: 23.5 and 36.6 s
    'thesis h = 8, 16,000 cycles, load 0.5': 60,
    'thesis h = 8, 16,000 cycles, load 1': 180,
    'thesis h = 8, 8,000 cycles': 90,  # 600 and 1,800 cycles: 5.1 and 18.4 s
    'thesis h = 4, 120,000 cycles': 85,  # of h = 8, a fifteenth
    # wall_s of such rows, or of a third of the window
    'OSHA 48x48, KNS, 3 ms': 180,
    'OSHA 48x48, torus, 3 ms': 60,
    'OSHA 24x24x24, KNS, 1 ms': 300,
    'OSHA 24x24x24, torus, 1 ms': 400,
    'OSHA 24x24x24, KNS, 3 ms': 900,
    'OSHA 24x24x24, torus, 3 ms': 1200,
    'OSHA PTRANS, torus': 40,  # four rows of both networks: 98 s
    'QoS, 3D torus': 27,  # two rows: 53.6 s
    'XORDET 8x8, ten times as long': 18,  # two rows: 12 and 23 s
    'XORDET 16x16, ten times as long': 40,
}


def thesis():
    for root in 30, 200:
        for query, delay, wanted in (.5, 10, 'links of 10 times the delay'), (15, 1, '15 ns'), (37.5, 1, '15 ns'):
            yield Row(f'thesis chapter 2, 72 processes, MIN, {query:g} ns, delay {delay}, root {root}', f'Figure 2.13: {wanted}, by roots',
                      ['thesis/chapter-2/run.py', '--row', f'{query:g},{delay},{root}', 'claim-roots'], 'thesis/chapter-2/claims.csv',
                      {'network': 'h2', 'routing': 'MIN', 'query': query, 'delay': delay, 'root': root, 'scale': 26, 'speedup': 1}, COSTS['thesis, Graph500'])

    def chapter_3(arbiter, routing, load, seeds=(1,), h=8, long=False, wanted=''):
        for seed in seeds:
            cost = COSTS['thesis h = 8, 120,000 cycles' if long else 'thesis h = 8, 20,000 cycles'] / (1 if h == 8 else 15)
            yield Row(f'thesis chapter 3, h = {h}, {arbiter}, {routing} at {load:g}, seed {seed}' + (', thesis\'s window' if long else ''),
                      wanted, ['thesis/chapter-3/run.py', '--resume', *(['--long'] if long else []), '--row', f'{arbiter},{routing},{load:g},{seed}', h],
                      f'thesis/chapter-3/{"long-" if long else ""}h{h}.csv',
                      {'arbiter': arbiter, 'pattern': 'ADVc', 'routing': routing, 'load': load, 'seed': seed}, cost)

    for arbiter, table in ('roundrobin', '3.2'), ('age', '3.3'):
        for routing in ('Obl-RRG', 'Obl-CRG'):
            yield from chapter_3(arbiter, routing, .55, (1, 2, 3), h=4, wanted=f'Table {table}: {routing} at 0.55, that one seed suffices')
    yield from chapter_3('age', 'In-Trns-RRG', .55, (1, 2, 3), h=4, wanted='Table 3.3: In-Trns-RRG at 0.55, that one seed suffices')
    for arbiter, routing, table in (('transit', 'Obl-CRG', '3.1'), ('transit', 'In-Trns-CRG', '3.1'), ('transit', 'In-Trns-MM', '3.1'),
                                    ('roundrobin', 'In-Trns-RRG', '3.2'), ('transit', 'In-Trns-RRG', '3.1'), ('roundrobin', 'In-Trns-CRG', '3.2'),
                                    ('roundrobin', 'In-Trns-MM', '3.2'), ('age', 'In-Trns-CRG', '3.3'), ('age', 'In-Trns-MM', '3.3')):
        yield from chapter_3(arbiter, routing, .55, (1, 2, 3), h=4, wanted=f'Table {table}: {routing} at 0.55, that one seed suffices')
    for arbiter, table in ('transit', '3.1'), ('roundrobin', '3.2'), ('age', '3.3'):
        for routing in 'Obl-RRG', 'Obl-CRG', 'In-Trns-RRG', 'In-Trns-CRG', 'In-Trns-MM':
            yield from chapter_3(arbiter, routing, .55, long=True, wanted=f'Table {table}: {routing} at 0.55, in the thesis\'s window')
    for routing, arbiter, figure in ('Src-CRG', 'roundrobin', '3.10'), ('In-Trns-MM', 'age', '3.13'):
        for h in 5, 6, 7, 8, 10:
            yield Row(f'thesis chapter 3, h = {h}, sizes, {arbiter}, {routing}', f'Figure {figure}',
                      ['thesis/chapter-3/run.py', '--resume', '--part', 'sizes', '--row', f'{arbiter},{routing},0.4', h], 'thesis/chapter-3/sizes.csv',
                      {'h': h, 'arbiter': arbiter, 'routing': routing, 'load': .4},
                      COSTS['thesis h = 8, 20,000 cycles'] * (h / 8) ** 4 * (2 if h < 7 else 1))

    for load in .2, .3, .4:
        for seed in 2, 3:
            yield Row(f'thesis chapter 3, h = 4, latency by part at {load:g}, seed {seed}', 'Figure 3.4, that one seed suffices',
                      ['thesis/chapter-3/run.py', '--resume', '--part', 'parts', '--row', f'transit,In-Trns-MM,{load:g},{seed}', 4],
                      'thesis/chapter-3/parts-h4.csv', {'arbiter': 'transit', 'load': load, 'seed': seed}, COSTS['thesis h = 8, 20,000 cycles'] / 15)

    def chapter_4(part, pattern, routing, load, wanted):
        yield Row(f'thesis chapter 4, h = 8, {part}, {pattern} at {load:g}, {routing}', wanted,
                  ['thesis/chapter-4/run.py', '--resume', '--part', part, '--pattern', pattern, '--routing', routing, '--load', load, 8],
                  f'thesis/chapter-4/{part}-h8.csv', {'pattern': pattern, 'routing': routing, 'load': load},
                  COSTS[f'thesis h = 8, 16,000 cycles, load {1 if load == 1 else .2 if load < .3 else .5:g}'])

    for routing in 'OLM', 'Base', 'Filtered', 'Hybrid', 'ECtN':
        yield from chapter_4('steady', 'ADV+1', routing, .2, 'Figure 4.6 b) at 0.2')
    for routing in 'OLM', 'ECtN':
        yield from chapter_4('steady', 'ADV+h', routing, .2, 'Figure 4.6 c) at 0.2')
    for routing in 'MIN', 'OLM', 'Base', 'Filtered', 'Hybrid', 'ECtN':
        yield from chapter_4('steady', 'UN', routing, .5, 'Figure 4.6 a) at 0.5')
    for routing in 'MIN', 'OLM', 'Base', 'Filtered', 'Hybrid', 'ECtN':
        yield from chapter_4('steady', 'UN', routing, 1, 'Figure 4.6 a): none above 0.8')
    for share in '25%', '50%', '75%':
        for routing in 'PB', 'OLM', 'Base', 'ECtN':
            yield from chapter_4('mixed', f'{share} ADV+1', routing, .35, f'Figure 4.7, {share}')
    for threshold in 6, 8, 12:
        yield from chapter_4('thresholds', 'ADV+1', f'th {threshold}', .2, 'Figure 4.5, ADV+1')
    for threshold in 3, 4, 6:
        yield from chapter_4('thresholds', 'UN', f'th {threshold}', 1, 'Figure 4.5, UN')

    def chapter_5(part, kind, pattern, name, wanted, load=1, seeds=(1,), h=8, long=False):
        for seed in seeds:
            yield Row(f'thesis chapter 5, h = {h}, {kind}, {pattern} at {load:g}, {name}, seed {seed}', wanted,
                      ['thesis/chapter-5/run.py', '--resume', '--part', part, '--pattern', pattern, '--row', name, '--load', load, '--seeds', seed, h],
                      f'thesis/chapter-5/results-h{h}.csv', {'part': kind, 'pattern': pattern, 'name': name, 'load': load, 'seed': seed},
                      COSTS[f'thesis h = {h}, 120,000 cycles' if long else 'thesis h = 8, 8,000 cycles'])

    yield from chapter_5('damq', 'DAMQ', 'UN', '0%', 'Figure 5.6: that DAMQ without reserve deadlocks')
    for exclude in 'both', 'destination', 'source':
        yield from chapter_5('redrawn', 'redrawn', f'ADV+1, {exclude}', 'FlexVC 4/2', 'Figure 5.7: VAL with FlexVC, at the thesis\'s size')
    for name in 'MIN', 'FlexVC 2/1':
        yield from chapter_5('oblivious', 'oblivious', 'BURSTY-UN', name, 'Figure 5.7: BURSTY-UN, by seeds', .4, (2, 3))
    for name in 'OLM 3/2+3/2', 'FlexVC OLM, contention', 'FlexVC OLM, credits':
        yield from chapter_5('in-transit', 'in transit', 'ADV+1', name, 'Figure 5.14', .5)
    for h in 4, 8:
        for name in 'MIN 2/1+2/1', 'FlexVC 2/1+2/1', 'MIN DAMQ', 'FlexVC 3/2+2/1', 'FlexVC 4/3+2/1':
            yield from chapter_5('waiting-long', 'hosts wait, 60,000', 'UN', name, 'Figure 5.9: hosts wait', h=h, long=True)


def osha():
    def rows(figure, dims, technique, pattern, voq='yes', window='1ms+2ms', turned='no', seeds=(1,), load=1, wanted='', cost=''):
        shape = 'kns' if figure in (5, 6, 9) else 'torus'
        k = 48 if dims == 2 else 24
        network = f'kns:k={k},n={dims}' if shape == 'kns' else 'torus:' + 'x'.join([str(k)] * dims)
        for seed in seeds:
            words = ['osha/run.sh', '-n', 'full', '-l', load, '-s', seed, '-d', dims, '--voq', voq, '-p', pattern, '-w', window, '-t', technique]
            yield Row(f'OSHA Figure {figure}, {network}, {pattern}, VOQs {voq}, {turned}, {window}, {technique}, seed {seed}', wanted,
                      [*words, *(['--turned', turned] if turned != 'no' else []), figure], f'osha/figure-{figure}-full.csv',
                      {'network': network, 'pattern': pattern, 'voq': voq, 'turned': turned, 'window': window, 'technique': technique, 'load': load,
                       'seed': seed}, COSTS[cost])

    flat, ring = 'OSHA 48x48, KNS, 3 ms', 'OSHA 48x48, torus, 3 ms'
    six, hot = ('1VC', 'BBQ-4VC', 'OSHA-2VC', 'OSHA-4VC-DBBQ', 'SASHA-2VC', 'SASHA-4VC-DBBQ'), 'hotspot:form=osha'
    for arbiter in 'no', 'arbiter=age', 'arbiter=transit':
        for technique in '1VC', 'OSHA-2VC', 'OSHA-4VC-DBBQ', 'BBQ-4VC':
            yield from rows(9, 2, technique, hot, 'no', turned=arbiter, wanted='Figure 9, 2D, no VOQs: who suffers', cost=flat)
    for technique in six:
        yield from rows(5, 2, technique, 'zipf:1', turned='reads=16', seeds=(1, 2, 3), wanted='Figure 5, s = 1, VOQs: 1VC is worst, BBQ-4VC is best', cost=flat)
    for technique in six[1:]:
        for voq, turned in ('no', 'no'), ('yes', 'reads=16'):
            yield from rows(7, 2, technique, 'zipf:3', voq, turned=turned, seeds=(1, 2, 3), wanted=f'Figure 7, s = 3, VOQs {voq}', cost=ring)
    for voq, turned in ('no', 'no'), ('yes', 'reads=16'):
        # beside VOQs in that window, and beside the KNS of Figure 5
        yield from rows(7, 2, 'BBQ-4VC', 'zipf:1', voq, turned=turned, wanted='Figure 7, s = 1: what VOQs bring', cost=ring)
    for arbiter in '', '+arbiter=age', '+arbiter=transit':
        for technique in '1VC', 'OSHA-2VC', 'OSHA-4VC-DBBQ', 'SASHA-4VC-DBBQ', 'BBQ-4VC':
            for figure, dims, cost in (9, 2, flat), (10, 2, ring), (9, 3, 'OSHA 24x24x24, KNS, 3 ms'), (10, 3, 'OSHA 24x24x24, torus, 3 ms'):
                yield from rows(figure, dims, technique, hot, turned='reads=16' + arbiter, wanted=f'Figure {figure}, {dims}D, VOQs', cost=cost)
    for figure, techniques, pattern, kind in (
            (8, ('BBQ-4VC', 'SASHA-4VC-DBBQ'), 'zipf:1', 'torus'),
            (6, ('BBQ-4VC', 'SASHA-4VC-DBBQ', 'SASHA-2VC', 'OSHA-4VC-DBBQ', 'OSHA-2VC', '1VC'), 'zipf:1', 'KNS')):
        for technique in techniques:
            yield from rows(figure, 3, technique, pattern, window='300us+700us', turned='reads=16', wanted=f'Figure {figure}, 3D, VOQs',
                            cost=f'OSHA 24x24x24, {kind}, 1 ms')
    for place in '', 'place=interleaved+', 'place=random+':
        for pause in 30000, 100000, 1000000:
            for network in 'kns:k=48,n=2', 'torus:48x48':
                for technique in '1VC', 'SASHA-4VC-DBBQ':
                    turned = f'{place}pause={pause}'
                    yield Row(f'OSHA Figure 11, {network}, {turned}, {technique}', 'Figure 11: the range',
                              ['osha/run.sh', '-n', 'full', '-l', 1, '--voq', 'yes', '-t', technique, '--turned', turned, '--network', network, 11],
                              'osha/figure-11-full.csv', {'network': network, 'turned': turned, 'technique': technique, 'voq': 'yes'},
                              COSTS['OSHA PTRANS, torus'] / (1 if 'torus' in network else 5))


def qos():
    def row(part, scheduler, wanted, load=1, seed=1, variant='', warmup='20us'):
        words = ['qos/run.py', '--seeds', seed]
        columns = {'fabric': '3D torus', 'scheduler': scheduler, 'variant': variant, 'load': load, 'seed': seed, 'warmup': warmup}
        for key, value in columns.items():
            words += ['--where', f'{key}={value}']
        return Row(f'QoS, 3D torus, {scheduler} at {load:g}, {variant or "sizes of the classes"}, {warmup}, seed {seed}', wanted, [*words, part],
                   f'qos/{part}.csv', columns, COSTS['QoS, 3D torus'] * (3 if warmup == '100us' else 1))

    small = 'packets: all 128 B'
    for scheduler in 'RR', 'SBT literal':
        yield row('small', scheduler, 'Figure 3, 3D torus: alike before saturation', .7, variant=small)
    for scheduler in 'RR', 'SBT literal':
        yield row('small', scheduler, 'Figure 3, 3D torus: what RR and SBT do at load 1', variant=small)
    for seed in 1, 2, 3:
        for scheduler, variant in (('SBT literal', ''), ('RR', ''), ('SBT literal', small), ('SBT literal', 'header: 24 B'),
                                   ('SBT literal', 'header: 24 B, all 128 B')):
            yield row('late', scheduler, 'Figure 3, 3D torus: what RR and SBT do at load 1', seed=seed, variant=variant, warmup='100us')


def xoradap():
    for seed in 1, 2, 3:
        yield Row(f'XORDET 16x16, Figure 9, IODET 4 by directions, ten times as late, seed {seed}', 'Figure 9: IODET',
                  ['xoradap/run.py', '--resume', '--seeds', seed, 'late'], 'xoradap/direction.csv',
                  {'order': 'direction', 'system': 'IODET 4', 'seed': seed, 'warmup': 700000}, COSTS['XORDET 16x16, ten times as long'] * 1.7)


    adaptive = 'FA 8+1', 'XORADAP-2', 'XORADAP-4', 'XORADAP-8'
    for fabric, pattern, systems, loads, figure in (('8x8', 'uniform', adaptive, (.9, 1), 13), ('16x16', 'uniform', ('FA 8+1',), (.6,), 12),
                                                    ('16x16', 'uniform', adaptive, (.45,), 12), ('16x16', 'transpose', adaptive, (.4,), 15),
                                                    ('16x16', 'bitreverse', adaptive, (.35,), 16)):
        for system in systems:
            for load in loads:
                yield Row(f'XORDET {fabric}, {pattern}, {system} at {load:g}, ten times as long', f'Figure {figure}: about saturation',
                          ['xoradap/run.py', '--row', f'{fabric},{pattern},{system},{load}', 'longer'], 'xoradap/longer.csv',
                          {'fabric': fabric, 'pattern': pattern, 'system': system, 'load': load}, COSTS[f'XORDET {fabric}, ten times as long'])


def everything():
    return [row for paper in (thesis, osha, qos, xoradap) for row in paper()]


def same(one, other):
    try:
        return float(one) == float(other)
    except ValueError:
        return str(one) == str(other)


def is_done(row):
    return any(all(same(of[key], value) for key, value in row.columns.items()) for of in runs.read(HERE / row.file))


def left(only):
    """Rows that no file has: those of one claim together, the cheapest claims first."""
    rows = [row for row in everything() if only in row.name and not is_done(row)]
    needs = collections.Counter()
    for row in rows:
        needs[row.claims] += row.seconds
    return sorted(rows, key=lambda row: (needs[row.claims], row.claims, row.seconds))


def show(rows, each):
    of_claims = {}
    for row in rows:
        of_claims.setdefault(row.claims, []).append(row)
    for wanted, mine in of_claims.items():
        paper = mine[0].name.split(',')[0].split(' Figure')[0]
        print(f'{sum(row.seconds for row in mine):6.0f} s  {len(mine):3} rows  {paper}, {wanted}')
        for row in mine if each else ():
            print(f'{row.seconds:6.0f} s       {row.name}')
            print(f'                {shlex.join(["experiments/" + row.words[0], *map(str, row.words[1:])])}')
    hours, pages = sum(row.seconds for row in rows) / 3600, PAGES * len(rows) / 3600
    print(f'{len(rows)} rows, {hours:.1f} hours of a processor, and {pages:.1f} for the pages after each' if rows else 'nothing is left')


def counts():
    return collections.Counter(row['verdict'].partition(':')[0] for row in runs.read(HERE / 'verdicts.csv'))


def run(row, heddle, lock):
    """Makes that row; whether it is there then. The command holds the lock, too, should this process be killed."""
    script, *words = map(str, row.words)
    print(f'{row.name}: some {row.seconds:.0f} s of a processor', file=sys.stderr, flush=True)
    started, before = time.monotonic(), counts()
    done = subprocess.run(['nice', '-n', '19', HERE / script, '--heddle', heddle, *words], check=False, env=os.environ | {'JOBS': '1'},
                          pass_fds=[lock])
    if done.returncode or not is_done(row):
        print(f'{row.name}: {"the command failed" if done.returncode else f"{row.file} has no such row"}: {script} {" ".join(words)}', file=sys.stderr)
        return False
    subprocess.run([HERE / 'verdicts.py', '--write'], check=False)  # it says what is not right
    changed = [f'{name} {before[name]} -> {count}' for name, count in counts().items() if before[name] != count]
    print(f'{row.name}: done in {time.monotonic() - started:.0f} s; verdicts: {", ".join(changed) or "as before"}', file=sys.stderr, flush=True)
    return True


def write_pages():
    """Where verdicts or pages are not of the rows: an interrupted run landed its row, and did not come to them."""
    if subprocess.run([HERE / 'verdicts.py'], check=False, stderr=subprocess.DEVNULL).returncode:
        print('verdicts or pages are not of the rows: verdicts.py --write', file=sys.stderr, flush=True)
        subprocess.run([HERE / 'verdicts.py', '--write'], check=False)


def hours_of(text):
    """A time in hours."""
    hours = float(text)
    if not hours >= 0:
        raise argparse.ArgumentTypeError(f'{text} is no number of hours')
    return hours


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument('--list', action='store_true')
    what.add_argument('--next', action='store_true')
    what.add_argument('--all', action='store_true')
    parser.add_argument('--rows', action='store_true', help='with --list: each of them')
    parser.add_argument('--hours', type=hours_of, default=float('inf'), help='no row is begun after them')
    parser.add_argument('--only', default='', metavar='WORD')
    parser.add_argument('--heddle', default='heddle')
    arguments = parser.parse_args()
    if arguments.list:
        try:
            show(left(arguments.only), arguments.rows)
            sys.stdout.flush()
        except BrokenPipeError:  # as of "| head"
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    heddle = shutil.which(arguments.heddle)
    if not heddle:
        parser.error(f'{arguments.heddle}: no such command; --heddle names the one of a build, as --heddle build/heddle')
    with open(__file__, encoding='utf-8') as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit('idle.py: another one is running')
        write_pages()
        ends, failed = time.monotonic() + 3600 * arguments.hours, set()
        while time.monotonic() < ends:
            rows = [row for row in left(arguments.only) if row.name not in failed]
            if not rows:
                print('nothing is left' if not failed else f'{len(failed)} rows failed', file=sys.stderr)
                break
            if not run(rows[0], os.path.abspath(heddle), lock.fileno()):
                failed.add(rows[0].name)
            if arguments.next:
                break
    return int(bool(failed))


if __name__ == '__main__':
    sys.exit(main())
