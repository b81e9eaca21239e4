#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle route
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

# resources WANTED ARGUMENT...: sound, SLs, VLs, longest path of a route
resources() {
	json "$1: SLs, VLs, hops" "j['sound'], j['sls'], j['vls'], j['max_hops']" "$2" \
		heddle route "${@:3}" --json
}

# the DLA paper, Table 2: DLA takes 1 SL and 2 VLs whatever the size
resources "72 hosts" "(True, 1, 2, 3)" $dragonfly -e dla
resources "342 hosts" "(True, 1, 2, 3)" dragonfly:a=6,p=3,h=3 -e dla
resources "1,056 hosts" "(True, 1, 2, 3)" dragonfly:a=8,p=4,h=4 -e dla
resources "trunked" "(True, 1, 2, 3)" dragonfly:a=4,p=2,h=2,g=5 -e dla
resources "xordet:4" "(True, 4, 8, 3)" $dragonfly -e dla -q xordet:4
resources "dbbm:2" "(True, 2, 4, 3)" $dragonfly -e dla -q dbbm:2
resources "LMC 2" "(True, 1, 2, 3)" $dragonfly -e dla --lmc 2
# groups of a pattern, which recognition has to find
resources "HyperX for groups" "(True, 2, 2, 5)" dragonfly:a=6,p=2,h=2,local=hyperx:3x2 -e d3r
resources "rings for groups" "(True, 2, 2, 8)" dragonfly:a=6,p=2,h=2,local=ring -e d3r

# an order of directions
resources "directions of a mesh" "(True, 1, 1, 6)" mesh:4x4 -e hdor:order=x+y+x-y-
resources "directions of a torus" "(True, 4, 2, 8)" torus:8x8 -e hdor:order=x+y+x-y-
resources "directions of three dimensions" "(True, 8, 2, 6)" torus:5x5x5 -e hdor:order=x+y+z+x-y-z-
while read -r fabric why; do
	like "why dfplus refuses $fabric" "$(heddle route "$fabric" -e dfplus -o none 2>&1)" "not a Dragonfly\\+: $why\$"
done <<'END'
tree:k=4,n=2 all leaves and spines are in one group
tree:k=2,n=3 switch L2S0 has no hosts, and its links lead to spines of several groups
mesh:4x4 all switches have hosts
END
printf 'vendid=0x0\ndevid=0x0\nsysimgguid=0x1\ncaguid=0x1\nCa\t1 "H-0000000000000001"\t\t# "alone"\n' >alone.net
says "an adapter alone: why it has no LIDs" 'the fabric has no LIDs, as no port has a link' \
	heddle route alone.net -e heddle -o none
not_ok "no engine is said to be taken for it" 1 bash -o pipefail -c "heddle report alone.net --text | grep 'engine above'"
says "a direction is missing" "order: y- is missing" heddle route mesh:4x4 -e hdor:order=x+y+x-
says "a sign is missing" "order: expected . or - behind 'x.y.x'" \
	heddle route mesh:4x4 -e hdor:order=x+y+xy-
not_ok "lines of a KNS have no directions" 1 heddle route kns:k=3,n=2 -e hdor:order=x+y+x-y-
not_ok "datelines of five dimensions need 32 SLs" 1 \
	heddle route torus:5x5x5x5x5 -e hdor:order=x+y+z+u+v+x-y-z-u-v-

like "text" "$(heddle route $dragonfly -e dla -o snapshot)" \
	'engine +dla, layers shift, queues single:1.*SLs +1.*VLs +2.*longest path +3 .*time .*verdict +sound.*written +snapshot'
for file in fabric.net opensm-lfts.dump opensm-sl2vl.dump path-sl.dump opensm-vlarb.dump snapshot.json; do
	ok "the snapshot has $file" test -s snapshot/$file
done
ok "it is proved again" heddle check snapshot
heddle route $dragonfly -e dla -o again >/dev/null
ok "the same bytes again" diff -r snapshot again
OMP_NUM_THREADS=1 heddle route $dragonfly -e dla -o one >/dev/null
ok "the same bytes with one thread" diff -r snapshot one
heddle topo $dragonfly -o a.net >/dev/null
heddle route a.net -e dla -o from-file >/dev/null
same "from a netfile: the same LFTs" snapshot/opensm-lfts.dump from-file/opensm-lfts.dump
heddle route - -e dla -o from-stdin <a.net >/dev/null
same "from standard input: the same LFTs" snapshot/opensm-lfts.dump from-stdin/opensm-lfts.dump
heddle route snapshot -e dla -o from-snapshot >/dev/null
same "from a snapshot: the same LFTs" snapshot/opensm-lfts.dump from-snapshot/opensm-lfts.dump
heddle route $dragonfly -e dla -q xordet:4 -o again >/dev/null
like "a snapshot is replaced" "$(heddle show again resources)" 'queues xordet:4'

