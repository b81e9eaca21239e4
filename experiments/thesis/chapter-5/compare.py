#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Tables of README.md from the CSV files: compare.py H"""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import claims as claims_of  # noqa: E402
import runs  # noqa: E402


class Results:
    def __init__(self, rows):
        self.rows = {}
        for row in rows:
            self.rows.setdefault((row['part'], row['pattern'], row['name'], float(row['load'])), []).append(row)

    def values(self, part, pattern, name, load=1.0, column='accepted'):
        """One for each seed; none: not run, or it came to a stand."""
        rows = self.rows.get((part, pattern, name, float(load)), [])
        return [float(row[column]) for row in runs.look_at([row for row in rows if row[column]])]

    def of(self, *what, **more):
        """The mean over seeds; None: as above."""
        values = self.values(*what, **more)
        return sum(values) / len(values) if values else None

    def gain(self, part, pattern, name, other, load=1.0, column='accepted'):
        """Per cent above @other."""
        a, b = self.of(part, pattern, name, load, column), self.of(part, pattern, other, load, column)
        return None if a is None or b is None else 100 * (a / b - 1)


def tables(rows):
    for part in runs.unique(row['part'] for row in rows):
        some = [row for row in rows if row['part'] == part]
        across = runs.unique((row['pattern'], row['load']) for row in some)
        print(f'\n### {part}: accepted load, latency\n')
        print('| | ' + ' | '.join(f'{pattern} {float(load):g}' for pattern, load in across) + ' |')
        print('|---|' + '---:|' * len(across))
        for name in runs.unique(row['name'] for row in some):
            cells = [cell([row for row in some if row['name'] == name and (row['pattern'], row['load']) == key]) for key in across]
            print(f'| {name} | ' + ' | '.join(cells) + ' |')


def cell(rows):
    """Of one load, by seeds."""
    if not rows:
        return ''
    if rows[0]['deadlock'] == '1':
        return 'deadlock'
    tilde = '' if all(map(runs.is_steady, rows)) else '~'
    return f'{tilde}{claims_of.shown([float(row["accepted"]) for row in rows])}, {runs.mean(rows, "latency_mean"):.0f}'


def inside(value, low, high):
    return None if value is None else low <= value <= high


