#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Directories of ibdiagnet 2.x: they say what the snapshots say from which they are made, and what is wrong with them is told.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99
ibdiagnet_tool=$top_builddir/tests/tools/ibdiagnet_tool

# agrees NAME SNAPSHOT [OPTION...]: check, topo and diff say the same of the snapshot and of the directory
agrees() {
	local name=$1 snapshot=$2 command
	shift 2
	rm -rf dir
	ok "$name: written" "$ibdiagnet_tool" "$snapshot" dir "$@"
	# ibdiagnet does not ask the SA for path records
	cp "$snapshot/path-sl.dump" dir
	for command in "check --json" "check" "topo --json" "show load"; do
		# shellcheck disable=SC2086
		set -- $command
		same "$name: $command" <(heddle "$1" dir "${@:2}" 2>/dev/null) <(heddle "$1" "$snapshot" "${@:2}" 2>/dev/null)
	done
	ok "$name: nothing differs" heddle diff "$snapshot" dir
}

heddle route $dragonfly -e dla -o dla >/dev/null 2>&1
agrees dla dla
not_ok "the tool knows its options" 2 "$ibdiagnet_tool" dla dir revers
agrees "columns in another order" dla reverse
agrees "SL2VL in sections" dla sections
heddle route tree:k=4,n=3 -e dmodc -o tree >/dev/null 2>&1
agrees "fat tree" tree
heddle route tree:k=4,n=3 -e dmodc --lmc 1 -o lmc >/dev/null 2>&1
agrees "several LIDs" lmc
heddle topo $dragonfly --fail-links 3 -o broken.net >/dev/null 2>&1
heddle route broken.net -e d3r -o broken >/dev/null 2>&1
agrees "three links less" broken
is "what fails is told" "$(heddle topo dir 2>/dev/null | grep missing)" "$(heddle topo broken 2>/dev/null | grep missing)"
ok "a directory is a fabric" heddle route dir -e d3r -o again
ok "with the same tables" heddle diff broken again

# what is odd in its file is told once, also where the file is named as the fabric
"$ibdiagnet_tool" dla odd && echo "a line" >>odd/ibdiagnet2.db_csv
is "what is odd is told once" "$(heddle check odd 2>&1 >/dev/null | grep -c 'between sections')" 1
is "also of the directory's own fabric" \
	"$(heddle check --fabric odd/ibdiagnet2.db_csv odd 2>&1 >/dev/null | grep -c 'between sections')" 1

# port sets, and what of the vendor's tables is only counted
heddle route mesh:4x4 -e hdor:ar=negative-first -o ar >/dev/null 2>&1
agrees "port sets" ar
same "port sets are read" <(heddle show dir lft S0.0 2>/dev/null) <(heddle show ar lft S0.0)
rm -rf dir && "$ibdiagnet_tool" ar dir plft
like "private LFTs: counted" "$(heddle check dir 2>&1)" \
	"dir/ibdiagnet2.far: AR tables of 16 switches, [0-9]+ groups, [0-9]+ entries that are not static; private LFTs.*: they are counted only"
says "private LFTs: strictly" "dir/ibdiagnet2.far: AR tables of" heddle check --strict dir
rm -rf dir && "$ibdiagnet_tool" ar dir hash
like "ports by a hash: proved" "$(heddle check dir 2>&1)" "AR sets +[1-9][0-9]* entries.*verdict +hosts sound"
like "and shown" "$(heddle show dir ar S1.1 2>/dev/null)" "hash"
rm -rf dir && "$ibdiagnet_tool" ar dir sub-groups
like "sub-groups: proved" "$(heddle check dir 2>&1)" "subgroups +at most 2 of a group"
rm -rf dir && "$ibdiagnet_tool" ar dir && sed -i 's/Free  /Full  /' dir/ibdiagnet2.far
says "an unknown state" 'dir/ibdiagnet2.far:[0-9]+: expected Static, Free, Bounded or HBF' heddle check dir

