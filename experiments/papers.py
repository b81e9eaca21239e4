# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The claims of the five papers, and the figures and tables of each that have results: for verdicts.py."""
import collections
import functools
import itertools

import claims
import runs
from claims import Claims, at_least, interval, pieces, shown

HERE = claims.HERE


def numbers(first, last, chapter=''):
    return [f'{chapter}{n}' for n in range(first, last + 1)]


# What a row of the table, or of NOT_RUN, has to be about
FIGURES = {
    'dla': ['Figure ' + n for n in ('2', *numbers(10, 12), *numbers(14, 20))] + ['Table 1', 'Table 2'],
    'thesis': ['Figure ' + n for n in (*numbers(2, 12, '2.'), *numbers(13, 24, '2.'), *numbers(2, 5, '3.'), *numbers(7, 13, '3.'),
                                       *numbers(5, 10, '4.'), *numbers(6, 16, '5.'))]
              + ['Table ' + n for n in (*numbers(1, 3, '3.'), *numbers(1, 4, '5.'))],
    'xoradap': ['Figure ' + n for n in ('4', *numbers(7, 19))] + ['Table ' + n for n in ('1', '2', '3', '5')],
    'osha': ['Figure ' + n for n in ('2', '4', *numbers(5, 11))] + ['Table 2'],
    'qos': ['Figure ' + n for n in numbers(3, 6)] + ['Table ' + n for n in ('2', '5', '6', '9', '10')],
}
# Figures without a row of results: (paper, figures, what they have, what one does for them, what it costs, or why no simulation can judge them)
NOT_RUN = [
    ('thesis', ['Figure ' + n for n in numbers(2, 12, '2.')], 'Graph500 on a real machine, and what the equations are fitted to',
     'tests/unit/test_graph500.c has the equations', f'{claims.UNTESTABLE}: the measurements are not published'),
    ('thesis', ['Figure ' + n for n in ('3.2', '3.3', '3.7', '3.8', '3.11')], 'curves of latency and accepted load, h = 8',
     'thesis/chapter-3/run.py --resume 8', 'some 20 hours of a processor a seed'),
    ('thesis', ['Figure ' + n for n in ('3.5', '3.9', '3.12')], 'load of each switch of a group, h = 8',
     'thesis/chapter-3/run.py --resume 8', 'with the curves; their extremes are in Tables 3.1 to 3.3'),
    ('thesis', ['Figure ' + n for n in numbers(8, 10, '4.')], 'series after a change of the pattern, h = 8',
     'thesis/chapter-4/run.py 8', 'some 10 hours; h = 6 is in thesis/chapter-4/transient-h6.csv'),
    ('thesis', ['Figure 5.12'], 'a drawing of one group', 'none', f'{claims.UNTESTABLE}: it has no numbers'),
    ('xoradap', ['Figure ' + n for n in ('8', '14')], '8x8x8, uniform', 'xoradap/run.py has the systems', 'some 6 hours a seed'),
    ('xoradap', ['Figure 11'], 'most, mean and least by rule', 'xoradap/run.py --resume overload', 'least and mean are in the rows of Figure 10'),
    ('xoradap', ['Figure 18'], 'latency of the hot packets by time', 'xoradap/run.py --resume hotspot', 'an hour; its load is not told'),
]


NO_WINDOW = 'The rows are not steady, and the text does not say how long it warms up and measures'


def looked_at():
    """The rows since the last call."""
    rows = list(runs.LOOKED_AT)
    runs.LOOKED_AT.clear()
    return rows


def spread(path, columns, value, **wanted):
    """How far seeds (roots, for a program) lie from the mean of rows that are alike in those columns: claims.spread_of()."""
    groups = {}
    for row in runs.read(HERE / path):
        if all(row[key] == of for key, of in wanted.items()) and row[value]:
            groups.setdefault(tuple(row[column] for column in columns), []).append(float(row[value]))
    return claims.spread_of(groups.values())


def and_if_unsteady(table, why, of_paper=()):
    """Adds it to what claims hang on that are not judged since rows are not steady in a window that is none of the paper's."""
    quote = why.partition('"')[2].partition('"')[0]
    for row in table.rows:
        if row['verdict'] == 'not judged: window' and row['steady'] not in claims.JUDGED and row['window'] not in of_paper:
            is_quoted = quote and quote in row['hangs_on']
            row['hangs_on'] = pieces(row['hangs_on'], 'The rows are not steady' if is_quoted else why)


def few(what, off, form='.1%'):
    """Why few seeds suffice."""
    return f'{what} lie within {off:{form}} of their mean; moved by that, the verdict is the same' if off is not None else ''


# DLA

DLA = ['dla', 'd3r', 'lash', 'updn', 'dfsssp', 'sssp-df', 'minhop-df']
BUFFERS = [1, 2, 4, 8, 16, 32]
VOQ_GAINS = {'dla': 1.428, 'd3r': 2.373, 'lash': 1.288, 'updn': 1.412, 'dfsssp': 1.126, 'sssp-df': 1.298, 'minhop-df': 1.251}


def dla_rows(name, engine, load=None, voq='yes', buffers=16):
    rows = [row for row in runs.read(HERE / f'dla/{name}.csv') if row['routing.snapshot'] == engine and row['switch.voq'] == voq
            and int(row['switch.buffer'].split()[0]) == buffers]
    return rows if load is None else [row for row in rows if float(row['traffic.load']) == load]


# The scenario of each figure, and the windows that the paper states for it
DLA_SCENARIOS = {'figures-10-11': ['10', '11'], 'figure-12-table-1': ['12', '1'], 'figures-14-17': ['14', '17'], 'figures-15-18': ['15', '18'],
                 'figures-16-19': ['16', '19']}
STATED = {'figures-10-11': ('5ms', '5.1: "measured during 5ms of simulated time"'),
          'figures-14-17': ('5ms', '5.2: "during 5ms simulated time (after 1ms of warm-up)"'),
          'figures-16-19': ('1ms', '5.2: "during 1ms while the congested traffic is being transmitted, after 1ms of warm-up"')}
STATED |= {'figure-12-table-1': STATED['figures-10-11'], 'figures-15-18': STATED['figures-14-17']}
ARBITERS = {'roundrobin': 'in turn', 'age': 'by age', 'transit': 'transit first'}
# How global links are arranged, which the text does not tell, and the file of each
PALM_TREE, CONSECUTIVE = 'palm tree', 'consecutive'
ARRANGEMENTS = {PALM_TREE: 'paper-windows', CONSECUTIVE: 'consecutive'}
NAMED_NONE = 'the text names no arbiter, and no arrangement of global links'
NAMED_NO_LINKS = 'the text names no arrangement of global links'
# Of OpenSM's UPDN, by hosts; with 342 no root leaves it without credit loops on the palm tree
ROOTS = {72: ['G2S2', 'G1S2', 'G0S2'], 144: ['G2S2', 'G1S2', 'G0S2'], 342: ['G00S0', 'G00S5']}
MOST = '5.2: "DLA exhibits the best performance results on most scenarios": on which is not told'
STABLE = ('5.2: "In general, all the routing engines show a stable performance for the different network sizes under random uniform and 3D stencil traffic '
          'patterns [...] The only exception we see is for D3R and LASH, which show unstable performance when used in oversubscribed Dragonflies": that it is '
          'about full over best load is our reading, how stable is not told, and 0.95 is ours')
COMPARABLE = '5.2: "a throughput comparable to routing engines that require a larger number of VLs": how near is not told'
# Engines whose tables are the paper's with consecutive global links alone: with which hosts, and what the palm tree gives
ONLY_CONSECUTIVE = {
    'lash': ((42, 72, 144, 342), 'LASH is "lash (2SLs, 2VLs)" in the captions of Figures 10 to 12: stock OpenSM 3.3.23, which is ours, has 2 / 2 with '
                                 'consecutive global links, by which this is judged, and 3 / 3 on the palm tree of 72 hosts'),
    'updn': ((342,), 'UPDN is "in OpenSM": with 342 hosts OpenSM\'s has credit loops by every root on the palm tree; this is judged with consecutive '
                     'global links')}


def updn_words(hosts):
    first, *others = ROOTS[hosts]
    return f'UPDN is OpenSM\'s, as in the paper, by root {first}, and in turn by {" and ".join(others)} as well; the text names no root'


def dla_scenario(number):
    return next(scenario for scenario, numbers_of in DLA_SCENARIOS.items() if number in numbers_of)


# What rows of paper-windows.csv and of more-seeds.csv are known by
PAPER_ROW = ['links', 'scenario', 'hosts', 'engine', 'voq', 'packets', 'load', 'arbiter', 'warmup', 'measure']


class NotRun(Exception):
    """A reading of the text that there are no rows of."""


Reading = collections.namedtuple('Reading', 'arrangement arbiter warmup measure root')
IN_TURN = 'in turn'


def paper_readings(scenario, arrangement=PALM_TREE):
    """By their names: the text names no arbiter, and no warm-up for Figures 10 to 12."""
    measure, _ = STATED[scenario]
    readings = {name: Reading(arrangement, arbiter, '1ms', measure, 0) for arbiter, name in ARBITERS.items()}
    if STATED[scenario] == STATED['figures-10-11']:
        readings['in turn from 0 ms'] = readings[IN_TURN]._replace(warmup='0ms')
    return readings


def root_readings(scenario, hosts, arrangement=PALM_TREE):
    """As paper_readings(), by the other roots of UPDN."""
    in_turn = paper_readings(scenario, arrangement)[IN_TURN]
    return {f'root {root}': in_turn._replace(root=n) for n, root in enumerate(ROOTS[hosts]) if n}


