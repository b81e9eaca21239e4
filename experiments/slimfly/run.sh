#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What Slim Flies of 50 to 578 switches carry, and what fabrics of 36-port switches cost: slimfly.csv and cost.csv beside this
# script, and the tables of README.md on standard output.
#
#	experiments/slimfly/run.sh
#
# Wants heddle and simfabric in $PATH, and opensm. Rows that are there are kept: an interrupted run goes on where it was; remove the files to begin anew.
# It takes about five minutes of CPU.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
all=uniform,adversarial,permutation,exchange,pair
"$here/study.py" 5 $all 4ms layered layered+1 layered+2 layered+3 df-sssp df-minhop any \
	opensm-dfsssp opensm-nue opensm-nue:4
"$here/study.py" tree $all 4ms dmodc
"$here/study.py" 7 $all 2ms layered layered+1 layered+2 df-sssp df-minhop any
"$here/study.py" 11 uniform,adversarial,permutation 1ms layered layered+2 df-sssp any
"$here/study.py" 17 uniform,adversarial 1ms layered layered+1 df-sssp
"$here/cost.py"
"$here/table.py"
