#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Fabrics as people have them: what is odd is read and noted, and refused with --strict.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99
corpus=$top_srcdir/tests/fuzz/corpus/netfile

# notes NAME REGEX COMMAND...: COMMAND succeeds with one line on stderr, which matches
notes() {
	local name=$1 regex=$2
	shift 2
	ok "$name" "$@"
	"$@" 2>&1 >/dev/null | grep -c . >count
	is "$name: one line" "$(cat count)" 1
	like "$name: the line" "$("$@" 2>&1 >/dev/null)" "$regex"
	is "$name: nothing with --quiet" "$("$@" --quiet 2>&1 >/dev/null)" ""
}

heddle topo $dragonfly --lmc 0 -o plain.net >/dev/null
heddle route plain.net -e dla -o snapshot >/dev/null
{
	printf '\xEF\xBB\xBF[root@node ~]# ibnetdiscover\n'
	cat plain.net
} >prompt.net
notes "a mark and a prompt" "^heddle: prompt.net:1: 1 line of other text before the netfile, '\[root@node" \
	heddle topo prompt.net
same "the fabric is the same" <(heddle topo prompt.net -o - 2>/dev/null) plain.net
notes "route" '^heddle: prompt.net:1: ' heddle route prompt.net -e dla
notes "a snapshot's netfile" '^heddle: prompt.net:1: ' heddle check snapshot --fabric prompt.net
like "sim" "$(heddle sim prompt.net -s run.measure=1us -s run.warmup=1us 2>&1 >/dev/null)" \
	'^heddle: prompt.net:1: '
notes "check --adaptive" '^heddle: prompt.net:1: ' heddle check prompt.net -e dla --adaptive minimal
for command in "topo prompt.net" "route prompt.net -e dla -o no" "check snapshot --fabric prompt.net" \
	"sim prompt.net" "sim -s fabric.strict=yes prompt.net" "check prompt.net -e dla --adaptive minimal" \
	"faults prompt.net -e dla --links 1"; do
	strict=--strict
	[[ $command != *fabric.strict* ]] || strict=
	# shellcheck disable=SC2086 # words
	says "--strict: $command" 'prompt.net:1: a byte order mark' heddle $command $strict
done
ok "nothing is left of a refused file" test ! -e no
# shellcheck disable=SC2016 # no expansion meant
ok "simfabric reads and says so" bash -c 'simfabric prompt.net -- true 2>&1 | grep -q "^simfabric: prompt.net:1: "'
not_ok "simfabric --strict" 2 simfabric --strict prompt.net -- true

sed -e '/^Switch.*# "G8S3"/,/^$/d' -e '/^Switch.*# "G0S0"/,/^$/d' plain.net >dangling.net
ok "links to a node that is not there" heddle topo dangling.net
like "told with their lines" "$(heddle topo dangling.net 2>&1 >/dev/null | head -n 1)" \
	'^heddle: dangling.net:[0-9]+: port [0-9]+ is linked to "S-[0-9a-f]+", which is not in this file: the link is left out'
like "not all of them" "$(heddle topo dangling.net 2>&1 >/dev/null | tail -n 1)" '[0-9]+ more of such lines$'
says "--strict refuses them" 'which is not in this file$' heddle topo dangling.net --strict
heddle topo dangling.net -o written.net >/dev/null 2>&1
ok "what is written has them no longer" heddle topo written.net --strict

# lists of links
for name in dla minhop; do
	data=$top_srcdir/tests/data/opensm/$name
	same "$name: OpenSM's list of links is the fabric" \
		<(heddle topo "$data/opensm-subnet.lst" -o - --strict) <(heddle topo "$data/fabric.net" -o -)
	rm -rf dumps
	mkdir dumps
	cp "$data"/opensm*.{dump,lst} dumps
	same "$name: dumps without a netfile" <(heddle check dumps 2>&1) \
		<(heddle check dumps --fabric "$data/fabric.net" 2>&1)
done
rm dumps/opensm-subnet.lst
says "dumps alone" 'fabric.net: not there' heddle check dumps
{
	echo '[root@node ~]# ibnetdiscover -p'
	cat "$corpus/ports-list"
} >prompt.lst
notes "a prompt before a list" \
	"^heddle: prompt.lst:1: not a line of the output of ibnetdiscover -p: passed over$" heddle topo prompt.lst

