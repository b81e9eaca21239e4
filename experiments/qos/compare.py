#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
Tables of README.md from the CSV files that run.py made. claims() is for ../verdicts.py; what is claimed of RR and SBT is in
readings.py.
"""
import contextlib
import io
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]  # 95%, 2 to 10 seeds
PAPER = {'2D torus': (.94, .80, 1.175), '3D torus': (.78, .68, 1.147), '8-ary 3-tree': (.95, .85, 1.118),
         '24-ary 2-tree': (.95, .80, 1.187)}
TREES = ['8-ary 3-tree', '24-ary 2-tree']
SCHEDULERS = ['RR', 'SBT literal', 'SBT repaired', 'DTable 128', 'VLArb 16']
SHARES = {'VO': .1, 'VI': .3, 'CL': .5, 'BE': .05, 'BK': .05, 'BB': .1}
UNITS = {'VO': 2, 'VI': 4, 'CL': 8, 'BE': 16, 'BK': 16, 'BB': 16}
SMALL, SLOWER = 'packets: all 128 B', 'slower links between switches'
SLOWER_TURNS = SLOWER + ', SBT of 20 packets each'
CONFIRMED, CONTRADICTED, NOT_SHOWN, NOT_RUN = 'confirmed', 'contradicted', 'not shown', 'not run'


def interval(values):
    """Mean and half width of the 95% confidence interval; one value has none."""
    mean = sum(values) / len(values)
    if len(values) == 1:
        return mean, math.inf
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, STUDENT[len(values) - 2] * math.sqrt(variance / len(values))


def text(values, form):
    """The mean, and its interval where there are several seeds."""
    if not values:
        return ''
    mean, half = interval(values)
    return format(mean, form) if len(values) == 1 else f'{mean:{form}} ± {half:{form}}'


class Rows:
    """Rows of one file, by what they are of."""

    def __init__(self, *parts):
        self.rows = [row for part in parts for row in runs.read(HERE / f'{part}.csv')]

    def of(self, **wanted):
        wanted = {'variant': ''} | wanted
        found = [row for row in self.rows if all(row[key] == str(value) for key, value in wanted.items())]
        return runs.look_at(sorted(found, key=lambda row: int(row['seed'])))

    def values(self, column, **wanted):
        return [float(row[column]) for row in self.of(**wanted) if row[column]]

    def shares(self, name, **wanted):
        return [float(row[f'accepted[{name}]']) / float(row['accepted']) for row in self.of(**wanted) if row[f'accepted[{name}]']]


def classes_of(fabric):
    return ['VO', 'VI', 'CL', 'BB'] if 'torus' in fabric else ['VO', 'VI', 'CL', 'BE', 'BK']


class Verdicts:
    def __init__(self):
        self.rows = []

    def afresh(self):
        """What follows rests on other rows."""
        runs.LOOKED_AT.clear()

    def add(self, claim, where, measured, verdict):
        self.rows.append({'claim': claim, 'where': where, 'verdict': verdict, 'measured': measured, 'rows': list(runs.LOOKED_AT)})

    def within(self, claim, where, values, wanted, slack):
        """Whether the mean is within @slack of what is claimed; not shown where the interval is not."""
        if not values:
            self.add(claim, where, '', NOT_RUN)
            return
        mean, half = interval(values)
        off = abs(mean - wanted)
        half = 0 if half == math.inf else half
        verdict = CONFIRMED if off + half <= slack else CONTRADICTED if off - half > slack else NOT_SHOWN
        self.add(claim, where, f'{text(values, ".3f")} for {wanted:g}', verdict)

    def rising(self, claim, where, pairs, measured, strict=False):
        """
        Differences that shall not be below 0, by seeds, with their 95% intervals: confirmed where no mean is, or with @strict no
        interval has 0 in it; contradicted where an interval is below; not shown otherwise, nor with one seed.
        """
        if not pairs or not all(pairs):
            self.add(claim, where, measured, NOT_RUN)
            return
        marks = [interval(differences) for differences in pairs]
        if any(mean + half < 0 for mean, half in marks):
            verdict = CONTRADICTED
        elif all(mean - half > 0 if strict else mean >= 0 and half < math.inf for mean, half in marks):
            verdict = CONFIRMED
        else:
            verdict = NOT_SHOWN
        self.add(claim, where, measured, verdict)


def differences(less, more):
    return [b - a for a, b in zip(less, more)]


def fluid(accepted, offered):
    """What the classes get of servers in turn, a packet each, that send so much: as many packets as the others, or what they offer."""
    low, high = 0, 1
    for _ in range(60):
        rate = (low + high) / 2
        low, high = (rate, high) if sum(min(rate * UNITS[c], offered[c]) for c in offered) < accepted else (low, rate)
    return {c: min(low * UNITS[c], offered[c]) / accepted for c in offered}


def saturation(rows, long, verdicts):
    print('\n### Load 1: accepted, and shares of it\n')
    print('| fabric | scheduler | accepted | VO | VI | CL | BE | BK, or both | seeds |')
    print('|---|---|---:|---:|---:|---:|---:|---:|---:|')
    for fabric in PAPER:
        for scheduler in SCHEDULERS:
            found = rows.of(fabric=fabric, scheduler=scheduler, load=1)
            if not found:
                continue
            cells = [text(rows.shares(name, fabric=fabric, scheduler=scheduler, load=1), '.3f')
                     for name in ('VO', 'VI', 'CL', 'BE', 'BB' if 'torus' in fabric else 'BK')]
            steady = '' if all(map(runs.is_steady, found)) else '~'
            accepted = text(rows.values('accepted', fabric=fabric, scheduler=scheduler, load=1), '.3f')
            print(f'| {fabric} | {scheduler} | {steady}{accepted} | '
                  + ' | '.join(cells) + f' | {len(found)} |')
    for fabric, (dtable, _, _) in PAPER.items():
        verdicts.afresh()
        longest = max((row['measure'] for row in long.of(fabric=fabric, scheduler='DTable 128', load=1)),
                      key=lambda window: int(window.removesuffix('us')), default='')
        values = long.values('accepted', fabric=fabric, scheduler='DTable 128', load=1, measure=longest)
        verdicts.within('saturation, DTable, longer windows: within .05 of the paper', fabric, values, dtable, .05)


def shares(rows, verdicts):
    for scheduler in 'DTable 128', 'VLArb 16':
        for fabric in PAPER:
            verdicts.afresh()
            off = [max(abs(value - SHARES[name]) for value in rows.shares(name, fabric=fabric, scheduler=scheduler, load=1))
                   for name in classes_of(fabric) if rows.of(fabric=fabric, scheduler=scheduler, load=1)]
            verdicts.add(f'shares at load 1, {scheduler}: within 2 points', fabric, f'{100 * max(off):.1f} points off' if off else '',
                         NOT_RUN if not off else CONFIRMED if max(off) <= .02 else CONTRADICTED)


def slower(rows, long, verdicts):
    """Beyond saturation, where schedulers differ."""
    print('\n### Slower links between switches, load 1: accepted, shares of what arrived, latency in ns\n')
    print('| fabric | scheduler | window | accepted | VO | VI | CL | BE | BK, or both | latency of VO VI CL BE BK | seeds |\n'
          '|---|---|---|---:|---:|---:|---:|---:|---:|---|---:|')
    for fabric in '2D torus', '24-ary 2-tree':
        names = classes_of(fabric)
        for part in rows, long:
            for variant, scheduler, window in runs.unique((row['variant'], row['scheduler'], row['measure']) for row in part.rows
                                                          if row['fabric'] == fabric and row['variant'].startswith(SLOWER)):
                wanted = {'fabric': fabric, 'variant': variant, 'scheduler': scheduler, 'measure': window}
                found = part.of(**wanted)
                steady = '' if all(map(runs.is_steady, found)) else '~'
                cells = {name: text(part.shares(name, **wanted), '.3f') for name in names}
                latency = ' '.join(f'{interval(part.values(f"latency_mean[{name}]", **wanted))[0]:.0f}' for name in names)
                print(f'| {fabric} | {variant.removeprefix(SLOWER + ", ") if variant != SLOWER else scheduler} | {window} + {window} | '
                      + f'{steady}{text(part.values("accepted", **wanted), ".3f")} | '
                      + ' | '.join(cells.get(name, '') for name in ('VO', 'VI', 'CL', 'BE')) + f' | {cells[names[-1]]} | {latency} | '
                      + f'{len(found)} |')
        verdicts.afresh()
        means = {scheduler: {name: interval(rows.shares(name, fabric=fabric, scheduler=scheduler, variant=SLOWER))[0] for name in names}
                 for scheduler in SCHEDULERS if rows.of(fabric=fabric, scheduler=scheduler, variant=SLOWER)}
        for scheduler, here in means.items():
            accepted = interval(rows.values('accepted', fabric=fabric, scheduler=scheduler, variant=SLOWER))[0]
            what, to, wanted = 'as configured', 'off', SHARES
            if scheduler == 'RR':
                what, wanted = 'as predicted, max-min of packets', fluid(accepted, {name: SHARES[name] for name in names})
            elif scheduler == 'SBT literal':
                what, to, wanted = 'as RR', 'apart', means['RR']
            off = max(abs(here[name] - wanted[name]) for name in names)
            verdicts.add(f'shares where links between switches are slower, {scheduler}: {what}, within 2 points', fabric,
                         f'{100 * off:.1f} points {to}', CONFIRMED if off <= .02 else CONTRADICTED)
        verdicts.afresh()
        of = {name: rows.values('accepted', fabric=fabric, scheduler=scheduler, variant=variant)
              for name, scheduler, variant in (('dtable', 'DTable 128', SLOWER), ('turns', 'RR', SLOWER_TURNS))}
        ratios = [a / b for a, b in zip(of['dtable'], of['turns'])]
        verdicts.within('links between switches slower: DTable / SBT of 20 packets each within .08 of the paper', fabric, ratios,
                        PAPER[fabric][2], .08)


def latencies(rows, verdicts):
    print('\n### Load 1: mean latencies, ns\n')
    print('| fabric | scheduler | VO | VI | CL | BE | BK, or both |\n|---|---|---:|---:|---:|---:|---:|')

    def get(fabric, scheduler, name, load=1):
        return rows.values(f'latency_mean[{name}]', fabric=fabric, scheduler=scheduler, load=load)

    for fabric in PAPER:
        for scheduler in SCHEDULERS:
            if rows.of(fabric=fabric, scheduler=scheduler, load=1):
                names = ('VO', 'VI', 'CL', 'BE', 'BB' if 'torus' in fabric else 'BK')
                cells = [text(get(fabric, scheduler, name), '.0f') for name in names]
                print(f'| {fabric} | {scheduler} | ' + ' | '.join(cells) + ' |')
    for scheduler in 'DTable 128', 'VLArb 16':
        for fabric in PAPER:
            verdicts.afresh()
            of = {name: get(fabric, scheduler, name) for name in classes_of(fabric)}
            order = ['VO', 'VI', 'CL']
            pairs = [differences(of[a], of[b]) for a, b in zip(order, order[1:])]
            pairs += [differences(of['CL'], of[name]) for name in of if name.startswith('B')]
            verdicts.rising(f'latency at load 1, {scheduler}: VO <= VI <= CL <= BE, BK', fabric, pairs,
                            ', '.join(f'{name} {interval(values)[0]:.0f}' for name, values in of.items() if values))
            verdicts.rising(f'latency at load 1, {scheduler}: VO, VI, CL <= BE, BK', fabric,
                            [differences(of[a], of[b]) for a in order for b in of if b.startswith('B')], '')
    for fabric in TREES:
        verdicts.afresh()
        be, bk = get(fabric, 'DTable 128', 'BE'), get(fabric, 'DTable 128', 'BK')
        if be:
            off = abs(interval(be)[0] / interval(bk)[0] - 1)
            verdicts.add('latency at load 1, DTable: BE and BK alike, within 5%', fabric, f'{100 * off:.1f}%',
                         CONFIRMED if off <= .05 else CONTRADICTED)


def loads(rows, verdicts):
    verdicts.afresh()
    pairs = []
    for load in .3, .5, .7, .9, 1:
        torus = rows.values('latency_mean', fabric='2D torus', scheduler='DTable 128', load=load)
        tree = rows.values('latency_mean', fabric='24-ary 2-tree', scheduler='DTable 128', load=load)
        pairs.append(differences(tree, torus))
    verdicts.rising('latency, DTable: 2D torus above 24-ary 2-tree at .3 .5 .7 .9 1', 'both', pairs,
                    ', '.join(text(values, '.0f') for values in pairs) + ' ns more', strict=True)
    verdicts.afresh()
    pairs = []
    for load in .3, .5, .7, .9, 1:
        torus = rows.values('latency_mean', fabric='2D torus', scheduler='DTable 128', load=load)
        tree = rows.values('latency_mean', fabric='8-ary 3-tree', scheduler='DTable 128', load=load)
        pairs.append(differences(tree, torus))
    verdicts.rising('latency, DTable: 2D torus above 8-ary 3-tree at .3 .5 .7 .9 1', 'both', pairs,
                    ', '.join(text(values, '.0f') for values in pairs) + ' ns more', strict=True)


def turned(rows, base):
    print('\n### One part turned at a time, load 1, one seed: accepted; latency of VO, VI, CL, BE and BK (ns)\n')
    print('| fabric | turned | RR | | DTable 128 | |\n|---|---|---:|---|---:|---|')
    for fabric in '2D torus', '3D torus', '24-ary 2-tree':
        variants = [''] + runs.unique(row['variant'] for row in rows.rows if row['fabric'] == fabric)
        for variant in variants:
            cells = []
            for scheduler in 'RR', 'DTable 128':
                found = (rows if variant else base).of(fabric=fabric, scheduler=scheduler, variant=variant, load=1, seed=1)
                if not found:
                    cells += ['', '']
                    continue
                row = found[0]
                last = 'BB' if row['accepted[BB]'] else 'BK'
                steady = '' if runs.is_steady(row) else '~'
                cells += [f'{steady}{float(row["accepted"]):.3f}',
                          ' '.join(f'{float(row[f"latency_mean[{name}]"]):.0f}' for name in ('VO', 'VI', 'CL', last)
                                   if row[f'latency_mean[{name}]'])]
            print(f'| {fabric} | {variant or "nothing"} | ' + ' | '.join(cells) + ' |')


def windows(rows, base):
    print('\n### Longer windows, load 1, one seed\n')
    print('| fabric | scheduler | warm-up and window | accepted | shares VO VI CL BE+BK | latency |\n|---|---|---|---:|---|---|')
    for fabric in [*PAPER, 'dragonfly 72']:
        for scheduler in 'RR', 'DTable 128':
            for row in base.of(fabric=fabric, scheduler=scheduler, load=1, seed=1) + rows.of(fabric=fabric, scheduler=scheduler):
                accepted = float(row['accepted'])
                rest = sum(float(row[f'accepted[{name}]'] or 0) for name in ('BE', 'BK', 'BB')) / accepted
                steady = '' if runs.is_steady(row) else '~'
                print(f'| {fabric} | {scheduler} | {row["warmup"]} + {row["measure"]} | {steady}{accepted:.3f} | '
                      + ' '.join(f'{float(row[f"accepted[{name}]"]) / accepted:.3f}' for name in ('VO', 'VI', 'CL')) + f' {rest:.3f} | '
                      + ' '.join(f'{float(row[f"latency_mean[{name}]"]):.0f}' for name in ('VO', 'VI', 'CL')) + ' |')


def dragonflies(rows, verdicts):
    print('\n### Classes with dla\n')
    print('| fabric | load | scheduler | accepted | shares VO VI CL BE BK | latency VO VI CL BE BK, ns | seeds |\n'
          '|---|---:|---|---:|---|---|---:|')
    names = ['VO', 'VI', 'CL', 'BE', 'BK']
    for fabric in 'dragonfly 72', 'dragonfly 342':
        for load in '.6', '1':
            for scheduler in SCHEDULERS:
                wanted = {'fabric': fabric, 'scheduler': scheduler, 'load': float(load) if load != '1' else 1}
                found = rows.of(**wanted)
                if found:
                    steady = '' if all(map(runs.is_steady, found)) else '~'
                    print(f'| {fabric} | {wanted["load"]} | {scheduler} | {steady}{text(rows.values("accepted", **wanted), ".3f")} | '
                          + ' '.join(f'{interval(rows.shares(name, **wanted))[0]:.3f}' for name in names) + ' | '
                          + ' '.join(f'{interval(rows.values(f"latency_mean[{name}]", **wanted))[0]:.0f}' for name in names)
                          + f' | {len(found)} |')
        for scheduler in 'DTable 128', 'VLArb 16', 'SBT repaired':
            verdicts.afresh()
            wanted = {'fabric': fabric, 'scheduler': scheduler, 'load': 1}
            of = {name: rows.shares(name, **wanted) for name in names}
            if all(of.values()):
                off = max(abs(interval(of[name])[0] - SHARES[name]) for name in names)
                verdicts.add(f'dla, shares at load 1, {scheduler}: within 2 points', fabric, f'{100 * off:.1f} points off',
                             CONFIRMED if off <= .02 else CONTRADICTED)
        verdicts.afresh()
        of = {name: rows.values(f'latency_mean[{name}]', fabric=fabric, scheduler='DTable 128', load=1) for name in names}
        verdicts.rising('dla, latency at load 1, DTable: VO, VI, CL <= BE, BK', fabric,
                        [differences(of[a], of[b]) for a in names[:3] for b in names[3:]],
                        ', '.join(f'{name} {interval(values)[0]:.0f}' for name, values in of.items() if values))


def traces(rows, of_what, verdicts):
    """Execution time over that of the same trace alone, in packets of CL."""
    if not rows:
        return
    rows = [row for row in rows if row['all'] == '1']
    alone = {(row['fabric'], row['trace']): float(row['time']) for row in rows if row['background'] == '0' and row['class'] == 'CL'}
    times = {}
    for row in rows:
        if (row['fabric'], row['trace']) in alone:
            key = row['fabric'], row['trace'], row['scheduler'], row['class'], float(row['background'])
            times.setdefault(key, {})[row['seed']] = 100 * float(row['time']) / alone[row['fabric'], row['trace']]
    print(f'\n### {of_what[0].upper() + of_what[1:]}: execution time in % of the trace alone, RR, packets of CL\n')
    backgrounds = sorted({key[4] for key in times if key[4]})
    print('| fabric | trace | scheduler | class | ' + ' | '.join(f'{load:.0%}' for load in backgrounds) + ' |')
    print('|---|---|---|---|' + '---:|' * len(backgrounds))
    fabrics, programs = runs.unique(key[0] for key in times), runs.unique(key[1] for key in times)
    for fabric in fabrics:
        for trace in programs:
            for scheduler in 'DTable 128', 'RR':
                for class_ in 'CL', 'BK':
                    cells = [text(list(times.get((fabric, trace, scheduler, class_, load), {}).values()), '.2f') for load in backgrounds]
                    print(f'| {fabric} | {trace} | {scheduler} | {class_} | ' + ' | '.join(cells) + ' |')

    def apart(less, more):
        """By seed."""
        a, b = times.get(less, {}), times.get(more, {})
        return [b[seed] - a[seed] for seed in sorted(a) if seed in b]

    for fabric in fabrics:
        for trace in programs:
            verdicts.afresh()
            runs.look_at([row | {'makespan': row['time']} for row in rows if (row['fabric'], row['trace']) == (fabric, trace)])
            gaps = [apart((fabric, trace, 'DTable 128', 'CL', load), (fabric, trace, 'DTable 128', 'BK', load)) for load in backgrounds]
            measured = ', '.join(f'{interval(gap)[0]:+.2f}' for gap in gaps if gap)
            verdicts.rising(f'{of_what}, DTable: CL never slower than BK (BK less CL, points, by background)', fabric + ', ' + trace,
                            gaps, measured)
            for class_ in 'CL', 'BK':
                gaps = [apart((fabric, trace, 'DTable 128', class_, load), (fabric, trace, 'RR', class_, load)) for load in backgrounds]
                verdicts.rising(f'{of_what} in {class_}: RR never faster than DTable (RR less DTable, points)', fabric + ', ' + trace, gaps,
                                ', '.join(f'{interval(gap)[0]:+.2f}' for gap in gaps if gap))


def claims():
    """All claims, with the rows that they rest on."""
    verdicts = Verdicts()
    base, long = Rows('saturation'), Rows('steady')
    with contextlib.redirect_stdout(io.StringIO()):
        tables(verdicts, base, long)
    return verdicts.rows


def tables(verdicts, base, long):
    parts = Rows('parts')
    curves = Rows('saturation', 'loads-2d', 'loads-24', 'loads-8', 'loads-3d')
    saturation(base, long, verdicts)
    shares(base, verdicts)
    slower(Rows('slower'), long, verdicts)
    latencies(base, verdicts)
    loads(curves, verdicts)
    turned(parts, base)
    windows(long, Rows('saturation', 'dla'))
    dragonflies(Rows('dla'), verdicts)
    traces(runs.read(HERE / 'traces.csv'), 'traces', verdicts)
    traces(runs.read(HERE / 'traces-equal.csv'), 'traces in packets of 512 B', verdicts)


if __name__ == '__main__':
    tables(Verdicts(), Rows('saturation'), Rows('steady'))
