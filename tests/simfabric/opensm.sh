# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Stock opensm and infiniband-diags on simfabric. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/simfabric/program.sh"
require_programs opensm ibnetdiscover iblinkinfo smpquery perfquery ibroute ibtracert dump_fts
spec=dragonfly:a=4,p=2,h=2
cd "$scratch" || exit 99

# what Debian's libraries read beyond buffers and do not free is not ours to judge
printf 'interceptor_via_lib:%s\n' libumad2sim libibumad >"$scratch/asan.suppressions"
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:suppressions=$scratch/asan.suppressions
ok "opensm -o" timeout 60 simfabric "$spec" -- opensm -o -f "$scratch/log"
ok "the subnet is up" grep -q "SUBNET UP" log
is "without errors" "$(grep -c ERR log)" 0
# unlimited SMPs: ibsim stands still
if heddle dump --help >/dev/null 2>&1; then
	like "heddle dump when the subnet manager has ended" \
		"$(timeout 60 simfabric tree:k=2,n=2 -- sh -c 'opensm -o -f log1 >/dev/null 2>&1; heddle dump -o now 2>&1')" \
		'is there a subnet manager\? \(without path SLs: --no-path-sls\)$'
fi
ok "opensm -n 0" timeout 60 simfabric dragonfly:a=6,p=3,h=3 -- opensm -o -Q -n 0 -f "$scratch/log0"
ok "opensm -n 0: the subnet is up" grep -q "SUBNET UP" log0
is "opensm -n 0: without errors" "$(grep -c ERR log0)" 0

cat >diags <<'EOF'
opensm -o -Q -f log1 >/dev/null 2>&1 || exit 1
lid_of() {
	ibnetdiscover 2>/dev/null | sed -n "$1" | head -n 1
}
switch=$(lid_of 's/^Switch.* lid \([0-9]*\) .*/\1/p')
host=$(lid_of 's/.*# lid \([0-9]*\) .*"G0S0".*/\1/p')
fail=0
for command in ibnetdiscover iblinkinfo "smpquery nodeinfo $switch" "smpquery nodedesc $host" \
	"smpquery portinfo $host 1" "smpquery switchinfo $switch" "smpquery pkeys $host 1" \
	"smpquery sl2vl $switch 1" "smpquery vlarb $switch 1" \
	"perfquery $switch 1" "perfquery -x $host 1" "ibroute $switch" "ibtracert $host $switch" dump_fts; do
	timeout 30 $command >out 2>err || { echo "$command: $(cat err)"; fail=1; }
done
exit $fail
EOF
ok "infiniband-diags" timeout 200 simfabric "$spec" -- sh diags

# P_Keys as the wrapper shows them to programs, in the files that the kernel has them in
echo 'Default=0x7fff:ALL=full; P1=0x0001:ALL=full;' >partitions
timeout 60 simfabric "$spec" -- sh -c 'opensm -o -P partitions -f log2 >/dev/null 2>&1
	ibping -S >/dev/null 2>&1 & sleep 1; cat sys-*/sys/class/infiniband/*/ports/1/pkeys/[01]; kill $!' >pkeys 2>/dev/null
is "P_Keys of the local port" "$(paste -s -d ' ' pkeys)" "0xffff 0x8001"

# The last example of README.md, but sooner: it leaves no opensm that waits for a fabric that is gone.
sed -n '/^    echo .*Traffic/,/^$/p' "$top_srcdir/README.md" |
	sed 's/sm+3s/sm+0.1s/; s/sleep 6/sleep 1; echo $! >pid/' >example
ok "README's traffic" timeout 60 bash example
not_ok "its opensm has ended" 1 kill -0 "$(cat pid)"

# Blocks of the manual pages that begin with a shell on a fabric: the other lines are what is typed there.
mkdir -p bin
cat >bin/nc <<'EOF'
#!/usr/bin/perl
# nc -N -U SOCKET
use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un($ARGV[-1])) or die "$!\n";
syswrite($s, join("", <STDIN>)); shutdown($s, 1); print while <$s>;
EOF
chmod +x bin/nc
export PATH=$PATH:$scratch/bin
typed() { # page
	sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/{/ -- bash$/,/^\.Ed/{/^\.Ed/!p}}' "$top_srcdir/man/$1" >block
	tail -n +2 block | sed '/^opensm /a for n in $(seq 300); do grep -qs "SUBNET UP" osm.log && break; sleep 0.1; done' >lines
	rm -f osm.log
	timeout 60 bash -c "$(head -n 1 block)" <lines 2>err
}
like "simfabric(1): a shell on a fabric" "$(typed simfabric.1)" '^unlinked "G0S1"\[3\]$'
paths="simfabric-umad(7): every path of the fabric, and those to itself"
if nm -D "$top_builddir/libsimfabric-umad.so" | grep -q __asan; then
	skip "$paths" "bash lacks the sanitizer's runtime"
else
	is "$paths" "$(typed simfabric-umad.7 | grep -c PathRecord)" $((108 * 108))
fi
finish
