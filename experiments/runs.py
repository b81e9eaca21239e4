# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What scripts of experiments share: runs of `heddle sim`, and their rows in CSV files."""
import csv
import io
import os
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


def read(path):
    """The rows of a CSV file; none where there is no file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding='ascii') as file:
        return list(csv.DictReader(file))


def write(path, columns, rows):
    """Writes those columns of the rows, under a temporary name first."""
    with open(f'{path}.new', 'w', encoding='ascii', newline='') as file:
        writer = csv.DictWriter(file, columns, lineterminator='\n', extrasaction='ignore')
        writer.writeheader()
        writer.writerows(rows)
    os.rename(f'{path}.new', path)


def mean(rows, column):
    return sum(float(row[column] or 0) for row in rows) / len(rows)


def is_steady(row):
    return row['steady'] in ('1', 'yes')


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
