#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Draws Figures 3 to 6, and the dragonflies, from the CSV files beside this script: figure-3.svg and so on. Means over seeds."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

COLORS = {'VO': '#1f77b4', 'VI': '#2ca02c', 'CL': '#d62728', 'BE': '#9467bd', 'BK': '#8c564b', 'BB': '#9467bd'}
POINTS = {'RR': 2, 'SBT literal': 4, 'SBT repaired': 5, 'DTable 128': 7, 'VLArb 16': 9}
SHORT = {'RR': 'RR', 'SBT literal': 'SBT', 'SBT repaired': 'SBT repaired', 'DTable 128': 'DTable', 'VLArb 16': 'VLArb'}
BACKGROUNDS = [.01, .05, .1, .2]


class Plot:
    """Commands of gnuplot; data comes before them."""

    def __init__(self, columns, rows, width, height):
        self.data, self.blocks = [], 0
        self.commands = [f"set terminal svg size {columns * width},{rows * height} font 'sans,11' background 'white'",
                         f'set multiplot layout {rows},{columns}', "set grid lc rgb '#dddddd'",
                         "set key outside right samplen 1.5 font ',9'"]

    def panel(self, settings, curves):
        """@curves: (title, points, style)"""
        self.commands += settings
        words = []
        for title, points, style in curves:
            if points:
                self.data.append(f'$d{self.blocks} << END\n' + '\n'.join(' '.join(map(str, point)) for point in points) + '\nEND')
                words.append(f"$d{self.blocks} {style} title '{title}'")
                self.blocks += 1
        if words:
            self.commands.append('plot ' + ', '.join(words))
        else:
            self.commands.append("set yrange [0:1]; set label 1 'not run' at graph 0.5,0.5 center; plot 2 notitle; unset label 1")

    def write(self, name):
        text = '\n'.join(self.data + self.commands) + '\n'
        done = subprocess.run(['gnuplot'], input=text, capture_output=True, text=True, check=True)
        (HERE / name).write_text(done.stdout, encoding='utf-8')


def classes_of(fabric):
    return ['VO', 'VI', 'CL', 'BB'] if 'torus' in fabric else ['VO', 'VI', 'CL', 'BE', 'BK']


def curve(rows, fabric, scheduler, value):
    of = {}
    for row in rows:
        if (row['fabric'], row['scheduler'], row['variant']) == (fabric, scheduler, ''):
            of.setdefault(float(row['load']), []).append(value(row))
    return [(load, sum(values) / len(values)) for load, values in sorted(of.items())]


def style(name, scheduler):
    dash = {'DTable 128': '', 'VLArb 16': ' dt 3'}.get(scheduler, ' dt 2')
    return f"with linespoints pt {POINTS[scheduler]} ps 0.5 lc rgb '{COLORS[name]}'{dash}"


def label(name):
    return 'BE+BK' if name == 'BB' else name


def panels(plot, rows, fabric, letters):
    """Latency of three schedulers, shares of three, latency by DTable and by VL arbitration."""
    classes = classes_of(fabric)

    def latencies(schedulers):
        return [(f'{SHORT[s]} {label(name)}', curve(rows, fabric, s, lambda row, name=name: float(row[f'latency_mean[{name}]'])),
                 style(name, s)) for s in schedulers for name in classes]

    def shares(schedulers):
        return [(f'{SHORT[s]} {label(name)}', curve(rows, fabric, s, lambda row, name=name: float(row[f'accepted[{name}]']) /
                                                    float(row['accepted'])), style(name, s)) for s in schedulers for name in classes]

    scale = ["set xlabel 'load'", 'set xrange [0:1.02]']
    plot.panel([f"set title '{letters[0]}  {fabric}: latency, ns'", 'set yrange [0:6000]', *scale],
               latencies(['DTable 128', 'SBT literal', 'RR']))
    plot.panel([f"set title '{letters[1]}  {fabric}: part of what arrived'", 'set yrange [0:0.6]'],
               shares(['DTable 128', 'SBT literal', 'RR']))
    plot.panel([f"set title '{letters[2]}  {fabric}: latency, ns'", 'set yrange [0:6000]'], latencies(['DTable 128', 'VLArb 16']))


def figure(name, fabrics, letters, rows):
    plot = Plot(3, len(fabrics), 560, 400)
    for fabric, of in zip(fabrics, letters):
        panels(plot, rows, fabric, of)
    plot.write(name)


def traces(rows):
    """Figures 5 and 6: bars by background."""
    rows = [row for row in rows if row['all'] == '1']
    if not rows:
        return
    alone = {(row['fabric'], row['trace']): float(row['time']) for row in rows if row['background'] == '0' and row['class'] == 'CL'}
    programs = runs.unique(row['trace'] for row in rows)
    for number, fabric in (5, '8-ary 2-tree'), (6, '2D torus 4x4'):
        plot = Plot(2, 2, 520, 330)
        for trace in programs:
            bars = []
            for index, (scheduler, class_) in enumerate([(s, c) for s in ('DTable 128', 'RR') for c in ('CL', 'BK')]):
                points = {}
                for row in rows:
                    if (row['fabric'], row['trace'], row['scheduler'], row['class']) == (fabric, trace, scheduler, class_) and \
                            row['background'] != '0':
                        points.setdefault(float(row['background']), []).append(100 * float(row['time']) / alone[fabric, trace])
                bars.append((f'{SHORT[scheduler]} {class_}',
                             [(BACKGROUNDS.index(load) + .2 * index - .3, sum(values) / len(values))
                              for load, values in sorted(points.items())],
                             f"with boxes fs solid {1 - .5 * (scheduler == 'RR')} lc rgb '{COLORS[class_]}'"))
            plot.panel([f"set title '{fabric}, {trace}: time, % of it alone'", 'set boxwidth 0.18', "set xlabel 'background'",
                        "set xtics ('1%%' 0, '5%%' 1, '10%%' 2, '20%%' 3)", 'set xrange [-0.6:3.6]', 'set yrange [95:*]'], bars)
        plot.write(f'figure-{number}.svg')


def main():
    rows = [row for part in ('saturation', 'loads-2d', 'loads-24', 'loads-8', 'loads-3d') for row in runs.read(HERE / f'{part}.csv')]
    figure('figure-3.svg', ['2D torus', '3D torus'], ['abe', 'cdf'], rows)
    figure('figure-4.svg', ['8-ary 3-tree', '24-ary 2-tree'], ['abe', 'cdf'], rows)
    figure('dragonflies.svg', ['dragonfly 72', 'dragonfly 342'], ['abe', 'cdf'], runs.read(HERE / 'dla.csv'))
    traces(runs.read(HERE / 'traces.csv'))


main()
