#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle diff
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

heddle route $dragonfly -e dla -o dla >/dev/null
heddle route $dragonfly -e dla -q xordet:4 -o xordet >/dev/null
heddle route $dragonfly -e minhop -o minhop --force >/dev/null

ok "the same" heddle diff dla dla
like "is said" "$(heddle diff dla dla)" '^verdict +the same$'
json "in JSON" "j['same'], j['pairs']['changed']" "(True, 0)" heddle diff dla dla --json
not_ok "other queues: different" 1 heddle diff dla xordet
json "other queues: no path changes" "j['pairs']['all'], j['pairs']['path'], j['lft_entries']" \
	"(5112, 0, 0)" heddle diff dla xordet --json
json "but the SL of three in four pairs" "j['pairs']['sl']" 3834 heddle diff dla xordet --json
json "and no link's load" "j['load']['changed']" 0 heddle diff dla xordet --json
prints "a link that fails" diff-minhop bash -c "
	heddle topo $dragonfly --fail-links 'G0S0[3]' -o cut.net >&2
	heddle route cut.net -e minhop -o cut --force >&2
	heddle diff minhop cut"
json "one link fewer" "j['fabric']['links_removed'], j['fabric']['nodes_removed']" "(1, 0)" \
	heddle diff minhop cut --json
json "no pair lost" "j['pairs']['lost']" 0 heddle diff minhop cut --json
json "load moves" "j['load']['changed'] > 0, j['load']['moved'][0]['after'] is None" "(True, True)" \
	heddle diff minhop cut --json

# which blocks and rows
json "the blocks of each switch add up" "sum(len(s['lft_blocks']) for s in j['switches']) == j['lft_blocks']" \
	True heddle diff minhop cut --json
json "the rows of each switch: all of linked ports" \
	"[len(s['sl2vl_rows']) for s in j['switches']] == [56] * 36, j['switches'][0]['sl2vl_rows'][:2]" \
	"(True, [[0, 1], [1, 1]])" heddle diff dla xordet --json
sed -i -E '0,/^0x0041 [0-9]+/s//0x0041 007/' minhop/opensm-lfts.dump
heddle route $dragonfly -e minhop -o undamaged --force >/dev/null
json "one entry changes one block" "[(s['switch'], s['lft_entries'], s['lft_blocks']) for s in j['switches']]" \
	"[('G0S0', 1, [1])]" heddle diff undamaged minhop --json

# a dump that lacks switches
cp -r dla part
awk '/^Unicast lids/ { leaves = /G0S0|G3S1/ } !leaves' dla/opensm-lfts.dump >part/opensm-lfts.dump
not_ok "switches without a table: neither the same nor different" 2 heddle diff dla part
like "how many pairs" "$(heddle diff part dla 2>&1)" \
	': LFTs are missing: 916 pairs.*verdict +the same as far as is known.*not covered +916 pairs'
json "in JSON" "j['same'], j['uncovered'], j['pairs']['changed'], j['lft_entries']" "(None, 916, 0, 0)" \
	heddle diff dla part --json
not_ok "the same on both sides" 2 heddle diff part part
awk '/^Unicast lids/ { leaves = /G0S0|G3S1/; ours = /G8S3/ } ours && $1 == "0x0041" { $2 = "255" } !leaves' \
	dla/opensm-lfts.dump >part/opensm-lfts.dump
not_ok "different all the same" 1 heddle diff dla part
json "no more than what differs" "j['same'], j['uncovered'] <= 916, j['lft_entries'], j['pairs']['lost'] > 0" \
	"(False, True, 1, True)" heddle diff dla part --json

# pairs
not_ok "--pairs" 1 heddle diff dla xordet --pairs pairs.csv
is "as many lines as pairs that change, and a header" "$(wc -l <pairs.csv)" \
	"$(($(heddle diff dla xordet --json | python3 -c \
		'import json, sys; print(json.load(sys.stdin)["pairs"]["changed"])') + 1))"
is "columns" "$(head -n 1 pairs.csv)" "source_guid,destination_guid,path,sl,vl,lost,gained"
heddle diff dla xordet --pairs - >stdout.csv
same "to standard output" pairs.csv stdout.csv

# One of several parallel links: only that one is gone.
trunked=dragonfly:a=1,p=4,h=3,g=2
heddle route $trunked -e minhop -o trunk --force >/dev/null
heddle topo $trunked --fail-links 'G0S0[6]' -o trunk.net >/dev/null
heddle route trunk.net -e minhop -o trunk-cut --force >/dev/null
json "one of several links" "[m['after'] for m in j['load']['moved']].count(None), j['fabric']['links_removed']" \
	"(2, 1)" heddle diff trunk trunk-cut --json

# Port sets of adaptive routing
heddle route tree:k=4,n=2 -e updn:ar=yes -o sets >/dev/null
heddle route tree:k=4,n=2 -e updn -o no-sets >/dev/null
ok "port sets are the same" heddle diff sets sets
json "port sets alone" "j['lft_entries'], j['ar_entries'], len(j['switches']), j['switches'][0]['ar_entries']" \
	"(0, 60, 4, 15)" heddle diff no-sets sets --json
not_ok "a column of them" 1 heddle diff no-sets sets
like "port sets as text" "$(heddle diff no-sets sets)" "port sets        60 entries changed"

# Renumbered LIDs are not other routes.
heddle route $dragonfly -e dla --sm H-00044 -o renumbered >/dev/null
json "renumbered: LIDs changed" "j['fabric']['lids_changed'] > 0, j['fabric']['links_added']" \
	"(True, 0)" heddle diff dla renumbered --json
json "renumbered: no path" "j['pairs']['path'], j['pairs']['sl'], j['pairs']['vl']" "(0, 0, 0)" \
	heddle diff dla renumbered --json

# --old-fabric, --new-fabric
mkdir dumps
cp dla/*.dump dumps
ok "--old-fabric" heddle diff dumps dla --old-fabric dla/fabric.net
ok "--new-fabric" heddle diff dla dumps --new-fabric dla/fabric.net
says "no fabric" 'dumps/fabric.net: ' heddle diff dla dumps
says "no such snapshot" 'nowhere: not a snapshot' heddle diff dla nowhere

finish
