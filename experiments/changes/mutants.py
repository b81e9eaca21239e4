#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Whether the judge of rounds (judged.py) finds a plug-in that is wrong.

    experiments/changes/mutants.py BUILD

Makes a copy of the tree and of BUILD, a build directory in the tree, for each fault that is planted, builds the plug-in there, and
lets it change a fabric until the judge objects, in at most TRIES runs. Exit status: 0 every fault is found, 1 one is not.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent.absolute()
TOP = HERE.parent.parent
TRIES = 12
CHANGES = '12'
# name: ([(file, what it has, what it gets instead)], words for judged.py)
FAULTS = {
    'all rounds but the first are sent at once': (
        [('change/rollout.c', 'rollout->round += is_round;',
          'rollout->round = is_round ? rollout->schedule.n_rounds : rollout->round;')], ['torus:4x4', 'updn']),
    'a confirmation is believed before it has come': (
        [('opensm/transition.c', 'goes_on = !hd_sm_wait(osm);', 'goes_on = true;'),
         ('opensm/confirm.c', 'if ((confirm->n_rows || confirm->n_blocks || confirm->with_lfts) &&',
          'if (false && (confirm->n_rows || confirm->n_blocks || confirm->with_lfts) &&')], ['torus:4x4', 'updn', '--slow', '150']),
    'entries are moved to the first round': (
        [('change/plan.c', 'plan->schedule->entry_new[i] = round;', 'plan->schedule->entry_new[i] = i % 3 ? round : 1;')],
        ['torus:4x4', 'updn']),
}


def leave_out(directory, names):
    """All builds, of which the one that counts is copied alone."""
    return [name for name in names if name == '.git' or pathlib.Path(directory) == TOP and name.startswith('build')]


def plant(build, directory, edits):
    """A copy of the tree with the fault; the directory of its build."""
    shutil.copytree(TOP, directory, symlinks=True, ignore=leave_out)
    copy = directory / build.relative_to(TOP)
    shutil.copytree(build, copy, symlinks=True)
    for file, old, new in edits:
        path = directory / file
        text = path.read_text(encoding='utf-8')
        if text.count(old) != 1:
            sys.exit(f'{file} has {text.count(old)} times: {old}')
        path.write_text(text.replace(old, new), encoding='utf-8')
    done = subprocess.run(['make', '-C', copy, 'libosmheddle.so', 'CFLAGS=-O1 -g'], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f'{done.stdout[-2000:]}{done.stderr[-2000:]}')
    return copy


def is_found(build, words):
    for seed in range(1, TRIES + 1):
        done = subprocess.run([sys.executable, HERE / 'judged.py', build, *words, '--changes', CHANGES, '--seed', str(seed), '--try'],
                              capture_output=True, text=True, check=False)
        if done.returncode > 1 or done.returncode and 'unsound' not in done.stderr:
            sys.exit(done.stderr)
        if done.returncode:
            return seed
    return 0


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: mutants.py BUILD')
    if TOP not in pathlib.Path(sys.argv[1]).absolute().parents:
        sys.exit('BUILD has to be a directory of the tree')
    build, n_missed = pathlib.Path(sys.argv[1]).absolute(), 0
    for name, (edits, words) in FAULTS.items():
        with tempfile.TemporaryDirectory() as scratch:
            copy = plant(build, pathlib.Path(scratch) / 'tree', edits)
            seed = is_found(copy, words)
        print(f'{name}: {f"found after {seed * int(CHANGES)} changes at most" if seed else "NOT found"}', flush=True)
        n_missed += not seed
    sys.exit(bool(n_missed))


main()
