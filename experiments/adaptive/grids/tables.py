#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Rows and tables of run.sh: tables.py rows CSV SHAPE TRAFFIC ROUTING TRIGGER COLUMNS | tables.py tables CSV"""
import csv
import sys


def rows(path, shape, traffic, routing, trigger, columns):
    out = csv.writer(sys.stdout, lineterminator='\n')
    with open(path, encoding='utf-8') as file:
        for row in csv.DictReader(file):
            out.writerow([shape, traffic, routing, trigger, row['traffic.load']] +
                         [row[column] for column in columns.split(',')])


def cell(row):
    mark = '' if row['steady'] == '1' else '~'
    if row['deadlock'] == '1':
        return 'deadlock'
    off = f', {float(row["misrouted"]):.0%}' if row['misrouted'] else ''
    if float(row['load']) == 1:
        return f'{float(row["accepted"]):.3f}{mark}{off}'
    if float(row['accepted']) < 0.97 * float(row['offered']) or float(row['offered']) < 0.9 * float(row['load']):
        return f'({float(row["accepted"]):.3f}{mark}){off}'
    return f'{float(row["latency_mean"]):.0f}{mark}{off}'


def tables(path):
    with open(path, encoding='utf-8') as file:
        every = list(csv.DictReader(file))
    for shape in dict.fromkeys(row['shape'] for row in every):
        of = [row for row in every if row['shape'] == shape]
        heads = list(dict.fromkeys((row['traffic'], row['load']) for row in of))
        print(f'\n### {"torus, oldest packets first" if shape == "old" else shape}\n')
        print('| routing | ' + ' | '.join(f'{traffic}, {float(load):g}' for traffic, load in heads) + ' |')
        print('|---|' + '---:|' * len(heads))
        for key in dict.fromkeys((row['routing'], row['trigger']) for row in of):
            cells = [cell(row) for head in heads for row in of
                     if (row['routing'], row['trigger']) == key and (row['traffic'], row['load']) == head]
            print(f'| `{key[0]}` {key[1]} | ' + ' | '.join(cells) + ' |')


if __name__ == '__main__':
    {'rows': rows, 'tables': tables}[sys.argv[1]](*sys.argv[2:])
