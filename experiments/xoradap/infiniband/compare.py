#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Tables of README.md from the CSV files."""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402

NAMES = {'uniform': 'uniform', 'transpose': 'transpose', 'bitreverse': 'bit reversal'}


def rows_of(rows, **wanted):
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def best(rows):
    """The row in which most was accepted; None."""
    return max(rows, key=lambda row: float(row['accepted']), default=None)


def cell(row):
    """~: not shown steady."""
    return '' if row is None else f'{"" if runs.is_steady(row) else "~"}{float(row["accepted"]):.3f}'


def loads(rows, fabric):
    systems = runs.unique(row['system'] for row in rows_of(rows, fabric=fabric))
    last = {pattern: max((float(row['load']) for row in rows_of(rows, fabric=fabric, pattern=pattern)), default=0)
            for pattern in NAMES}
    print(f'\n### `{fabric}`: accepted at most, and at the last load\n')
    print('| | ' + ' | '.join(f'{name} | at {last[pattern]:g}' for pattern, name in NAMES.items()) +
          ' | uniform, 500,000 cycles | latency, uniform | out of order |')
    print('|---|' + '---:|' * 9)
    for system in systems:
        cells = []
        for pattern in NAMES:
            of = rows_of(rows, fabric=fabric, pattern=pattern, system=system, measure='50000')
            cells += [cell(best(of)), cell(next((row for row in of if float(row['load']) == last[pattern]), None))]
        cells.append(cell(best(rows_of(rows, fabric=fabric, pattern='uniform', system=system, measure='500000'))))
        low = min(rows_of(rows, fabric=fabric, pattern='uniform', system=system, measure='50000'),
                  key=lambda row: float(row['load']))
        most = max((float(row['out_of_order'] or 0) for row in rows_of(rows, fabric=fabric, system=system)), default=0)
        cells += [f'{float(low["latency_mean"]):.0f}', f'{most:.0%}' if low['out_of_order'] else '-']
        print(f'| {system} | ' + ' | '.join(cells) + ' |')


def gains(rows, fabric):
    """What of the step from XORDET 4 to XORADAP-4 tables take, peak to peak."""
    def peak(pattern, system):
        row = best(rows_of(rows, fabric=fabric, pattern=pattern, system=system, measure='50000'))
        return float(row['accepted']) if row else None

    for pattern, name in NAMES.items():
        base, top = peak(pattern, 'XORDET 8'), peak(pattern, 'XORADAP-4')
        if base is None or top is None:
            continue
        line = [f'{base:.3f}', f'{top:.3f}']
        for system in 'NF + XORDET 4', 'minimal + XORDET 4':
            value = peak(pattern, system)
            step = f', {(value - base) / (top - base):.0%}' if value and top - base > .03 * base else ''
            line.append(f'{value:.3f}{step}' if value else '-')
        print(f'| `{fabric}`, {name} | ' + ' | '.join(line) + ' |')


def spread(values):
    """The least and the most of several."""
    return f' ({min(values):.2f}-{max(values):.2f})' if len(values) > 1 else ''


def hotspot(rows, fabric):
    rows = rows_of(rows, fabric=fabric)
    if not rows:
        return
    print(f'\n### `{fabric}`: {rows[0]["sources"]} hosts send to host {rows[0]["at"]}, background {rows[0]["load"]}\n')
    print('| | background: accepted / offered | its latency, quiet | with the spot | times | in the network, times | '
          'queues full, quiet | with the spot |')
    print('|---|' + '---:|' * 7)
    for system in runs.unique(row['system'] for row in rows):
        of = rows_of(rows, system=system)
        number = {key: runs.mean(of, key) for key in of[0] if key.startswith(('quiet', 'spot', 'hot'))}
        times = [float(row['spot_latency']) / float(row['quiet_latency']) for row in of]
        print(f'| {system} | {number["spot_accepted"] / number["spot_offered"]:.3f} | {number["quiet_latency"]:.0f} | '
              f'{number["spot_latency"]:.0f} | {number["spot_latency"] / number["quiet_latency"]:.2f}{spread(times)} | '
              f'{number["spot_network"] / number["quiet_network"]:.2f} | {number["quiet_full"]:.2%} | {number["spot_full"]:.2%} |')


def main():
    rows, spots = runs.read(HERE / 'load.csv'), runs.read(HERE / 'hotspot.csv')
    fabrics = sorted(runs.unique(row['fabric'] for row in rows), key=lambda name: (name[0] != 'm', len(name), name))
    for fabric in fabrics:
        loads(rows, fabric)
    print('\n### Peaks, and the share of the step from XORDET 8 to XORADAP-4\n')
    print('| | XORDET 8 | XORADAP-4 | NF + XORDET 4 | minimal + XORDET 4 |\n|---|---:|---:|---:|---:|')
    for fabric in fabrics:
        gains(rows, fabric)
    for fabric in fabrics:
        hotspot(spots, fabric)


main()
