#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What scripts of experiments share: runs of heddle, and their rows in CSV files.

	runs.py columns [COLUMN...]    CSV at standard input: its numbers short, and only these columns
	runs.py round FILE.csv...      four significant digits in these files, which need no more
	runs.py pixels FILE.svg...      lines and places of pictures in whole pixels: a quarter of the packed size less
	runs.py agree OURS.csv FILE.csv [COLUMN...]    how many rows of the first the second has, but for these columns
"""
import csv
import io
import json
import math
import os
import re
import subprocess
import sys


def run(*words):
    """The standard output of a command, which must succeed."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f'{" ".join(map(str, words))}: {done.stderr.strip()}')
    return done.stdout


def sim_words(heddle, scenario, keys, *more):
    """The command; $JOBS (1) runs are made at a time."""
    words = [heddle, 'sim', '--quiet', scenario, '-j', os.environ.get('JOBS', '1'), *more]
    for key, value in keys.items():
        words += ['-s', f'{key}={value}']
    return words


def sim(heddle, scenario, keys, *more):
    """The rows of the sweep of @keys."""
    return list(csv.DictReader(io.StringIO(run(*sim_words(heddle, scenario, keys, '--csv', '-', *more)))))


DIGITS = 4


def short(value, digits=DIGITS):
    """A fraction with four significant digits, more than seeds agree in: files stay small. Other text as it is."""
    text = '' if value is None else str(value)
    number = re.fullmatch(r'(-?[0-9]+[.][0-9]+)(e-?[0-9]+)?', text)
    if not number or len(re.sub('[-.]', '', number[1]).lstrip('0')) <= digits:
        return text
    rounded = f'{float(text):.{digits}g}'
    return f'{float(rounded):.0f}' if 'e+' in rounded else rounded


def write_short(file, columns, rows, digits=DIGITS):
    """Writes those columns of the rows, with short numbers."""
    writer = csv.DictWriter(file, columns, lineterminator='\n')
    writer.writeheader()
    writer.writerows({column: short(row.get(column), digits) for column in columns} for row in rows)


def read(path):
    """The rows of a CSV file; none where there is no file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding='utf-8') as file:
        return list(csv.DictReader(file))


def write(path, columns, rows):
    """Writes those columns of the rows, under a temporary name first."""
    with open(f'{path}.new', 'w', encoding='ascii', newline='') as file:
        writer = csv.DictWriter(file, columns, lineterminator='\n', extrasaction='ignore')
        writer.writeheader()
        writer.writerows(rows)
    os.rename(f'{path}.new', path)


def kept(path, keys):
    """What a file of rows has already, as tuples of those columns."""
    return {tuple(row[key] for key in keys) for row in read(path)}


def add(path, columns, row):
    """Appends a row, with short numbers; with a header where the file is new."""
    is_new = not os.path.exists(path)
    with open(path, 'a', encoding='ascii', newline='') as file:
        writer = csv.DictWriter(file, columns, lineterminator='\n')
        if is_new:
            writer.writeheader()
        writer.writerow({column: short(row.get(column)) for column in columns})


def heddle_json(*words):
    """What a subcommand prints in JSON, whatever its status; {} where it prints none."""
    done = subprocess.run(['heddle', *words, '--quiet', '--json'], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.stdout.startswith('{') else {}


def judge(tables):
    """The verdicts on a snapshot, its lanes, and its busiest link between switches: in flows, and over the mean."""
    row = {}
    for scope in 'hosts', 'all':
        result = heddle_json('check', '--scope', scope, tables)
        row |= {'sound_' + scope: int(result['sound']), 'max_hops': result['max_hops'], 'sls': result['sls'], 'vls': result['vls']}
    row['failure'] = result['failure'] or ''
    classes = [of for name, of in heddle_json('show', tables, 'load')['links'].items() if name not in ('injection', 'terminal')]
    average = sum(of['links'] * of['mean'] for of in classes) / sum(of['links'] for of in classes)
    busiest = max(of['max'] for of in classes)
    return row | {'busiest': busiest, 'load': round(busiest / average, 3)}


def sim_tables(tables, keys):
    """The rows of a sweep over a snapshot, and what was said where there are none; a deadlock is a result."""
    words = ['heddle', 'sim', '--quiet', '--no-time', tables, '--csv', '-']
    for key, value in keys.items():
        words += ['-s', f'{key}={value}']
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return list(csv.DictReader(line for line in done.stdout.splitlines() if ',' in line)), done.stderr.strip()


def mean(rows, column):
    return sum(float(row[column] or 0) for row in rows) / len(rows)


def is_steady(row):
    return row['steady'] in ('1', 'yes')


LOOKED_AT = []  # rows that results were made of since a claim began: claims.py


def look_at(rows):
    """The rows, and that a claim rests on them."""
    LOOKED_AT.extend(rows)
    return rows


def unique(values):
    return list(dict.fromkeys(values))


def find(what, key):
    """The first value of the key in what JSON says, however deep; None."""
    if isinstance(what, dict):
        if key in what:
            return what[key]
        what = what.values()
    elif not isinstance(what, list):
        return None
    return next((found for found in (find(part, key) for part in what) if found is not None), None)


def round_file(path):
    rows = read(path)
    with open(path, 'w', encoding='ascii') as file:
        write_short(file, list(rows[0]), rows)


def whole_pixels(match):
    """The same text with whole numbers for those above 20; symbols are drawn in less, and stay."""
    def nearest(number):
        value = float(number[0])
        return f'{value:.0f}' if abs(value) > 20 else number[0]
    return re.sub(r'-?[0-9]+[.][0-9]+', nearest, match[0])


def to_pixels(path):
    """Rounds what paths and translations of a picture have."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    text = re.sub(r"(?<= d=')[^']*(?=')", whole_pixels, text)
    text = re.sub(r'translate\([^)]*\)', whole_pixels, text)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def same(one, other):
    """Whether two cells have the same text, or numbers that differ in what rounding, also twice, leaves out."""
    if one == other:
        return True
    try:
        one, other = float(one), float(other)
    except ValueError:
        return False
    return abs(one - other) <= 1.1 * 10 ** (math.floor(math.log10(abs(other))) - DIGITS + 1) if other else not one


def agree(ours, theirs, left_out):
    """How many of our rows are among theirs."""
    columns = [column for column in ours[0] if column not in left_out]
    return sum(any(all(same(row[column], other[column]) for column in columns) for other in theirs) for row in ours)


def main(words):
    if words and words[0] == 'agree' and len(words) > 2:
        ours = read(words[1])
        print(f'{agree(ours, read(words[2]), words[3:])} of {len(ours)}')
        return
    if words and words[0] == 'round':
        for path in words[1:]:
            round_file(path)
        return
    if words and words[0] == 'pixels':
        for path in words[1:]:
            to_pixels(path)
        return
    if not words or words[0] != 'columns':
        sys.exit(__doc__)
    table = csv.DictReader(sys.stdin)
    write_short(sys.stdout, words[1:] or table.fieldnames, table)


if __name__ == '__main__':
    main(sys.argv[1:])
