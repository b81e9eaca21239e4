#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Prints tables of figure-*.csv; all of them: `all`, in Markdown.

report.py [-o DIR] [-n SIZE] [all|main|best|against|small|turned|cost]     accepted load; at full load and the best load; the difference from
                            BBQ-4VC (-b: another technique; --turned: decided otherwise), seed by seed; latency at small loads; what it hangs on; what it took

Accepted is that of the background beside a hot spot, and us of execution for PTRANS; with two seeds or more, the mean and its 95% confidence
interval (Student's). ~: the window of some seed is not shown to be steady.
"""
import argparse
import collections
import functools
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import figures  # noqa: E402
import runs  # noqa: E402

# 97.5% quantiles of Student's distribution, by degrees of freedom
STUDENT = [None, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]
LEAST_SEEDS = 3     # of a difference
SMALL = 0.2         # loads below it have a table of their own
GROUP = ('network', 'pattern', 'voq', 'window', 'load')


def values(rows):
    """What is reported of each row."""
    if rows[0]['makespan']:
        return [float(row['makespan']) / 1000 for row in rows]
    column = 'accepted[background]' if rows[0]['accepted[background]'] else 'accepted'
    return [float(row[column]) for row in rows]


def interval(numbers):
    """Half the width of the 95% confidence interval of the mean."""
    n, mean = len(numbers), sum(numbers) / len(numbers)
    return STUDENT[n - 1] * math.sqrt(sum((x - mean) ** 2 for x in numbers) / (n - 1) / n)


def cell(rows):
    if not rows:
        return ''
    numbers = values(rows)
    mean = sum(numbers) / len(numbers)
    if any(row['deadlock'] == '1' for row in rows):
        return 'deadlock'
    if rows[0]['makespan']:
        return f'{mean:.0f}'
    unsteady = '' if all(map(runs.is_steady, rows)) else '~'
    return f'{unsteady}{mean:.3f}' + (f' ±{interval(numbers):.3f}' if len(rows) > 1 else '')


def group(rows, columns):
    """Rows by the values of those columns, in the order of the file."""
    groups = collections.OrderedDict()
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return groups


def cells_of(rows):
    return [cell([row for row in rows if row['technique'] == technique]) for technique in figures.TECHNIQUES]


def seeds_of(rows):
    """How many seeds the techniques have: all alike, or from the fewest to the most."""
    counts = {len(of) for of in group(rows, ('technique',)).values()}
    return str(*counts) if len(counts) == 1 else f'{min(counts)}-{max(counts)}'


def plain(rows, turned='no'):
    """Those of one decision, the paper's unless said, at loads that are no small ones."""
    return [row for row in rows if row['turned'] == turned and float(row['load']) >= SMALL]


def by_load(groups):
    """Groups (GROUP) in the order in which their networks, patterns and windows come first, and of these by load."""
    order = {}
    for key in groups:
        order.setdefault(key[:-1], len(order))
    return sorted(groups.items(), key=lambda item: (order[item[0][:-1]], float(item[0][-1])))


def print_main(figure, rows):
    for key, found in by_load(group(plain(rows), GROUP)):
        network, pattern, voq, window, load = key
        print(f'| {figure} | {network} | `{pattern}` | {voq} | {load} | {window} | {seeds_of(found)} | ' + ' | '.join(cells_of(found)) + ' |')


def print_against(figure, rows, base, turned):
    """The difference from technique @base with the same seeds, where there are three or more: seeds are other rankings and hot spots, alike for all."""
    for key, found in by_load(group([row for row in plain(rows, turned) if not row['makespan']], GROUP)):
        of = {name: {row['seed']: row for row in found if row['technique'] == name} for name in figures.TECHNIQUES}
        theirs = of.pop(base)
        cells = []
        for mine in of.values():
            seeds = sorted(set(mine) & set(theirs))
            numbers = [a - b for a, b in zip(values([mine[seed] for seed in seeds]), values([theirs[seed] for seed in seeds]))] if seeds else []
            cells.append(f'{sum(numbers) / len(numbers):+.3f} ±{interval(numbers):.3f}' if len(numbers) >= LEAST_SEEDS else '')
        if any(cells):
            network, pattern, voq, window, load = key
            print(f'| {figure} | {network} | `{pattern}` | {voq} | {load} | {window} | {seeds_of(found)} | ' + ' | '.join(cells) + ' |')


def best_of(rows):
    """What is accepted at load 1, and at the load with the most where that is another: more than at load 1 with the same seeds."""
    at = {load: of for (load,), of in group(rows, ('load',)).items()}
    if '1' not in at:
        return ''
    full = dict(zip((row['seed'] for row in at['1']), values(at['1'])))

    def gain(load):
        more = [value - full[row['seed']] for row, value in zip(at[load], values(at[load])) if row['seed'] in full]
        return sum(more) / len(more) if more else -math.inf

    best = max(at, key=gain)
    return cell(at['1']) + ('' if gain(best) <= 0 else f'; {cell(at[best])} at {best}')


def print_best(figure, rows):
    """Networks and patterns with several loads."""
    for key, found in group(plain(rows), GROUP[:-1]).items():
        loads = sorted({row['load'] for row in found}, key=float)
        if len(loads) > 1:
            network, pattern, voq, window = key
            cells = [best_of([row for row in found if row['technique'] == technique]) for technique in figures.TECHNIQUES]
            print(f'| {figure} | {network} | `{pattern}` | {voq} | {window} | {" ".join(loads)} | ' + ' | '.join(cells) + ' |')


def print_small(figure, rows):
    """Mean latency in us of the background and of all packets, where there are small loads."""
    groups = group([row for row in rows if row['turned'] == 'no'], GROUP)
    with_small = {key[:-1] for key in groups if float(key[-1]) < SMALL}
    for key, found in by_load(groups):
        network, _, voq, window, load = key
        for column in ('latency_mean[background]', 'latency_mean') if key[:-1] in with_small else ():
            if not found[0][column]:
                continue
            by_name = [[row for row in found if row['technique'] == name] for name in figures.TECHNIQUES]
            cells = [f'{runs.mean(of, column) / 1000:.1f}' if of else '' for of in by_name]
            packets = 'background' if 'background' in column else 'all'
            print(f'| {figure} | {network} | {voq} | {window} | {load} | {packets} | {seeds_of(found)} | ' + ' | '.join(cells) + ' |')


def print_turned(figure, rows):
    """Points at which something was decided otherwise, below what they are to be compared with."""
    for key, found in group(rows, GROUP).items():
        by_turn = group(found, ('turned',))
        if list(by_turn) == [('no',)]:
            continue
        for (turned,), of in sorted(by_turn.items(), key=lambda item: item[0] != ('no',)):
            network, pattern, voq, _, load = key
            what = 'as elsewhere' if turned == 'no' else f'`{turned}`'
            print(f'| {figure} | {network} | `{pattern}` | {voq} | {load} | {what} | {seeds_of(of)} | ' + ' | '.join(cells_of(of)) + ' |')


def print_cost(figure, rows):
    for (network, pattern, window), found in group(rows, ('network', 'pattern', 'window')).items():
        seconds = [float(row['wall_s']) for row in found]
        print(f'| {figure} | {network} | `{pattern}` | {window} | {len(found)} | {sum(seconds) / len(seconds):.1f} | {sum(seconds):.0f} |')


TABLES = {
    'main': (print_main, ['figure', 'network', 'pattern', 'VOQs', 'load', 'window', 'seeds', *figures.TECHNIQUES], 4),
    'best': (print_best, ['figure', 'network', 'pattern', 'VOQs', 'window', 'loads', *figures.TECHNIQUES], 4),
    'against': (print_against, ['figure', 'network', 'pattern', 'VOQs', 'load', 'window', 'seeds', *figures.TECHNIQUES], 4),
    'small': (print_small, ['figure', 'network', 'VOQs', 'window', 'load', 'packets', 'seeds', *figures.TECHNIQUES], 4),
    'turned': (print_turned, ['figure', 'network', 'pattern', 'VOQs', 'load', 'decided', 'seeds', *figures.TECHNIQUES], 4),
    'cost': (print_cost, ['figure', 'network', 'pattern', 'window', 'points', 'seconds each', 'seconds'], 4),
}


# all: what sections are headed, their table, and the sizes that it has there
SECTIONS = [
    ('Accepted load', 'main', ['full', '512', '64']), ('The difference from BBQ-4VC of the same seed', 'against', ['full', '512', '64']),
    ('At full load, and at the best load where that is another', 'best', [None]), ('Latency at small loads, us', 'small', [None]),
    ('What the paper leaves open, decided otherwise', 'turned', [None]),
    ('Cost: seconds of a run on a machine of two cores that others used at the same time', 'cost', [None]),
]
HOSTS = {'full': '2,304 and 13,824 hosts', '512': '512 and 576 hosts', '64': '64 hosts'}


def print_table(out, size, table, base, turned):
    show, names, n_words = TABLES[table]
    if table == 'against':
        show = functools.partial(print_against, base=base, turned=turned)
        names = [name for name in names if name != base]
    print('| ' + ' | '.join(names) + ' |')
    print('|' + '---|' * n_words + '---:|' * (len(names) - n_words))
    for path in sorted(out.glob(f'figure-*-{size or "*"}.csv'), key=lambda path: (int(path.stem.split('-')[1]), path.stem)):
        show(path.stem.split('-')[1], runs.read(path))


def print_all(given):
    print('# Figures 5 to 11: tables\n\nPrinted by `experiments/osha/report.py all`; what they say: [README.md](README.md).\n')
    print(__doc__.split('\n\n')[2].replace('~:', '`~`:').strip())
    for title, table, sizes in SECTIONS:
        for size in sizes:
            print(f'\n## {title}{": " + HOSTS[size] if size else ""}\n')
            print_table(given.out, size, table, 'BBQ-4VC', 'no')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('-o', dest='out', type=pathlib.Path, default=HERE)
    parser.add_argument('-n', dest='size', choices=figures.SIZES)
    parser.add_argument('table', nargs='?', default='main', choices=[*TABLES, 'all'])
    parser.add_argument('-b', dest='base', default='BBQ-4VC', choices=figures.TECHNIQUES)
    parser.add_argument('--turned', default='no', choices=figures.TURNED)
    given = parser.parse_args()
    if given.table == 'all':
        print_all(given)
    else:
        print_table(given.out, given.size, given.table, given.base, given.turned)


if __name__ == '__main__':
    main()
