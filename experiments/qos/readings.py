#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
What is claimed of RR and SBT, by every reading of the text that was run: claims() is for ../papers.py; readings.py prints README.md's
table of the readings.

The text tells neither of what size packets of RR and SBT are, nor what a packet costs beside its payload:

	theirs    the classes' sizes, 128 to 1,024 bytes: "a packet payload of 128 bytes" for VO, and so on, of a GMTU of 1 KB (4.1, 4.2.1)
	128 B     "the global MTU is one packet of 128 bytes", and MTUs by class came with DTable (3.3.1)
	+ 24 B    so many bytes of each packet beside its payload; 16, 24 and 32 on the 24-ary 2-tree

DTable has the classes' sizes in all of them. A reading with fewer than three seeds tells what stays when its latencies are moved by
the farthest that one of three seeds lies from their mean on any fabric (spread()).
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
import claims as claims_of  # noqa: E402
from compare import PAPER, SMALL, TREES, Rows, classes_of, differences, interval, runs, text  # noqa: E402

COSTS, CHOSEN = [16, 24, 32], 24
FILES = ['saturation', 'loads-2d', 'loads-24', 'loads-8', 'loads-3d', 'late', 'small', 'header', 'header-choice']
TURNS = 'RR', 'SBT literal'
# Variants of rows: of RR and SBT, of DTable
SIZES = {'theirs': ('', ''), '128 B': (SMALL, '')}
for cost in COSTS:
    beside = f'header: {cost} B'
    SIZES |= {f'theirs + {cost} B': (beside, beside), f'128 B + {cost} B': (beside + ', all 128 B', beside)}
FOUR = {name: SIZES[name] for name in ('theirs', '128 B', f'theirs + {CHOSEN} B', f'128 B + {CHOSEN} B')}
# DTable alone
PAYLOAD = {'payload': ('', '')} | {f'+ {cost} B': (f'header: {cost} B',) * 2 for cost in COSTS}


class NotRun(Exception):
    """There are no rows of a reading."""


def spread(rows, load):
    """How far seeds lie from the mean of three: before saturation the latencies of all packets, at load 1 those of the classes."""
    groups = {}
    for row in rows.rows:
        if float(row['load']) == load:
            for name in [f'latency_mean[{name}]' for name in classes_of(row['fabric'])] if load == 1 else ['latency_mean']:
                key = *(row[key] for key in ('fabric', 'scheduler', 'variant', 'warmup')), name
                groups.setdefault(key, []).append(float(row[name]))
    return claims_of.spread_of(groups.values())


class Reading:
    """The rows of a reading, on a fabric at a load."""

    def __init__(self, rows, variants, fabric, load, off=0):
        self.rows, self.fabric, self.load, self.off = rows, fabric, load, off
        self.turns, self.dtable = variants

    def of(self, scheduler):
        variant = self.dtable if scheduler.startswith('DTable') else self.turns
        found = [row for row in self.rows.rows if (row['fabric'], row['scheduler'], row['variant'], float(row['load'])) ==
                 (self.fabric, scheduler, variant, self.load)]
        if not found:
            raise NotRun(scheduler)
        # the longest warm-up that a seed has
        by_seed = {row['seed']: row for row in sorted(found, key=lambda row: int(row['warmup'].removesuffix('us')))}
        return runs.look_at([by_seed[seed] for seed in sorted(by_seed, key=int)])

    def values(self, scheduler, column='accepted'):
        return [float(row[column]) for row in self.of(scheduler)]

    def latency(self, scheduler, name):
        return self.values(scheduler, f'latency_mean[{name}]')

    def shares(self, scheduler):
        return {name: interval([float(row[f'accepted[{name}]']) / float(row['accepted']) for row in self.of(scheduler)])[0]
                for name in classes_of(self.fabric)}

    def longer(self, more, less):
        """Whether these latencies are longer than those; None: it is not shown."""
        gap, half = interval(differences(less, more))
        if min(len(more), len(less)) < claims_of.SEEDS:
            gap, half = more[0] - less[0], self.off * (more[0] + less[0])
        return True if gap - half > 0 else False if gap + half < 0 else None


# What is judged gives what it measured, and whether it holds; None: it is not shown

def within(values, wanted, slack):
    mean, half = interval(values)
    off, half = abs(mean - wanted), half if len(values) > 1 else 0
    return text(values, '.3f'), True if off + half <= slack else False if off - half > slack else None


def saturates(scheduler, wanted):
    return lambda of: within(of.values(scheduler), wanted, .05)


def gains(wanted):
    return lambda of: within([a / b for a, b in zip(of.values('DTable 128'), of.values('RR'))], wanted, .08)


def as_in_turn(of):
    one, other = map(of.shares, TURNS)
    apart = max(abs(one[name] - other[name]) for name in one)
    return f'{100 * apart:.1f} points apart', apart <= .02


def all_of(answers):
    return False if False in answers else None if None in answers else True


def cl_worst(scheduler):
    def judge(of):
        cl, others = of.latency(scheduler, 'CL'), {name: of.latency(scheduler, name) for name in classes_of(of.fabric) if name != 'CL'}
        worst = max(others, key=lambda name: interval(others[name])[0])
        return f'CL {text(cl, ".0f")}, {worst} {text(others[worst], ".0f")}', all_of([of.longer(cl, values) for values in others.values()])
    return judge


def waits_longer(name, longer, shorter):
    def judge(of):
        more, less = of.latency(longer, name), of.latency(shorter, name)
        return f'{text(more, ".0f")}, {text(less, ".0f")}', of.longer(more, less)
    return judge


