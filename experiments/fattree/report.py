#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Prints the tables of README.md from trees.csv and one-more.csv, and draws trees.svg. Means of seeds; ~: not shown to be steady."""
import math
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
from runs import mean, read, unique  # noqa: E402

FAILED = ('0', '1', '5', '10')
COLOURS = {'dmodc': '#d62728', 'heddle': '#ff9896', 'ftree': '#1f77b4', 'ftree+roots': '#17becf', 'updn': '#8c564b',
           'updn+roots': '#2ca02c', 'minhop': '#7f7f7f', 'nue': '#9467bd'}
DASHED = ('minhop', 'ftree+roots')  # which lie on others
PANELS = (('load', 'busiest link / mean'), ('shift_mean', 'shifts: flows on the busiest link'),
          ('a2a_ms', 'all-to-all by shifts, ms'), ('permutations', 'random permutations: accepted'))

trees = read(f'{here}/trees.csv')
more = read(f'{here}/one-more.csv')


def of(rows, **keys):
    return [row for row in rows if all(row[key] == value for key, value in keys.items())]


def value(rows, column, digits=2, note=''):
    """The mean of what has a value."""
    rows = [row for row in rows if row[column]]
    return f'{mean(rows, column):.{digits}f}{note}' if rows else ''


def is_own(row):
    return row['used'] == row['engine'].partition('+')[0]


def became(rows):
    """What OpenSM took in the place of the engine."""
    others = sorted({row['used'] or 'nothing' for row in rows if not is_own(row)})
    share = '' if len(rows) == 1 or not any(map(is_own, rows)) else f'{sum(not is_own(row) for row in rows)} of {len(rows)} '
    return f'{share}became {" ".join(others)}' if others else ''


def print_table(title, heads, lines):
    print(f'\n{title}\n\n| {" | ".join(heads)} |\n|---|{"---:|" * (len(heads) - 1)}')
    for line in lines:
        print(f'| {" | ".join(line)} |')


def static_line(rows):
    note = became(rows)
    rows = [row for row in rows if is_own(row)]
    if not rows:
        return [note] + [''] * 5
    scopes = ['sound' if all(row[f'sound_{scope}'] == '1' for row in rows) else
              unique(row['failure'] for row in rows if row['failure'])[0] for scope in ('hosts', 'all')]
    lost = max(int(row['lost']) for row in rows)
    if lost:
        scopes[0] += f' ({lost:,} pairs)'
    return [f'{scopes[0]}, {scopes[1]}{"; " if note else ""}{note}', value(rows, 'load'), max((row['shift_worst'] for row in rows), key=int),
            value(rows, 'shift_mean'), value(rows, 'permutation_mean'),
            f'{1000 * min(float(row["route_s"]) for row in rows):,.0f}']


def sim_line(rows):
    rows = [row for row in rows if row['seed'] == '1' and is_own(row)]
    if not rows:
        return [''] * 3
    slow = rows[0]['uniform'] and not rows[0]['a2a_ms']
    steady = {name: '' if row else ' ~' for name, row in
              (('permutations', rows[0]['permutations_steady'] == '5'), ('uniform', rows[0]['uniform_steady'] == '1'))}
    return ['over 60' if slow else value(rows, 'a2a_ms'), value(rows, 'permutations', 3, steady['permutations']),
            value(rows, 'uniform', 3, steady['uniform'])]


def print_fabric(fabric):
    rows = of(trees, fabric=fabric)
    engines = unique(row['engine'] for row in rows)
    has_sims = any(row['uniform'] for row in rows)
    heads = ['failed', 'engine', 'hosts, all', 'load', 'shifts: worst', 'mean', 'permutations: mean', 'ms to route']
    lines = []
    for failed in FAILED:
        for engine in engines:
            some = of(rows, failed=failed, engine=engine)
            if some:
                lines.append([f'{failed}%', f'`{engine}`'] + static_line(some) + (sim_line(some) if has_sims else []))
    if has_sims:
        heads += ['all-to-all, ms', 'permutations', 'uniform']
    print_table(f'### `{fabric}`', heads, lines)


