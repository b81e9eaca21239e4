# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
Claims of papers, each with the rows that it is judged by: what verdicts.py makes verdicts.csv of.

A verdict is about the set-up of the paper, or it is none:

	confirmed, contradicted    all rows are steady, of that set-up, and of three seeds or more, or `few_seeds` says why fewer
	                           suffice; or some rows are not steady by 16 ms (those of the DF-DN pair under uniform traffic by 256 ms), and
	                           then all are of the window that the paper states:
	                           `steady` is `paper`, and `hangs_on` quotes it
	undetermined by the text   readings of the text differ, and with them what comes out
	untestable                 it is about a real machine, or has no numbers: no simulation can judge it
	not judged: WHAT           WHAT is in the way: the rows have another `size` than the paper's networks; they depart from
	                           its `set-up`, as `hangs_on` says; they are not shown steady in their `window`, or not judged
	                           for it; `seeds` differ by more than what is claimed, or are fewer than
	                           three
	not run: cost              there are no rows, and the text leaves nothing open

`holds` says what the rows show, whatever the verdict. `hangs_on` has " | " between its pieces. `window` has several windows behind "; " where the text has several readings,
each judged alone; behind ", " where rows of several are compared, which is no ground for a verdict.
"""
import importlib.util
import itertools
import math
import pathlib

import runs

HERE = pathlib.Path(__file__).parent
COLUMNS = ['paper', 'figure', 'claim', 'hangs_on', 'scenario', 'size', 'seeds', 'few_seeds', 'window', 'steady', 'paper_has', 'ours', 'holds',
           'verdict']
CONFIRMED, CONTRADICTED, UNDETERMINED, UNTESTABLE, NOT_RUN = 'confirmed', 'contradicted', 'undetermined by the text', 'untestable', 'not run: cost'
OPEN = {'text': UNDETERMINED, 'untestable': UNTESTABLE}  # departures that rows do not decide
SEEDS = 3  # of a verdict, at least
WITHOUT_WINDOW = 'whole', 'proved'  # a program that ran to its end; no simulation at all
JUDGED = 'yes', 'paper', *WITHOUT_WINDOW
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]  # 97.5%, 2 to 10 seeds


def module(path):
    """A script of an experiment, as a module."""
    spec = importlib.util.spec_from_file_location(path.replace('/', '_').replace('-', '_'), HERE / f'{path}.py')
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def interval(values):
    """The mean, and half of its 95% confidence interval; one value has none."""
    mean = sum(values) / len(values)
    if len(values) == 1:
        return mean, 0
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, (STUDENT[len(values) - 2] if len(values) <= 10 else 1.96) * math.sqrt(variance / len(values))


def shown(values, sign=''):
    """A share with three digits, a time without any behind the point; and its interval."""
    mean, half = interval(values)
    form = '.0f' if abs(mean) >= 10 else '.3f'
    return format(mean, sign + form) + (f' ±{half:{form}}' if len(values) > 1 else '')


AND = ' | '  # between the pieces of `hangs_on`


def pieces(*texts):
    """What a claim hangs on, of several texts; each piece once."""
    return AND.join(runs.unique(piece for text in texts if text for piece in text.split(AND)))


def at_least(differences):
    """Whether differences of the same seeds are above 0; None where the interval of several has 0 in it."""
    mean, half = interval(differences)
    return True if mean - half > 0 else False if mean + half <= 0 else None


def steadiness(rows):
    """Of what is judged: yes, no, unjudged, or whole."""
    rows = [row for row in rows if not row.get('makespan')]
    if not rows:
        return 'whole'
    if not all(row.get('steady') for row in rows):
        return 'unjudged'
    return 'yes' if all(map(runs.is_steady, rows)) else 'no'


def holds_anyway(holds, values, spread):
    """Whether what @holds says of @values, {name: number}, is the same wherever each lies within that share of itself."""
    def moved(signs):
        return {name: value * (1 + sign * spread) for (name, value), sign in zip(values.items(), signs)}
    return all(holds(moved(signs)) == holds(values) for signs in itertools.product((-1, 1), repeat=len(values)))


def spread_of(groups):
    """The farthest that a value lies from the mean of its group, as a share of it; of groups of three seeds or more."""
    groups = [group for group in groups if len(group) >= SEEDS and sum(group)]
    return max((abs(value * len(group) / sum(group) - 1) for group in groups for value in group), default=None)


def verdict_of(holds, steady, departs, enough=True):
    if departs in OPEN:
        return OPEN[departs]
    if steady not in JUDGED:
        return 'not judged: window'
    if departs or holds is None or not enough:
        return f'not judged: {departs or "seeds"}'
    return CONFIRMED if holds else CONTRADICTED


class Claims:
    """The claims of a paper, in the order of its figures."""

    def __init__(self, paper):
        self.paper, self.rows = paper, []

    def add(self, figure, claim, ours, holds, rows, *, paper_has='', hangs_on='', scenario='', size='', window='', departs='',
            steady='', few_seeds=''):
        """
        @holds None: seeds do not tell. No @rows: not run, unless @steady is given. @departs: see above. @few_seeds: why fewer than
        three suffice.
        """
        row = dict.fromkeys(COLUMNS, '') | {'paper': self.paper, 'figure': figure, 'claim': claim, 'hangs_on': hangs_on,
                                            'scenario': scenario, 'size': size, 'paper_has': paper_has}
        if rows or steady:
            row |= {'seeds': str(len({of['seed'] if 'seed' in of else of.get('root', '') for of in rows}) or ''),
                    'window': window, 'steady': steady or steadiness(rows), 'ours': ours,
                    'holds': 'open' if holds is None else 'yes' if holds else 'no'}
            enough = row['steady'] == 'proved' or int(row['seeds'] or 0) >= SEEDS
            row['verdict'] = verdict_of(holds, row['steady'], departs, enough or bool(few_seeds))
            if row['verdict'] in (CONFIRMED, CONTRADICTED) and not enough:
                row['few_seeds'] = few_seeds
        else:
            row['verdict'] = OPEN.get(departs, NOT_RUN)
        self.rows.append(row)