def off_the_chart(scheduler):
    def judge(of):
        values = of.latency(scheduler, 'CL')
        return text(values, '.0f'), of.longer(values, [4500 / (1 + of.off if len(values) < claims_of.SEEDS else 1)] * len(values))
    return judge


def alike(of):
    one, other = (interval(of.values(scheduler, 'latency_mean'))[0] for scheduler in TURNS)
    apart = max(one, other) / min(one, other)
    moved = (1 + of.off) / (1 - of.off)
    return f'{one:.0f}, {other:.0f} ns', True if apart * moved <= 1.05 else False if apart / moved > 1.05 else None


def claimed():
    """
    (claim, fabric, paper has, readings, load, judge, those that have to agree). None of these: it hangs on the cost, which may be
    anything.
    """
    four = list(FOUR)
    for fabric, (dtable, rr, ratio) in PAPER.items():
        yield 'saturation, DTable: within .05 of the paper', fabric, f'{dtable:g}', PAYLOAD, 1, saturates('DTable 128', dtable), ()
        for scheduler in TURNS:
            yield f'saturation, {scheduler}: within .05 of the paper', fabric, f'{rr:g}', SIZES, 1, saturates(scheduler, rr), ()
        yield 'DTable / RR: within .08 of the paper', fabric, f'{ratio:g}', SIZES, 1, gains(ratio), ()
        yield 'shares at load 1, SBT literal: as RR, within 2 points', fabric, '', FOUR, 1, as_in_turn, four
        for scheduler in TURNS:
            yield f'latency at load 1, {scheduler}: CL worst', fabric, '', FOUR, 1, cl_worst(scheduler), four
            if fabric in TREES:
                yield f'latency at load 1, {scheduler}: CL above 4500 ns', fabric, '', FOUR, 1, off_the_chart(scheduler), four
            for name, longer, shorter in ('VO', 'DTable 128', scheduler), ('CL', scheduler, 'DTable 128'):
                yield f'latency at load 1, {name}: longer with {longer} than with {shorter}', fabric, '', FOUR, 1, waits_longer(name, longer, shorter), four
        yield 'before saturation RR and SBT literal are alike: latency at 0.7 within 5%', fabric, '', FOUR, .7, alike, four[:2]


def claims():
    """Of each claim what all readings give; `holds` and `departs` as ../claims.py has them."""
    rows, words = Rows(*FILES), {True: 'yes', False: 'no', None: 'open'}
    for claim, fabric, paper_has, readings, load, judge, agree in claimed():
        told, off = {}, spread(rows, load)
        for name, variants in readings.items():
            runs.LOOKED_AT.clear()
            try:
                measured, holds = judge(Reading(rows, variants, fabric, load, off))
            except NotRun:
                continue
            mine = list(runs.LOOKED_AT)
            told[name] = {'measured': measured.replace(' ± ', ' ±'), 'holds': holds, 'rows': mine, 'steady': all(map(runs.is_steady, mine)),
                          'seeds': len({row['seed'] for row in mine})}
        runs.LOOKED_AT.clear()
        steady = [of for of in told.values() if of['steady']]
        differ = {True, False} <= {of['holds'] for of in steady}
        missing = [name for name in agree if name not in told]
        departs = 'text' if differ or not agree and len(steady) > 1 else 'set-up' if missing else ''
        holds = next(iter(told.values()))['holds'] if departs else None if any(of['holds'] is None for of in told.values()) else \
            all(of['holds'] for of in told.values())
        # what differs, by what is steady; of readings that agree, that of the fewest seeds
        rests_on = [row for of in (steady if departs == 'text' and steady else told.values()) for row in of['rows']]
        if not departs and len(steady) == len(told):
            rests_on = min(steady, key=lambda of: of['seeds'])['rows']
        yield {'claim': claim, 'where': fabric, 'paper_has': paper_has, 'holds': holds, 'departs': departs, 'rows': rests_on,
               'off': off if holds is not None and 'points' not in told['theirs' if 'theirs' in told else 'payload']['measured'] else None,
               'ours': '; '.join(f'{name} {"" if of["steady"] else "~"}{of["measured"]}: {words[of["holds"]]}' for name, of in told.items())
               + (f'; not run: {", ".join(missing)}' if missing and not differ else '')}


def main():
    rows = Rows(*FILES)
    print('\n### Load 1 by other readings: accepted; latency of VO, VI, CL, BE and BK (ns); seeds\n')
    print('| fabric | reading | RR | | SBT literal | | DTable 128 | |\n|---|---|---:|---|---:|---|---:|---|')
    for fabric in PAPER:
        for name, variants in list(FOUR.items())[1:]:  # theirs are in compare.py's tables
            of, cells = Reading(rows, variants, fabric, 1), []
            for scheduler in *TURNS, 'DTable 128':
                try:
                    found = of.of(scheduler)
                except NotRun:
                    cells.append(' | ')
                    continue
                mark = '' if all(map(runs.is_steady, found)) else '~'
                waits = ' '.join(f'{interval(of.latency(scheduler, name))[0]:.0f}' for name in classes_of(fabric))
                cells.append(f'{mark}{text(of.values(scheduler), ".3f")} | {waits}; {len(found)}')
            if any(cell.strip(' |') for cell in cells[:2]):
                print(f'| {fabric} | {name} | ' + ' | '.join(cells) + ' |')


if __name__ == '__main__':
    main()
