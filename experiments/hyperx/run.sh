#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the 12x8 HyperX of Domke et al. (672 hosts) carries with parx and other engines, beside a fat tree of two levels:
# hyperx.csv beside this script, and the table of README.md on standard output.
#
#	experiments/hyperx/run.sh
#
# Wants heddle and simfabric in $PATH, and opensm. Rows that are there are kept: an interrupted run goes on where it was;
# remove the file to begin anew. It takes about a minute and a half of CPU.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
"$here/study.py" hyperx:12x8,p=7 parx+2/size parx+2/size:small=8KiB parx+2/roundrobin parx+2/outstanding hdor any df-sssp \
	layered layered+2 opensm-dfsssp opensm-dfsssp+2/roundrobin
"$here/study.py" pgft:m=18x36,w=1x18 dmodc
"$here/table.py"
