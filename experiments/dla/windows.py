#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
Windows for the rows that claims read and that are not steady by 16 ms. experiments/dla/run.sh makes the tables, and calls this with
their directory:

	run.sh longer     windows.py --longer TABLES: those of the DF-DN pair at full load, by 256 ms; what is steady then replaces
	                  the row in the file of its figure; two minutes
	run.sh windows    windows.py --windows TABLES [ENGINE...]: paper-windows.csv, or the rows of those engines alone; a quarter
	                  of an hour
	run.sh consecutive  windows.py --consecutive TABLES [ENGINE...]: consecutive.csv, the same with consecutive global links
	run.sh seeds        windows.py --seeds TABLES: more-seeds.csv, seeds 4 to 10 of those rows of paper-windows.csv whose claims three
	                    seeds leave open; rows that are there are kept; three minutes
	run.sh consecutive-seeds  windows.py --consecutive-seeds TABLES: of consecutive.csv, into the same file; four minutes

paper-windows.csv has the paper's own windows, for what is not steady by 16 ms (verdicts.csv, `steady` is `paper`), and for other
arbiters than that of the longer runs. Figures 10 to 12 (figures-10-11.ini) have 5 ms from the start and 5 ms after 1 ms, since the
text tells no warm-up; the others what it tells. At full load, with all buffers, and at the best load with 1 and 32 packets, of
Figures 14 and 17 with 16. The best load is that from which both next ones have less, by seed 1 after 1 ms; column `best` is empty
where it was not looked for. Three seeds, and each of three arbiters, since the text names none; with 342 hosts, which take
minutes, by one but for generic engines under uniform traffic. What is steady in turn (`STEADY`) was also run by the two others
for Figures 10 to 12 as those are, extended to 16 ms (`auto`), steady or not.

UPDN with 72 and 144 hosts is OpenSM's, as in the paper, by the roots that leave it without credit loops on the palm tree; of the
second and the third there are runs in turn alone. With 342 hosts no root does, and `updn` is heddle's.