rm -rf dir && "$ibdiagnet_tool" ar dir && sed -i '/^0x[0-9a-f]* .*Free/s/ 0$/ 999/' dir/ibdiagnet2.far
like "groups that are not there" "$(heddle check dir 2>&1)" 'entries whose group has no ports, or is not there: they are counted only'
rm -rf dir && "$ibdiagnet_tool" ar dir && sed -i '0,/^1  *0  *0 /s/^1  *0  *0 /0 0 0 /' dir/ibdiagnet2.far
says "a group twice" 'dir/ibdiagnet2.far:[0-9]+: group 0 comes twice' heddle check dir
rm -rf dir && "$ibdiagnet_tool" ar dir && sed -i '/^Switch 0x.* - S3.3,/,$d' dir/ibdiagnet2.far
like "a section less" "$(heddle check dir 2>&1)" 'dir/ibdiagnet2.far: no section of 1 switch, S3.3 the first: LFTs alone count there'

# the file alone, packed, from a pipe
rm -rf dir && "$ibdiagnet_tool" dla dir
ok "the fabric alone" heddle topo dir/ibdiagnet2.db_csv
cp dir/ibdiagnet2.db_csv other
ok "under another name" heddle topo other
same "from a pipe" <(heddle topo - <other) <(heddle topo dla)
gzip -k dir/ibdiagnet2.fdbs dir/ibdiagnet2.db_csv dir/ibdiagnet2.slvl
rm dir/ibdiagnet2.fdbs dir/ibdiagnet2.db_csv dir/ibdiagnet2.slvl
ok "packed" heddle diff dla dir
like "forwarding tables are no fabric" "$(zcat dir/ibdiagnet2.fdbs.gz | heddle topo - 2>&1)" 'give their directory'

# what ports counted
rm -rf dir && "$ibdiagnet_tool" dla dir
is "no errors" "$(heddle topo dir 2>/dev/null | grep -c errors)" 0
json "nor in JSON" "j['port_errors']" '[]' heddle topo dir --json
sed -i 's/^\(0x0001000000000000,0x0000000000000000,3\),0,/\1,0x11,/; s/^\(0x0001000000000001,0x0000000000000000,3\),0,/\1,-1,/' dir/ibdiagnet2.db_csv
like "errors" "$(heddle topo dir 2>/dev/null)" 'errors           1 port, G0S0\[3\]: 17 link downs'
json "errors in JSON" "[(p['name'], p['port'], p['LinkDownedCounter']) for p in j['port_errors']]" "[('G0S0', 3, 17)]" heddle topo dir/ibdiagnet2.db_csv --json
printf 'START_PM_DELTA\nNodeGUID,PortNumber,SymbolErrorCounterExt,PortXmitDiscards\n0x0001000000000000,1,5,N/A\n0x0001000000000001,2,6,1\nEND_PM_DELTA\n' >>dir/ibdiagnet2.db_csv
like "errors of late" "$(heddle topo dir 2>/dev/null)" 'errors           2 ports while ibdiagnet ran, most at G0S1\[2\]: 6 symbol errors, 1 discards'
sed -i 's/,PortNumber,/,Port,/' dir/ibdiagnet2.db_csv
ok "counters of another form" heddle topo dir
is "they are told" "$(heddle topo dir 2>&1 | grep -c 'section PM_[A-Z]* has no column PortNumber: the section is passed over')" 2
says "strictly" 'section PM_INFO has no column PortNumber' heddle topo --strict dir

# without some of its files
rm -rf dir && "$ibdiagnet_tool" dla dir
is "VL arbitration is read" "$(heddle show dir vlarb G0S0 3 2>/dev/null)" "$(heddle show dla vlarb G0S0 3)"
sed -i 's/Priority/Prio/' dir/ibdiagnet2.db_csv
like "VL arbitration of another kind" "$(heddle check dir 2>&1)" 'section VL_ARBITRATION_TABLE has no column Priority: the section is passed over'
rm dir/ibdiagnet2.slvl
like "without SL2VL tables" "$(heddle check dir 2>&1)" 'dir: no ibdiagnet2.slvl: SL2VL tables are taken to be the identity'
rm dir/ibdiagnet2.fdbs
says "without forwarding tables" 'no opensm-lfts.dump in this directory, nor ibdiagnet2.fdbs, nor opensm.fdbs' heddle check dir
ok "still a fabric" heddle topo dir

# opensm.fdbs serves where there is no opensm-lfts.dump
cp -r dla fdbs && rm fdbs/opensm-lfts.dump && "$ibdiagnet_tool" dla fdbs openfdbs
ok "opensm.fdbs" heddle diff dla fdbs

