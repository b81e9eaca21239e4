#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Tables of README.md from the CSV files."""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

NAMES = {'uniform': 'UN', 'transpose': 'transpose', 'bitreverse': 'bit reversal'}
GROUPED = ['XORADAP-2', 'XORADAP-4', 'XORADAP-8']


def rows_of(rows, **wanted):
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def at(rows, load, column):
    """The mean over seeds."""
    found = [row for row in rows if float(row['load']) == load]
    return runs.mean(found, column) if found else None


def peak(rows):
    """Accepted at the load where most is."""
    return max((at(rows, load, 'accepted') for load in {float(row['load']) for row in rows}), default=None)


def last(rows):
    return at(rows, max(float(row['load']) for row in rows), 'accepted')


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


class Verdicts:
    def __init__(self):
        self.lines = []

    def add(self, fabric, claim, value, holds):
        """@holds None: there are no rows for it."""
        verdict = 'not shown' if holds is None else 'confirmed' if holds else 'contradicted'
        self.lines.append(f'| {fabric} | {claim} | {value} | {verdict} |')

    def show(self):
        print('\n### Verdicts\n')
        print('| torus | claim | measured | |')
        print('|---|---|---|---|')
        print('\n'.join(self.lines))


def ratio(value, low, high):
    return f'{value:.2f}', low <= value <= high


def judge(rows, fabric, verdicts):
    def of(pattern, system):
        return rows_of(rows, fabric=fabric, pattern=pattern, system=system)

    for pattern, low, high in ('transpose', 1.8, 2.4), ('bitreverse', 2.5, 3.6):
        full = of(pattern, 'FA 8+1')
        for against in 'XORDET 8', 'XORDET 16':
            value = peak(full) / peak(of(pattern, against))
            verdicts.add(fabric, f'{NAMES[pattern]}: fully adaptive / {against}, peaks: {low} to {high}', *ratio(value, low, high))
    for pattern in 'transpose', 'bitreverse', 'uniform':
        full = peak(of(pattern, 'FA 8+1'))
        values = [peak(of(pattern, system)) / full for system in GROUPED]
        verdicts.add(fabric, f'{NAMES[pattern]}: XORADAP 2, 4, 8 / fully adaptive, peaks: within 7%',
                     ', '.join(f'{value:.3f}' for value in values), all(abs(value - 1) <= .07 for value in values))
    full = of('uniform', 'FA 8+1')
    verdicts.add(fabric, 'UN: fully adaptive drops after saturation', f'{peak(full):.3f}, then {last(full):.3f}',
                 last(full) < .99 * peak(full))
    load = .3 if fabric == '16x16' else .6
    by_latency = sorted((at(of('uniform', system), load, 'latency_mean'), system) for system in ['FA 8+1', *GROUPED, 'XORDET 8'])
    verdicts.add(fabric, f'UN: XORDET has the lowest latency at {load:g}',
                 ', '.join(f'{system} {latency:.1f}' for latency, system in by_latency), by_latency[0][1] == 'XORDET 8')
    for vcs in 4, 8:
        best = max(peak(of('uniform', f'{rule} {vcs}')) for rule in ('BBQ', 'XORDET', 'IODET', 'OODET'))
        values = {rule: peak(of('uniform', f'{rule} {vcs}')) for rule in ('OODET', 'BBQ', 'XORDET', 'IODET', 'DBBM')}
        verdicts.add(fabric, f'UN, {vcs} VCs: OODET, BBQ, XORDET, IODET within 5% of the best; DBBM below',
                     ', '.join(f'{rule} {value:.3f}' for rule, value in values.items()),
                     all(value >= .95 * best for rule, value in values.items() if rule != 'DBBM') and
                     values['DBBM'] < min(value for rule, value in values.items() if rule != 'DBBM'))
    verdicts.add(fabric, 'UN: all of them within 5% of VOQnet', 'no VOQnet', None)
    same = peak(of('uniform', 'XORDET 8')) / peak(of('uniform', 'XORDET 8, tables'))
    verdicts.add(fabric, 'UN: groups:xordet,8 is queue rule xordet:8 of the tables, peaks (own check, 3%)', *ratio(same, .97, 1.03))


def main():
    rows = [row for fabric in ('8x8', '16x16') for row in runs.read(HERE / f'load-{fabric}.csv')]
    for fabric in runs.unique(row['fabric'] for row in rows):
        for pattern in NAMES:
            table(rows, fabric, pattern)
    verdicts = Verdicts()
    for fabric in runs.unique(row['fabric'] for row in rows):
        judge(rows, fabric, verdicts)
    verdicts.show()


main()
