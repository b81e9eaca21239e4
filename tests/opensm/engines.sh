# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every engine in stock OpenSM: the fabric holds what heddle computes, and ibdmchk, which knows nothing
# of us, finds no credit loop in OpenSM's dumps with the path SLs of the plug-in.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
command -v ibdmchk >/dev/null || {
	echo "1..0 # SKIP ibdmchk is not installed"
	exit 0
}

# NAME SPEC ENGINE 'ROUTE ARGUMENTS' [LINE...]
loads() {
	same_as_route "$@"
	like "$1: ibdmchk" "$(ibdmchk_verdict "$scratch/$1" -c path-sl.dump)" "^no credit loops found"
	stop_fabric
}

loads updn-dragonfly dragonfly:a=4,p=2,h=2 updn ""
loads updn-torus torus:4x4 updn ""
loads hdor-torus torus:5x4 hdor ""
loads hdor-directions mesh:4x3 hdor "-O order=x+y+x-y-" "event_plugin_options order=x+y+x-y-"
is "directions: one SL, one VL" "$(awk '{ print $3 }' "$scratch/hdor-directions/dump/path-sl.dump" | sort -u | xargs) $(
	awk '{ for (i = 4; i < 20; i++) print $i }' "$scratch/hdor-directions/sl2vl" | sort -u | xargs)" "0 0"
loads hdor-directions-torus torus:5x4 hdor "-O order=y-x+x-y+" "event_plugin_options order=y-x+x-y+"
loads hdor-kns kns:k=3,n=2 hdor ""
loads hdor-hyperx hyperx:3x4,p=2 hdor "-q xordet:4" "event_plugin_options queues=xordet:4"
loads osha-kns kns:k=4,n=2 osha "--lmc 1 -q dbbq:4" "lmc 1" "event_plugin_options queues=dbbq:4"
loads osha-torus torus:5x5 osha "--lmc 1 -q dbbq:2" "lmc 1" "event_plugin_options queues=dbbq:2"
loads sasha-mesh mesh:3x3x2 sasha "--lmc 1" "lmc 1"
loads dfval dragonfly:a=4,p=2,h=2 dfval "--lmc 2" "lmc 2"
is "dfval: four SLs, twice" "$(awk '!/^#/ { print $3 }' "$scratch/dfval/dump/path-sl.dump" | sort -nu | xargs)" "0 1 2 3 4 5 6 7"
is "dfval: three VLs, twice" "$(awk '{ for (i = 4; i < 20; i++) print $i }' "$scratch/dfval/sl2vl" | sort -nu | xargs)" "0 1 2 3 4 5"
loads dfval-queues dragonfly:a=4,p=2,h=2 dfval "--lmc 1 -q dbbm:2 -O minimal=off" "lmc 1" \
	"event_plugin_options queues=dbbm:2 minimal=off"
loads flex dragonfly:a=4,p=2,h=2 dla "-l flex" "event_plugin_options layers=flex"
is "flex: 16 SLs" "$(awk '{ print $3 }' "$scratch/flex/dump/path-sl.dump" | sort -u | wc -l)" 16
loads flex-dfval dragonfly:a=4,p=2,h=2 dfval "-l flex --lmc 1" "lmc 1" "event_plugin_options layers=flex"
loads d3r dragonfly:a=4,p=2,h=2 d3r ""
is "d3r: two SLs" "$(awk '{ print $3 }' "$scratch/d3r/dump/path-sl.dump" | sort -u | xargs)" "0 1"
loads order3 dragonfly:a=4,p=2,h=2 d3r "-l order3" "event_plugin_options layers=order3"
for s in $(seq 0 44); do
	printf '0x%016x %d\n' $((0x0001000000000000 + s)) $((s / 5))
done > "$scratch/groups"
loads rings dragonfly:a=5,p=1,h=2,g=9,local=ring d3r "-O groups=$scratch/groups" \
	"event_plugin_options groups=$scratch/groups"
for engine in df-minhop df-sssp; do
	loads $engine dragonfly:a=4,p=2,h=2 $engine ""
	is "$engine: three VLs" "$(awk '{ for (i = 4; i < 20; i++) print $i }' "$scratch/$engine/sl2vl" | sort -nu | xargs)" "0 1 2"
done
loads hop-lmc torus:4x4 df-sssp "--lmc 1 -q dbbm:2" "lmc 1" "event_plugin_options queues=dbbm:2"
loads layered torus:4x4 minhop "-l layered" "event_plugin_options layers=layered"
loads bbq dragonfly:a=4,p=2,h=2 dla "-q bbq:4" "event_plugin_options queues=bbq:4"
loads iodet mesh:4x4 hdor "-q iodet:4" "event_plugin_options queues=iodet:4"
is "iodet: 16 SLs, four VLs" "$(awk '{ print $3 }' "$scratch/iodet/dump/path-sl.dump" | sort -u | wc -l) $(
	awk '{ for (i = 4; i < 20; i++) print $i }' "$scratch/iodet/sl2vl" | sort -u | wc -l)" "16 4"
loads flex-torus torus:5x5 hdor "-l flex" "event_plugin_options layers=flex"
loads vlarb dragonfly:a=4,p=2,h=2 dla "--vlarb flows" "event_plugin_options vlarb=flows"
ok "vlarb: local links have more on VL 0" grep -q "low .* 0:80 1:64" "$scratch/vlarb/dump/opensm-vlarb.dump"
finish