# packed files: told by what is in them, wherever files are read
for packer in gzip xz zstd; do
	if ! command -v $packer >/dev/null; then
		skip "$packer" "no $packer"
		continue
	fi
	$packer -c <plain.net >packed 2>/dev/null
	if heddle topo packed 2>&1 | grep -q 'built without'; then
		says "$packer: this build does not know it" "packed: packed by $packer" heddle topo packed
		continue
	fi
	same "$packer: a netfile" <(heddle topo packed -o -) plain.net
	same "$packer: on standard input" <(heddle topo - -o - <packed) plain.net
	rm -rf small
	cp -r snapshot small
	$packer -q small/opensm-lfts.dump small/opensm-sl2vl.dump small/fabric.net
	rm -f small/opensm-lfts.dump small/opensm-sl2vl.dump small/fabric.net
	same "$packer: a snapshot, file by file" <(heddle check small) <(heddle check snapshot)
	same "$packer: its fabric" <(heddle topo small) <(heddle topo snapshot)
	$packer -c <snapshot/opensm-lfts.dump >small/opensm-lfts.dump
	same "$packer: without the ending in its name" <(heddle check small) <(heddle check snapshot)
	for file in packed small/opensm-lfts.dump; do
		head -c $(($(wc -c <$file) / 2)) $file >half
		cp half $file
	done
	says "$packer: half a netfile" "packed: cut short: .* $packer packed" heddle topo packed -o no
	says "$packer: half a dump" "lfts.dump: cut short: .* $packer packed" heddle check small
	ok "$packer: nothing is left" test ! -e no
	$packer -c <plain.net >packed
	printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxx' | dd of=packed bs=1 seek=40 conv=notrunc status=none
	says "$packer: damaged" "packed: damaged: $packer" heddle topo packed
done

# what a packed file may hold has a bound, and so has what a fabric may have
bombs() { # NAME REGEX FILE
	local peak=$scratch/peak
	says "$1" "$2" heddle topo "$3"
	command -v /usr/bin/time >/dev/null || return
	/usr/bin/time -f %M -o "$peak" heddle topo "$3" >/dev/null 2>&1
	if [ -z "${sanitizers-}" ]; then
		ok "$1: $(tail -n 1 "$peak") KB" test "$(tail -n 1 "$peak")" -lt 400000
	fi
}
for packer in gzip xz zstd; do
	command -v $packer >/dev/null || continue
	level=-1
	[ $packer != xz ] || level=-0
	head -c 300M /dev/zero | $packer $level >bomb
	heddle topo bomb 2>&1 | grep -q 'built without' && continue
	bombs "$packer: 300 MiB in a small file" "bomb: packed by $packer, and holds more than 256 MiB, the bound for a packed file of its size: unpack it first" bomb
	says "$packer: the same on standard input" "<stdin>: packed by $packer, and holds more than 256 MiB" \
		bash -c 'heddle topo - <bomb'
done
rm -f bomb
awk 'BEGIN { for (i = 1; i <= 400000; i++) printf "Switch 36 \"S-%016x\"\n", i }' >many.net
bombs "switches" 'many.net:49152: more than 49151 switches: InfiniBand has no more unicast LIDs' many.net
awk 'BEGIN { for (i = 1; i <= 400000; i++) printf "Ca 1 \"c%d\"\n", i }' >many.net
bombs "adapters" 'many.net:98303: more than 98302 nodes: InfiniBand has 49151 unicast LIDs' many.net
awk 'BEGIN { print "Ca 1 \"c\""; for (i = 1; i <= 400000; i++) printf "[1] \"c%d\"[1]\n", i }' >many.net
bombs "lines of a port" 'many.net:10: more port lines than the nodes before have ports' many.net
awk 'BEGIN { for (i = 1; i <= 400000; i++) printf "SW %5d 1 0x%016x 4x SDR - CA %5d 1 0x%016x ( \x27a\x27 - \x27b\x27 )\n", i % 9999, 2 * i, i % 9999, 2 * i + 1 }' >many.lst
bombs "a list of links" 'many.lst:49152: more than 98302 nodes' many.lst
# an LFT dump may hold what the fabric can have
if command -v gzip >/dev/null && ! heddle topo packed 2>&1 | grep -q 'built without'; then
	cp -r snapshot packed-snapshot
	{
		cat snapshot/opensm-lfts.dump
		# in long lines, as a reader takes longer for a line than for a byte
		yes "$(printf '%4000s' '')" | head -c 300M
	} | gzip -1 >packed-snapshot/opensm-lfts.dump.gz
	rm packed-snapshot/opensm-lfts.dump
	says "a packed LFT dump without an end" 'opensm-lfts.dump.gz: packed by gzip, and holds more than 256 MiB' \
		heddle check packed-snapshot
	rm -rf packed-snapshot
