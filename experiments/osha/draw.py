#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Draws figure-FIGURE-SIZE.svg from figure-FIGURE-SIZE.csv beside this script, of 64 hosts and of full size: latency by accepted load as in the paper, means over seeds."""
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import figures  # noqa: E402
import runs  # noqa: E402

STYLES = {'1VC': ('#7f7f7f', 4), 'BBQ-4VC': ('#1f77b4', 5), 'OSHA-2VC': ('#ff9896', 6), 'OSHA-4VC-DBBQ': ('#d62728', 7),
          'SASHA-2VC': ('#98df8a', 8), 'SASHA-4VC-DBBQ': ('#2ca02c', 9)}
LEAST_LOADS = 3     # of a panel


def data(name, points):
    return f'${name} << END\n' + '\n'.join(' '.join(map(str, point)) for point in points) + '\nEND'


def curve(rows):
    """Accepted load and mean latency in us of each load; beside a hot spot those of the others."""
    of = '[background]' if rows and rows[0]['accepted[background]'] else ''
    by_load = [[row for row in rows if row['load'] == load] for load in sorted({row['load'] for row in rows}, key=float)]
    return [(runs.mean(at, 'accepted' + of), runs.mean(at, 'latency_mean' + of) / 1000) for at in by_load]


def panels_of(rows):
    """Panels with their curves: those with loads enough to be one."""
    for network, pattern, voq in runs.unique((row['network'], row['pattern'], row['voq']) for row in rows):
        of = [row for row in rows if (row['network'], row['pattern'], row['voq']) == (network, pattern, voq)]
        curves = {name: curve([row for row in of if row['technique'] == name]) for name in figures.TECHNIQUES}
        curves = {name: points for name, points in curves.items() if len(points) >= LEAST_LOADS}
        if curves:
            yield f'{network}, {pattern}{", VOQs" if voq == "yes" else ""}', curves


def latencies(rows):
    blocks, plots, most = [], [], 0
    for title, curves in panels_of(rows):
        words = []
        most = max(most, *(x for points in curves.values() for x, _ in points))
        for name, points in curves.items():
            block = f'd{len(blocks)}'
            blocks.append(data(block, points))
            words.append(f"${block} with linespoints pt {STYLES[name][1]} ps 0.6 lc rgb '{STYLES[name][0]}' title '{name}'")
        plots += [f"set title '{title}'", 'plot ' + ', '.join(words)]
    end = 1 if most > 0.5 else math.ceil(most * 10) / 10
    return blocks, plots, ["set xlabel 'accepted, share of a link'", "set ylabel 'mean latency, us'", 'set logscale y', f'set xrange [0:{end}]',
                           "set key bottom right samplen 1.5 font ',9'"]


def times(rows):
    """Execution time of PTRANS, a bar for each technique."""
    blocks, plots = [], []
    for network, voq in runs.unique((row['network'], row['voq']) for row in rows if row['pattern'] == 'ptrans'):
        found = [(name, runs.mean(of, 'makespan') / 1000) for name in figures.TECHNIQUES
                 if (of := [row for row in rows if (row['network'], row['pattern'], row['voq'], row['technique']) ==
                            (network, 'ptrans', voq, name)])]
        block = f'd{len(blocks)}'
        blocks.append(data(block, [(i, time, name.partition('VC')[0] if name != '1VC' else name, int(STYLES[name][0][1:], 16)) for i, (name, time) in enumerate(found)]))
        plots += [f"set title '{network}, PTRANS{', VOQs' if voq == 'yes' else ''}'",
                  f'plot ${block} using 1:2:(0.7):4:xtic(3) with boxes fs solid lc rgb variable notitle']
    return blocks, plots, ["set ylabel 'execution time, us'", 'set xrange [-0.6:5.6]', 'set yrange [0:*]', "set xtics nomirror font ',9'"]


def draw(figure, size):
    rows = [row for row in runs.read(HERE / f'figure-{figure}-{size}.csv')
            if row['turned'] == 'no' and row['window'] in (figures.SIZES[size]['window'], 'all')]
    blocks, plots, settings = (times if figure == '11' else latencies)(rows)
    n = len(blocks) if figure == '11' else sum(plot.startswith('plot') for plot in plots)
    if not n:
        return
    columns = min(n, 2)
    height = -(-n // columns)
    head = [f"set terminal svg size {430 * columns},{330 * height} font 'sans,11' background 'white'",
            f'set multiplot layout {height},{columns}', "set grid lc rgb '#dddddd'"]
    text = '\n'.join(blocks + head + settings + plots) + '\n'
    done = subprocess.run(['gnuplot'], input=text, capture_output=True, text=True, check=True)
    (HERE / f'figure-{figure}-{size}.svg').write_text(done.stdout, encoding='utf-8')


for each in figures.FIGURES:
    for hosts in ('64', 'full'):
        draw(each, hosts)
