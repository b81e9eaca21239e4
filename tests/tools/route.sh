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

# papers/dla-opensm.txt, Table 2: DLA takes 1 SL and 2 VLs whatever the size
resources "72 hosts" "(True, 1, 2, 3)" $dragonfly -e dla
resources "342 hosts" "(True, 1, 2, 3)" dragonfly:a=6,p=3,h=3 -e dla
resources "1,056 hosts" "(True, 1, 2, 3)" dragonfly:a=8,p=4,h=4 -e dla
resources "trunked" "(True, 1, 2, 3)" dragonfly:a=4,p=2,h=2,g=5 -e dla
resources "xordet:4" "(True, 4, 8, 3)" $dragonfly -e dla -q xordet:4
resources "dbbm:2" "(True, 2, 4, 3)" $dragonfly -e dla -q dbbm:2
resources "LMC 2" "(True, 1, 2, 3)" $dragonfly -e dla --lmc 2

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

# minhop on one VL has a credit loop on a dragonfly
not_ok "minhop is unsound" 1 heddle route $dragonfly -e minhop -o minhop
not_ok "and not written" 1 test -e minhop
not_ok "unless forced" 1 heddle route $dragonfly -e minhop -o minhop --force
ok "then it is" test -s minhop/opensm-lfts.dump
not_ok "and as unsound as before" 1 heddle check minhop
like "the witness is printed" "$(heddle route $dragonfly -e minhop)" \
	'verdict +unsound: .*held by flow from'
like "what is not written is said" "$(heddle route $dragonfly -e minhop -o m2)" 'not written +m2'
ok "minhop is sound on a tree" heddle route tree:k=2,n=3 -e minhop

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
refuses "a local link cut" 'engine dla refuses: .*not fully connected: no link between' \
	heddle route $dragonfly:--bad -e dla -o refused 2>/dev/null || true
finish
