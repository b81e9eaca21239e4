#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What dfval is for: a group that sends to one other group. Accepted load at what docs/lanes.md has,
# where minimal routes stop at 1 / (2 h^2) of the links' rate.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

# accepted TOPOLOGY LOAD ARGUMENT...
accepted() {
	heddle sim "$1" -q single:1 -s traffic.load="$2" -s traffic.pattern=adversarial \
		-s host.policy=roundrobin -s switch.voq=yes -s run.warmup=100us -s run.measure=300us \
		"${@:3}" --no-time --quiet --csv - |
		awk -F, '!/^#/ && !column { for (i = 1; i <= NF; i++) if ($i == "accepted") column = i; next }
			 !/^#/ { print $column }'
}

# between NAME LEAST MOST VALUE
between() {
	ok "$1: $4" awk -v least="$2" -v most="$3" -v value="$4" \
		'BEGIN { exit !(value != "" && value >= least && value <= most) }'
}

between "72 hosts, dla" 0.11 0.13 "$(accepted dragonfly:h=2 0.4 -e dla)"
between "72 hosts, dfval, LMC 3" 0.38 0.41 "$(accepted dragonfly:h=2 0.4 -e dfval -s routing.lmc=3)"
between "72 hosts, dfval without minimal routes" 0.33 0.36 \
	"$(accepted dragonfly:h=2 0.35 -e dfval -s routing.lmc=3 -s routing.options=minimal=off)"
between "342 hosts, dla" 0.05 0.06 "$(accepted dragonfly:h=3 0.4 -e dla)"
between "342 hosts, dfval, LMC 4" 0.38 0.41 "$(accepted dragonfly:h=3 0.4 -e dfval)"
between "342 hosts, dfval with flex, LMC 4" 0.38 0.41 "$(accepted dragonfly:h=3 0.4 -e dfval -l flex)"
finish
