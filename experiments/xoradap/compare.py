#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Tables of README.md from the CSV files."""
import itertools
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import claims as claims_of  # noqa: E402
import runs  # noqa: E402

NAMES = {'uniform': 'UN', 'transpose': 'transpose', 'bitreverse': 'bit reversal'}
ADAPTIVE = ['FA 8+1', 'XORADAP-2', 'XORADAP-4', 'XORADAP-8', 'XORDET 8']
GROUPED = ['XORADAP-2', 'XORADAP-4', 'XORADAP-8']


def rows_of(rows, **wanted):
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def at(rows, load, column):
    """The mean over seeds."""
    found = [row for row in rows if float(row['load']) == load]
    return runs.mean(runs.look_at(found), column) if found else None


def peak(rows):
    """Accepted at the load where most is; a claim rests on that load alone."""
    loads = {float(row['load']) for row in rows}
    most = max(loads, key=lambda load: runs.mean([row for row in rows if float(row['load']) == load], 'accepted'), default=None)
    return None if most is None else at(rows, most, 'accepted')


def last(rows):
    return at(rows, max((float(row['load']) for row in rows), default=0), 'accepted')


def table(rows, fabric, pattern):
    rows = rows_of(rows, fabric=fabric, pattern=pattern)
    if not rows:
        return
    loads = runs.unique(row['load'] for row in rows)
    print(f'\n### {fabric}, {NAMES[pattern]}: accepted, latency\n')
    print('| | ' + ' | '.join(f'{float(load):g}' for load in loads) + ' | peak |')
    print('|---|' + '---:|' * (len(loads) + 1))
    for system in runs.unique(row['system'] for row in rows):
        of = rows_of(rows, system=system)
        cells = []
        for load in loads:
            found = rows_of(of, load=load)
            tilde = '' if not found or all(map(runs.is_steady, found)) else '~'
            cells.append(f'{tilde}{runs.mean(found, "accepted"):.3f}, {runs.mean(found, "latency_mean"):.0f}' if found
                         else '')
        print(f'| {system} | ' + ' | '.join(cells) + f' | {peak(of):.3f} |')


class Claims:
    """
    What ../verdicts.py judges: (fabric, claim, measured, whether it holds, rows, how far one seed may be off); None where there are
    no rows, and where the last would change what holds.
    """

    def __init__(self):
        self.all = []

    def add(self, fabric, claim, value, holds, off=None):
        self.all.append((fabric, claim, value, holds, list(runs.LOOKED_AT), off))
        runs.LOOKED_AT.clear()


def seeds_off(column):
    """How far three seeds of rows of 8x8 lie from their mean, as a share of it."""
    more = runs.read(HERE / 'seeds-8x8.csv')
    groups = {}
    for row in runs.read(HERE / 'load-8x8.csv') + more:
        groups.setdefault((row['pattern'], row['system'], float(row['load'])), []).append(float(row[column]))
    return claims_of.spread_of(groups.values())


def best_of_rules(values):
    """By name or rule: all but DBBM within 5% of the best, and DBBM below."""
    dbbm = next(value for name, value in values.items() if name.startswith('DBBM'))
    return all(value >= .95 * max(values.values()) for name, value in values.items() if not name.startswith('DBBM')) and dbbm == min(values.values())


