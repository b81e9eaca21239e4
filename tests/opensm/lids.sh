# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# hd_fabric_assign_lids() against stock opensm: the same LIDs for every LMC, on a dragonfly and on
# an odd fabric, wherever the subnet manager runs.
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
tool=$top_builddir/tests/tools/fabric_tool

for program in opensm ibsim ibnetdiscover; do
	command -v "$program" >/dev/null || { echo "1..0 # SKIP $program is not installed"; exit 0; }
done
[ -n "$umad2sim" ] || { echo "1..0 # SKIP libumad2sim.so is not installed"; exit 0; }

# compare NETFILE LMC HOST PORT: opensm on HOST, whose port GUID is PORT
compare() {
	local name
	name="$(basename "$1"), LMC $2, subnet manager on $3"
	rm -rf "$scratch/opensm"
	mkdir -p "$scratch/opensm"
	: >"$scratch/opensm/opensm.conf"
	start_ibsim "$1" || { tap_result 1 "$name: ibsim"; return; }
	SIM_HOST=$3
	ok "$name: opensm" on_fabric env OSM_CACHE_DIR="$scratch/opensm" OSM_TMP_DIR="$scratch/opensm" \
		timeout 120 opensm -F "$scratch/opensm/opensm.conf" -l "$2" -o -f "$scratch/opensm/log"
	on_fabric ibnetdiscover >"$scratch/live.net" 2>"$scratch/ibnetdiscover.err"
	stop_fabric
	"$tool" lids "$scratch/live.net" >"$scratch/live"
	"$tool" assign "$1" "$2" "$4" >"$scratch/assigned"
	ok "$name: there are LIDs" test -s "$scratch/live"
	same "$name: LIDs" "$scratch/live" "$scratch/assigned"
}

data=$top_srcdir/tests/data/netfiles
for lmc in 0 1 2 3 4 5 6 7; do
	compare "$data/ibsim-odd.net" "$lmc" h1 0xfe02c90300000ff1
	compare "$data/ibsim-dragonfly-72.net" "$lmc" H00000 0x100001
done
# other ports first: a far host, switches, a host that sees only one other
compare "$data/ibsim-dragonfly-72.net" 3 H00071 0x10008f
compare "$data/ibsim-dragonfly-72.net" 2 S00017 0x200011
compare "$data/ibsim-odd.net" 2 sw2 0x0002c902004046d8
compare "$data/ibsim-odd.net" 1 h7 0x1122334455667a
finish