fi
rm -f many.net many.lst

ok "odd LIDs" heddle topo "$corpus/odd-lids"
says "odd LIDs, strictly" "odd-lids:1: expected a number after 'lid'" heddle topo "$corpus/odd-lids" --strict
ok "a chassis of ibdiagnet" heddle topo "$corpus/ibdiagnet"
like "GUIDs and labels" "$(heddle topo "$corpus/ibdiagnet" 2>&1 >/dev/null)" \
	'ibdiagnet:13: a port GUID that is the number.*ibdiagnet:9: several switches have the GUID 0x0*9, .*: the GUIDs in quotes are taken$'
says "a chassis, strictly" 'ibdiagnet:[0-9]+: ' heddle topo "$corpus/ibdiagnet" --strict
ok "an adapter alone" heddle topo "$corpus/bare-ca" --strict
says "tables are no netfile" 'lfts.dump:1: forwarding tables .*--fabric' heddle topo snapshot/opensm-lfts.dump
heddle route $dragonfly -e dla -o one >/dev/null
heddle topo $dragonfly --fail-switches 1 --seed 1 -o fewer.net >/dev/null
says "tables of another time" 'one/opensm-lfts.dump:[0-9]+: (LID 0x.* is port 0x.*, and in the fabric .*|the fabric has no switch 0x.*): the dump is of another' \
	heddle check one --fabric fewer.net
heddle topo torus:6x6 --assign-lids -o torus.net >/dev/null
says "tables of another fabric" 'one/opensm-lfts.dump:[0-9]+: LID 0x.* is port 0x.*, and in the fabric .*: the dump is of another' \
	heddle check one --fabric torus.net
# an adapter's port whose GUID the netfile does not tell
sed -E 's/^(\[1\])\(2[0-9a-f]*\)/\1/' one/fabric.net >guessed.net
ok "a GUID that is a guess is none to compare" heddle check one --fabric guessed.net
iconv -t UTF-16 plain.net >utf16.net
says "UTF-16" 'utf16.net:1: UTF-16.*iconv' heddle topo utf16.net
sed '9s/.*/user$ x/' plain.net >amid.net
says "other text amid" 'amid.net:9: not a line of a netfile' heddle topo amid.net

# topology files of ibutils, with types of systems beside them
rack=$top_srcdir/tests/data/ibutils
json "a topology file" "j['switches'], j['adapters'], j['switch_links'], j['end_links']" "(13, 2, 17, 3)" \
	heddle topo "$rack/rack.topo" --json
