#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The rows of experiments/adaptive/check.sh."""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402

SHAPES = {2: 'a=4,p=2,h=2', 4: 'a=8,p=4,h=4'}

# FOGSim's names of routings: routing, VC rule, trigger. Its contention threshold is one that is enough; its share is
# 90%, where the default is what constants.py chose.
ROUTINGS = {
    'min': ('minimal', 'hop:3/2', ''),
    'oblrrg': ('valiant:policy=rrg,exclude=source', '', ''),
    'obl': ('valiant:policy=rrg,exclude=source', '', ''),
    'pbrrg': ('pb:policy=rrg', '', ''),
    'pbcrg': ('pb:policy=crg', '', ''),
    'olmmm': ('olm:policy=mm', '', 'credits:90%'),
    'olmcrg': ('olm:policy=crg', '', 'credits:90%'),
    'olmmmnol': ('olm:policy=mm,local=no', '', 'credits:90%'),
    'base': ('olm:policy=mm', '', 'contention:3,reached=yes'),
    'basenol': ('olm:policy=mm,local=no', '', 'contention:3,reached=yes'),
    'basemin21': ('minimal', 'hop:2/1', ''),
    'flexmin21': ('minimal', 'flexvc:2/1', ''),
    'flexmin42': ('minimal', 'flexvc:4/2', ''),
    'flexmin84': ('minimal', 'flexvc:8/4', ''),
    'flexolmca32': ('olm:policy=mm', 'flexvc:3/2', 'contention:3,reached=yes'),
}
PATTERNS = {'ADV_RANDOM_NODE': 'adversarial:1', 'ADV': 'adversarial:1', 'UN': 'uniform',
            'ADVc': 'adversarial-consecutive:{}'}  # FOGSim draws one of h - 1 groups
# FOGSim's window, where fairness is compared, whose noise depends on it
WINDOW = {4: {'run__warmup': 16000, 'run__measure': 5000}}

# Rows that differ by more, with what was measured: they must stay where they are. README.md says why: with local
# detours FOGSim deadlocks in saturated uniform traffic; its FlexVC gives packets in their source group fewer VCs; its PB
# takes minimal paths for longer than they are.
DIFFER = {
    'h2_olmmm_UN_100': ('accepted', 1.142), 'h2_olmcrg_UN_100': ('accepted', 1.142),
    'h2_base_UN_100': ('accepted', 1.098), 'h2_pbcrg_ADV_RANDOM_NODE_50': ('misrouted', -0.062),
    'h2_pbcrg_ADV_RANDOM_NODE_100': ('misrouted', -0.060), 'h2_pbcrg_ADVc_40': ('misrouted', -0.055),
    'h2_flexolmca32_ADV_RANDOM_NODE_50': ('latency', 1.048),
}

HEDDLE = 'heddle'
STATUS = 0


def sim(h, **keys):
    keys = {key.replace('__', '.'): value for key, value in keys.items()}
    rows = runs.sim(HEDDLE, HERE / 'adaptive.ini', {'fabric.topology': f'dragonfly:{SHAPES[h]},global=palmtree', **keys})
    return lambda column: runs.mean(rows, column)


def row(name, text, bad):
    print(f'{name:44} {text}{"  wrong" if bad else ""}', flush=True)
    if bad:
        sys.exit(1)


def ceilings(h):
    """Links out of a group, to all hosts and what each may use: exact, whatever the routing."""
    a, p = 2 * h, h
    for ad, trigger in (('olm', ''), ('olm', 'contention:3,reached=yes'), ('pb', ''), ('par', ''), ('ugal', '')):
        limit = (a * h + 1) / (2 * a * p)
        mean = sim(h, routing__adaptive=ad, routing__trigger=trigger, traffic__pattern='adversarial:1')
        share = mean('accepted') / limit
        row(f'h = {h}: {ad} {trigger or "":26} ADV+1', f'{mean("accepted"):.4f} of at most {limit:.4f}, {share:.1%}',
            share > 1.001 or (ad == 'olm' and share < 0.98))
        limit = min(1, (a * h + h) / (2 * a * p))
        mean = sim(h, routing__adaptive=ad, routing__trigger=trigger,
                   traffic__pattern=f'adversarial-consecutive:{h}')
        row(f'h = {h}: {ad} {trigger or "":26} ADVc', f'{mean("accepted"):.4f} of at most {limit:.4f}',
            mean('accepted') > 1.001 * limit)