def paper_rows(reading, name, engine, load=None, voq='yes', buffers=16):
    """As dla_rows(), of a reading of the paper; of loads there are the full and the best one alone."""
    _, number, *hosts = name.split('-')
    scenario = 'figures-10-11' if number in ('10', '12') else dla_scenario(number)
    hosts = '72' if scenario == 'figures-10-11' else hosts[0]
    if engine == 'updn' and (hosts != '342' or reading.arrangement != PALM_TREE):
        engine += f'-{ROOTS[int(hosts)][reading.root]}'
    wanted = {'scenario': scenario, 'hosts': hosts, 'engine': engine, 'voq': voq, 'packets': str(buffers), 'arbiter': reading.arbiter,
              'warmup': reading.warmup, 'measure': reading.measure}
    path = HERE / f'dla/{ARRANGEMENTS[reading.arrangement]}.csv'
    rows = [row for row in runs.read(path) if all(row[key] == value for key, value in wanted.items())
            and (load is None or float(row['load']) == load)]
    if not rows or load is None and not rows[0]['best']:
        raise NotRun(f'{path} has no {"best load" if rows else "row"} of {wanted}')
    more = {tuple(row[column] for column in PAPER_ROW): row for row in runs.read(HERE / 'dla/more-seeds.csv')}
    rows = [row | {'links': {PALM_TREE: 'palmtree', CONSECUTIVE: 'consecutive'}[reading.arrangement]} for row in rows]
    seeds = [row | {seed: value for seed, value in more.get(tuple(row[column] for column in PAPER_ROW), {}).items() if seed.isdigit()} for row in rows]
    return [{'traffic.load': row['load'], 'seed': seed, 'accepted': row[seed], 'steady': ''} for row in seeds for seed in row if seed.isdigit()]


def accepted(rows):
    return [float(row['accepted']) for row in runs.look_at(rows)]


def best(rows):
    """What is accepted at the load of the most; among loads with hardly less, at one whose rows are steady."""
    loads = {}
    for row in rows:
        loads.setdefault(row['traffic.load'], []).append(row)
    by_most = sorted(loads.values(), key=lambda of: runs.mean(of, 'accepted'), reverse=True)
    hardly_less = [of for of in by_most if runs.mean(of, 'accepted') >= .99 * runs.mean(by_most[0], 'accepted')]
    return accepted(next((of for of in hardly_less if all(map(runs.is_steady, of))), by_most[0]))


def mean(values):
    return interval(values)[0]


def ratios(ours, theirs):
    """Of the same seeds."""
    return [one / other for one, other in zip(ours, theirs)]


def above(values, bound):
    """Whether they are above it; None where their interval has it inside."""
    return at_least([value - bound for value in values])


def all_of(answers):
    """False if one is, True if all are, else None."""
    return False if False in answers else None if None in answers else True


def least_of(of):
    return min(of, key=lambda name: mean(of[name]))


def most_of(of):
    return max(of, key=lambda name: mean(of[name]))


def ahead(of, name):
    """Whether @name has more than each other, by seeds: of {name: values}."""
    return all_of([at_least([x - y for x, y in zip(of[name], values)]) for other, values in of.items() if other != name])


# Figures 16 and 19: destinations of the hot spots, whose links are full and which do not count
SPOTS = {72: 2, 342: 4, 144: 3}


# The sizes whose windows are extended until they are steady; those of the others are fixed, and not judged for it
SIZES = {'14': (72, 342), '15': (72,), '16': (72, 342), '17': (144,), '18': (144,), '19': (144,)}


def buffers_of_dla(add):
    """Figures 10 to 12 and Table 1."""
    def gain(engine, voq):
        def judged(rows):
            gains = ratios(*(best(rows('figures-10-11', engine, None, voq, packets)) for packets in (32, 1)))
            holds = above(gains, 1.05)
            return shown(gains), holds, few('five seeds of each row of Figure 12', off) if len(gains) == 1 and gains[0] * (1 - off) / (1 + off) > 1.05 else ''
        return judged

    def last(voq):
        def judged(rows):
            of = {e: ratios(*(accepted(rows('figures-10-11', e, 1, voq, packets)) for packets in (32, 16))) for e in DLA}
            return (f'{mean(of[least_of(of)]):.3f} to {mean(of[most_of(of)]):.3f} ({most_of(of)})',
                    all_of([above([-value for value in values], -1.05) for values in of.values()]), '')
        return judged

    def dfsssp_best(rows):
        of = {e: accepted(rows('figures-10-11', e, 1, 'no')) for e in DLA}
        next_one = most_of({e: values for e, values in of.items() if e != 'dfsssp'})
        holds = ahead(of, 'dfsssp')
        return (f'{"open" if holds is None else "yes" if holds else "no"} ({mean(of["dfsssp"]):.3f}, {next_one} {mean(of[next_one]):.3f})', holds, '')

    def beside_dfsssp(engine):
        def judged(rows):
            ours, theirs = (accepted(rows('figures-10-11', e, 1)) for e in (engine, 'dfsssp'))
            return f'{shown(ours)}, {shown(theirs)}', at_least([x - y for x, y in zip(ours, theirs)]), ''
        return judged

    def medians(rows, engine):
        """Of the factors of six buffers, by seed."""
        of = [ratios(*(accepted(rows('figure-12-table-1', engine, 1, voq, packets)) for voq in ('yes', 'no'))) for packets in BUFFERS]
        return [sum(sorted(factors)[2:4]) / 2 for factors in zip(*of)]

    def helped(engine):
        def judged(rows):
            values = medians(rows, engine)
            return shown(values), above(values, 1.05), ''
        return judged

    def as_told(engine, wanted, slack):
        def judged(rows):
            values = medians(rows, engine)
            not_below, not_above = above(values, wanted - slack), above([-value for value in values], -wanted - slack)
            side = 'below' if not_below is False else 'above' if not_above is False else ''
            return shown(values), all_of([not_below, not_above]), '', side
        return judged

    off = spread('dla/figure-12-table-1.csv', ('routing.snapshot', 'switch.voq', 'switch.buffer', 'traffic.load'), 'accepted')
    for figure, voq in ('Figure 10', 'no'), ('Figure 11', 'yes'):
        for engine in DLA:
            add(figure, f'bigger buffers help {engine}: 32 packets / 1, best loads', gain(engine, voq), about=engine)
        add(figure, 'little beyond 16 packets, within 5%, full load', last(voq))
    add('Figure 10', 'DFSSSP is the best, 16 packets, full load', dfsssp_best)
    for engine in 'dla', 'd3r':
        add('Figure 11', f'{engine} above DFSSSP, 16 packets, full load', beside_dfsssp(engine), about=engine)
    for engine, wanted in VOQ_GAINS.items():
        slack = .4 if engine == 'd3r' else .15
        add('Figure 12', f'VOQs help {engine} considerably: median above 1.05', helped(engine), about=engine)
        add('Table 1', f'{engine}: median factor of VOQs, within {slack:g}', as_told(engine, wanted, slack), about=engine, paper_has=str(wanted))


def sizes_of_dla(add):
    """Figures 14 to 19."""
    def stability(number, hosts, engine, unstable):
        def judged(rows):
            name = f'figure-{number}-{hosts}'
            of = ratios(accepted(rows(name, engine, 1)), best(rows(name, engine)))
            off = spread(f'dla/figure-{number}-{SIZES[number][0]}.csv', ('switch.voq', 'switch.buffer', 'traffic.load'), 'accepted',
                         **{'routing.snapshot': engine})
            firm = len(of) == 1 and (of[0] * (1 - off) / (1 + off) < .95) == (of[0] * (1 + off) / (1 - off) < .95)
            stable = above(of, .95)
            return (shown(of), stable if not unstable or stable is None else not stable,
                    few(f'three seeds of {SIZES[number][0]} hosts', off) if firm else '')
        return judged

    def full(rows, number, hosts):
        return {e: accepted(rows(f'figure-{number}-{hosts}', e, 1)) for e in DLA}

    def dla_best(number, hosts):
        def judged(rows):
            of = full(rows, number, hosts)
            next_one = most_of({e: values for e, values in of.items() if e != 'dla'})
            level = {e: values if e == 'dla' else [.99 * value for value in values] for e, values in of.items()}
            return f'{shown(of["dla"])}, {next_one} {shown(of[next_one])}', ahead(level, 'dla'), ''
        return judged

    def as_uniform(number, hosts):
        def judged(rows):
            stencil, uniform = (mean(accepted(rows(f'figure-{n}-{hosts}', 'dla', 1))) for n in (number, {'15': '14', '18': '17'}[number]))
            return f'{stencil:.3f}, uniform {uniform:.3f}', abs(stencil / uniform - 1) <= .1, ''
        return judged

    def comparable(number, hosts):
        def judged(rows):
            of = {e: [(value * hosts - SPOTS[hosts]) / (hosts - SPOTS[hosts]) for value in values] for e, values in full(rows, number, hosts).items()}
            many = of[most_of({e: values for e, values in of.items() if e not in ('dla', 'd3r', 'updn')})]
            return f'{shown(of["dla"])}, {shown(many)}', above(ratios(of['dla'], many), .85), ''
        return judged

    def updn_worst(number, hosts):
        def judged(rows):
            of = full(rows, number, hosts)
            next_one = least_of({e: values for e, values in of.items() if e != 'updn'})
            return (f'{shown(of["updn"])}, {next_one} {shown(of[next_one])}',
                    ahead({e: [-value for value in values] for e, values in of.items()}, 'updn'), '')
        return judged

    for number in '14', '17':
        for engine in DLA:
            unstable = number == '17' and engine in ('d3r', 'lash')
            for hosts in SIZES[number]:
                add(f'Figure {number}', f'{engine} is {"unstable" if unstable else "stable"}: full / best load {"below" if unstable else "at least"} .95',
                    stability(number, hosts, engine, unstable), hosts, about=engine, vague=STABLE)
        for hosts in SIZES[number]:
            add(f'Figure {number}', 'DLA is the best, or within 1% of it, full load', dla_best(number, hosts), hosts, vague=MOST)
    for number, sizes in ('15', (72, 342)), ('18', (144,)):
        for hosts in sizes:
            add(f'Figure {number}', 'DLA as under uniform traffic, within 10%', as_uniform(number, hosts), hosts, departs='text',
                hangs_on='where the stencil\'s hosts are in the box is not told')
    for number in '16', '19':
        for hosts in SIZES[number]:
            add(f'Figure {number}', 'DLA comparable to engines with more VLs, within 15%', comparable(number, hosts), hosts, vague=COMPARABLE)
    for number, sizes in SIZES.items():
        add(f'Figure {number}', 'UPDN is the worst, full load', updn_worst(number, sizes[0]), sizes[0], about='updn')