def judge(rows, fabric, verdicts):
    def top(pattern, system):
        return peak(rows_of(rows, fabric=fabric, pattern=pattern, system=system))

    def add(claim, values, holds, form='.3f'):
        """Not shown where a value is missing."""
        missing = any(value is None for value in values.values())
        # shares are of two
        off = seeds_off('latency_mean' if 'latency' in claim else 'accepted')
        by = off and (off if 'peaks: OODET' in claim or 'latency' in claim else 2 * off)
        firm = not missing and off is not None and claims_of.holds_anyway(holds, values, by)
        verdicts.add(fabric, claim, ', '.join(f'{name} {"-" if value is None else format(value, form)}'.strip()
                                              for name, value in values.items()), None if missing else holds(values), off if firm else None)

    def share(a, b):
        return a / b if a and b else None

    for pattern, low, high in ('transpose', 1.8, 2.4), ('bitreverse', 2.5, 3.6):
        add(f'{NAMES[pattern]}: fully adaptive / XORDET, peaks: {low} to {high}',
            {f'{vcs} VCs': share(top(pattern, 'FA 8+1'), top(pattern, f'XORDET {vcs}')) for vcs in (8, 16)},
            lambda values, low=low, high=high: all(low <= value <= high for value in values.values()), '.2f')
    for pattern in NAMES:
        # "is able to reach the same performance" is said of bit reversal
        most = math.inf if pattern == 'bitreverse' else 1.07
        add(f'{NAMES[pattern]}: XORADAP / fully adaptive, peaks: ' + ('within 7%' if most < math.inf else 'reaches 93%'),
            {system: share(top(pattern, system), top(pattern, 'FA 8+1')) for system in GROUPED},
            lambda values, most=most: all(.93 <= value <= most for value in values.values()))
    of = rows_of(rows, fabric=fabric, pattern='uniform', system='FA 8+1')
    add('UN: fully adaptive drops after saturation', {'peak': peak(of), 'at the last load': last(of)},
        lambda values: values['at the last load'] < .99 * values['peak'])
    load = .3 if fabric == '16x16' else .6
    add(f'UN: XORDET has the lowest latency at {load:g}',
        {system: at(rows_of(rows, fabric=fabric, pattern='uniform', system=system), load, 'latency_mean') for system in ADAPTIVE},
        lambda values: min(values, key=values.get) == 'XORDET 8', '.1f')
    for vcs in 4, 8:
        add(f'UN, {vcs} VCs, peaks: OODET, BBQ, XORDET, IODET within 5% of the best, DBBM below',
            {rule: top('uniform', f'{rule} {vcs}') for rule in ('OODET', 'BBQ', 'XORDET', 'IODET', 'DBBM')}, best_of_rules)
    voqnet = top('uniform', 'VOQnet')
    for systems in ('VOQsw 5',), *([f'{rule} {vcs}' for rule in ('BBQ', 'XORDET', 'IODET')] for vcs in (4, 8)):
        add('UN, peaks: queue rules but DBBM within 5% of VOQnet', {name: share(top('uniform', name), voqnet) for name in systems},
            lambda values: all(abs(value - 1) <= .05 for value in values.values()))
    for vcs in 4, 8:
        add(f'UN, {vcs} VCs, peaks: DBBM more than 5% below VOQnet', {f'DBBM {vcs}': share(top('uniform', f'DBBM {vcs}'), voqnet)},
            lambda values: all(value < .95 for value in values.values()))
    add('own check: groups:xordet,8 / queue rule xordet:8 of the tables, UN, peaks: within 3%',
        {'': share(top('uniform', 'XORDET 8'), top('uniform', 'XORDET 8, tables'))},
        lambda values: abs(values[''] - 1) <= .03)


def hotspot(rows):
    print('\n### 16x16, hot spot at host 136 from cycle 100,000 on\n')
    print('| | ends at | accepted / offered, least 5,000 cycles | later half | latency of hot packets | without the source | '
          'of the background | queues full | empty |')
    print('|---|' + '---:|' * 8)
    for row in rows:
        print(f'| {row["system"]} | {float(row["ends"]):.0f} | {float(row["least"]):.3f} | {float(row["later"]):.3f} | {row["latency_mean"]} | '
              f'{row["network_latency_mean"]} | {row["background_latency_mean"]} | {float(row["buffer_full"]):.2%} | '
              f'{float(row["buffer_empty"]):.1%} |')


