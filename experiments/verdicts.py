#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
verdicts.csv, one row for each claim of the five papers, from the results beside it (papers.py, claims.py), and the tables of
READMEs and of docs/papers.md from that.

	verdicts.py            fails where verdicts.csv, a README or docs/papers.md has not what the results give; where a verdict
	                       rests on rows that are neither steady nor of a window that the paper states; where a figure is
	                       neither in the table nor listed as not run
	verdicts.py --write    writes verdicts.csv and those tables, and what scripts print (TABLES)
	verdicts.py --count    how many verdicts of each kind each paper has, and how many figures have none
"""
import argparse
import collections
import csv
import io
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # in the sources, which may be others'
HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
import claims  # noqa: E402
import idle  # noqa: E402
import papers  # noqa: E402
import runs  # noqa: E402

NAMES = {'dla': 'DLA', 'thesis': 'Fairness, contention counters, FlexVC', 'xoradap': 'XORDET, XORADAP', 'osha': 'OSHA, SASHA', 'qos': 'SBT, DTable'}
BEGIN, END = '<!-- printed by experiments/verdicts.py -->', '<!-- end -->'
READMES = {path: HERE / path / 'README.md' for path in ('dla', 'osha', 'qos', 'xoradap', *(f'thesis/chapter-{n}' for n in (2, 3, 4, 5)))}
PAGE = HERE.parent / 'docs/papers.md'
# Scripts whose tables are in the README beside them
TABLES = [('thesis/chapter-2/compare.py',), *((f'thesis/chapter-{n}/compare.py', h) for n, sizes in ((3, '84'), (4, '6'), (5, '842')) for h in sizes),
          ('xoradap/compare.py',), ('qos/compare.py',), ('qos/readings.py',)]


def order(row):
    """Papers as here, figures and tables by their numbers, claims as they come."""
    kind, number = row['figure'].split()
    return [int(part) for part in number.split('.')], kind


def table():
    """All rows."""
    return [row for paper in papers.PAPERS.values() for row in sorted(paper(), key=order)]


def as_csv(rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, claims.COLUMNS, lineterminator='\n')
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def block(rows):
    """A line for each claim, with what every size of network gives."""
    lines = ['| | claim | paper | here | |', '|---|---|---|---|---|']
    hangs, several = [], len({row['size'] for row in rows}) > 1
    for (figure, claim, theirs), of in grouped(rows, 'figure', 'claim', 'paper_has').items():
        cells, verdicts = [], []
        for row in of:
            size = f'{row["size"]}: ' if several and (len(of) > 1 or 'size' in row['verdict']) else ''
            cells.append(f'{size}{"~" if row["steady"] in ("no", "unjudged") and "~" not in row["ours"] else ""}{row["ours"] or "-"}' + (' (holds)' if row['holds'] == 'yes' else ''))
            of_row = list(filter(None, row['hangs_on'].split(claims.AND)))
            hangs += [piece for piece in of_row if piece not in hangs]
            mark = f' [{", ".join(str(n) for n in sorted(hangs.index(piece) + 1 for piece in of_row))}]' if of_row else ''
            verdict = row['verdict'] if row['verdict'].startswith(('not', 'un')) else f'**{row["verdict"]}**'
            verdicts.append(f'{verdict}{mark}')
        verdict = verdicts[0] if len(set(verdicts)) == 1 else '; '.join(verdicts)
        lines.append(f'| {figure.replace("Figure ", "").replace("Table", "T.")} | {claim} | {theirs} | {"; ".join(cells)} | {verdict} |')
    if any(row['few_seeds'] for row in rows):
        lines += ['', 'Some verdicts are by one seed: `few_seeds` of verdicts.csv says why it suffices.']
    if hangs:
        lines += ['', 'What verdicts hang on, by the numbers in brackets:', '', *(f'{n}. {what[0].upper()}{what[1:]}.' for n, what in enumerate(hangs, 1))]
    return lines


def grouped(rows, *columns):
    groups = collections.OrderedDict()
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return groups


def kind(row):
    return row['verdict'].partition(':')[0]


def counts(rows):
    kinds = [claims.CONFIRMED, claims.CONTRADICTED, claims.UNDETERMINED, claims.UNTESTABLE, 'not judged', 'not run']
    lines = ['| | ' + ' | '.join(kinds) + ' |', '|---|' + '---:|' * len(kinds)]
    for (paper,), of in grouped(rows, 'paper').items():
        lines.append(f'| {NAMES[paper]} | ' + ' | '.join(str(sum(kind(row) == name for row in of)) for name in kinds) + ' |')
    return lines


def figures_without():
    """How many figures no claim is about, since they were not run or no simulation can judge them."""
    of = {claims.UNTESTABLE: 0, 'not run': 0}
    for _, figures, _, _, cost in papers.NOT_RUN:
        of[claims.UNTESTABLE if cost.startswith(claims.UNTESTABLE) else 'not run'] += len(figures)
    return 'Figures without a claim: ' + ', '.join(f'{number} {name}' for name, number in of.items()) + '.'


def not_run():
    lines = ['| | figures | what | command | cost |', '|---|---|---|---|---|']
    for paper, figures, what, command, cost in papers.NOT_RUN:
        short = ', '.join(figure.removeprefix('Figure ') for figure in figures) if len(figures) < 6 else \
            f'{figures[0].removeprefix("Figure ")} to {figures[-1].removeprefix("Figure ")}'
        lines.append(f'| {NAMES[paper]} | {short} | {what} | {command} | {cost} |')
    return lines


def waiting():
    """What idle.py has left: the cost of each figure's claims."""
    of_figures = {}
    for row in idle.left(''):
        figure, number = re.match(r'(Figure|Table) ([0-9]+(?:[.][0-9]+)?)', row.claims).groups()
        of_figures.setdefault((list(NAMES).index(row.file.split('/')[0]), tuple(map(int, number.split('.'))), figure), []).append(row)
    lines = ['| paper | figure or table whose claims wait for rows | rows | minutes of a processor |', '|---|---|---:|---:|']
    for (paper, number, figure), rows in sorted(of_figures.items()):
        minutes = sum(row.seconds for row in rows) / 60
        lines.append(f'| {list(NAMES.values())[paper]} | {figure} {".".join(map(str, number))} | {len(rows)} | {minutes:.0f} |')
    return lines