def dla():
    table = Claims('dla')
    runs.LOOKED_AT.clear()
    for figure, claim, test in (
            ('Figure 2', 'flows of global over local links, p = 1 to 8', 'tests/unit/test_load.c'),
            ('Table 2', 'DLA 1 SL 2 VLs, D3R 2 / 2, UPDN 1 / 1; DF-DN 3 VLs', 'tests/unit/test_engines.c')):
        table.add(figure, claim, 'exact', True, [], scenario=test, size='72 to 2,550 hosts', steady='proved')
    table.add('Table 2', 'LASH 2 2 3 3 VLs', 'palm tree 3 4 6 7; consecutive 2 2 3 3', None, [], paper_has='2 2 3 3', scenario='capture.sh',
              steady='proved', size='72 to 2,550 hosts', departs='text',
              hangs_on='"All these network configurations assume a fully-connected intra- and inter-group network": how global links are arranged is '
                       'not told, and LASH needs as many VLs as the paper has where they are consecutive')

    def readings_of(readings, judged):
        """What is seen and whether it holds, by readings, where there are rows of one. As @judged of add() gives it."""
        found = {}
        for label, reading in readings.items():
            before = list(runs.LOOKED_AT)
            try:
                found[label] = judged(functools.partial(paper_rows, reading))
            except NotRun:
                runs.LOOKED_AT[:] = before
        return found

    def answers_of(*of):
        return {(answer, *side) for found in of for _, answer, _, *side in found.values()}

    def differs(*of):
        return len({answer for answer in answers_of(*of) if answer[0] is not None}) > 1

    def shown_of(found):
        """Each reading, where they differ in the answer."""
        return found[IN_TURN][0] if len(answers_of(found)) == 1 else '; '.join(f'{label} {value}' for label, (value, *_) in found.items())

    def seen(palm, consecutive):
        """Both arrangements, where they differ in the answer, or one of them does by readings."""
        if not palm or not consecutive or len(answers_of(palm, consecutive)) == 1:
            return shown_of(palm or consecutive)
        return f'{shown_of(palm)}; {CONSECUTIVE}: {shown_of(consecutive)}'

    def answer_of(found):
        """In a word, or what it hangs on."""
        words = answers_of(found)
        if not words:
            return 'not run'
        if len(words) == 1:
            return WORDS[next(iter(words))[0]]
        if not differs(found):
            return 'seeds do not tell'
        of = [('the arbiter', ARBITERS.values()), ('the root', [IN_TURN, *(label for label in found if label.startswith('root'))]),
              ('the warm-up', [label for label in found if label.startswith(IN_TURN)]), ('the window', found)]
        return next(what for what, labels in of if differs({label: found[label] for label in labels if label in found})) + ' decides'

    def told(palm, consecutive):
        """How readings that the text leaves open answer."""
        if len(answers_of(palm, consecutive)) == 1:
            by_each = 'by each of three, and ' if 'by age' in palm else ''
            return [f'{NAMED_NONE}: the answer is the same {by_each}on the palm tree and with consecutive links']
        return [NAMED_NONE, f'whether it holds: on the palm tree {answer_of(palm)}, with consecutive links {answer_of(consecutive)}']

    def told_alone(found):
        """The same, of consecutive links alone."""
        if len(answers_of(found)) == 1:
            return [f'the text names no arbiter{": the answer is the same by each of three" if "by age" in found else ""}']
        return ['the text names no arbiter', f'whether it holds: with consecutive links {answer_of(found)}']

    arbiter_decides = []

    def add_steady(figure, claim, judged, palm, rows, scenario, common, vague):
        """A claim whose rows are steady, with in-ports served in turn: in the paper's window there are other readings. @vague: as of add()."""
        ours, holds, few_seeds, *_ = palm[IN_TURN]
        others = {label: of for label, of in paper_readings(scenario).items() if label in list(ARBITERS.values())[1:]}
        palm |= readings_of(others, judged)
        palm |= readings_of({f'{label} by 16 ms': reading._replace(measure='auto') for label, reading in others.items()}, judged)
        consecutive = readings_of({label: of for label, of in paper_readings(scenario, CONSECUTIVE).items() if label in ARBITERS.values()}, judged)
        looked_at()
        window = ', '.join(runs.unique(f'{row["run.warmup"]}+{row["run.measure"]}' for row in rows))
        hangs_on = [f'{STATED[scenario][1]}: rows in turn, on the palm tree, are steady, and other readings are judged in that window'] + told(palm, consecutive)
        if {*palm, *consecutive} == {IN_TURN}:
            hangs_on.append('run only with in-ports served in turn')
        differ = differs(palm, consecutive)
        holds = None if None in {answer for answer, *_ in answers_of(palm, consecutive)} else holds
        table.add(figure, claim, seen(palm, consecutive), holds, rows, window=window, few_seeds=few_seeds,
                  departs='text' if differ or vague and holds is False else '', hangs_on=pieces(*hangs_on, vague), **common)

    def add(figure, claim, judged, hosts=72, about='', departs='', hangs_on='', paper_has='', vague=''):
        """
        @judged: what rows show, whether the claim holds, and why few seeds suffice, of rows of whatever window; where it fails in one
        of two ways, in which. @about: the engine, of a claim about one. @vague: a sentence that can be confirmed, and not contradicted;
        where seeds do not tell, nothing is said of it.
        """
        number = figure.split()[1]
        scenario = dla_scenario(number)
        common = {'scenario': f'dla/{scenario}.ini', 'size': f'{hosts} hosts', 'paper_has': paper_has}
        looked_at()
        ours, holds, few_seeds, *side = judged(dla_rows)
        rows = looked_at()
        if departs:
            window = ', '.join(runs.unique(f'{row["run.warmup"]}+{row["run.measure"]}' for row in rows))
            table.add(figure, claim, ours, holds, rows, window=window, few_seeds=few_seeds, departs=departs, hangs_on=hangs_on, **common)
            return
        some, other_words = ONLY_CONSECUTIVE.get(about, ((), ''))
        only_consecutive = hosts in some
        if claims.steadiness(rows) == 'yes' and not only_consecutive:
            add_steady(figure, claim, judged, {IN_TURN: (ours, holds, few_seeds, *side)}, rows, scenario, common, vague)
            return
        palm, consecutive = (readings_of(paper_readings(scenario, of) | (root_readings(scenario, hosts, of) if about == 'updn' else {}), judged)
                             for of in (PALM_TREE, CONSECUTIVE))
        palm = {} if only_consecutive else palm
        rows = looked_at()
        _, in_window, *_ = (palm or consecutive)[IN_TURN]
        differ, other = differs(palm, consecutive), not only_consecutive and about != 'updn' and {True, False} == {holds, in_window}
        by_smaller = in_window is False and (figure, claim) in arbiter_decides and 'by age' not in palm
        if differ:
            arbiter_decides.append((figure, claim))
        hangs = [other_words] if only_consecutive else []
        hangs += [f'{STATED[scenario][1]}, which this is judged in, since rows are not steady by 16 ms']
        hangs += [] if 'by age' in {*palm, *consecutive} else ['run only with in-ports served in turn']
        hangs += told(palm, consecutive) if palm else told_alone(consecutive)
        hangs += ['with fewer hosts the answer differs between arbiters'] if by_smaller else []
        hangs += ['by 16 ms the answer is the other one'] if other else []
        hangs += [updn_words(hosts)] if about == 'updn' else []
        hangs += [vague] if vague else []
        holds = None if None in {answer for answer, *_ in answers_of(palm, consecutive)} else in_window
        table.add(figure, claim, seen(palm, consecutive) + (f'; by 16 ms ~{ours}' if other else ''), holds, rows,
                  window='; '.join(runs.unique(f'{of.warmup}+{of.measure}' for label, of in paper_readings(scenario).items() if label in {*palm, *consecutive})),
                  steady='paper', departs='text' if differ or by_smaller or vague and holds is False else '', hangs_on=pieces(*hangs), **common)

    buffers_of_dla(add)
    sizes_of_dla(add)
    cellia(table)
    for row in table.rows:
        if 'dfsssp' in (row['claim'] + row['ours']).lower() and '±' in row['ours']:
            row['hangs_on'] = pieces(row['hangs_on'], CAPTURES)
    return table.rows


CELLIA = '"42-node (a = 3, h = 3, p = 2)" in 7 groups: h = 3 has 10, so both readings were run'
# That leave OpenSM's UPDN without credit loops on both networks, by arrangement of global links
CELLIA_ROOTS = {PALM_TREE: ['G0S1', 'G1S0', 'G1S1', 'G2S2', 'G3S0'], CONSECUTIVE: ['G1S0', 'G2S2', 'G3S0']}
CELLIA_UPDN = ('UPDN is OpenSM\'s, as in the paper, by ' + ', and '.join(f'{", ".join(of)} ({name})' for name, of in CELLIA_ROOTS.items()) +
               '; the text names no root')
SIMILAR = '5.3: "similar, in many cases, to those of D3R, DFSSSP and LASH": in which, and how near, is not told'
WORDS = {True: 'yes', False: 'no', None: 'open'}
CAPTURES = ('stock OpenSM\'s DFSSSP has other tables in each capture: rows of the same seed move by up to 10% between captures, which the interval of one '
            'capture does not have')