consecutive.csv has the same rows but those of 16 ms, of dragonflies with global=consecutive. There UPDN is OpenSM's with 342 hosts,
too: 34 of 36 roots leave it without credit loops with 72 and 144 hosts, 84 of 114 with 342.
"""
import csv
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

ENGINES = ['dla', 'd3r', 'lash', 'updn', 'dfsssp', 'sssp-df', 'minhop-df']
NOT_STEADY = ENGINES[1:5]  # by 16 ms
STEADY = ['dla', *ENGINES[5:]]  # where in-ports are served in turn
UPDN = ['updn-G2S2', 'updn-G1S2', 'updn-G0S2']  # OpenSM's, and its roots
UPDN_342 = ['updn-G00S0', 'updn-G00S5']  # with 342 hosts, where links are consecutive
# Files, their scenarios and hosts, and run.longest
LONGER = [('figures-10-11', 'figures-10-11', 72, '256ms'), ('figure-12-table-1', 'figure-12-table-1', 72, '256ms'),
          ('figure-14-72', 'figures-14-17', 72, '256ms'), ('figure-14-342', 'figures-14-17', 342, '64ms'),
          ('figure-17-144', 'figures-14-17', 144, '256ms')]
SEEDS = ['1', '2', '3']
MORE_SEEDS = [str(seed) for seed in range(4, 11)]
ARBITERS = ['roundrobin', 'age', 'transit']  # which the paper's is, it does not tell
COLUMNS = ['scenario', 'hosts', 'engine', 'voq', 'packets', 'load', 'best', 'arbiter', 'warmup', 'measure', *SEEDS]


# Of the claims that three seeds leave open and that more can decide. That DFSSSP is stable is none of them: OpenSM draws its path SLs
# anew in each capture, by which its accepted load differs by 4%.
OPEN = [('figures-16-19', '72', [*ENGINES[:3], *ENGINES[4:], *UPDN])]
OPEN_CONSECUTIVE = [*OPEN, ('figures-14-17', '72', ['lash']), ('figures-14-17', '144', ['dla', 'lash'])]


def sweep(tables, point, loads, arbiter, warmup, measure, seeds):
    """Accepted load, by load and seed."""
    scenario, hosts, engine, voq, packets = point
    keys = {'routing.snapshot': f'{tables}/{hosts}/{engine}', 'traffic.load': ', '.join(loads), 'switch.voq': voq,
            'switch.buffer': f'{packets} packets', 'switch.arbiter': arbiter, 'run.warmup': warmup, 'run.measure': measure,
            'run.seeds': ', '.join(seeds)}
    found = runs.sim('heddle', HERE / f'{scenario}.ini', keys)
    return {(f'{float(row["traffic.load"]):g}', row['seed']): row['accepted'] for row in found}


def best_load(tables, point, name, arbiter):
    """Beginning with where that file has the most, and going on while the next load has more; by seed 1 after 1 ms."""
    _, _, engine, voq, packets = point
    engine = engine.split('-G')[0]
    of = {}
    for row in runs.read(HERE / f'{name}.csv'):
        if (row['routing.snapshot'], row['switch.voq'], row['switch.buffer']) == (engine, voq, f'{packets} packets'):
            of.setdefault(float(row['traffic.load']), []).append(float(row['accepted']))
    most, tried = max(of, key=lambda load: sum(of[load]) / len(of[load])), {}
    while loads := [load for n in (-1, 0, 1) if (load := round(most + n / 10, 1)) in of and load not in tried]:
        tried |= {float(load): float(value) for (load, _), value in
                  sweep(tables, point, [f'{load:g}' for load in loads], arbiter, '1ms', '5ms', SEEDS[:1]).items()}
        most = max(tried, key=tried.get)
    return f'{most:g}'


def points(tables, point, readings, best=''):
    """The rows of the full load, and of the best where there is a file to begin with."""
    most = {}
    for arbiter, *window in readings:
        if best and arbiter not in most:
            most[arbiter] = best_load(tables, point, best, arbiter)
        loads = runs.unique(['1', most.get(arbiter, '1')])
        of = sweep(tables, point, loads, arbiter, *window, SEEDS)
        for load in loads:
            is_best = '' if not best else 'yes' if load == most[arbiter] else 'no'
            yield dict(zip(COLUMNS, [*point, load, is_best, arbiter, *window])) | {seed: of[load, seed] for seed in SEEDS}


def rows(tables, engines, consecutive):
    def after(measure, arbiters):
        return [(arbiter, '1ms', measure) for arbiter in arbiters]

    for engine in engines:
        updn, others = engine == 'updn' or engine in UPDN_342, ARBITERS[:1] if engine in UPDN[1:] + UPDN_342[1:] else ARBITERS
        for hosts in [342] if updn else [72, 144] if engine in UPDN else [72, 144, 342]:
            arbiters = others if hosts < 342 or engine in [*NOT_STEADY[1:], *UPDN_342] else ARBITERS[:1]
            name = f'figure-{17 if hosts == 144 else 14}-{hosts}' if hosts < 342 or engine in NOT_STEADY or consecutive else ''
            yield from points(tables, ('figures-14-17', hosts, engine, 'yes', 16), after('5ms', arbiters), name)
            if hosts != 342:
                yield from points(tables, ('figures-15-18', hosts, engine, 'yes', 16), after('5ms', others))
            yield from points(tables, ('figures-16-19', hosts, engine, 'yes', 16), after('1ms', others if hosts < 342 else ARBITERS[:1]))
        for voq in [] if updn else ['no', 'yes']:
            for packets in 1, 2, 4, 8, 16, 32:
                yield from points(tables, ('figures-10-11', 72, engine, voq, packets), [(ARBITERS[0], '0ms', '5ms'), *after('5ms', others)],
                                  'figures-10-11' if packets in (1, 32) else '')
                if engine in STEADY and not consecutive:
                    yield from points(tables, ('figures-10-11', 72, engine, voq, packets), after('auto', ARBITERS[1:]))


def more_seeds(tables, consecutive):
    """The other seeds of rows of OPEN in paper-windows.csv or consecutive.csv, one row at a time."""
    path = HERE / 'more-seeds.csv'
    columns = ['links', *(column for column in COLUMNS if column not in SEEDS)]
    done = runs.kept(path, columns)
    for row in runs.read(HERE / ('consecutive.csv' if consecutive else 'paper-windows.csv')):
        row['links'] = 'consecutive' if consecutive else 'palmtree'
        point = row['scenario'], row['hosts'], row['engine'], row['voq'], row['packets']
        wanted = point[3:] == ('yes', '16') and any(point[:2] == (scenario, hosts) and point[2] in engines
                                                    for scenario, hosts, engines in (OPEN_CONSECUTIVE if consecutive else OPEN))
        if not wanted or tuple(row[column] for column in columns) in done:
            continue
        of = sweep(tables, point, [row['load']], row['arbiter'], row['warmup'], row['measure'], MORE_SEEDS)
        runs.add(path, columns + MORE_SEEDS, {column: row[column] for column in columns} |
                 {seed: runs.short(of[row['load'], seed], 3) for seed in MORE_SEEDS})


def longer(tables):
    """Rows that are steady by 256 ms, in the place of those that were not by 16."""
    for name, scenario, hosts, longest in LONGER:
        of_file = runs.read(HERE / f'{name}.csv')
        for row in of_file:
            if runs.is_steady(row) or row['routing.snapshot'] not in ENGINES[5:] or float(row['traffic.load']) < 1:
                continue
            keys = {key: row[key] for key in ('switch.voq', 'switch.buffer', 'traffic.load')}
            keys |= {'routing.snapshot': f'{tables}/{hosts}/{row["routing.snapshot"]}', 'run.longest': longest, 'run.seeds': row['seed']}
            found, = runs.sim('heddle', HERE / f'{scenario}.ini', keys)
            if runs.is_steady(found):
                row.update({key: runs.short(found[key]) for key in row if key != 'routing.snapshot'})
        runs.write(HERE / f'{name}.csv', list(of_file[0]), of_file)


def main():
    consecutive = sys.argv[1:2] == ['--consecutive']
    known = [*ENGINES[:3], *ENGINES[4:], *UPDN, *UPDN_342] if consecutive else ENGINES + UPDN
    engines = sys.argv[3:] or known
    if len(sys.argv) < 3 or sys.argv[1] not in ('--longer', '--windows', '--consecutive', '--seeds', '--consecutive-seeds') or not set(engines) <= set(known):
        sys.exit(__doc__)
    tables = pathlib.Path(sys.argv[2]).resolve()
    if sys.argv[1] == '--longer':
        longer(tables)
        return
    if sys.argv[1].endswith('seeds'):
        more_seeds(tables, sys.argv[1] != '--seeds')
        return
    path = HERE / ('consecutive.csv' if consecutive else 'paper-windows.csv')
    others = [row for row in runs.read(path) if row['engine'] not in engines] if path.exists() else []
    with open(f'{path}.new', 'w', encoding='ascii', newline='') as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator='\n')
        writer.writeheader()
        writer.writerows(others)
        for row in rows(tables, engines, consecutive):
            writer.writerow({column: runs.short(value, 3) for column, value in row.items()})
            file.flush()
    os.rename(f'{path}.new', path)


if __name__ == '__main__':
    main()