def with_block(text, lines, path):
    """The text with these lines between the marks."""
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f'{path}: needs one {BEGIN} and one {END}')
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + '\n' + '\n'.join(lines) + '\n' + END + rest.partition(END)[2]


def pages(rows):
    """Each page, and its text with the tables that belong there."""
    for directory, path in READMES.items():
        mine = [row for row in rows if row['scenario'].startswith(directory + '/')]
        yield path, with_block(path.read_text(), block(mine), path)
    yield PAGE, with_block(PAGE.read_text(), counts(rows) + ['', figures_without(), ''] + not_run() + [''] + waiting(), PAGE)


def faults(rows):
    """What is wrong with the table as it is in the file, whoever made it."""
    for row in rows:
        where = f'{row["paper"]}, {row["figure"]}, {row["claim"]}, {row["size"]}'
        if row['verdict'] in (claims.CONFIRMED, claims.CONTRADICTED) and row['steady'] not in claims.JUDGED:
            yield f'{where}: {row["verdict"]}, and steady is {row["steady"]}'
        if row['verdict'] in (claims.CONFIRMED, claims.CONTRADICTED) and row['steady'] != 'proved' and not row.get('few_seeds') \
                and int(row['seeds'] or 0) < claims.SEEDS:
            yield f'{where}: {row["verdict"]} by {row["seeds"] or "no"} seeds, and few_seeds does not say why they suffice'
        if row['steady'] == 'paper' and ('"' not in row['hangs_on'] or not row['window'] or 'auto' in row['window']):
            yield f'{where}: judged in the paper\'s window, which hangs_on does not quote, or which {row["window"] or "nothing"} is not'
        if row['verdict'] in (claims.CONFIRMED, claims.CONTRADICTED) and ', ' in row['window']:
            yield f'{where}: {row["verdict"]}, and what is compared is of several windows: {row["window"]}'
        if row['scenario'] and not any((root / row['scenario']).exists() for root in (HERE, HERE.parent)):
            yield f'{where}: there is no {row["scenario"]}'
        if row['verdict'] not in (claims.CONFIRMED, claims.CONTRADICTED, claims.UNDETERMINED, claims.UNTESTABLE, claims.NOT_RUN) \
                and not re.fullmatch('not judged: (size|set-up|window|seeds)', row['verdict']):
            yield f'{where}: what is {row["verdict"]}?'
    for paper, figures in papers.FIGURES.items():
        known = {row['figure'] for row in rows if row['paper'] == paper} | {f for p, some, *_ in papers.NOT_RUN if p == paper for f in some}
        yield from (f'{paper}: {figure} is neither in the table nor listed as not run' for figure in figures if figure not in known)
        yield from (f'{paper}: {figure} is no figure of it' for figure in sorted(known) if figure not in figures)