def cellia(table):
    """Figure 20, on both readings of its network, with both arrangements of global links."""
    def add(reading, program, claim, ours, holds, **more):
        table.add('Figure 20', f'{program}: {claim}', ours, holds, looked_at(), scenario='dla/figures-14-17.ini', size=f'42 hosts, {reading}',
                  window='1ms+auto' if program == 'ebb' else 'all',
                  **({'hangs_on': CELLIA} | more))

    readings = 'h=2', 'h=3,g=7'

    def values(reading, program, engine, arrangement=PALM_TREE):
        wanted = reading + {PALM_TREE: '', CONSECUTIVE: ',global=consecutive'}[arrangement], program, engine
        rows = [row for row in runs.read(HERE / 'dla/cellia.csv') if (row['reading'], row['program'], row['engine']) == wanted]
        return {row['seed']: -float(row['makespan']) / 1000 if row['makespan'] else float(row['accepted']) for row in runs.look_at(rows)}

    def worst(reading, program, arrangement):
        """Whether UPDN is, by root; what is shown of it, and how many roots say what."""
        def with_root(root):
            return {engine: values(reading, program, f'updn-{root}' if engine == 'updn' else engine, arrangement) for engine in DLA}

        of = {root: with_root(root) for root in CELLIA_ROOTS[arrangement]}
        answers = [best_is(engines, 'updn', -1)[1] for engines in of.values()]
        number = ', '.join(f'{answers.count(answer)} {word}' for answer, word in WORDS.items() if answer in answers)
        means = sorted(abs(mean(list(engines['updn'].values()))) for engines in of.values())
        others = {engine: list(seeds.values()) for engine, seeds in next(iter(of.values())).items() if engine != 'updn'}
        form = '.0f' if means[0] >= 10 else '.3f'
        return answers, f'{means[0]:{form}} to {means[-1]:{form}}, {least_of(others)} {shown([abs(v) for v in others[least_of(others)]])}: {number}', number

    for reading in readings:
        for program in 'PTRANS in order', 'PTRANS at random', 'ebb':
            # what the text can be read as: by which root, on which network
            of = {(network, arrangement): worst(network, program, arrangement) for network in readings for arrangement in ARRANGEMENTS}
            looked_at()
            worst(reading, program, PALM_TREE)
            answers = [answer for some, *_ in of.values() for answer in some]
            differ = {True, False} <= {*answers}
            mine, other = ([of[network, arrangement] for arrangement in ARRANGEMENTS] for network in (reading, readings[1 - readings.index(reading)]))
            add(reading, program, 'UPDN is the worst',
                f'by root {mine[0][1]}; {CONSECUTIVE}: {mine[1][1]}; on the other network {other[0][2]}; {CONSECUTIVE}: {other[1][2]}',
                all_of(mine[0][0]) if differ else all_of(answers),
                hangs_on=pieces(CELLIA, f'{NAMED_NO_LINKS}; networks, links or roots differ in the answer' if differ else NAMED_NO_LINKS, CELLIA_UPDN),
                departs='text' if differ else '',
                few_seeds='nothing is drawn: seeds 1 to 3 give the same time to the nanosecond' if program == 'PTRANS in order' else '')
        for engine in 'd3r', 'dfsssp', 'lash':
            of = {arrangement: alike(*(values(reading, 'PTRANS at random', name, arrangement) for name in ('dla', engine)), .1)
                  for arrangement in ARRANGEMENTS if engine != 'lash' or arrangement == CONSECUTIVE}
            answers = {holds for _, holds in of.values()}
            differ = len(answers - {None}) > 1
            ours = next(iter(of.values()))[0] if len(answers) == 1 else '; '.join(f'{name}: {value}' for name, (value, _) in of.items())
            holds = None if None in answers else next(iter(of.values()))[1]
            # the sentence is of many cases, and not of each
            add(reading, 'PTRANS at random', f'DLA similar to {engine}, within 10%', ours.replace('-', ''), holds, departs='text' if differ or holds is False else '',
                hangs_on=pieces(CELLIA, ONLY_CONSECUTIVE['lash'][1] if engine == 'lash' else
                                f'{NAMED_NO_LINKS}: the answer {"differs" if differ else "is the same"} on the palm tree and with consecutive links',
                                SIMILAR if holds is False else ''))

        of = functools.partial(values, reading)
        less_of = [mean(list(of('RandomAccess', engine).values())) for engine in ('sssp-df', 'minhop-df')]
        others = [mean(list(of('RandomAccess', engine).values())) for engine in ('dla', 'd3r', 'dfsssp', 'lash')]
        add(reading, 'RandomAccess', 'SSSP-DF and MINHOP-DF below the others',
            f'{-less_of[0]:.0f}, {-less_of[1]:.0f}, others {-max(others):.0f} to {-min(others):.0f} us', max(less_of) < min(others),
            departs='size', hangs_on='recorded are 16 tasks, not 42 nodes\'')


# The thesis

MIDDLE = ('4.3.1: "similar to those under ADV+1 traffic, except for a drop": one local link is the minimal path of h global in-ports, '
          'so th < h is needed; the thesis has th 6 and h = 8')
REDRAWN = ('5.3.2: "packets at injection can recalculate the Valiant intermediate router", which is "only restricted to be located outside the '
           'destination group" (5.3.3.3): with the source\'s group among the vias FlexVC collapses')
WINDOW = ('Table 1.2: "60,000 cycles (warmup) + 60,000 cycles", and h = 8: some 20 minutes of a processor a row (idle.py). The window of these '
          'rows is shorter, and they are not steady in it')
H8 = '16,512 hosts'
GROUPS = ('3.1.3.1 has ADVc to "destinations in the h groups", with which MIN can carry 0.0625; 3.3 has "for ADVc it saturates at 0.05", which is nearer to '
          'h - 1 groups, 0.055')
LEAST = ('Table 1.2: "60,000 cycles (warmup) + 60,000 cycles". Above saturation the least served switch has more in a longer window: In-Trns-MM of h = 4 '
         'has 0.0349 in 20,000 cycles and 0.0472 in 200,000, both steady in what all accept; these rows have 10,000')
ADVC = ('PB\'s F and T are not told; and ADVc goes to "the h groups" (3.1.3.1), but "saturates at 0.05" by MIN (3.3), which is nearer to h - 1 (0.055 '
        'instead of 0.0625)')
STATED_3 = 'Table 1.2: "60,000 cycles (warmup) + 60,000 cycles", which this is judged in'


# Sentences of chapter 2 that can be confirmed, and not contradicted
CHAPTER_2 = {'comparable': '2.3: "Execution times are now comparable to the figures from the first case": how near is not told',
             '0.25 s': '2.3: "in a real system the network usage would be likely upper bounded around 0.5": 0.25 s are of that system, and of no simulation'}


def chapter_2(table):
    compare = claims.module('thesis/chapter-2/compare')
    results = compare.Results()
    of_figure = {'72, VAL': 'Figure 2.16', '64 in two groups, MIN': 'Figure 2.18', '64 in two groups, VAL': 'Figure 2.20',
                 '160 in five groups, MIN': 'Figure 2.21', '160, VAL': 'Figure 2.23'}
    off = max(spread('thesis/chapter-2/claims.csv', ('network', 'routing', 'speedup', 'delay', 'query'), column) for column in ('makespan', 'network_use'))
    looked_at()
    figure, rows = 'Figure 2.13', []
    for claim, least, most, value in compare.claims(results, 26):
        if not claim.startswith('...'):
            figure = next((f for start, f in of_figure.items() if claim.startswith(start)), 'Figure 2.13' if 'use' not in claim else 'Figure 2.14')
        rows = looked_at() or rows
        more = {}
        if isinstance(value, tuple):
            bounds, holds = 'VAL of 72 < it < MIN of 72', None not in value and value[1] < value[0] < value[2]
            firm = None not in value and claims.holds_anyway(lambda v: v['least'] < v['it'] < v['most'],
                                                             dict(zip(('it', 'least', 'most'), value)), off)
            ours = '' if None in value else ', '.join(f'{v:.3f}' for v in value)
        else:
            bounds, holds = f'{least:g} .. {most:g}', value is not None and least <= value <= most
            ours = '' if value is None else f'{value:.4f}' if abs(value) < .1 else f'{value:.3f}'
            # of one program, of two, or what one lacks of the other
            by = 0 if value is None else off * (value if 'use' in claim or '0.25 s' in claim else 2 * value if 'more time' not in claim and
                                                'less time' not in claim else 2)
            firm = value is not None and all((least <= moved <= most) == holds for moved in (value - by, value + by))
        if '72 processes, MIN: use' in claim:
            more = {'departs': 'text', 'hangs_on': 'the crossbar\'s speed: Table 1.2 has twice the links\', chapter 2 says nothing; with it 0.776'}
        pair = next((pair for pair in compare.PAIRS if claim.endswith(pair)), '')
        roots = compare.by_roots(results, pair) if pair else []
        if len(roots) >= claims.SEEDS:
            rows, ours, holds = looked_at(), shown(roots), all(least <= value <= most for value in roots)
        runs.LOOKED_AT.clear()
        said = next((said for words, said in CHAPTER_2.items() if words in claim), '')
        if '0.25 s' in claim and ours:
            more = {'departs': claims.UNTESTABLE, 'hangs_on': said}
        elif said and ours and not holds:
            more = {'departs': 'text', 'hangs_on': said}
        table.add(figure, claim, ours, holds, rows if ours else [], paper_has=bounds, scenario='thesis/chapter-2/router.ini',
                  size='scale 26', window='all', few_seeds=few('five roots of three networks', off) if firm else '', **more)
    for figure in '2.15', '2.17', '2.19', '2.22', '2.24':
        table.add(f'Figure {figure}', 'curves, of which the text has no numbers', 'in README.md', None, results.rows[:1],
                  scenario='thesis/chapter-2/router.ini', size='scale 26', window='all', departs=claims.UNTESTABLE)