def overload():
    rows = runs.read(HERE / 'overload.csv')
    if not rows:
        return
    print('\n### 16x16, hot spot that is offered 1.25 times what its link carries, for 160,000 cycles: accepted / offered of the background\n')
    print('| | load | packets to the hot spot | mean | least 5,000 cycles | last 20,000 | latency |')
    print('|---|---:|' + '---:|' * 5)
    for row in sorted(rows, key=lambda row: float(row['load'])):
        print(f'| {row["system"]} | {row["load"]} | {row["hot"]} | {float(row["mean"]):.3f} | {float(row["least"]):.3f} | '
              f'{float(row["last"]):.3f} | {float(row["latency_mean"]):.0f} |')


def overload_by_queues():
    """By system, with a queue for each VC before every link, at 0.34."""
    of = {}
    for row in runs.read(HERE / 'queues-overload.csv'):
        of.setdefault(row['system'], []).append(float(row['least']))
    return of


def overload_queues():
    port = {row['system']: float(row['least']) for row in runs.read(HERE / 'overload.csv') if row['load'] == '0.34'}
    print('\n### 16x16, the same at 0.34, with output queues of a port or of each VC: the least 5,000 cycles\n')
    print('| | port, seed 1 | VC | seeds |\n|---|---:|---:|---:|')
    for system, values in overload_by_queues().items():
        print(f'| {system} | {port[system]:.3f} | {claims_of.shown(values)} | {len(values)} |')


def judge_hotspot(rows, verdicts):
    rows = runs.look_at([row for row in rows if row['system'] in ADAPTIVE])
    dips = {row['system']: 1 - float(row['later']) for row in rows}
    ends = [float(row['ends']) for row in rows]
    verdicts.add('16x16', 'hot spot: 10,000 packets at cycle 260,000 +-2%', ', '.join(f'{end:.0f}' for end in ends),
                 all(abs(end - 260000) <= 5200 for end in ends))
    falls = [dips.get(system) for system in ADAPTIVE]
    verdicts.add('16x16', 'hot spot: dips, fully adaptive > XORADAP 2 > 4 > 8 >= XORDET',
                 ', '.join(f'{fall:.3f}' for fall in falls if fall is not None),
                 None if None in falls or max(falls) < .01 else falls[0] > falls[1] > falls[2] > falls[3] >= falls[4])
    full = [float(row['buffer_full']) for row in rows]
    verdicts.add('16x16', 'hot spot: full queues, fully adaptive > XORADAP 2 > 4 > 8 > XORDET (over the whole window)',
                 ', '.join(f'{share:.2%}' for share in full),
                 None if len(full) < 5 else all(a > b for a, b in zip(full, full[1:])))


def judge_overload(verdicts):
    """Figures 10 and 11, and 17: what the background keeps beside a link that is always busy."""
    vl = overload_by_queues()
    for load in '0.28', '0.34':
        rows = {row['system']: row for row in runs.read(HERE / 'overload.csv') if row['load'] == load}

        def add(claim, names, holds, rows=rows, load=load):
            if all(name in rows for name in names):
                runs.look_at([rows[name] for name in names])
                values = {name: float(rows[name]['least']) for name in names}
                shown, answers = ', '.join(f'{name} {value:.3f}' for name, value in values.items()), [holds(values)]
                if load == '0.34' and all(len(vl.get(name, [])) >= claims_of.SEEDS for name in names):
                    shown += '; with an output queue for each VC ' + ', '.join(f'{name} {claims_of.shown(vl[name])}' for name in names)
                    answers += [holds(dict(zip(names, seed))) for seed in zip(*(vl[name] for name in names))]
                verdicts.add('16x16', f'hot spot at 1.25: {claim} (accepted / offered, least 5,000 cycles, at {load})',
                             shown, answers[0] if len(set(answers)) == 1 else None)

        add('fully adaptive falls below XORDET', ['FA 8+1', 'XORDET 8'], lambda v: v['FA 8+1'] < .95 * v['XORDET 8'])
        add('XORADAP-8 keeps more than fully adaptive', ['FA 8+1', 'XORADAP-8'], lambda v: v['FA 8+1'] < .95 * v['XORADAP-8'])
        add('VOQsw and OODET fall below XORDET', ['VOQsw 5', 'OODET 8', 'XORDET 8'], lambda v: max(v['VOQsw 5'], v['OODET 8']) < .95 * v['XORDET 8'])
        add('XORDET, IODET and BBQ within 5%', ['XORDET 8', 'IODET 8', 'BBQ 8'], lambda v: min(v.values()) >= .95 * max(v.values()))