def valiant(h):
    """Both groups excluded: g - 2 intermediate groups share what leaves a group by a h links."""
    bound = {2: 0.4375, 4: 0.4844}[h]
    keys = {'routing__adaptive': 'valiant:exclude=both', 'traffic__pattern': 'adversarial:1', 'traffic__load': bound}
    mean = sim(h, **keys)
    row(f'h = {h}: valiant, both groups excluded, ADV+1', f'{mean("accepted"):.4f} of at most {bound}',
        mean('accepted') > 1.005 * bound)
    # queues of FIFOs hold packets up; longer ones do so less
    mean = sim(h, **keys, switch__buffer_local='512 flits', switch__buffer_global='4096 flits',
               switch__buffer_terminal='4096 flits', switch__output='512 flits', host__vc='jsq',
               run__warmup=40000, run__measure=40000)
    row(f'h = {h}: the same, buffers sixteen times as large', f'{mean("accepted"):.4f} of {bound}',
        not 0.97 * bound < mean('accepted') < 1.005 * bound)
    bound = {2: 0.2917, 4: 0.1938}[h]
    mean = sim(h, routing__adaptive='valiant:exclude=both,to=group', traffic__pattern=f'adversarial:{h}')
    row(f'h = {h}: valiant to a group, ADV+{h}, load 1', f'{mean("accepted"):.4f} of at most {bound}',
        mean('accepted') > 1.005 * bound)


def latency(h):
    """One packet in an empty fabric: links, switches and its own length, to the cycle."""
    for ad in ('minimal', 'ugal', 'pb', 'par', 'olm', 'valiant'):
        mean = sim(h, routing__adaptive=ad, traffic__load=0.0002, run__warmup=0, run__measure=200000)
        # 8 phits, 1 cycle for either host's link, 5 for each switch: an own group's switch, 10 more a local link
        switches = mean('hops_local') + mean('hops_global') + 1
        wanted = 8 + 2 + 5 * switches + 10 * mean('hops_local') + 100 * mean('hops_global')
        row(f'h = {h}: {ad}, latency without load', f'{mean("network_latency_mean"):.2f}, by its links {wanted:.2f}',
            abs(mean('network_latency_mean') - wanted) > 0.01 * wanted)


def fogsim(h):
    peers = runs.read(HERE / 'fogsim.csv')
    saturation = {}
    for peer in peers:
        size, routing, *rest = peer['case'].split('_')
        key = (size, routing, '_'.join(rest[:-1]))
        saturation[key] = max(saturation.get(key, 0), float(peer['accepted']))
    for peer in peers:
        size, routing, *rest = peer['case'].split('_')
        pattern, load = '_'.join(rest[:-1]), int(rest[-1]) / 100
        if size != f'h{h}' or routing not in ROUTINGS:
            continue
        ad, vcs, trigger = ROUTINGS[routing]
        if h == 4 and routing == 'base':
            trigger = 'contention:4,reached=yes'
        mean = sim(h, routing__adaptive=ad, routing__vcs=vcs, routing__trigger=trigger,
                   traffic__pattern=PATTERNS[pattern].format(h - 1), traffic__load=load, **WINDOW.get(h, {}))
        accepted, total = float(peer['accepted']), float(peer['latency_total_mean'])
        misrouted = float(peer['accepted_nonminimal']) / accepted
        ratio, off = mean('accepted') / accepted, mean('misrouted') - misrouted
        saturated = accepted < 0.97 * load
        flexible = routing.startswith('flex')
        light = not saturated and (flexible or load < 0.8 * saturation[size, routing, pattern])
        slower = mean('latency_mean') / total
        text = (f'accepted {accepted:.4f} {mean("accepted"):.4f} {ratio - 1:+6.1%}  '
                f'off minimal {misrouted:.3f} {mean("misrouted"):.3f} {100 * off:+5.1f}')
        if light:
            text += f'  latency {total:.1f} {mean("latency_mean"):.1f} {slower - 1:+.1%}'
        kind, value = DIFFER.get(peer['case'], (None, 0))
        if kind:
            now = {'accepted': ratio, 'misrouted': off, 'latency': slower}[kind]
            row(f'FOGSim {peer["case"]}', text + '  differs: see README.md', abs(now - value) > 0.03)
            continue
        unfair = 0
        if h == 4 and ad.startswith('olm'):
            # fairness: the variation of what switches inject
            cov = float(peer['cov'])
            unfair = mean('switch_variation') / cov - 1
            text += f'  CoV {cov:.3f} {mean("switch_variation"):.3f}'
        row(f'FOGSim {peer["case"]}', text, abs(ratio - 1) > (0.05 if saturated else 0.03) or abs(off) > 0.05
            or (not saturated and abs(off) > 0.03) or (light and abs(slower - 1) > (0.03 if flexible else 0.05)) or abs(unfair) > 0.15)


def main():
    global HEDDLE
    HEDDLE = sys.argv[1]
    for h in (2, 4) if '--all' in sys.argv[2:] else (2,):
        latency(h)
        ceilings(h)
        valiant(h)
        fogsim(h)


main()