def stray_verdicts(path):
    """Verdicts in a README that are not in its table."""
    text = path.read_text()
    for line in (text.partition(BEGIN)[0] + text.partition(END)[2]).splitlines():
        if re.search(r'\b(confirmed|contradicted)\b', line):
            yield f'{path}: a verdict that is not from verdicts.csv: {line[:100]}'


def strays(printed, page):
    """Lines of the tables in @printed that @page has not; of a table whose head it has not, the head alone."""
    page = page.splitlines()
    head, before = '', ''
    for line in printed.splitlines():
        head = line if not before.startswith('|') else head
        before = line
        if line.startswith('|') and line not in page and (line == head or head in page):
            yield f'{"no table with the head" if line == head else "not"} {line[:140]}'


def tables_of(lines):
    """Where tables begin and end."""
    begin = None
    for n, line in enumerate([*lines, '']):
        if line.startswith('|') and begin is None:
            begin = n
        elif not line.startswith('|') and begin is not None:
            yield begin, n
            begin = None


def with_tables(printed, page):
    """The page with each table in @printed in the place of that with the same head that has the most of its lines."""
    printed, page = printed.splitlines(), page.splitlines()
    for begin, end in tables_of(printed):
        ours, best, most = printed[begin:end], None, 2
        for first, last in tables_of(page):
            common = len(set(ours) & set(page[first:last])) if page[first] == ours[0] else 0
            if common > most:
                best, most = (first, last), common
        if best:
            page[best[0]:best[1]] = ours
    return '\n'.join(page) + '\n'


def printed_tables():
    for script, *words in TABLES:
        done = subprocess.run([HERE / script, *words], capture_output=True, text=True, check=True)
        yield f'{script} {" ".join(words)}', (HERE / script).with_name('README.md'), done.stdout


def stray_numbers():
    for command, path, printed in printed_tables():
        yield from (f'{command}: README.md has {stray}' for stray in strays(printed, path.read_text()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--count', action='store_true')
    arguments = parser.parse_args()
    path, rows = HERE / 'verdicts.csv', table()
    if arguments.count:
        print('\n'.join([*counts(rows), '', figures_without()]))
        return 0
    if arguments.write:
        path.write_text(as_csv(rows))
        for page, text in pages(rows):
            page.write_text(text)
        for _, page, printed in printed_tables():
            page.write_text(with_tables(printed, page.read_text()))
    said = []
    if not path.exists() or path.read_text() != as_csv(rows):
        before = as_csv(runs.read(path)).splitlines() if path.exists() else []
        differ = [line for line in as_csv(rows).splitlines() if line not in before]
        said.append('verdicts.csv is not what the results give: ' + (differ or ['rows that are no more'])[0])
    said += list(faults(runs.read(path)))
    for page, text in pages(rows):
        if page.read_text() != text:
            said.append(f'{page}: its table is not what verdicts.csv has')
        said += list(stray_verdicts(page)) if page != PAGE else []
    said += list(stray_numbers())
    for line in said:
        print(line, file=sys.stderr)
    return int(bool(said))


if __name__ == '__main__':
    sys.exit(main())
