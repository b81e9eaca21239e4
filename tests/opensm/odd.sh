# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Fabrics at the edge: whatever they are, OpenSM brings them up, and engines refuse or route.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

# fabric NAME WANTED [LINE...]: the netfile on standard input; WANTED is the engine in the end
fabric() {
	local name=$1 wanted=$2 at=$scratch/$1
	shift 2
	cat >"$at.net"
	start_ibsim "$at.net"
	configure "$at" "routing_engine dla,heddle-minhop" "$@"
	ok "$name: the subnet comes up" opensm_once "$at"
	is "$name: by $wanted" "$(tables_configured "$at")" "$wanted"
	stop_fabric
}

fabric "two adapters, no switch" "" <<'END'
Hca 1 "A"
[1] "B"[1]

Hca 1 "B"
[1] "A"[1]
END

fabric "one switch, one adapter, unlinked ports" dla <<'END'
Switch 36 "S"
[17] "A"[1]

Hca 2 "A"
[1] "S"[17]
END

fabric "one adapter on one switch by both ports" dla <<'END'
Switch 4 "S"
[1] "A"[1]
[2] "A"[2]

Hca 2 "A"
[1] "S"[1]
[2] "S"[2]
END

fabric "switches only, the SM on port 0 of one" dla <<'END'
Switch 2 "S"
[1] "T"[1]

Switch 2 "T"
[1] "S"[1]
END

fabric "parallel links" dla <<'END'
Switch 5 "S"
[1] "A"[1]
[2] "T"[2]
[3] "T"[4]
[5] "T"[5]

Switch 8 "T"
[2] "S"[2]
[4] "S"[3]
[5] "S"[5]
[8] "B"[1]

Hca 1 "A"
[1] "S"[1]

Hca 1 "B"
[1] "T"[8]
END

fabric "a switch cabled to itself" dla <<'END'
Switch 6 "S"
[1] "A"[1]
[3] "S"[4]
[4] "S"[3]

Hca 1 "A"
[1] "S"[1]
END

# a chain is no dragonfly, and minhop on a tree has no credit loop
fabric "a chain" heddle-minhop <<'END'
Switch 4 "S"
[1] "A"[1]
[2] "T"[2]

Switch 4 "T"
[2] "S"[2]
[3] "U"[3]

Switch 4 "U"
[1] "B"[1]
[3] "T"[3]

Hca 1 "A"
[1] "S"[1]

Hca 1 "B"
[1] "U"[1]
END
finish
