#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Service classes on the command line: routes, proofs, snapshots, what differs, what is refused.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

cd "$scratch" || exit 99
cat >five <<END
[class VO] share = 10%  packet = 128
[class VI] share = 30%  packet = 256
[class CL] share = 50%  packet = 512
[class BE] share = 5%   packet = 1024   lanes = rest
[class BK] share = 5%   packet = 1024   lanes = rest
END
sed 's/lanes = rest//' five >apart
sed 's/= 50%/= 40%/; s/\(BE.*\)= 5%/\1= 15%/' five >other

ok "five classes with dla" heddle route $dragonfly -e dla --max-vls 8 --classes five -o five.tables
like "their SLs and VLs" "$(heddle show five.tables resources)" "class BK +5%, packets of 1024 bytes, SLs 4, VLs 6, 7"
ok "are proved again" heddle check five.tables
ok "with any SL" heddle check five.tables --all-sls
ok "with SLs of the other direction" heddle check five.tables --reversed-sl
json "in JSON" "[(c['name'], c['sls'], c['vls']) for c in j['classes']][3], j['share_error'], j['sls']" \
	"(('BE', [3], [6, 7]), 0.0, 5)" heddle route $dragonfly -e dla --max-vls 8 --classes five --json
like "an SL for each class" "$(cat five.tables/path-sl-CL.dump)" "0x[0-9a-f]* [0-9]* 2"
is "the class file of a snapshot gives the same tables" "$(
	heddle route $dragonfly -e dla --max-vls 8 --classes five.tables/classes.ini -o again >/dev/null
	diff -r five.tables again 2>&1
)" ""
ok "nothing differs" heddle diff five.tables again
heddle route $dragonfly -e dla --max-vls 8 --classes other -o other.tables >/dev/null
not_ok "other shares differ" 1 heddle diff five.tables other.tables
like "and are told" "$(heddle diff five.tables other.tables)" "class CL: SLs from 2, now from 2; 50%, now 40%"
like "one class more or less" "$(
	heddle route $dragonfly -e dla -o none >/dev/null
	heddle diff none five.tables
)" "class VO added"
for cap in 4 8 16 40 64; do
	like "capacity $cap: exact" "$(heddle route $dragonfly -e dla --max-vls 8 --classes five --vlarb-cap $cap)" \
		"shares +exact at every port"
done
like "the nearest has its error" "$(
	printf '[class a] share = 33.3%%\n[class b] share = 66.7%%\n' >odd
	heddle route tree:k=4,n=2 -e dmodc --classes odd
)" "shares +within 0\.000[0-9] of what they shall be, most of all at "
ok "engine heddle" heddle route $dragonfly -e heddle --max-vls 8 --classes five
ok "failures" heddle faults tree:k=4,n=2 -e dmodc --classes five --links 1 --sample 5

not_ok "five classes on a torus" 1 heddle route torus:8x8 -e hdor --classes apart
like "with the arithmetic" "$(heddle route torus:8x8 -e hdor --classes apart 2>&1)" \
	"5 service classes x 4 flow classes x 1 queues \(single\) need 20 SLs, of which there are 16"
like "VLs, too" "$(heddle route $dragonfly -e dla --classes apart --max-vls 8 2>&1)" \
	"5 lanes of classes x 2 layers x 1 queues \(single\) need 10 VLs, of which there are 8"

bad() {
	printf '%b' "$2" >bad
	says "$1" "bad:$3" heddle route $dragonfly -e dla --classes bad
}
bad "shares that do not sum to 100%" '[class a]\nshare = 50%\n[class b]\nshare = 49%' "3: the shares of 2 classes sum to 99%, not to 100%"
bad "a packet above the MTU" '[class a]\nshare = 100%\npacket = 8192' "3: packet: 8192 bytes are more than the MTU, 4096"
bad "a class twice" '[class a] share = 50%\n[class a] share = 50%' "2: class a once more, after line 1"
bad "an SL that two classes claim" '[class a] share = 50%  sl = 1\n[class b] share = 50%  sl = 1' "2: classes a and b both claim SL 1"
bad "no file of classes" 'hello' "1: neither \[section\] nor key = value"
says "no file" "gone: .*No such file" heddle route $dragonfly -e dla --classes gone
cp -r five.tables broken
sed -i 's/sl = 2-2/sl = 1-1/' broken/classes.ini
says "a snapshot whose classes share SLs" "classes.ini:.*both claim SL 1" heddle check broken

finish
