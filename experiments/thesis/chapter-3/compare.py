#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Tables of README.md from hH.csv: compare.py H"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
import runs  # noqa: E402

# Tables 3.1 to 3.3 at h = 8: (load, min injection, max/min, CoV) below saturation, and at 0.55
THESIS = {
    'transit': {
        'MIN': ((.03, .0275, 1.180, .0236), (.55, .0100, 43.81, .4106)),
        'Obl-RRG': ((.35, .3416, 1.048, .0069), (.55, .3522, 1.309, .0345)),
        'Obl-CRG': ((.40, .3913, 1.045, .0063), (.55, .3833, 1.321, .0533)),
        'Src-RRG': ((.30, .1589, 1.925, .0483), (.55, .1739, 3.138, .1569)),
        'Src-CRG': ((.10, .0571, 1.829, .0857), (.55, .0528, 8.832, .2251)),
        'In-Trns-RRG': ((.40, .0066, 62.79, .2435), (.55, .0039, 145.29, .2820)),
        'In-Trns-CRG': ((.40, .0042, 97.90, .2450), (.55, .0032, 172.89, .2525)),
        'In-Trns-MM': ((.40, .0053, 79.74, .2442), (.55, .0051, 112.56, .2519)),
    },
    'roundrobin': {
        'MIN': ((.03, .0275, 1.180, .0236), (.55, .0056, 91.16, 1.3382)),
        'Obl-RRG': ((.35, .3424, 1.047, .0068), (.55, .3237, 1.364, .0427)),
        'Obl-CRG': ((.35, .3421, 1.049, .0068), (.55, .3477, 1.354, .0394)),
        'Src-RRG': ((.30, .1388, 2.207, .0668), (.55, .1409, 3.954, .2216)),
        'Src-CRG': ((.10, .0560, 1.868, .0339), (.55, .0419, 13.14, .5937)),
        'In-Trns-RRG': ((.40, .2729, 1.496, .0701), (.55, .3092, 1.781, .1032)),
        'In-Trns-CRG': ((.40, .2683, 1.523, .0740), (.55, .2814, 1.874, .1080)),
        'In-Trns-MM': ((.40, .2634, 1.551, .0741), (.55, .2829, 1.857, .1078)),
    },
    'age': {
        'MIN': ((.03, .0275, 1.180, .0236), (.55, .0156, 29.54, .5676)),
        'Obl-RRG': ((.35, .3422, 1.046, .0068), (.55, .3794, 1.212, .0317)),
        'Obl-CRG': ((.40, .3919, 1.043, .0063), (.55, .3797, 1.359, .0632)),
        'Src-RRG': ((.25, .2428, 1.060, .0081), (.55, .1961, 2.802, .2190)),
        'Src-CRG': ((.10, .0956, 1.092, .0128), (.55, .0782, 4.167, .1830)),
        'In-Trns-RRG': ((.40, .3784, 1.082, .0103), (.55, .2582, 2.069, .1033)),
        'In-Trns-CRG': ((.40, .3883, 1.052, .0067), (.55, .2701, 2.044, .0979)),
        'In-Trns-MM': ((.40, .3896, 1.050, .0068), (.55, .2735, 2.020, .0973)),
    },
}
NAMES = {'transit': 'round robin, transit first (Table 3.1)', 'roundrobin': 'round robin (Table 3.2)', 'age': 'age (Table 3.3)'}
CYCLES = {8: 10000}


def floor(h, load):
    """Variation of what fair switches inject by chance: Bernoulli trials of 8 phits, h hosts each."""
    return math.sqrt((1 - load / 8) / (CYCLES.get(h, 20000) * load * h / 8))


def main():
    h = int(sys.argv[1])
    rows = runs.read(HERE / f'h{h}.csv')
    for arbiter, routings in THESIS.items():
        print(f'\n### {NAMES[arbiter]}\n')
        print('| routing | load | accepted | least served | thesis | max / min | thesis | CoV | thesis | fair CoV |')
        print('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|')
        for routing, points in routings.items():
            for load, least, ratio, cov in points:
                mine = [row for row in rows if row['arbiter'] == arbiter and row['pattern'] == 'ADVc'
                        and row['routing'] == routing and abs(float(row['load']) - load) < 1e-9]
                seeds = {row['seed'] for row in mine}
                if not mine:
                    continue
                tilde = '' if all(map(runs.is_steady, mine)) else '~'
                served = runs.mean(mine, 'switch_min')
                print(f'| {routing} | {load:g} | {tilde}{runs.mean(mine, "accepted"):.4f} | {served:.4f} | '
                      f'{least:.4f} | {format(runs.mean(mine, "switch_max_min"), ".3g") if served else "no bound"} | {ratio:.3g} | '
                      f'{runs.mean(mine, "switch_variation"):.4f} | {cov:.4f} | {floor(h, load):.4f} |')
        print(f'\n{len(seeds)} seeds.' if len(seeds) > 1 else '')
    sweep(rows)
    sizes()
    by_part(h)
    by_groups(h)


