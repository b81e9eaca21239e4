#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Rounds the numbers of CSV files to DIGITS significant digits, in place: results that are kept here need no more.

    experiments/round.py [--digits DIGITS] FILE.csv...

Whole numbers stay as they are, however long.
"""
import argparse
import re

NUMBER = re.compile(r"(?<![\w.:=-])-?\d+\.\d+(?:e[+-]?\d+)?(?![\w.:])")


def shorter(text, digits):
    """The number in that many digits, if this is shorter."""
    value = float(text)
    rounded = f"{value:.{digits}g}"
    if "e" in rounded:
        rounded = f"{float(rounded):.0f}" if abs(value) >= 1 else rounded
    return rounded if len(rounded) < len(text) else text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--digits", type=int, default=6)
    parser.add_argument("files", nargs="+", metavar="FILE.csv")
    arguments = parser.parse_args()
    for path in arguments.files:
        with open(path, encoding="utf-8", newline="") as file:
            before = file.read()
        after = NUMBER.sub(lambda number: shorter(number[0], arguments.digits), before)
        if after != before:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(after)


if __name__ == "__main__":
    main()