def chapter_3(table):
    compare = claims.module('thesis/chapter-3/compare')
    scenario, window = 'thesis/chapter-3/router.ini', '10,000+10,000'
    def of(path, **wanted):
        return [row for row in runs.read(HERE / f'thesis/chapter-3/{path}.csv') if row.get('pattern', 'ADVc') == 'ADVc' and
                all(float(row[key]) == value if key == 'load' else row[key] == value for key, value in wanted.items())]

    for number, (arbiter, routings) in enumerate(compare.THESIS.items(), 1):
        for routing, points in routings.items():
            for load, least, _, _ in points:
                this = {'arbiter': arbiter, 'routing': routing, 'load': load}
                long, mine = of('long-h8', **this), of('h8', **this)
                common = {'paper_has': f'{least:.4f}', 'scenario': scenario, 'size': H8}
                claim = f'{routing} at {load:g}: least served switch, {"at most .02" if least < .02 else "within 25%"}'
                # a switch that starves has next to nothing
                def right(value, least=least):
                    return value <= .02 if least < .02 else abs(value / least - 1) <= .25

                like = [float(row['switch_min']) for row in of('h4', **this)]
                off = max(abs(value - mean(like)) for value in like) if len(like) >= claims.SEEDS else None
                more = {'departs': 'text', 'hangs_on': ADVC if routing != 'MIN' else GROUPS} if routing.startswith('Src') or routing == 'MIN' and load > .5 else {}
                by_groups = {row['groups']: row for row in of('groups', h='8', **this)} if routing == 'MIN' else {}
                if len(by_groups) == 2:  # no F and T, and both readings of ADVc
                    mine = list(by_groups.values())
                    ours = '; '.join(f'{count} groups {float(row["switch_min"]):.4f}' for count, row in by_groups.items())
                    values = [float(row['switch_min']) for row in mine]
                    more = {'departs': 'text' if len(set(map(right, values))) > 1 else '', 'hangs_on': GROUPS}
                else:
                    mine = long or mine
                    values = [mean([float(row['switch_min']) for row in mine])] if mine else [0]
                    ours = f'{values[0]:.4f}'
                    if long:
                        more = {'hangs_on': STATED_3, 'steady': 'paper'} | more
                holds = all(map(right, values))
                if load > .5 and mine and not (long or more):
                    more = {'departs': 'window', 'hangs_on': LEAST}
                firm = off is not None and all(right(max(value + sign * off, 0)) == holds for value in values for sign in (-1, 1))
                why = few(f'{"five" if len(like) > 3 else "three"} seeds of h = 4', off, '.4f') if firm else ''
                table.add(f'Table 3.{number}', claim, ours, holds, mine, few_seeds=why, window='60,000+60,000' if long and mine is long else window,
                          **common | more)
    for h, name in (8, 'parts-h8'), (4, 'parts-h4'):
        part = {float(row['load']): row for row in runs.read(HERE / f'thesis/chapter-3/{name}.csv') if (row['arbiter'], row['seed']) == ('transit', '1')}
        waits = {load: float(row['latency_injection']) for load, row in part.items() if load <= .5}

        def falls(v):
            return max(v, key=v.get) in (.1, .2) and v[.4] < v[.2]

        off = spread('thesis/chapter-3/parts-h4.csv', ('arbiter', 'routing', 'load'), 'latency_injection', arbiter='transit')
        firm = off is not None and claims.holds_anyway(falls, waits, off)
        table.add('Figure 3.4', 'waiting at injection is most at 0.1 or 0.2, and falls from there', ', '.join(f'{v:.0f}' for v in waits.values()),
                  falls(waits), [part[load] for load in waits], scenario=scenario,
                  few_seeds=few('three seeds of h = 4', off) if firm else '', size=H8 if h == 8 else '1,056 hosts', window=window, **({} if h == 8 else {'departs': 'size'}))
    sizes = runs.read(HERE / 'thesis/chapter-3/sizes.csv')
    for figure, arbiter, routing, claim, grows in (
            ('Figure 3.10', 'roundrobin', 'Src-CRG', 'round robin: unfairness grows with size by Src-CRG (CoV)', True),
            ('Figure 3.13', 'age', 'In-Trns-MM', 'age: In-Trns-MM is fair at every size (CoV)', False)):
        mine = sorted((row for row in sizes if (row['arbiter'], row['routing']) == (arbiter, routing)), key=lambda row: int(row['h']))
        uneven = [float(row['switch_variation']) for row in mine]
        table.add(figure, claim, ', '.join(f'{v:.3f}' for v in uneven), uneven == sorted(uneven) if grows else max(uneven) < .02, mine,
                  scenario=scenario, size=f'h = 2 to {mine[-1]["h"]}', window='20,000+20,000', departs='' if mine[-1]['h'] == '10' else 'size')


def chapter_4(table):
    def rows(name, **wanted):
        return [row for row in runs.read(HERE / f'thesis/chapter-4/{name}.csv') if all(row[k] == str(v) for k, v in wanted.items())]

    def add(figure, claim, values, holds, form='.3f', **more):
        common = {'scenario': 'thesis/chapter-4/router.ini', 'window': '8,000+8,000', 'size': '5,256 hosts (h = 6)', 'departs': 'size'}
        table.add(figure, claim, ', '.join(f'{name} {value:{form}}' for name, value in values.items()), holds(values), looked_at(), **common | more)

    def largest(part, points, column='accepted'):
        """Values of {name: (routing, pattern, load)} with h = 8 where all were run, else with h = 6; and the size."""
        for h in 8, 6:
            found = {name: rows(f'{part}-h{h}', routing=routing, pattern=pattern, load=load) for name, (routing, pattern, load) in points.items()}
            if all(found.values()):
                break
        values = {name: float(runs.look_at(of)[0][column]) for name, of in found.items()}
        return values, {'size': H8, 'departs': ''} if h == 8 else {}

    def firmly(values, holds, more, column):
        """Why one seed suffices, where it does."""
        off = spreads[column]
        return more | {'few_seeds': few('three seeds of ADV+h, h = 3 and 4,', off) if claims.holds_anyway(holds, values, off) else ''}

    def claim_of(figure, claim, part, points, holds, column='accepted', form='.3f', **also):
        values, more = largest(part, points, column)
        add(figure, claim, values, holds, form, **firmly(values, holds, more, column), **also)

    def at(names, pattern, load):
        return {name: (name, pattern, load) for name in names}

    spreads = {column: max(spread('thesis/chapter-4/middle.csv', ('routing', 'th'), column, h=h) for h in '34') for column in ('accepted', 'latency_mean')}
    looked_at()
    counters = ['Base', 'Filtered', 'Hybrid', 'ECtN']
    claim_of('Figure 4.5', 'UN at 1: thresholds below 6 cost', 'thresholds', at([f'th {n}' for n in (3, 4, 6)], 'UN', 1),
             lambda v: v['th 3'] < v['th 4'] < v['th 6'])
    claim_of('Figure 4.5', 'ADV+1 at 0.2: the lower the threshold, the less latency', 'thresholds', at([f'th {n}' for n in (6, 8, 12)], 'ADV+1', .2),
             lambda v: v['th 6'] < v['th 8'] < v['th 12'], 'latency_mean', '.0f',
             hangs_on='4.2.2: "higher threshold values provide better response under uniform traffic, and lower values improve throughput and latency under '
                      'adversarial traffic"')
    claim_of('Figure 4.6', 'a) UN at 0.5: Base, Filtered, ECtN have MIN\'s latency, within 3%', 'steady', at(['MIN', 'Base', 'Filtered', 'ECtN'], 'UN', .5),
             lambda v: max(v.values()) <= 1.03 * v['MIN'], 'latency_mean', '.0f')
    claim_of('Figure 4.6', 'a) UN at 0.5: Hybrid has OLM\'s latency, within 3%', 'steady', at(['OLM', 'Hybrid'], 'UN', .5),
             lambda v: abs(v['Hybrid'] / v['OLM'] - 1) <= .03, 'latency_mean', '.0f')
    claim_of('Figure 4.6', 'a) UN: none above 0.8', 'steady', at(['MIN', 'OLM', *counters], 'UN', 1), lambda v: max(v.values()) <= .8)
    # with h = 8 ECtN was not run
    for part, h in ('h8', 8), ('h6', 6):
        some = counters[:3] if h == 8 else counters
        def slightly(v):
            return all(.5 < x < .53 for x in v.values())

        values = {n: float(runs.look_at(rows(f'steady-{part}', routing=n, pattern='ADV+1', load=1))[0]['accepted']) for n in ('OLM', *some)}
        add('Figure 4.6', 'b) ADV+1 at 1: counters as OLM, slightly above 0.5', values, slightly,
            **firmly(values, slightly, {'size': H8, 'departs': ''} if h == 8 else {}, 'accepted'))
    claim_of('Figure 4.6', 'b) ADV+1 at 0.2: ECtN has the least latency', 'steady', at(['OLM', *counters], 'ADV+1', .2),
             lambda v: min(v, key=v.get) == 'ECtN', 'latency_mean', '.0f')
    values = {n: float(runs.look_at(rows('steady-h6', routing=n, pattern='ADV+h', load=1))[0]['accepted']) /
              float(runs.look_at(rows('steady-h6', routing=n, pattern='ADV+1', load=1))[0]['accepted']) for n in ('OLM', *counters)}
    add('Figure 4.6', 'c) ADV+h at 1: counters as with ADV+1 but for a drop, within 10%', values, lambda v: min(v.values()) >= .9, hangs_on=MIDDLE)
    for h, hosts in ('2', '72'), ('3', '342'), ('4', '1,056'):
        for above in -1, 1:
            mine = {name: [row for row in runs.read(HERE / 'thesis/chapter-4/middle.csv') if (row['h'], row['routing']) == (h, name)
                           and row['th'] in ('0', str(int(h) + above))] for name in ('Base', 'OLM')}
            if all(mine.values()):
                runs.look_at(mine['Base'] + mine['OLM'])
                values = {name: mean([float(row['accepted']) for row in of]) for name, of in mine.items()}
                add('Figure 4.6', f'c) ADV+h at 1: Base as OLM but for 10%, th = h {"+" if above > 0 else "-"} 1', values, lambda v: v['Base'] >= .9 * v['OLM'],
                    size=f'{hosts} hosts (h = {h})', hangs_on=MIDDLE)
    some = [n for n in ('OLM', 'Base') if rows('steady-h8', pattern='ADV+h', routing=n, load=1)]
    if 'Base' in some:
        values = {n: float(runs.look_at(rows('steady-h8', routing=n, pattern='ADV+h', load=1))[0]['accepted']) /
                  float(runs.look_at(rows('steady-h8', routing=n, pattern='ADV+1', load=1))[0]['accepted']) for n in some}
        off, drops = spreads['accepted'], min(values.values()) >= .9
        firm = all((value * moved >= .9) == drops for value in values.values() for moved in ((1 - off) / (1 + off), (1 + off) / (1 - off)))
        add('Figure 4.6', 'c) ADV+h at 1: Base, th 6, as with ADV+1 but for a drop, within 10%', values, lambda v: drops, size=H8, departs='',
            hangs_on=MIDDLE, few_seeds=few('three seeds of ADV+h, h = 3 and 4,', off) if firm else '')
    claim_of('Figure 4.6', 'c) ADV+h at 0.2: OLM\'s latency below ECtN\'s', 'steady', at(['OLM', 'ECtN'], 'ADV+h', .2),
             lambda v: v['OLM'] < v['ECtN'], 'latency_mean', '.0f')
    for share in '25%', '50%', '75%':
        claim_of('Figure 4.7', f'{share} ADV+1: ECtN has the least latency', 'mixed', at(['PB', 'OLM', 'Base', 'ECtN'], f'{share} ADV+1', .35),
                 lambda v: min(v, key=v.get) == 'ECtN', 'latency_mean', '.0f')