def by_order():
    """Rows of Figure 9, by order and system: direction.csv, and seed 1 in order of dimensions."""
    rows = [row | {'order': 'dimension'} for row in runs.read(HERE / 'load-16x16.csv')
            if row['pattern'] == 'uniform' and float(row['load']) == .6]
    for row in sorted(runs.read(HERE / 'direction.csv'), key=lambda row: int(row['warmup'])):
        # of a seed, the latest
        rows = [of for of in rows if any(of[key] != row[key] for key in ('order', 'system', 'seed'))] + [row]
    return {(order, f'{rule} 4'): rows_of(rows, order=order, system=f'{rule} 4')
            for order in ('dimension', 'direction') for rule in ('BBQ', 'XORDET', 'IODET', 'DBBM')}


def orders():
    of = by_order()
    print('\n### 16x16, UN at 0.6, 4 VCs, in order of dimensions and of directions: accepted\n')
    print('| | XY | X+ Y+ X- Y- | change | seeds |\n|---|---:|---:|---:|---:|')
    for (order, name), rows in of.items():
        if order == 'direction' and rows:
            cells = [('' if all(map(runs.is_steady, some)) else '~') + claims_of.shown([float(row['accepted']) for row in some])
                     for some in (of['dimension', name], rows)]
            change = runs.mean(rows, 'accepted') / runs.mean(of['dimension', name], 'accepted') - 1
            print(f'| {name} | {cells[0]} | {cells[1]} | {change:+.1%} | {min(len(rows), len(of["dimension", name]))} |')


def judge_orders(verdicts):
    """Figure 9: what changes where all of X+ Y+ comes before X- Y-, at load 0.6."""
    of, off = by_order(), seeds_off('accepted')

    def add(what, names, holds):
        claim = f'direction order: {what}'
        if not all(of['direction', name] for name in names):
            verdicts.add('16x16', claim, '', None)
            return
        shares = {}
        for name in names:
            xy = {row['seed']: float(row['accepted']) for row in runs.look_at(of['dimension', name])}
            shares[name] = [float(row['accepted']) / xy[row['seed']] for row in runs.look_at(of['direction', name]) if row['seed'] in xy]
        means = {name: claims_of.interval(values)[0] for name, values in shares.items()}
        wide = {name: claims_of.interval(values)[1] if len(values) > 1 else 2 * off * means[name] for name, values in shares.items()}
        corners = [{name: means[name] + sign * wide[name] for name, sign in zip(names, signs)} for signs in itertools.product((-1, 1), repeat=len(names))]
        firm = all(holds(corner) == holds(means) for corner in corners)
        verdicts.add('16x16', claim, ', '.join(f'{name} {claims_of.shown(values)}' for name, values in shares.items()),
                     holds(means) if firm else None, off if firm else None)

    add('BBQ loses more than 5% to XY', ['BBQ 4'], lambda v: v['BBQ 4'] < .95)
    for name in 'XORDET 4', 'IODET 4':
        add(f'{name[:-2]} as by XY, within 5%', [name], lambda v, name=name: abs(v[name] - 1) <= .05)
        for rule in 'BBQ 4', 'DBBM 4':
            add(f'{name[:-2]} is less affected than {rule[:-2]}', [name, rule], lambda v, name=name, rule=rule: abs(v[name] - 1) < abs(v[rule] - 1))


