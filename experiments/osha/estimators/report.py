#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Prints the tables of README.md from estimators.csv, and draws estimators.svg. Means of seeds; ~: not all windows are steady."""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402

PACKETS_PER_MS = 100e9 / (4096 * 8) / 1000  # of a host at load 1
POINTS = [('zipf', '0.7'), ('zipf', '1'), ('hotspot', '0.6'), ('hotspot', '1')]
INTERVALS = {'1us': 1, '2us': 2, '5us': 5, '10us': 10, '20us': 20, '50us': 50, '100us': 100, '200us': 200, '500us': 500, '1ms': 1000}
OTHERS = {'roundrobin': '#555555', 'leastoccupied': '#2ca02c', 'outstanding:delay=1us': '#9467bd'}
rows = runs.read(HERE / 'estimators.csv')


def of(fabric, queues, pattern, load, policy):
    return [row for row in rows if (row['fabric'], row['queues'], row['pattern'], row['load'], row['policy']) ==
            (fabric, queues, pattern, load, policy)]


def value(found, column):
    """The mean; beside a hot spot that of the others' packets."""
    if found[0]['pattern'] == 'hotspot' and f'{column}[background]' in found[0]:
        column += '[background]'
    return runs.mean(found, column)


def cells(found):
    if not found:
        return ['', '', '', '']
    steady = '' if all(row['steady'] == '1' for row in found) else '~'
    changes = value(found, 'lid_changes')
    return [f'{steady}{value(found, "accepted"):.4f}', f'{value(found, "latency_mean") / 1000:.1f}', f'{changes:.0f}',
            f'{changes / runs.mean(found, "accepted") / PACKETS_PER_MS:.2f}']


def table(fabric, queues, points):
    policies = runs.unique(row['policy'] for row in rows if (row['fabric'], row['queues']) == (fabric, queues))
    order = {policy: i for i, policy in enumerate(list(OTHERS) + ['random', 'outstanding:delay=10us'])}
    policies.sort(key=lambda policy: (order.get(policy, 99), 'bits' in policy,
                                      INTERVALS.get(policy.partition('interval=')[2].partition(',')[0], 0)))
    print(f'\n{fabric}, {queues}\n\n| policy | ' + ' | '.join(f'{pattern} {load} | us | changes/ms | of packets' for pattern, load in points) +
          ' |\n|---|' + '---:|' * (4 * len(points)))
    for policy in policies:
        line = [cell for pattern, load in points for cell in cells(of(fabric, queues, pattern, load, policy))]
        if any(line):
            print(f'| `{policy}` | ' + ' | '.join(line) + ' |')


def curve(point, policies, column):
    """Points of a curve for gnuplot: interval, value."""
    lines = []
    for interval, policy in policies:
        found = of('8x8', 'dbbq:2', *point, policy)
        if found:
            lines.append(f'{interval} {value(found, column)}')
    return '\n'.join(lines)


def draw():
    panels = [('accepted', 'accepted', 1, '[*:*]'), ('latency_mean', 'mean latency, us', 1e-3, '[0:*]'),
              ('lid_changes', 'changes of network per ms', 1, '[0:*]')]
    words = [f"set terminal svg size {330 * len(POINTS)},{250 * len(panels)} font 'sans,10' background 'white'",
             f'set multiplot layout {len(panels)},{len(POINTS)}', "set grid lc rgb '#dddddd'", 'set logscale x',
             "set xrange [0.8:1300]; set xlabel 'interval, us' offset 0,0.5", "set key bottom left samplen 1.5 spacing 0.9 font ',8'"]
    with tempfile.TemporaryDirectory() as directory:
        for column, label, scale, span in panels:
            for point in POINTS:
                sets = {'xmitwait': ('#d62728', 'lp pt 7 ps 0.5', [(us, f'xmitwait:interval={t}') for t, us in INTERVALS.items()]),
                        'xmitwait, 32 bits': ('#1f77b4', 'lp pt 6 ps 0.5',
                                              [(us, f'xmitwait:interval={t},bits=32') for t, us in INTERVALS.items()])}
                sets |= {name.partition(':')[0]: (colour, 'l', [(1, name), (1000, name)]) for name, colour in OTHERS.items()}
                plots = []
                for name, (colour, style, policies) in sets.items():
                    path = f'{directory}/{len(words)}-{len(plots)}'
                    with open(path, 'w', encoding='ascii') as file:
                        file.write(curve(point, policies, column))
                    plots.append(f"'{path}' using 1:(${{2}}*{scale}) with {style} lc rgb '{colour}' title '{name}'".replace('${2}', '$2'))
                whose = ' (others)' if point[0] == 'hotspot' else ''
                title = f'{"Zipf s=1" if point[0] == "zipf" else "hot spot"}, load {point[1]}{whose}'
                words += [f"set title '{title}'; set ylabel '{label}' offset 1; set yrange {span}",
                          'unset key' if (column, point) != ('accepted', POINTS[0]) else 'set key', 'plot ' + ', '.join(plots)]
        svg = subprocess.run(['gnuplot'], input='\n'.join(words), capture_output=True, text=True, check=True).stdout
    (HERE / 'estimators.svg').write_text(svg, encoding='utf-8')


table('8x8', 'dbbq:2', POINTS)
table('8x8', 'single:1', [('zipf', '1')])
table('48x48', 'dbbq:2', [('hotspot', '0.6'), ('zipf', '1')])
draw()