def chapter_5(table):
    compare = claims.module('thesis/chapter-5/compare')
    figures = {'FlexVC': 'Figure 5.7', 'BURSTY': 'Figure 5.7', '64/256': 'Figure 5.8', 'No speed-up': 'Figure 5.15', 'request-reply': 'Figure 5.9',
               'hosts wait': 'Figure 5.9', 'PB, UN': 'Figure 5.10', 'PB, ADV+1': 'Figure 5.11', 'PB DAMQ': 'Figure 5.11', 'without recompute': 'Figure 5.13',
               'In-transit': 'Figure 5.14', 'Selections': 'Figure 5.16', 'DAMQ': 'Figure 5.6'}
    found = set()
    # a claim is of the largest one that it was run on
    for h, hosts in (8, H8), (4, '1,056 hosts'), (3, '342 hosts'), (2, '72 hosts'):
        looked_at()
        rows, start = [], ''
        off = spread('thesis/chapter-5/results-h3.csv', ('name', 'load'), 'latency_mean', part='oblivious', pattern='BURSTY-UN')
        for claim, bounds, value, holds in compare.claims(compare.Results(runs.read(HERE / f'thesis/chapter-5/results-h{h}.csv'))):
            start = claim if not claim.startswith('...') else start
            full = claim if claim == start else f'{start.split(",")[0]}, {claim}'
            rows = looked_at() or (rows if claim.startswith('...') else [])
            is_long = start.startswith('hosts wait')
            if full in found or holds is None and (h == 8 or is_long and h > 2) or h < 4 and not is_long:
                continue
            found.add(full)
            departs, hangs, why = '' if h == 8 else 'size', '', ''
            if start.startswith('BURSTY') and value and off:
                low, _, high = bounds.rstrip('%').partition(' .. ')
                ratio = 1 + float(value.rstrip('%')) / 100
                if all(float(low) <= 100 * (ratio * moved - 1) <= float(high) for moved in ((1 - off) / (1 + off), (1 + off) / (1 - off))):
                    why = few('three seeds of h = 3', off)
            if value == 'deadlock':
                why = 'a deadlock that is seen once is there'
            if start.startswith('request-reply'):
                departs, hangs = 'window', 'what is accepted still falls after 8,000 cycles'
            elif claim.startswith('FlexVC VAL'):
                departs, hangs = 'text', REDRAWN
            elif 'PB' in claim or start.startswith('without'):
                departs, hangs = 'set-up', '5.3.3.3: PB\'s via is "only restricted to be located outside the destination group"; here outside the source\'s'
            table.add(next(f for word, f in figures.items() if start.startswith(word)), full, value, holds, rows if holds is not None else [],
                      few_seeds=why, paper_has=bounds, scenario='thesis/chapter-5/router.ini', size=hosts, window='60,000+60,000' if is_long else '4,000+4,000', departs=departs, hangs_on=hangs,
                      steady='whole' if value == 'deadlock' else '')
    for number, what in enumerate(('diameter 2', 'diameter 2, requests and replies', 'dragonfly', 'dragonfly, requests and replies'), 1):
        table.add(f'Table 5.{number}', f'which paths {what} VCs allow', 'exact', True, [], scenario='tests/unit/test_flexvc.c', steady='proved')


def thesis():
    table = Claims('thesis')
    for chapter in chapter_2, chapter_3, chapter_4, chapter_5:
        chapter(table)
    and_if_unsteady(table, WINDOW, ['60,000+60,000'])
    return table.rows


# XORDET and XORADAP

HOT = ('"computed in such a way that it does not exceed the node ejection bandwidth", but 10,000 packets by cycle 260,000 want a link that is always '
       'busy: both were run; load and place are not told')


QUEUES = '"4-packet queues both at their input and output ports": whether an output port has one for each VC is not told; both were run'
NEARLY = '5.1.1: "any HoL-blocking reduction algorithm is able to reach nearly the same performance as VOQnet": how near is not told'
REACHES = '5.1.2: "Any of the configurations of XORADAP is able to reach the same performance obtained with fully adaptive routing": more is reached, too'
LOWEST = ('5.1.2: "for medium to high traffic rates (i.e. 0.3 flits/cycle/node)", "XORDET obtain the lowest latency values": it has the most at each load from '
          'there up to what it accepts')
ADAPTIVE = 'FA 8+1', 'XORADAP-2', 'XORADAP-4', 'XORADAP-8'
LATE = ('The best load is the last before adaptive routing collapses, and it collapses late: on 8x8 at 0.9 fully adaptive routing accepts 0.896 in this window, and '
        '0.811 in ten times it')
EDGE = ('Ten times as long, XORADAP-2 collapses at 0.35, to 0.196, and fully adaptive routing keeps 0.328: at that edge one seed does not suffice')
ALIKE = 'Fully adaptive routing at 0.4 accepts 0.275 in that window and in ten times it'
ROUGHLY = '5.1.2: "roughly the same throughput", "roughly the same results": how near is not told, and the bound is ours'
DIRECTIONS = {'loses': '"BBQ, which drives down its performance significantly"',
              'as by XY': '"roughly the same performance as the one obtained with XY routing": how near is not told, and within 10% would hold of XORDET',
              'less affected': '"Contrary to DBBM and BBQ, they are less affected by changes in the routing algorithm"'}


def xoradap():
    table = Claims('xoradap')
    for number, claim, test in (('Table 1', 'destinations of DBBM by VC', 'tests/unit/test_queues.c'), ('Table 2', 'of IODET', 'tests/unit/test_groups.c'),
                                ('Table 3', 'of XORDET', 'tests/unit/test_queues.c'), ('Figure 4', 'VCs of XORDET, 8x8', 'tests/unit/test_queues.c'),
                                ('Table 5', 'switching elements; two cells of the paper are not what its Table 4 gives', 'tests/unit/test_groups.c')):
        table.add(number, claim, 'exact', True, [], scenario=test, steady='proved')
    looked_at()
    longer = runs.read(HERE / 'xoradap/longer.csv')
    for fabric, claim, value, holds, rows, off in claims.module('xoradap/compare').claims():
        of_64 = 'XORADAP' in claim or 'fully adaptive' in claim or 'lowest' in claim
        if claim.startswith('own check') or fabric == '8x8' and not (of_64 and claim.startswith('UN')):
            continue  # of nobody
        departs = hangs = ''
        if claim.startswith('hot spot'):
            figure = 'Figure 19' if 'queues' in claim else 'Figure 10' if any(name in claim for name in ('VOQsw', 'IODET', 'below XORDET')) else 'Figure 17'
            departs, hangs = 'text', HOT
        elif claim.startswith(('transpose', 'bit')):
            figure = 'Figure 15' if claim.startswith('transpose') else 'Figure 16'
        elif claim.startswith('direction order'):
            figure, hangs = 'Figure 9', next(said for word, said in DIRECTIONS.items() if word in claim)
            departs = 'text' if 'as by XY' in claim and holds is False else ''
        elif of_64:
            figure = 'Figure 12' if fabric == '16x16' else 'Figure 13'
        else:
            figure = 'Figure 7'
        if figure == 'Figure 7' and 'below VOQnet' not in claim and value and holds is False:
            departs, hangs = 'text', NEARLY
        elif 'lowest' in claim:
            hangs = LOWEST
        elif claim.startswith('bit reversal: XORADAP'):
            hangs = REACHES
        if fabric == '16x16' and 'fully adaptive' in claim and 'peaks' in claim:
            systems = {row['system'] for row in rows if row['system'] in ADAPTIVE}
            pattern = rows[0]['pattern']
            if not systems <= {row['system'] for row in runs.read(HERE / 'xoradap/longer.csv') if (row['fabric'], row['pattern']) == (fabric, pattern)}:
                departs, hangs = 'window', pieces(hangs, LATE)
            elif claim.startswith('bit reversal: fully adaptive / XORDET'):
                departs, hangs = 'seeds', EDGE
            elif claim.startswith('transpose: fully adaptive / XORDET'):
                hangs = ALIKE
        if figure in ('Figure 12', 'Figure 13', 'Figure 15', 'Figure 16') and 'peaks' in claim and holds is False and claims.steadiness(rows) == 'yes':
            departs, hangs = 'text', ROUGHLY
        by_queues = fabric == '16x16' and claims.module('xoradap/compare').by_queues(claim)
        if by_queues:
            value += f'; with an output queue for each VC {by_queues[0]}'
            if by_queues[1] != holds:
                departs, hangs = 'text', pieces(hangs, QUEUES)
        table.add(figure, claim, value, holds, rows if holds is not None or figure == 'Figure 9' else [], scenario='xoradap/router.ini', size=fabric,
                  window='20,000+160,000' if '1.25' in claim else '20,000+50,000, 700,000+500,000' if 'IODET' in claim and figure == 'Figure 9' else '100,000+160,000' if claim.startswith('hot')
                  else '200,000+500,000' if rows and all(row in longer for row in rows) else '20,000+50,000', departs=departs, hangs_on=hangs,
                  steady='whole' if claim.startswith('hot') else '', few_seeds=few('three seeds of rows of 8x8', off) if off else '')
    and_if_unsteady(table, NO_WINDOW)
    return table.rows


# OSHA and SASHA

READS = '5: "several packets from the same queue can be simultaneously forwarded"; here one of an in-port (switch.reads)'
UNSTEADY = ('5.1: "the network warms up for 1ms", "recorded in a steady state during 2ms"; here 0.3 ms and 0.7 ms, in which rows are not steady: '
            'idle.py has what that window costs, by three arbiters')
EQUALS = '5.2: "SASHA-2VC performance equals that of BBQ-4VC": how near is not told'
NO_GAIN = '5.2: "switches using VOQs do not achieve a significant performance increment": what they lose is none'
CLOSE = ('5.3: "there is a difference in Tori networks, since OSHA-4VC-DBBQ deals better with HoL blocking, close to the performance of '
         'SASHA-4VC-DBBQ": how near is not told, and 10% is ours')