RULES = ['OODET 4', 'BBQ 4', 'XORDET 4', 'IODET 4', 'DBBM 4']


def queued():
    """The same at load 0.6 where each VC has a queue before the link: by order and system."""
    rows = rows_of(runs.read(HERE / 'queues.csv'), fabric='16x16', pattern='uniform', load='0.6')
    return {(order, name): rows_of(rows, order=order, system=name) for order in ('dimension', 'direction') for name in RULES}


def queues():
    of, port = queued(), by_order()
    port['dimension', 'OODET 4'] = rows_of(runs.read(HERE / 'load-16x16.csv'), pattern='uniform', system='OODET 4', load='0.6')
    print('\n### 16x16, UN at 0.6, 4 VCs, output queues of a port or of each VC: accepted\n')
    print('| | XY: port | VC | seeds | X+ Y+ X- Y-: port | VC | seeds |\n|---|' + '---:|' * 6)
    for name in RULES:
        cells = []
        for order in 'dimension', 'direction':
            both = [some.get((order, name), []) for some in (port, of)]
            cells += [('' if all(map(runs.is_steady, some)) else '~') + claims_of.shown([float(row['accepted']) for row in some]) if some else ''
                      for some in both] + [', '.join(f'{len(some)}' for some in both)]
        print(f'| {name} | ' + ' | '.join(cells) + ' |')


def by_queues(claim):
    """(what is seen, whether @claim holds) with a queue for each VC, over three steady seeds; None: it was not run so, or not as often."""
    of, dimension = queued(), [('dimension', name) for name in RULES]
    ordered = {'direction order: BBQ loses more than 5% to XY': (['BBQ 4'], lambda v: v['BBQ 4'] < .95),
               'direction order: XORDET as by XY, within 5%': (['XORDET 4'], lambda v: abs(v['XORDET 4'] - 1) <= .05),
               'direction order: XORDET is less affected than BBQ': (['XORDET 4', 'BBQ 4'], lambda v: abs(v['XORDET 4'] - 1) < abs(v['BBQ 4'] - 1))}
    if claim in ordered:
        names, holds = ordered[claim]
        keys = [(order, name) for name in names for order in ('dimension', 'direction')]
    elif claim.startswith('UN, 4 VCs, peaks: OODET'):
        names, keys, holds = RULES, dimension, best_of_rules
    else:
        return None
    if any(len(of[key]) < 3 or not all(map(runs.is_steady, of[key])) for key in keys):
        return None
    means = {key: runs.mean(of[key], 'accepted') for key in keys}
    values = {name: means['dimension', name] if keys == dimension else means['direction', name] / means['dimension', name] for name in names}
    return ', '.join(f'{name} {value:.3f}' for name, value in values.items()), holds(values)


def main():
    rows = [row for fabric in ('8x8', '16x16') for row in runs.read(HERE / f'load-{fabric}.csv')]
    for fabric in runs.unique(row['fabric'] for row in rows):
        for pattern in NAMES:
            table(rows, fabric, pattern)
    hotspot(runs.read(HERE / 'hotspot.csv'))
    overload()
    overload_queues()
    orders()
    queues()


def claims():
    rows = [row for fabric in ('8x8', '16x16') for row in runs.read(HERE / f'load-{fabric}.csv')]
    for row in runs.read(HERE / 'longer.csv'):
        # in the place of the short one
        rows = [of for of in rows if any(of[key] != row[key] for key in ('fabric', 'pattern', 'system', 'load', 'seed'))] + [row]
    found = Claims()
    for fabric in runs.unique(row['fabric'] for row in rows):
        judge(rows, fabric, found)
    judge_hotspot(runs.read(HERE / 'hotspot.csv'), found)
    judge_overload(found)
    judge_orders(found)
    return found.all


if __name__ == '__main__':
    main()
