#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The tables of README.md, of the CSV files beside this script; --svg draws the figures. claims() is for ../../verdicts.py."""
import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
sys.path.insert(0, str(HERE))
import run  # noqa: E402
import runs  # noqa: E402

SCALES = 26, 22
NAMES = {'h2': '72 processes, h = 2', '2-groups': '64 in two groups, h = 4', '5-groups': '160 in five groups, h = 4'}
FIGURES = {'h2': ('2.13', '2.14', '2.15', '2.16'), '2-groups': ('2.17', '2.18', '2.19', '2.20'),
           '5-groups': ('2.21', '2.22', '2.23', '2.24')}


class Results:
    """Runs by what was run."""

    def __init__(self):
        # runs are the same whenever they are made: one of two alike is enough
        rows = [row for path in run.FILES for row in runs.read(path)]
        self.rows = list({run.key(row): row for row in rows}.values())

    def rows_of(self, network, routing, query, bandwidth=40, scale=26, speedup=1, delay=1):
        """The rows of a query time and a bandwidth, one for each root."""
        return [row for row in self.rows if row['network'] == network and row['routing'] == routing and
                int(row['scale']) == scale and int(row['speedup']) == speedup and int(row['delay']) == delay and
                abs(float(row['query']) - query * bandwidth / 40) < 1e-9]

    def of(self, network, routing, query, bandwidth=40, scale=26, **keys):
        """Seconds and the use of the network with the root that all points have; None: not run."""
        for row in self.rows_of(network, routing, query, bandwidth, scale, **keys):
            if int(row['root']) == run.ROOTS[1]:
                runs.look_at([row])
                return float(row['makespan']) * 1e-9 * 40 / bandwidth, float(row['network_use'])
        return None

    def time(self, *words, **keys):
        found = self.of(*words, **keys)
        return found and found[0]

    def use(self, *words, **keys):
        found = self.of(*words, **keys)
        return found and found[1]


# Two programs of which the claim is that one takes hardly more or less time: (query, bandwidth, delay) of each
PAIRS = {'more time': ((.5, 40, 1), (.5, 40, 10)), 'less time': ((15, 100, 1), (15, 40, 1))}


def by_roots(results, pair):
    """What the first of the pair lacks of the second's time, by roots that both have."""
    times = []
    for query, bandwidth, delay in PAIRS[pair]:
        rows = runs.look_at(results.rows_of('h2', 'MIN', query, bandwidth, 26, delay=delay))
        times.append({row['root']: float(row['makespan']) * 40 / bandwidth for row in rows})
    return [1 - times[0][root] / times[1][root] for root in sorted(set(times[0]) & set(times[1]), key=int)]


def ratio(a, b):
    return None if a is None or b is None else a / b


def saturated(results, network, routing, scale):
    """The greatest use of any query time and bandwidth."""
    uses = [results.use(network, routing, query, bandwidth, scale) for query in run.QUERIES + run.CLAIMED
            for bandwidth in run.BANDWIDTHS]
    return max((use for use in uses if use is not None), default=None)


def claims(results, scale):
    """Claim, least, most, measured."""
    def gain(query):
        return ratio(results.time('h2', 'MIN', query, 100, scale), results.time('h2', 'MIN', query, 40, scale))

    def less(value):
        return None if value is None else 1 - value

    base = results.time('h2', 'MIN', .5, 40, scale)
    yield '72 processes, MIN: use saturates below 0.7', 0, .7, saturated(results, 'h2', 'MIN', scale)
    yield '72, VAL: use saturates at 0.4 +- 10%', .36, .44, saturated(results, 'h2', 'VAL', scale)
    yield '72, VAL: nearly twice the time of MIN', 1.7, 2, ratio(results.time('h2', 'VAL', .5, 40, scale), base)
    yield '72, MIN: links of 10 times the delay, more time', -.02, .02, less(ratio(base, results.time('h2', 'MIN', .5, 40, scale,
                                                                                                      delay=10)))
    yield '72, MIN: 100 for 40 Gb/s at 0.5 ns, share of the time', 0, .5, gain(.5)
    yield '... at 1 ns', 0, .5, gain(1)
    yield '... at 15 ns, less time', 0, .05, less(gain(15))
    yield '64 in two groups, MIN: use', 0, .0625, saturated(results, '2-groups', 'MIN', scale)
    yield '... time, of that of 72', 7, 13, ratio(results.time('2-groups', 'MIN', .5, 40, scale), base)
    yield '64 in two groups, VAL: use between MIN and VAL of 72', None, None, (
        results.use('2-groups', 'VAL', .5, 40, scale), results.use('h2', 'VAL', .5, 40, scale),
        results.use('h2', 'MIN', .5, 40, scale))
    yield '160 in five groups, MIN: time comparable to that of 72', .5, 2, ratio(results.time('5-groups', 'MIN', .5, 40, scale), base)
    yield '160, VAL: less time than 72 with VAL', 0, 1, ratio(results.time('5-groups', 'VAL', .5, 40, scale),
                                                             results.time('h2', 'VAL', .5, 40, scale))
    yield '160, VAL, 40 Gb/s, below 4 ns: 0.25 s', .225, .275, results.time('5-groups', 'VAL', .5, 40, scale)
    yield '72, VAL, the same: 0.25 s', .225, .275, results.time('h2', 'VAL', .5, 40, scale)