PLACES = 'where tasks are, and how long they compute, is not told'
OSHA_SIZES = {'64': ('64 hosts', 8, 4, '1ms+2ms'), '512': ('512, 576 hosts', 24, 8, '300us+700us'), 'full': ('2,304, 13,824 hosts', 48, 24, '300us+700us')}
PAPER_WINDOW = '1ms+2ms'
OTHERS = ['1VC', 'OSHA-2VC', 'OSHA-4VC-DBBQ', 'SASHA-2VC', 'SASHA-4VC-DBBQ']


def osha_of(figure, size, technique, *, dims=None, pattern='zipf:1', voq='yes', load='1', column='accepted', turned='no', window=None):
    """Values by seed."""
    _, flat, deep, its_own = OSHA_SIZES[size]
    dims = dims or {'5': 2, '6': 3, '7': 2, '8': 3, '11': 2}[figure]
    k = flat if dims == 2 else deep
    network = f'kns:k={k},n={dims}' if figure in '569' else 'torus:' + 'x'.join([str(k)] * dims)
    wanted = {'network': network, 'pattern': pattern, 'voq': voq, 'turned': turned, 'technique': technique, 'load': load}
    rows = [row for row in runs.read(HERE / f'osha/figure-{figure}-{size}.csv') if all(row[key] == value for key, value in wanted.items())]
    rows = [row for row in rows if row['window'] == (window or its_own)]
    return {row['seed']: float(row[column]) for row in runs.look_at(rows)}


def in_one_window(judge, of):
    """
    What @judge says of values that are all of one window: the size's own, or, where rows are not steady in that, the paper's if all were run.
    @judge: of a function that gives the values of a figure's technique, as @of does in a given window.
    """
    before = list(runs.LOOKED_AT)
    in_own = judge(functools.partial(of, window=None))
    rows = list(runs.LOOKED_AT)
    if claims.steadiness(rows[len(before):]) != 'no':
        return in_own
    runs.LOOKED_AT[:] = before
    in_papers = judge(functools.partial(of, window=PAPER_WINDOW))
    if in_papers[0]:
        return in_papers
    runs.LOOKED_AT[:] = rows
    return in_own


def together(*values):
    """The values of those seeds that all have; None without one."""
    seeds = sorted(set.intersection(*map(set, values)), key=int)
    return [[of[seed] for seed in seeds] for of in values] if seeds else None


def less(a, b, off=0):
    """b - a, and whether it is above 0. @off: by how much of itself a single value may be off."""
    found = together(a, b)
    if not found:
        return '', None
    gaps = [y - x for x, y in zip(*found)]
    holds = at_least(gaps)
    if len(gaps) == 1 and abs(gaps[0]) <= off * (found[0][0] + found[1][0]):
        holds = None
    return f'{shown(found[0])}, {shown(found[1])}, {shown(gaps, "+")}', holds


def alike(a, b, slack=.03, alone=0):
    """Within @slack. @alone: by how much of itself a single value may be off."""
    found = together(a, b)
    if not found:
        return '', None
    off = [abs(mean(found[0]) / mean(found[1]) - 1)]
    half = interval([x - y for x, y in zip(*found)])[1] / abs(mean(found[1])) if len(found[0]) > 1 else 2 * alone
    holds = True if off[0] + half <= slack else False if off[0] - half > slack else None
    return f'{shown(found[0])}, {shown(found[1])}', holds


def no_more(a, b, slack, alone):
    """Whether @a is at most so much above @b. @alone: as of alike()."""
    found = together(a, b)
    if not found:
        return '', None
    gains = ratios(*found)
    gain, half = interval(gains) if len(gains) > 1 else (gains[0], 2 * alone * gains[0])
    return f'{shown(found[0])}, {shown(found[1])}', True if gain + half <= 1 + slack else False if gain - half > 1 + slack else None


def collapses(a, b, off=0):
    """To less than half. @off: as of less()."""
    found = together(a, b)
    if not found:
        return '', None
    ratio, moved = mean(found[0]) / mean(found[1]), (1 + off) / (1 - off) if len(found[0]) == 1 else 1
    return f'{shown(found[0])}, {shown(found[1])}', True if ratio * moved < .5 else False if ratio / moved >= .5 else None


def best_is(of, name, sign=1, off=0):
    """Whether @name has the most (@sign -1: the least) of all, which all have to be there. @off: as of less()."""
    if not all(of.values()):
        return '', None
    others = {other: mean(list(values.values())) for other, values in of.items() if other != name}
    other = (max if sign > 0 else min)(others, key=others.get)
    ours, holds = less(of[other], of[name], off) if sign > 0 else less(of[name], of[other], off)
    return f'{other}: {ours}', holds