def by_groups(h):
    rows = [row for row in runs.read(HERE / 'groups.csv') if row['h'] == str(h)]
    if rows:
        print('\n### ADVc with h groups, and with h - 1\n')
        print('| routing | load | groups | accepted | least served | max / min | CoV |\n|---|---:|---:|---:|---:|---:|---:|')
    for row in sorted(rows, key=lambda row: float(row['load']), reverse=True):
        print(f'| {row["routing"]} | {row["load"]} | {row["groups"]} | {float(row["accepted"]):.4f} | {float(row["switch_min"]):.4f} | '
              f'{float(row["switch_max_min"]):.3g} | {float(row["switch_variation"]):.4f} |')


def sizes():
    """Figures 3.10 and 3.13."""
    rows = runs.read(HERE / 'sizes.csv')
    if rows:
        print('\n### ADVc at 0.4 by size: accepted load, least served switch, CoV\n')
        print('| arbiter | routing | ' + ' | '.join(f'h = {h}' for h in runs.unique(row['h'] for row in rows)) + ' |')
        print('|---|---|' + '---:|' * len(runs.unique(row['h'] for row in rows)))
    for arbiter, routing in runs.unique((row['arbiter'], row['routing']) for row in rows):
        cells = [f'{float(row["accepted"]):.3f}, {float(row["switch_min"]):.3f}, {float(row["switch_variation"]):.3f}'
                 for row in rows if (row['arbiter'], row['routing']) == (arbiter, routing)]
        print(f'| {arbiter} | {routing} | ' + ' | '.join(cells) + ' |')


def by_part(h):
    """Figure 3.4: what the mean latency of In-Trns-MM is made of."""
    names = {'minimal': 'minimal path', 'detour': 'detour', 'injection': 'at injection', 'local': 'behind local links',
             'global': 'behind global links'}
    rows = [row for row in runs.read(HERE / f'parts-h{h}.csv') if row['seed'] == '1']
    if rows:
        print('\n### In-Trns-MM, ADVc: latency by part\n')
        print('| arbiter | load | mean | ' + ' | '.join(names.values()) + ' |')
        print('|---|---:|---:|' + '---:|' * len(names))
    for row in rows:
        print(f'| {row["arbiter"]} | {float(row["load"]):g} | {float(row["latency_mean"]):.0f} | '
              + ' | '.join(f'{float(row["latency_" + name]):.0f}' for name in names) + ' |')


def sweep(rows):
    """Figures 3.2, 3.3, 3.7, 3.8 and 3.11: latency and accepted load, one seed; where there are several loads."""
    for pattern in 'UN', 'ADV+1', 'ADVc':
        mine = [row for row in rows if row['pattern'] == pattern and row['seed'] == '1']
        loads = [load for load in (.2, .4, .6) if any(float(row['load']) == load for row in mine)]
        if len(loads) < 2:
            continue  # no curve: the tables above have it
        print(f'\n### {pattern}: accepted load, latency\n')
        print('| arbiter | routing | ' + ' | '.join(f'{load:g}' for load in loads) + ' |')
        print('|---|---|' + '---:|' * len(loads))
        for arbiter in THESIS:
            for routing in THESIS[arbiter]:
                cells = []
                for load in loads:
                    at = [row for row in mine if (row['arbiter'], row['routing']) == (arbiter, routing)
                          and float(row['load']) == load]
                    cells.append(f'{float(at[0]["accepted"]):.3f}, {float(at[0]["latency_mean"]):.0f}' if at else '')
                if any(cells):
                    print(f'| {arbiter} | {routing} | ' + ' | '.join(cells) + ' |')


if __name__ == '__main__':
    main()