heddle route $dragonfly -e dla -o again -v >/dev/null 2>err
like "-v says what is done" "$(<err)" 'heddle: wrote again in '
heddle route $dragonfly -e dla -o again -v --quiet >/dev/null 2>err
is "--quiet says nothing" "$(<err)" ""

# minhop on one VL has a credit loop on a dragonfly
not_ok "minhop is unsound" 1 heddle route $dragonfly -e minhop -o minhop
not_ok "and not written" 1 test -e minhop
not_ok "unless forced" 1 heddle route $dragonfly -e minhop -o minhop --force
ok "then it is" test -s minhop/opensm-lfts.dump
not_ok "and as unsound as before" 1 heddle check minhop
like "the witness is printed" "$(heddle route $dragonfly -e minhop)" \
	'verdict +unsound: .*held by flow from'
like "what is not written is said" "$(heddle route $dragonfly -e minhop -o m2)" 'not written +m2'
ok "minhop is sound on a chain" heddle route mesh:4 -e minhop

# refusals: exit 1, one line
refuses() {
	local name=$1 regex=$2 status
	shift 2
	"$@" >"$scratch/.out" 2>"$scratch/.err"
	status=$?
	is "$name: status, lines" "$status $(wc -l <"$scratch/.err") $(wc -l <"$scratch/.out")" "1 1 0"
	like "$name: why" "$(<"$scratch/.err")" "$regex"
}
refuses "a torus" 'engine dla refuses: ' heddle route torus:4x4 -e dla -o refused
for tree in tree:k=8,n=2 tree:k=24,n=2; do
	refuses "$tree" 'engine dla refuses: not a dragonfly: switches without hosts are what joins' \
		heddle route $tree -e dla -o refused
	heddle topo $tree --fail-links 3 --fail-switches 1 -o tree.net >/dev/null
	refuses "$tree, damaged" 'engine dla refuses: not a dragonfly: switches without hosts are' \
		heddle route tree.net -e dla -o refused
done
for ((i = 0; i < 36; i++)); do # GUID-to-group lines
	printf '0x%016x %d\n' $((0x0001000000000000 + i)) $((i / 4))
done >groups
refuses "groups that are rings" 'engine dla refuses: .*not fully connected: no link between G0S0 and G0S' \
	heddle route dragonfly:a=4,p=2,h=2,local=ring -e dla -O groups=groups -o refused
heddle topo $dragonfly --lmc 0 -o lids.net >/dev/null
heddle topo lids.net --fail-links 'G0S0[3],G0S0[4],G0S0[5],G0S0[6],G0S0[7]' -o parts.net >/dev/null
refuses "a switch cut off" 'engine dla refuses: the fabric is in parts: no path from ' \
	heddle route parts.net -e dla -o refused
heddle topo $dragonfly --fail-links 'G0S0[3]' -o local.net >/dev/null
resources "a local link cut" "(True, 1, 2, 4)" local.net -e dla
heddle topo $dragonfly --fail-links 'G0S0[6]' -o global.net >/dev/null
resources "a global link cut" "(True, 1, 2, 3)" global.net -e dla
refuses "too few VLs" '2 layers x 1 queues .* need 2 VLs, of which there are 1$' \
	heddle route $dragonfly -e dla --max-vls 1 -o refused
refuses "too many queues" '2 layers x 8 queues .*need 16 VLs' \
	heddle route $dragonfly -e dla -q dbbm:8 -o refused
not_ok "nothing is written" 1 test -e refused

# LIDs
like "LIDs are assigned where there are none" "$(heddle topo snapshot)" 'LIDs +108 from 1 to 108, LMC 0'
heddle topo $dragonfly --lmc 1 -o lmc1.net >/dev/null
heddle route lmc1.net -e dla -o lmc1 >/dev/null
like "and kept where there are" "$(heddle topo lmc1)" 'LMC 1'
heddle route lmc1.net -e dla --lmc 0 -o lmc0 >/dev/null
like "unless --lmc says otherwise" "$(heddle topo lmc0)" 'LMC 0'
heddle route $dragonfly -e dla --sm H-00005 -o sm >/dev/null
like "the subnet manager's node gets the first" "$(heddle show sm path 1 2)" '^H-00005 to '
says "no such node" "H-99999" heddle route $dragonfly -e dla --sm H-99999
says "no such file" "nowhere: " heddle route nowhere -e dla
mkfifo fifo
says "a group file that would wait" "fifo: not a regular file" heddle route $dragonfly -e dla -O groups=fifo
says "a netfile that would wait" "fifo: not a regular file" heddle route fifo -e dla
says "a netfile without end" "/dev/zero: not a regular file" heddle route /dev/zero -e dla
heddle topo $dragonfly -o shell.net
ok "a netfile from the shell" heddle route <(cat shell.net) -e dla -o from-shell
says "no such group file" "nowhere: " heddle route $dragonfly -e dla -O groups=nowhere

finish