def osha():
    table = Claims('osha')
    for figure, claim, test in (('Figure 2', 'XY and YX on one network have a cycle, on two none', 'tests/unit/test_deadlock.c'),
                                ('Figure 4', 'BBQ has one queue for a row by YX, DBBQ all', 'tests/unit/test_queue_paths.c'),
                                ('Table 2', 'Zipf\'s first ten ranks of 64', 'tests/unit/test_patterns.c')):
        table.add(figure, claim, 'exact', True, [], scenario=test, steady='proved')
    looked_at()
    hot = {'pattern': 'hotspot:form=osha', 'column': 'accepted[background]'}

    found = set()

    def add(size, figure, claim, result, voq, says='', **more):
        ours, holds = result
        rows = looked_at()
        # a claim is of the largest size that was run, and there of the paper's switch if it was run
        if (figure, claim, voq) in found or not ours and (size, turned) != ('64', 'no'):
            return
        found.add((figure, claim, voq))
        windows = runs.unique(row['window'] for row in rows)
        departs, hangs = ('size', '') if size != 'full' else ('set-up', READS) if voq == 'yes' and turned == 'no' else ('', '')
        if claims.steadiness(rows) == 'no':
            hangs = pieces(hangs, UNSTEADY if size != '64' else '')
        hangs = pieces(says, hangs)
        table.add(f'Figure {figure}', claim + {'yes': '', 'no': ', no VOQs'}[voq], ours, holds, rows if ours else [], scenario='osha/osha.ini',
                  size=OSHA_SIZES[size][0], **({'window': ', '.join(windows), 'departs': departs, 'hangs_on': hangs} | more))

    def by_arbiters(size, turned, figure, claim, judge, voq, dims, vague=''):
        """
        Beside a hot spot, where rows are not steady: in the paper's window, by three arbiters. Where that was not run, in the size's own, by one.
        @judge: of a function that gives the values of a technique, and of how far one of them may be off. @vague: a sentence that can be
        confirmed, and not contradicted.
        """
        told = {}
        off = spread('osha/figure-9-full.csv', ('technique', 'load'), 'accepted[background]', voq='no', turned='no', window=PAPER_WINDOW) or 0

        def values(more):
            return lambda technique: osha_of(figure, size, technique, **hot, dims=dims, voq=voq, **more)

        for arbiter, label in ARBITERS.items():
            how = '+'.join(filter(None, ('reads=16' if voq == 'yes' else '', '' if arbiter == 'roundrobin' else f'arbiter={arbiter}'))) or 'no'
            told[label] = judge(values({'window': PAPER_WINDOW, 'turned': how}), off)
        if size != 'full' or not all(ours for ours, _ in told.values()):
            looked_at()
            add(size, figure, claim, judge(values({'turned': turned if voq == 'yes' else 'no'}), 0), voq)
            return
        answers = {holds for _, holds in told.values()}
        add(size, figure, claim, ('; '.join(f'{label} {ours}' for label, (ours, _) in told.items()), all_of(answers)), voq,
            departs='text' if {True, False} <= answers or vague and False in answers else '', steady='paper', window=PAPER_WINDOW,
            hangs_on=pieces(vague if False in answers else '', '5.1: "the network warms up for 1ms", "recorded in a steady state during 2ms": rows are judged in '
                            'that window, since they are not steady', 'the text names no arbiter'), few_seeds=few('three seeds of other loads in that window', off))

    for size, turned in itertools.product(reversed(OSHA_SIZES), ('reads=16', 'no')):
        def values_of(figure, technique, size=size, turned=turned, **more):
            return osha_of(figure, size, technique, turned=turned if more.get('voq') != 'no' else 'no', **more)

        def add_judged(figure, claim, judge, voq, size=size, of=values_of, if_not=None, **more):
            """@if_not: what a claim is beside, where rows show that it does not hold."""
            result = in_one_window(judge, of)
            add(size, figure, claim, result, voq, **more | (if_not if if_not and result[1] is False else {}))

        def each(of, figure, **more):
            return {name: of(figure, name, **more) for name in ['BBQ-4VC', *OTHERS]}

        plain = {'pattern': 'zipf:1', 'turned': 'no', 'voq': 'yes', 'window': OSHA_SIZES[size][3]}
        off = spread(f'osha/figure-5-{size}.csv', ('technique', 'load'), 'accepted', **plain)
        single = {'few_seeds': few('three seeds of the same network with VOQs and one read', off)}
        steep = spread(f'osha/figure-5-{size}.csv', ('technique', 'load'), 'accepted', pattern='zipf:3', turned='no', voq='no') or 0
        rings = spread('osha/figure-7-512.csv', ('technique', 'load', 'pattern'), 'accepted', turned='no', voq='yes')
        on_rings = {'few_seeds': few('three seeds of 24x24', rings)}
        for voq in 'no', 'yes':
            said = '5.2: 1VC "always obtains the worst results"'
            # two that are both of the paper's window suffice, if one of them is worse than 1VC
            long = {name: values_of('5', name, voq=voq, window=PAPER_WINDOW) for name in ('1VC', 'OSHA-2VC')} if size == 'full' and voq == 'yes' else {}
            pair = less(long['1VC'], long['OSHA-2VC'], off) if all(long.values()) and long else ('', None)
            if pair[1] is False:
                add(size, '5', 's = 1: 1VC is worst', (f'OSHA-2VC: {pair[0]}', False), voq, says=said, **single)
            else:
                looked_at()
                add_judged('5', 's = 1: 1VC is worst', lambda of, voq=voq, off=off: best_is(each(of, '5', voq=voq), '1VC', -1, off), voq, says=said, **single)
            add_judged('5', 's = 1: BBQ-4VC is best', lambda of, voq=voq, off=off: best_is(each(of, '5', voq=voq), 'BBQ-4VC', off=off), voq,
                       says='5.2: BBQ-4VC "always achieves the best results"', **single)
            add_judged('5', 's = 1: OSHA-4VC-DBBQ above OSHA-2VC',
                       lambda of, voq=voq, off=off: less(of('5', 'OSHA-2VC', voq=voq), of('5', 'OSHA-4VC-DBBQ', voq=voq), off), voq, **single)
            add_judged('5', 's = 1: SASHA-4VC-DBBQ like BBQ-4VC, within 3%',
                       lambda of, voq=voq, off=off: alike(of('5', 'SASHA-4VC-DBBQ', voq=voq), of('5', 'BBQ-4VC', voq=voq), alone=off or 0), voq, departs='text',
                       says='5.2: "SASHA-4VC behaves like BBQ-4VC": how near is not told, nor the switch\'s speed-up, with which SASHA-4VC passes BBQ-4VC on 8x8')
            add_judged('5', 's = 3: 1VC like BBQ-4VC, within 3%',
                       lambda of, voq=voq, steep=steep: alike(of('5', '1VC', pattern='zipf:3', voq=voq), of('5', 'BBQ-4VC', pattern='zipf:3', voq=voq), alone=steep),
                       voq, if_not={'departs': 'text'},
                       says='5.2: "we do not see significant variations between 1VC [...] and BBQ-4VC": what is significant is not told, and 3% is ours',
                       few_seeds=few('three seeds of s = 3 without VOQs', steep))
        add_judged('6', 'SASHA-4VC-DBBQ is best', lambda of: best_is(each(of, '6'), 'SASHA-4VC-DBBQ'), 'yes')
        add_judged('6', 'SASHA-2VC like BBQ-4VC, within 3%', lambda of: alike(of('6', 'SASHA-2VC'), of('6', 'BBQ-4VC')), 'yes',
                   if_not={'departs': 'text', 'says': EQUALS})
        add_judged('7', 'saturation far below KNS: BBQ-4VC, less than half', lambda of, rings=rings: collapses(of('7', 'BBQ-4VC'), of('5', 'BBQ-4VC'), rings), 'yes',
                   **on_rings)
        for voq, name in itertools.product(('no', 'yes'), OTHERS[1:]):
            add_judged('7', f's = 3: {name} above BBQ-4VC',
                       lambda of, voq=voq, name=name: less(of('7', 'BBQ-4VC', pattern='zipf:3', voq=voq), of('7', name, pattern='zipf:3', voq=voq)), voq)
        add_judged('7', 'VOQs bring BBQ-4VC no more than 5%',
                   lambda of, rings=rings: no_more(of('7', 'BBQ-4VC'), of('7', 'BBQ-4VC', voq='no'), .05, rings), 'yes', says=NO_GAIN, **on_rings)
        add_judged('8', 'BBQ-4VC: more than in two dimensions', lambda of: less(of('7', 'BBQ-4VC'), of('8', 'BBQ-4VC')), 'yes')
        add_judged('8', 'BBQ-4VC above SASHA-4VC-DBBQ', lambda of: less(of('8', 'SASHA-4VC-DBBQ'), of('8', 'BBQ-4VC')), 'yes')
        for dims in 2, 3:
            def halved(name):
                return lambda values, off: collapses(values(name), values('BBQ-4VC'), off)

            def near(name, other, slack):
                return lambda values, off: alike(values(name), values(other), slack, off)

            for name in '1VC', 'OSHA-2VC', 'OSHA-4VC-DBBQ':
                by_arbiters(size, turned, '9', f'{dims}D: {name} collapses, to half of BBQ-4VC', halved(name), 'yes', dims)
                if dims == 2:
                    by_arbiters(size, turned, '9', f'2D: {name} suffers, to half of BBQ-4VC', halved(name), 'no', dims)
            by_arbiters(size, turned, '9', f'{dims}D: SASHA-4VC-DBBQ like BBQ-4VC, within 3%', near('SASHA-4VC-DBBQ', 'BBQ-4VC', .03), 'yes', dims,
                        'How near is not told, and 3% is ours')
            for name in '1VC', 'OSHA-2VC':
                by_arbiters(size, turned, '10', f'{dims}D: {name} collapses, to half of BBQ-4VC', halved(name), 'yes', dims)
            by_arbiters(size, turned, '10', f'{dims}D: OSHA-4VC-DBBQ close to SASHA-4VC-DBBQ, within 10%', near('OSHA-4VC-DBBQ', 'SASHA-4VC-DBBQ', .1), 'yes', dims,
                        CLOSE)
        deep = hot | {'dims': 3}
        add_judged('10', '3D: SASHA-4VC-DBBQ above OSHA-4VC-DBBQ',
                   lambda of, deep=deep: less(of('10', 'OSHA-4VC-DBBQ', **deep), of('10', 'SASHA-4VC-DBBQ', **deep)), 'yes')
        add_judged('10', '3D carries more: BBQ-4VC', lambda of, deep=deep: less(of('10', 'BBQ-4VC', **hot, dims=2), of('10', 'BBQ-4VC', **deep)), 'yes')
    looked_at()
    for row in runs.read(HERE / 'osha/figure-11-full.csv'):
        if row['technique'] == 'SASHA-4VC-DBBQ':
            same = [of for of in runs.read(HERE / 'osha/figure-11-full.csv') if of['turned'] == row['turned'] and of['voq'] == row['voq']]
            times = {(of['network'].split(':')[0], of['technique']): float(of['makespan']) / 1000 for of in same}
            if row['network'].startswith('torus'):
                placed = 'in blocks' if row['turned'] == 'no' else row['turned']
                for claim, wanted, a, b in (('SASHA: torus / KNS', '2.3', ('torus', 'SASHA-4VC-DBBQ'), ('kns', 'SASHA-4VC-DBBQ')),
                                            ('torus: SASHA / 1VC', 'below 1', ('torus', 'SASHA-4VC-DBBQ'), ('torus', '1VC')),
                                            ('KNS: SASHA / 1VC', 'alike', ('kns', 'SASHA-4VC-DBBQ'), ('kns', '1VC'))):
                    table.add('Figure 11', f'{claim}, tasks {placed}', f'{times[a] / times[b]:.2f} ({times[a]:.0f}, {times[b]:.0f} us)', None, same,
                              paper_has=wanted, scenario='osha/osha.ini', size='2,304 hosts', window='all', departs='text', hangs_on=PLACES)
    return table.rows


# RR, SBT, DTable

HEADER = 'The text does not tell what a packet costs beside its "packet payload" (4.2.1), and the load at which a network saturates depends on it'
TURNS_SIZES = ('The text does not tell of what size packets of RR and SBT are: theirs, "a packet payload of 128 bytes" for VO, and so on (4.2.1), or 128 B, '
               '"the global MTU is one packet of 128 bytes" (3.3.1); nor what one costs beside its "packet payload" (4.2.1)')


LONGER = ('4.2.3: "Torus scenarios show a higher latency values in all SLs before and after the network reaches saturation point": after it they do not, '
          'nor where a packet costs 24 B beside its payload (3,510 and 3,745 ns at load 1)')


def qos():
    table = Claims('qos')
    for number, claim, test in (('Table 2', 'SBT\'s weights and shares', 'tests/unit/test_sbt.c'), ('Table 5', 'correction, n and MTU as printed do not fit: 64 and 1', 'tests/unit/test_dtable.c'),
                                ('Table 6', 'corrected entries', 'tests/unit/test_dtable.c'), ('Table 9', 'bounds of the shares', 'tests/unit/test_dtable.c'),
                                ('Table 10', 'the table of 128 entries', 'tests/unit/test_dtable.c')):
        table.add(number, claim, 'exact', True, [], scenario=test, steady='proved')
    compare = claims.module('qos/compare')
    hosts = {'2D torus': '512', '3D torus': '1,024', '8-ary 3-tree': '512', '24-ary 2-tree': '576', 'both': '512 and 576'}

    def add(figure, row, rows, **more):
        where = row['where']
        table.add(figure, row['claim'], rows=rows, scenario='qos/' + ('torus.ini' if 'torus' in where else 'tree.ini'),
                  size=f'{where}, {hosts[where]} hosts' if where in hosts else where,
                  window='all' if 'traces' in row['claim'] else ', '.join(runs.unique(f'{of["warmup"]}+{of["measure"]}' for of in rows)), **more)

    for row in claims.module('qos/readings').claims():
        add('Figure 3' if 'torus' in row['where'] else 'Figure 4', row, row['rows'], ours=row['ours'], holds=row['holds'], paper_has=row['paper_has'],
            departs=row['departs'], hangs_on=HEADER if 'DTable:' in row['claim'] else TURNS_SIZES,
            few_seeds=few('three seeds of rows at that load', row['off']))
    for row in compare.claims():
        claim, where = row['claim'], row['where']
        if claim.startswith('dla') or any(word in claim for word in ('VLArb', 'repaired', 'slower', 'of 512 B', 'in BK')):
            continue  # nobody's claims, and those that others contain
        if claim.startswith('traces'):
            figure, departs, hangs = 'Figure 6' if 'torus' in where else 'Figure 5', 'size', '512 tasks; recorded are 16 (GROMACS: 8), on copies'
        else:
            figure, departs, hangs = 'Figure 3' if 'torus' in where else 'Figure 4', '', ''
            if claim.startswith(('saturation, DTable', 'latency at load 1, DTable 128: VO <= VI <= CL')):
                departs, hangs = 'text', HEADER
            elif '2D torus above 8-ary 3-tree' in claim:
                hangs = LONGER
        measured, _, wanted = row['measured'].partition(' for ')
        add(figure, row, row['rows'] if row['verdict'] != compare.NOT_RUN else [], ours=measured.replace(' ± ', ' ±') or '-',
            holds={compare.CONFIRMED: True, compare.CONTRADICTED: False}.get(row['verdict']), paper_has=wanted, departs=departs, hangs_on=hangs)
    and_if_unsteady(table, NO_WINDOW)
    return table.rows


PAPERS = {'dla': dla, 'thesis': thesis, 'xoradap': xoradap, 'osha': osha, 'qos': qos}