def claims(r):
    """(claim, bounds, measured, whether it holds; None: there are no rows)"""
    def number(claim, low, high, value, unit=''):
        return claim, f'{low:g} .. {high:g}{unit}', '' if value is None else f'{value:.3g}{unit}', inside(value, low, high)

    def below(claim, names, values):
        known = all(value is not None for value in values)
        return (claim, ' < '.join(names), ', '.join(f'{v:.3f}' for v in values) if known else '',
                known and all(a < b for a, b in zip(values, values[1:])) if known else None)

    def of_replies(part):
        yield number(f'{part}, UN, FlexVC 2/1+2/1 above MIN', 18.6, 30.6,
                     r.gain(part, 'UN', 'FlexVC 2/1+2/1', 'MIN 2/1+2/1'), '%')
        yield number('... above DAMQ', 11.9, 23.9, r.gain(part, 'UN', 'FlexVC 2/1+2/1', 'MIN DAMQ'), '%')
        yield below('... by requests\' VCs', ['2/1', '3/2', '4/3'],
                    [r.of(part, 'UN', f'FlexVC {vcs}+2/1') for vcs in ('2/1', '3/2', '4/3')])
        if part == 'request-reply':
            peak = [r.of(part, 'UN', 'FlexVC 4/3+2/1', load) for load in (.7, .8, .9, 1)]
            yield number('... 4/3+2/1 at load 1 below its peak', 0, 2,
                         None if None in peak else 100 * (1 - peak[-1] / max(peak)), '%')
        yield number('... 4/3+2/1 above MIN', 17.7, 29.7, r.gain(part, 'UN', 'FlexVC 4/3+2/1', 'MIN 2/1+2/1'), '%')

    yield number('FlexVC MIN, UN, 8/4', .87, .95, r.of('oblivious', 'UN', 'FlexVC 8/4'))
    for exclude, words in ('both', 'in neither group'), ('destination', 'outside the destination\'s group'), ('source', 'outside the source\'s group'):
        yield number(f'FlexVC VAL 4/2, ADV+1, via drawn anew, {words}', .46, .4961, r.of('redrawn', f'ADV+1, {exclude}', 'FlexVC 4/2'))
    for name, wanted in ('MIN DAMQ', -4.8), ('FlexVC 2/1', -11.2), ('FlexVC 4/2', -23.8), ('FlexVC 8/4', -27.6):
        yield number(f'BURSTY-UN 0.4, latency, {name}', wanted - 4, wanted + 4,
                     r.gain('oblivious', 'BURSTY-UN', name, 'MIN', .4, 'latency_mean'), '%')
    small = '64/256'
    yield number('64/256 a port, FlexVC 2/1 above MIN', 8 - 4, 12 + 4, r.gain('memory', small, 'FlexVC 2/1', 'MIN 2/1'), '%')
    gains = [g for g in (r.gain('memory', small, f'FlexVC {vcs}', 'MIN 2/1') for vcs in ('4/2', '8/4')) if g is not None]
    yield number('... with more VCs', 19, 27, max(gains, default=None), '%')
    yield below('... FlexVC 2/1 at 64/256 is no less than MIN at 192/768', ['MIN 192/768', 'FlexVC 2/1 64/256'],
                [r.of('memory', '192/768', 'MIN 2/1'), r.of('memory', small, 'FlexVC 2/1')])
    yield number('No speed-up, 64/256, FlexVC 8/4', 30, 45, r.gain('no speed-up', small, 'FlexVC 8/4', 'MIN 2/1'), '%')
    for part in 'request-reply', 'hosts wait, 60,000':
        yield from of_replies(part)
    part = 'source'
    best = [g for g in (r.gain(part, 'UN', f'FlexVC PB {sense}', 'PB vc') for sense in ('vc', 'port', 'vc-min', 'port-min'))
            if g is not None]
    yield number('PB, UN, FlexVC 4/2+2/1 above 4/2+4/2', 15.4, 25.4, max(best, default=None), '%')
    senses = {sense: r.of(part, 'ADV+1', f'FlexVC PB {sense}', .5) for sense in ('vc', 'port', 'vc-min', 'port-min')}
    if None not in senses.values() and r.of(part, 'ADV+1', 'PB vc', .5):
        base = r.of(part, 'ADV+1', 'PB vc', .5)
        near = [sense for sense, value in senses.items() if value >= .95 * base]
        yield ('PB, ADV+1 0.5: only port-min within 5% of the baseline', 'port-min',
               f'{", ".join(near) or "none"} (baseline {base:.3f}; ' +
               ', '.join(f'{sense} {value:.3f}' for sense, value in senses.items()) + ')', near == ['port-min'])
    else:
        yield 'PB, ADV+1 0.5: only port-min within 5% of the baseline', 'port-min', '', None
    yield number('PB DAMQ, ADV+1, vc', 0, .15, r.of(part, 'ADV+1', 'PB vc DAMQ', .5))
    yield number('PB DAMQ, ADV+1, port', 0, .05, r.of(part, 'ADV+1', 'PB port DAMQ', .5))
    gain = r.of(part, 'ADV+1, no recompute', 'FlexVC PB port-min', .5)
    base = r.of(part, 'ADV+1, no recompute', 'PB vc', .5)
    yield number('without recompute port-min below PB', 8, 22, 100 * (1 - gain / base) if gain and base else None, '%')
    part = 'in transit'
    yield below('In-transit, ADV+1 0.5: credits saturate', ['credits', '0.95 OLM'],
                [r.of(part, 'ADV+1', 'FlexVC OLM, credits', .5) or None, (r.of(part, 'ADV+1', 'OLM 3/2+3/2', .5) or 0) * .95 or None])
    contention, olm = r.of(part, 'ADV+1', 'FlexVC OLM, contention', .5), r.of(part, 'ADV+1', 'OLM 3/2+3/2', .5)
    yield number('... contention counters do not (of OLM)', .95, 1.2, contention / olm if contention and olm else None)
    part, pattern = 'selections', 'UN, request-reply 4/3+2/1'
    by = {name: r.of(part, pattern, name) for name in ('jsq', 'random', 'highest', 'lowest')}
    if None not in by.values():
        text = ', '.join(f'{name} {value:.4f}' for name, value in by.items())
        yield 'Selections, best above worst', '0 .. 3.4%', f'{100 * (max(by.values()) / min(by.values()) - 1):.2f}%', \
            max(by.values()) / min(by.values()) < 1.034
        yield '... jsq is best', 'jsq', text, max(by, key=by.get) == 'jsq'
        yield '... lowest is worst', 'lowest', text, min(by, key=by.get) == 'lowest'
    part = 'DAMQ'
    rows = runs.look_at(r.rows.get((part, 'UN', '0%', 1.0), []))
    stands = [row['deadlock'] == '1' for row in rows]
    yield 'DAMQ without reserve deadlocks, and is told', 'deadlock', 'deadlock' if any(stands) else '', all(stands) if rows else None
    yield number('DAMQ 75% above static buffers', -2, 2, r.gain(part, 'UN', '75%', 'static'), '%')
    quarter = r.gain(part, 'UN', '25%', 'static')
    yield '... 25% congests', 'below static', '' if quarter is None else f'{quarter:.3g}%', None if quarter is None else quarter < 0


def main():
    tables(runs.read(HERE / f'results-h{sys.argv[1]}.csv'))


if __name__ == '__main__':
    main()