# a dump directory of OpenSM alone: the LMC is that of the LIDs whose owners it names
for recorded in updn-lmc2 minhop; do
	rm -rf dir && cp -r "$top_srcdir/tests/data/opensm/$recorded" dir && rm dir/fabric.net
	ok "$recorded: OpenSM's directory" heddle diff "$top_srcdir/tests/data/opensm/$recorded" dir
	is "$recorded: its LIDs" "$(heddle topo dir 2>/dev/null | grep LIDs)" "$(heddle topo "$top_srcdir/tests/data/opensm/$recorded" 2>/dev/null | grep LIDs)"
done

broken_csv() { # NAME REGEX SED-COMMAND
	rm -rf dir && "$ibdiagnet_tool" dla dir
	sed -i "$3" dir/ibdiagnet2.db_csv
	says "$1" "dir/ibdiagnet2.db_csv:[0-9]+: $2" heddle check dir
}
broken_csv "cut short" 'the file is cut short: END_PORTS of line [0-9]+ is missing' '/^END_PORTS/,$d'
broken_csv "without END" 'a section begins within section NODES, whose END_NODES is missing' '/^END_NODES/d'
broken_csv "END of another section" 'END_ROUTERS without its START_ROUTERS' 's/^END_LINKS/END_ROUTERS/'
broken_csv "a section twice" 'a second section LINKS: the first is on line [0-9]+' 's/^START_PM_INFO/START_LINKS/'
broken_csv "no section of links" 'the file has no section LINKS' '/^START_LINKS/,/^END_LINKS/d'
broken_csv "no column" 'section NODES has no column NodeGUID' 's/,NodeGUID,/,NodeGID,/;'
broken_csv "a column twice" 'section LINKS has a second column PortNum1' 's/^NodeGuid1,PortNum1,/NodeGuid1,PortNum1,PortNum1,/'
broken_csv "a value too few" '3 values in a row of section LINKS, which has 4 columns' '/^START_LINKS/,/^END_LINKS/s/^\(0x0002000000000000,1,0x[0-9]*\),.*/\1/;/^START_LINKS/,/^END_LINKS/s/^\(0x0001000000000000,1,0x[0-9]*\),.*/\1/'
broken_csv "no number" "LID is no number of at most 65535: 'seven'" '/^START_PORTS/,/^END_PORTS/s/0x0001000000000000,0,\(.*\),1,2,0/0x0001000000000000,0,\1,1,seven,0/'
broken_csv "a port that there is not" 'port 9 of 0x0001000000000000, which has 7 ports' '/^START_PORTS/,/^END_PORTS/s/^\(0x0001000000000000,0x0001000000000000\),1,/\1,9,/'
broken_csv "a port twice" 'a second row of port 2 of 0x0001000000000000' '/^START_PORTS/,/^END_PORTS/s/^\(0x0001000000000000,0x0001000000000000\),1,/\1,2,/'
broken_csv "a GUID twice" 'GUID 0x0001000000000000 belongs to two nodes, the other on line [0-9]+' '/^START_NODES/,/^END_NODES/s/0x0001000000000001/0x0001000000000000/g'
broken_csv "a LID twice" 'LID 2 belongs to ' '/^START_PORTS/,/^END_PORTS/s/^\(0x0001000000000001,0x0001000000000001,0,.*\),1,3,0/\1,1,2,0/'
broken_csv "too many ports" 'NumPorts is no number of at most 254' '/^START_NODES/,/^END_NODES/s/^"G0S0",7,/"G0S0",700,/'
broken_csv "an unknown type" 'node type 9: 1 is a channel adapter, 2 a switch, 3 a router' '/^START_NODES/,/^END_NODES/s/^"G0S0",7,2,/"G0S0",7,9,/'

# the fabric itself is at fault: told, unless --strict
rm -rf dir && "$ibdiagnet_tool" dla dir
sed -i '/^"H-00000"/d' dir/ibdiagnet2.db_csv
like "a node that did not answer" "$(heddle topo dir 2>&1)" 'a link to node 0x0002000000000000, which is not in section NODES: the link is left out'
says "a node that did not answer, strictly" 'a port of node 0x0002000000000000, which is not in section NODES' heddle topo dir --strict
rm -rf dir && "$ibdiagnet_tool" dla dir
sed -i 's/^END_PM_INFO//' dir/ibdiagnet2.db_csv
like "cut short behind the fabric" "$(heddle topo dir 2>&1)" 'the file is cut short: END_PM_INFO of line [0-9]+ is missing: passed over'
sed -i '1s/^/some line\n/' dir/ibdiagnet2.db_csv
for command in topo check; do
	is "$command: told once" "$(heddle $command dir 2>&1 | grep -c 'a line between sections: passed over$')" 1
	is "$command: told once, too" "$(heddle $command dir 2>&1 | grep -c 'cut short')" 1
