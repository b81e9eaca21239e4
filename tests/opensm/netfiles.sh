# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Netfiles through Debian's ibsim and ibnetdiscover: what is written loads there and comes back as the
# same fabric, and ibsim's own netfiles get the GUIDs that ibsim gives.
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
tool=$top_builddir/tests/tools/fabric_tool
data=$top_srcdir/tests/data/netfiles

"$tool" copy "$data/chassis.net" >"$scratch/file"
"$tool" copy - <"$data/chassis.net" >"$scratch/stdin"
same "standard input is read as a file" "$scratch/stdin" "$scratch/file"
not_ok "bad input: exit 2" 2 "$tool" copy - <<<'Switch 4 "s'
is "bad input: one line" "$("$tool" copy - 2>&1 <<<'Switch 4 "s')" \
	"fabric_tool: <stdin>:1: a quote is not closed"

for program in ibsim ibnetdiscover; do
	command -v "$program" >/dev/null && continue
	skip "through ibsim" "$program is not installed"
	finish
	exit
done
if [ -z "$umad2sim" ]; then
	skip "through ibsim" "libumad2sim.so is not installed"
	finish
	exit
fi

# through_ibsim NETFILE: what ibnetdiscover sees of it, in $scratch/live.net
through_ibsim() {
	start_ibsim "$1" || return
	unset SIM_HOST # the first node, a switch
	on_fabric ibnetdiscover >"$scratch/live.net" 2>"$scratch/errors"
	stop_fabric
}

# What ibsim makes up where a file does not say: system image GUIDs, 4xSDR
# shellcheck disable=SC2120 # some give a file, some a pipe
without_defaults() {
	sed -e '/^sysimgguid=/d' -e 's/ 4xSDR$//' "$@"
}

# ibsim does not take the LIDs of routers from its file.
without_router_lids() {
	sed -e '/"R-/s/ lid [0-9]*//' -e '/^Rt/,$s/# lid [0-9]* lmc [0-9]*/#/' "$@"
}

for name in ibnetdiscover-dragonfly-72 ibnetdiscover-odd; do
	ok "$name: copy" "$tool" copy "$data/$name.net"
	"$tool" copy "$data/$name.net" >"$scratch/written.net"
	through_ibsim "$scratch/written.net"
	"$tool" copy "$scratch/live.net" | without_router_lids >"$scratch/live"
	without_router_lids "$scratch/written.net" >"$scratch/written"
	same "$name: through ibsim" "$scratch/live" "$scratch/written"
done

through_ibsim "$data/ibsim-dragonfly-72.net"
"$tool" copy "$scratch/live.net" | without_defaults >"$scratch/live"
"$tool" copy "$data/ibsim-dragonfly-72.net" | without_defaults >"$scratch/read"
same "ibsim's GUIDs and names" "$scratch/live" "$scratch/read"

# mixed sizes, a base in the middle, a module prefix, widths and speeds
cat >"$scratch/mixed.net" <<'EOF'
module="m0"

Switch 5 "s"
[1] "a"[2]	w=8 s=1
[2] "b"[4]	w=2 s=2
[3] "m1#s2"[7]

Hca 3 "a"
[2] "s"[1]	w=8 s=1

Ca 4 "b" # "b with a name"
[4] "s"[2]	w=2 s=2

caguid=0x7000
module="m1"
devid=0x1234

Hca 2 "c"
[1] "s2"[2]

Hca 1 "e"
[1] "s2"[3]

switchguid+0x40

Switch 12 "s2"
[2] "c"
[3] "e"
[7] "m0#s"[3]
EOF
through_ibsim "$scratch/mixed.net"
ok "mixed: read" "$tool" copy "$scratch/mixed.net"
"$tool" copy "$scratch/live.net" | without_defaults >"$scratch/live"
"$tool" copy "$scratch/mixed.net" | without_defaults >"$scratch/read"
same "mixed: GUIDs, names, widths and speeds" "$scratch/live" "$scratch/read"
finish