def print_more(fabric):
    rows = of(more, fabric=fabric)
    if not rows:
        return
    lines = []
    for engine in unique(row['engine'] for row in rows):
        line = [f'`{engine}`']
        for failed in FAILED:
            some = of(rows, failed=failed, engine=engine)
            note = f', {became(some)}' if some and became(some) else ''
            line.append(' / '.join(f'{int(row["pairs"]):,}' for row in some if row['pairs']) + note)
        lines.append(line)
    print_table(f'One more link of `{fabric}` fails: pairs of hosts whose route changes, a figure for each link that was tried',
                ['engine'] + [f'after {failed}%' for failed in FAILED], lines)


def panel(lines, x, y, fabric, column, title):
    """One panel: a curve for each engine over the share of failed links, on a logarithmic scale."""
    width, height = 220, 150
    rows = [row for row in of(trees, fabric=fabric) if row[column]]
    values = [float(row[column]) for row in rows]
    if not values:
        return
    low, high = math.log(min(values) * 0.9), math.log(max(values) * 1.1)

    def at(failed, number):
        return x + 10 + FAILED.index(failed) * (width - 20) / 3, y + height - (math.log(number) - low) / (high - low) * height

    lines.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="#999"/>')
    lines.append(f'<text x="{x}" y="{y - 6}" font-size="12">{title}</text>')
    ticks = sorted({factor * 10 ** power for power in range(-3, 4) for factor in (1, 1.5, 2, 3, 5, 7)})
    for tick in ticks:
        if low <= math.log(tick) <= high:
            level = at('0', tick)[1]
            lines.append(f'<path d="M{x} {level:.1f}h{width}" stroke="#ddd"/>')
            lines.append(f'<text x="{x - 4}" y="{level + 4:.1f}" font-size="10" text-anchor="end">{tick:g}</text>')
    for failed in FAILED:
        lines.append(f'<text x="{at(failed, 1)[0]:.0f}" y="{y + height + 13}" font-size="10" text-anchor="middle">{failed}%</text>')
    for order, (engine, colour) in reversed(list(enumerate(COLOURS.items()))):
        points = []
        for failed in FAILED:
            some = of(rows, failed=failed, engine=engine)
            if some:
                points.append((at(failed, mean(some, column)), engine))
        shift = (order - 3.5) * 1.2
        text = ' '.join(f'{a + shift:.1f},{b:.1f}' for (a, b), _ in points)
        dashes = ' stroke-dasharray="5 3"' if engine in DASHED else ''
        lines.append(f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="1.8"{dashes}/>')
        lines.extend(f'<circle cx="{a + shift:.1f}" cy="{b:.1f}" r="2.5" fill="{colour}"/>' for (a, b), _ in points)


def draw(fabrics):
    lines = []
    for row, fabric in enumerate(fabrics):
        y = 70 + row * 220
        lines.append(f'<text x="40" y="{y - 26}" font-size="13" font-weight="bold">{fabric}</text>')
        for column, (name, title) in enumerate(PANELS):
            panel(lines, 40 + column * 265, y, fabric, name, title)
    x = 40
    for engine, colour in COLOURS.items():
        lines.append(f'<circle cx="{x}" cy="16" r="4" fill="{colour}"/><text x="{x + 8}" y="20" font-size="12">{engine}</text>')
        x += 40 + 8 * len(engine)
    lines.append(f'<text x="{x + 20}" y="20" font-size="12">x: links between switches that have failed</text>')
    width, height = 40 + 265 * len(PANELS), 60 + 220 * len(fabrics)
    with open(f'{here}/trees.svg', 'w', encoding='ascii') as file:
        print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">',
              f'<rect width="{width}" height="{height}" fill="#fff"/>', *lines, '</svg>', sep='\n', file=file)


def main():
    fabrics = unique(row['fabric'] for row in trees)
    for fabric in fabrics:
        print_fabric(fabric)
    for fabric in fabrics:
        print_more(fabric)
    draw(fabrics)


main()