done
cp dir/ibdiagnet2.db_csv odd.csv && rm -rf dir && cp -r dla dir && rm dir/opensm-vlarb.dump && cp odd.csv dir/ibdiagnet2.db_csv
is "told of a file for VL arbitration alone" "$(heddle check dir 2>&1 | grep -c 'a line between sections: passed over$')" 1
sed -i '/^END_VL_ARB/,$d' dir/ibdiagnet2.db_csv
says "VL arbitration cut short" 'dir/ibdiagnet2.db_csv:[0-9]+: the file is cut short: END_VL_ARBITRATION_TABLE of line [0-9]+' heddle check dir

# tables that are cut short, and of another fabric
rm -rf dir && "$ibdiagnet_tool" dla dir
head -c -1000 dir/ibdiagnet2.fdbs >half.fdbs && cp half.fdbs dir/ibdiagnet2.fdbs
like "half a table" "$(heddle check dir 2>&1)" 'the table of G8S3 is cut short at LID 0x[0-9a-f]+: the file ends: taken to have none'
says "half a table, strictly" 'the table of G8S3 is cut short' heddle check --strict dir
sed -i '$d' dir/ibdiagnet2.fdbs
like "half a table of whole lines" "$(heddle check dir 2>&1)" 'no LFT of 1 switch, G8S3 the first'
rm -rf dir && "$ibdiagnet_tool" dla dir && sed -i 's/Switch 0x0001000000000003/Switch 0x0001000000009999/' dir/ibdiagnet2.fdbs
says "of another fabric" 'ibdiagnet2.fdbs:[0-9]+: the fabric has no switch 0x0001000000009999' heddle check dir
rm -rf dir && "$ibdiagnet_tool" dla dir && sed -i 's/^0x0001 : 001 /0x0001 : 099 /' dir/ibdiagnet2.fdbs
says "a port that there is not" 'ibdiagnet2.fdbs:3: port 99 of a switch with 7 ports' heddle check dir
rm -rf dir && "$ibdiagnet_tool" dla dir && sed -i 's/^0x006b/0xb000/' dir/ibdiagnet2.fdbs
says "LIDs do not go down" 'ibdiagnet2.fdbs:[0-9]+: LID 0x006c does not follow LID 0xb000' heddle check dir
rm -rf dir && "$ibdiagnet_tool" dla dir && echo '0xb000 : 001  : 00   : yes' >>dir/ibdiagnet2.fdbs
like "a LID that is gone" "$(heddle check dir 2>&1)" '1 entry for LIDs that no port of the fabric has: passed over'
rm -rf dir && "$ibdiagnet_tool" dla dir && sed -i '5s/ 0x00$/ 0x0/' dir/ibdiagnet2.slvl
says "half a row" 'ibdiagnet2.slvl:5: expected ' heddle check dir

rm -rf dir && "$ibdiagnet_tool" dla dir && sed -i '$d' dir/ibdiagnet2.slvl
like "a row less" "$(heddle check dir 2>&1)" 'dir/ibdiagnet2.slvl: 1 end port, .* without a whole table: what is missing is taken to be the identity'
rm -rf dir && "$ibdiagnet_tool" dla dir && sed -i '20d' dir/ibdiagnet2.slvl
like "a row of a switch less" "$(heddle check dir 2>&1)" 'dir/ibdiagnet2.slvl: 1 end port, G0S0\[0\] the first, without a whole table'

# a line without an end takes no memory; a sanitizer needs more address space than that
limit=300000
(ulimit -v $limit && heddle list engines) >/dev/null 2>&1 || limit=unlimited
rm -rf dir && "$ibdiagnet_tool" dla dir
for file in ibdiagnet2.db_csv ibdiagnet2.fdbs ibdiagnet2.slvl; do
	cp dir/$file whole
	head -c 1000000000 /dev/zero | tr '\0' x >>dir/$file
	says "$file: a line of 1 GB" "$file:[0-9]+: .*" bash -c "ulimit -v $limit; exec heddle check dir"
	cp whole dir/$file
done
finish
