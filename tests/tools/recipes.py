#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Does in the source tree of the working directory what the recipes of HACKING.md say.

Copies each template, renames its struct and its name, adds the `extern`, the pointer and the file where the recipe
says, and prints the commands of the recipes, one a line, with "recipe" for NAME. What a recipe leaves out is an error.
"""
import glob
import os
import re
import shutil
import sys

NAME = 'recipe'
KEY_ROW = 'ROW(HD_HOST_RECIPE, KEY("host", "recipe", "no", "", "a recipe", .kind = HD_VALUE_BOOL))\n'


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def edit(path, old, new):
    text = read(path)
    if old not in text:
        sys.exit(f'{path} has no "{old}"')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text.replace(old, new, 1))


def the_one(pattern, regex, section):
    """The file of @pattern that @section names and in which @regex is found."""
    found = [path for path in glob.glob(pattern, recursive=True) if re.search(regex, read(path), re.M)]
    named = [path for path in found if f'`{path}`' in section]
    if len(named) != 1:
        sys.exit(f'{regex}: the recipe does not name {" or ".join(found) or "a file"}')
    return named[0]


def add_extern(header, line):
    """Adds @line to @header, which does not get newer: nothing that was compiled with it changes."""
    text, times = read(header), os.stat(header)
    end = text.rindex('#endif')
    with open(header, 'w', encoding='utf-8') as file:
        file.write(f'{text[:end]}{line}\n\n{text[end:]}')
    os.utime(header, (times.st_atime, times.st_mtime))


def follow(source, target, section):
    """Makes @target, a path with NAME in it, of the template @source."""
    stem, pattern = (os.path.basename(path)[:-2] for path in (source, target))
    before, after = pattern.split('NAME')
    old = stem[len(before):len(stem) - len(after)]
    target = target.replace('NAME', NAME)
    kind, symbol = re.findall(r'^const struct (hd_\w+) (hd_\w+) = {', read(source), re.M)[-1]
    new = re.sub(rf'_{re.escape(old)}$', f'_{NAME}', symbol)
    if new == symbol:
        sys.exit(f'{source}: {symbol} is not named as the file')
    shutil.copy(source, target)
    edit(target, f' {symbol} =', f' {new} =')
    edit(target, re.search(r'name = "\w+",', read(target)).group(0), f'name = "{NAME}",')
    header = the_one(f'{source.split("/")[0]}/**/*.h', rf'^extern const struct {kind} [^;]*\b{symbol}\b', section)
    add_extern(header, f'extern const struct {kind} {new};')
    registry = the_one(f'{source.split("/")[0]}/**/*.c', rf'&{symbol}\b', section)
    pointer = re.search(rf'&{symbol}\b[.\w]*,', read(registry)).group(0)
    edit(registry, pointer, f'{pointer} {pointer.replace(symbol, new)}')
    makefile = the_one('**/local.mk', rf'(?<![\w/]){re.escape(source)}\b', section)
    edit(makefile, source, f'{source} {target}')


def main():
    for section in re.split(r'^## ', read('HACKING.md'), flags=re.M)[1:]:
        for source, target in re.findall(r'`cp (\S+) (\S+)`', section):
            follow(source, target, section)
        for command in re.findall(r'`(heddle [^`]*)`', section):
            if not command.startswith('heddle list'):
                print(command.replace('NAME', NAME))
    edit('sim/scenario/keys.def', 'ROW(HD_HOST_POLICY,', KEY_ROW + 'ROW(HD_HOST_POLICY,')


main()