def milliseconds(seconds):
    return f'{seconds * 1e3:.4g}' if seconds < 10 else f'{seconds * 1e3:.0f}'


def print_figures(results, scale):
    for network, numbers in FIGURES.items():
        for routing, (of_time, of_use) in zip(run.ROUTINGS, (numbers[:2], numbers[2:])):
            print(f'\nFigures {of_time} and {of_use}, {NAMES[network]}, {routing}, scale {scale}: milliseconds and use\n')
            print('| ns | ' + ' | '.join(f'{bandwidth} Gb/s' for bandwidth in run.BANDWIDTHS) + ' |')
            print('|---:|' + '---:|' * len(run.BANDWIDTHS))
            for query in run.QUERIES:
                cells = [results.of(network, routing, query, bandwidth, scale) for bandwidth in run.BANDWIDTHS]
                print(f'| {query:g} | ' + ' | '.join('-' if cell is None else milliseconds(cell[0]) + f', {cell[1]:.3g}' for cell in cells) + ' |')


def print_roots(results):
    print('\n| scale, processes, routing, query time | roots | makespan, mean | deviation | least, most use |\n|---|---|---:|---:|---:|')
    for scale in SCALES:
        for network in run.NETWORKS:
            for routing in run.ROUTINGS:
                for query in .5, 15:
                    rows = results.rows_of(network, routing, query, 40, scale)
                    if len(rows) < 2:
                        continue
                    times = [float(row['makespan']) * 1e-6 for row in rows]
                    uses = [float(row['network_use']) for row in rows]
                    roots = ', '.join(sorted((row['root'] for row in rows), key=int))
                    print(f'| {scale}, {NAMES[network]}, {routing}, {query:g} ns | {roots} | {statistics.mean(times):.4g} ms | '
                          f'{statistics.stdev(times) / statistics.mean(times):.2%} | {min(uses):.3f}, {max(uses):.3f} |')


def print_speedups(results):
    print('\n| crossbar | MIN: use, s | VAL: use, s | VAL over MIN |\n|---|---:|---:|---:|')
    for speedup in 1, 2:
        found = [results.of('h2', routing, .5, speedup=speedup) for routing in run.ROUTINGS]
        if all(found):
            print(f'| {speedup} x | {found[0][1]:.3f}, {found[0][0]:.3f} | {found[1][1]:.3f}, {found[1][0]:.3f} | '
                  f'{found[1][0] / found[0][0]:.2f} |')


def print_neighbours():
    print('\n| routing | placement | search: alone, with neighbour, slower | neighbour: latency alone, with search, times | '
          'p99, times | its load alone, with search |\n|---|---|---:|---:|---:|---:|')
    for row in runs.read(HERE / 'neighbour.csv'):
        value = {key: float(cell) for key, cell in row.items() if key not in ('routing', 'placement')}
        print(f'| {row["routing"]} | {row["placement"]} | {value["alone_makespan"] / 1e3:.0f} us, {value["makespan"] / 1e3:.0f} us, '
              f'{value["makespan"] / value["alone_makespan"]:.2f} | {value["alone_latency"] / 1e3:.1f} us, '
              f'{value["latency"] / 1e3:.1f} us, {value["latency"] / value["alone_latency"]:.2f} | '
              f'{value["p99"] / value["alone_p99"]:.2f} | '
              f'{value["alone_accepted"]:.3f}, {value["accepted"]:.3f} |')


def draw(results, scale):
    """Time and use by query time, a curve for each bandwidth."""
    gnuplot = shutil.which('gnuplot')
    if not gnuplot:
        sys.exit('compare.py: --svg needs gnuplot')
    for network, numbers in FIGURES.items():
        for routing, figures in zip(run.ROUTINGS, (numbers[:2], numbers[2:])):
            for index, (number, label) in enumerate(zip(figures, ('seconds', 'use of the network'))):
                curves = {}
                for bandwidth in run.BANDWIDTHS:
                    points = [(query, results.of(network, routing, query, bandwidth, scale)) for query in run.QUERIES]
                    curves[bandwidth] = [f'{query} {found[index]}' for query, found in points if found]
                curves = {bandwidth: points for bandwidth, points in curves.items() if points}
                if not curves:
                    continue
                path = HERE / f'figure-{number}.svg'
                titles = ', '.join(f'"-" with linespoints title "{bandwidth} Gb/s"' for bandwidth in curves)
                data = '\n'.join('\n'.join(points) + '\ne' for points in curves.values())
                script = (f'set terminal svg size 640,440 background "white"\nset output "{path}"\nset logscale x 2\nset key outside\n'
                          f'set title "Figure {number}: {NAMES[network]}, {routing}, scale {scale}"\nset xlabel "query time (ns)"\n'
                          f'set ylabel "{label}"\n{"set logscale y" if index == 0 else "set yrange [0:0.8]"}\nplot {titles}\n{data}\n')
                subprocess.run([gnuplot], input=script, text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--svg', action='store_true', help='draw the figures')
    arguments = parser.parse_args()
    results = Results()
    print('## Crossbars, scale 26, 0.5 ns')
    print_speedups(results)
    print('\n## Roots')
    print_roots(results)
    print('\n## Neighbours')
    print_neighbours()
    print('\n## Figures')
    print_figures(results, SCALES[0])
    if arguments.svg:
        draw(results, SCALES[0])


if __name__ == '__main__':
    main()
