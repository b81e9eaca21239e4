#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Cuts a part out of a recording of libheddle-trace: part.py FIRST LAST [LEAST] < TRACE > PART

From the collective operation FIRST to before LAST, as the recording's comments number them: what HEDDLE_TRACE_PART does where a second
run of the program would number them otherwise, as hpcc's do. What messages before the part were waited for is left out.

With LEAST only what says who sends blocks to whom, in which order and after which receipts: messages of no bytes (barriers) and of LEAST
bytes and more, without times, and without which message of its sender came before.
"""
import sys


def main():
    first, last = int(sys.argv[1]), int(sys.argv[2])
    least = int(sys.argv[3]) if len(sys.argv) > 3 else None
    number = {}     # in the part, by number in the recording
    now = n = 0
    for line in sys.stdin:
        if line.startswith('# collective'):
            now = int(line.split()[2].rstrip(':'))
        elif not line.startswith('#'):
            words = line.split()
            is_block = words[1] != words[2] and (words[3] == '0' or int(words[3]) >= (least or 0))
            if first <= now < last and (least is None or is_block):
                number[n] = len(number)
                pairs = zip(words[4::2], words[5::2])
                words[4:] = [word for kind, on in pairs if int(on) in number and (least is None or kind == 'received')
                             for word in (kind, str(number[int(on)]))]
                if least is not None:
                    words[0] = '0'
                sys.stdout.write(' '.join(words) + '\n')
            n += 1
        if line.startswith('#') and (now < first and not line.startswith('# collective') or first <= now < last):
            sys.stdout.write(line)


if __name__ == '__main__':
    main()