heddle topo "$rack/rack.topo" -o rack.net >/dev/null
link() { # NODE PORT: where its link leads, and its rate
	awk -v node="$1" -v port="$2" -F '"' '/^(Switch|Ca)/ { at = $4 }
		at == node && index($0, "[" port "]") == 1 { n = split($0, w, " "); print $4, w[n] }' rack.net
}
is "boards: a link inside, by the slower of what its ends say" "$(link R1/line1/U1 3)" "R1/line1/U2 4xDDR"
is "from board to board" "$(link R1/line1/U2 4) $(link R1/line2/U1 4)" "R1/spine1/U1 4xQDR R1/spine1/U1 4xQDR"
is "a cable that does not say its rate" "$(link R1/line1/U1 1)" "host1/U1 4xQDR"
is "one that does" "$(link R1/line1/U1 2)" "host1/U1 4xDDR"
is "from system to system" "$(link R1/line3/U1 1)" "R2/line1/U1 4xQDR"
is "another board by CFG" "$(link R2/line2/U1 1)" "host2/U1 4xDDR"
is "and none" "$(grep -c '"R2/line3' rack.net)" 0
ok "it is routed" heddle route "$rack/rack.topo" -e updn -o racks
cp "$rack/rack.topo" alone.topo
says "no types" "alone.topo:2: there is no .ibnl file of systems 'Rack'" heddle topo alone.topo
ok "types by IBDM_IBNL_PATH" env IBDM_IBNL_PATH="nowhere:$rack" "$(command -v heddle)" topo alone.topo
cp "$rack"/*.ibnl .
broken() { # NAME WANTED LINE...: of a topology file
	local name=$1 wanted=$2
	shift 2
	printf '%s\n' "$@" >bad.topo
	says "$name" "bad.topo:$wanted" heddle topo bad.topo
}
broken "no such plug" "2: 'R1' has no plug 'L9/P1'" "Rack R1" " L9/P1 -> Card h P1"
broken "a plug of a board that is not there" "2: 'R1' has no plug 'L1/P1'" "Rack R1 CFG: line1=R" " L1/P1 -> Card h P1"
broken "no such board" "1: .*Rack.ibnl has no board 'LINE:thin'" "Rack R1 CFG: line1=thin" " L2/P1 -> Card h P1"
broken "a plug with two cables" "3: " "Rack R1" " L1/P1 -> Card h P1" " L1/P1 -> Card h P2"
broken "a name of two systems" "2: 'R1' is another system in line 1" "Rack R1" " L1/P1 -> Card R1 P1"
broken "not a cable" "3: neither a system" "Rack R1" " L1/P1 -> Card h P1" " L1/P2 -> Card h"
sed 's/^   P1 -> L1\/P1/   P1 -> line9 P1/' "$rack/Rack.ibnl" >Rack.ibnl
says "a wrong type of system" "Rack.ibnl:[0-9]+: there is no 'line9' here" heddle topo "$PWD/alone.topo"
echo "NODE" >Rack.ibnl
says "none at all" "Rack.ibnl:1: expected" heddle topo "$PWD/alone.topo"
rm Rack.ibnl Card.ibnl

# what ibutils brings, as its own shell reads it
ibnl=$(echo /usr/lib/*/ibdm*/ibnl)
if command -v ibdmsh >/dev/null && [ -e "$ibnl/Buffalo8.topo" ]; then
	cat >links.tcl <<'END'
set fabric [new_IBFabric]
IBFabric_parseTopology $fabric $env(TOPO)
foreach entry [IBFabric_NodeByName_get $fabric] {
	set node [lindex $entry 1]
	for {set p 1} {$p <= [IBNode_numPorts_get $node]} {incr p} {
		set port [IBNode_getPort $node $p]
		if {$port == "" || [IBPort_p_remotePort_get $port] == ""} continue
		set peer [IBPort_p_remotePort_get $port]
		puts "L [IBNode_name_get $node] $p [IBNode_name_get [IBPort_p_node_get $peer]] [IBPort_num_get $peer]"
	}
}
exit
END
	for file in "$ibnl"/*.topo "$rack/rack.topo"; do
		heddle topo "$file" -o - 2>/dev/null | awk -F '"' '/^(Switch|Ca)/ { name[$2] = at = $4 }
			/^\[/ { split($1, p, /[][]/); split($3, q, /[][]/); n++; from[n] = at " " p[2]; to[n] = $2; peer[n] = q[2] }
			END { for (i = 1; i <= n; i++) print "L", from[i], name[to[i]], peer[i] }' | sort >ours
		TOPO=$file IBDM_IBNL_PATH=$rack ibdmsh links.tcl 2>/dev/null </dev/null | grep '^L ' | sort >theirs
		ok "${file##*/}: $(wc -l <theirs) ends of links as ibutils has them" cmp ours theirs
	done
else
	skip "topology files of ibutils" "ibutils is not installed"
fi

finish
