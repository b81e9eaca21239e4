#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Rows and tables of run.sh: tables.py rows CSV GROUPS KIND ADAPTIVE TRIGGER COLUMNS | tables.py tables CSV"""
import csv
import statistics
import sys

NAMES = {('olm', ''): 'OLM, credits', ('olm', 'contention:4,reached=yes'): 'OLM, contention',
         ('minimal', ''): 'minimal'}


def rows(path, groups, kind, adaptive, trigger, columns):
    out = csv.writer(sys.stdout, lineterminator='\n')
    with open(path, encoding='utf-8') as file:
        for row in csv.DictReader(file):
            out.writerow([groups, kind, adaptive, trigger, row['switch.transit'], row['traffic.load'], row['seed']] +
                         [row[column] for column in columns.split(',')])


def tables(path):
    with open(path, encoding='utf-8') as file:
        every = list(csv.DictReader(file))
    for load in ('0.4', '1'):
        print(f'\nLoad {load}: accepted, least switch, CoV\n')
        print('| groups | trunks | routing | round robin | | | transit first | | |')
        print('|---:|---|---|---:|---:|---:|---:|---:|---:|')
        keys = list(dict.fromkeys((r['groups'], r['arrangement'], r['adaptive'], r['trigger']) for r in every))
        for key in keys:
            cells = []
            for transit in ('no', 'yes'):
                of = [r for r in every if (r['groups'], r['arrangement'], r['adaptive'], r['trigger']) == key and
                      r['transit'] == transit and float(r['load']) == float(load)]
                mark = '' if all(r['steady'] == '1' for r in of) else '~'
                for column in ('accepted', 'switch_min', 'switch_variation'):
                    cells.append(f'{statistics.mean(float(r[column] or 0) for r in of):.3f}'
                                 f'{mark if column == "accepted" else ""}')
            print(f'| {key[0]} | {key[1]} | {NAMES[key[2:]]} | ' + ' | '.join(cells) + ' |')


if __name__ == '__main__':
    {'rows': rows, 'tables': tables}[sys.argv[1]](*sys.argv[2:])
