# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# dmodc, dfplus and heddle in OpenSM on 3,456 hosts: read back, and ibdmchk. It takes minutes, so that `make check` leaves it
# out: make check TESTS=tests/opensm/tables-3456.sh
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
command -v ibdmchk >/dev/null || {
	echo "1..0 # SKIP ibdmchk is not installed"
	exit 0
}
# shellcheck disable=SC2034 # lib.sh's
opensm_patience=300

serves dragonflyplus-dfplus simfabric dragonflyplus:leaves=8,g=54 dfplus
serves dragonflyplus-heddle simfabric dragonflyplus:leaves=8,g=54 heddle dfplus
serves tree-dmodc simfabric pgft:m=12x12x24,w=1x12x12 dmodc
serves tree-heddle simfabric pgft:m=12x12x24,w=1x12x12 heddle dmodc
finish
