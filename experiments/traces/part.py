#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Cuts a part out of a recording of libheddle-trace: part.py FIRST LAST < TRACE > PART

From the collective operation FIRST to before LAST, as the recording's comments number them: what HEDDLE_TRACE_PART does where a second
run of the program would number them otherwise, as hpcc's do. What messages before the part were waited for is left out.
"""
import sys


def main():
    first, last = int(sys.argv[1]), int(sys.argv[2])
    number = {}     # in the part, by number in the recording
    now = n = 0
    for line in sys.stdin:
        if line.startswith('# collective'):
            now = int(line.split()[2].rstrip(':'))
        elif not line.startswith('#'):
            if first <= now < last:
                number[n] = len(number)
                words = line.split()
                pairs = zip(words[4::2], words[5::2])
                words[4:] = [word for kind, on in pairs if int(on) in number for word in (kind, str(number[int(on)]))]
                line = ' '.join(words) + '\n'
            n += 1
        if line.startswith('#') and now < first and not line.startswith('# collective') or first <= now < last:
            sys.stdout.write(line)


if __name__ == '__main__':
    main()
