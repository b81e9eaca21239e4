# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The plug-in for OpenSM 5.x: it compiles against that SM's headers without a diagnostic, and in a host of our own
# (tests/opensm/host_5.c) it gives, sweep by sweep, the tables and port sets that heddle proves offline. The headers are not
# ours to ship: HEDDLE_OPENSM_5_HEADERS names directories with them (opensm/, iba/, complib/, vendor/ in each), separated by
# blanks (docs/opensm.md, "OpenSM 5.x").
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
top_srcdir=$(realpath "$top_srcdir")
if [ -z "${HEDDLE_OPENSM_5_HEADERS-}" ]; then
	echo "1..0 # SKIP HEDDLE_OPENSM_5_HEADERS names no directory with headers of OpenSM 5.x"
	exit 0
fi
for headers in $HEDDLE_OPENSM_5_HEADERS; do
	for part in opensm/osm_opensm.h opensm/osm_routing.h opensm/osm_plugin.h iba/ib_types.h complib/cl_qmap.h vendor/osm_vendor_api.h; do
		[ -e "$headers/$part" ] && continue
		echo "1..0 # SKIP $headers/$part is missing"
		exit 0
	done
done
if ! command -v python3 >/dev/null || ! make --version >/dev/null 2>&1; then
	echo "1..0 # SKIP python3 or make is missing"
	exit 0
fi
make_variable() {
	sed -n "s/^$1 = //p" "$top_builddir/Makefile"
}
read -ra compiler <<<"$(make_variable CC)"
read -ra flags <<<"$(make_variable CFLAGS) $(make_variable OPENMP_CFLAGS)"
read -ra libraries <<<"$(for name in INIH JANSSON ZLIB LZMA ZSTD; do make_variable ${name}_LIBS; done | xargs) -lpthread -lm -ldl"
sources=$(cd "$top_srcdir" && printf '%s\n' opensm/*.c | grep -v _3_3)
n=0

# build HEADERS: all objects, the module and its host, in directory $at
build() {
	ok "$1: configure" configure "$1"
	# shellcheck disable=SC2046
	make -C "$at" -k $(sed 's,opensm/\(.*\)\.c,opensm/libosmheddle_so-\1.o,' <<<"$sources") >"$at/make.log" 2>&1
	is "$1: all files compile, no diagnostic" "$? $(grep -cE '(error|warning):' "$at/make.log")" "0 0"
	is "$1: no file is left out" "$(find "$at/opensm" -name '*.o' | wc -l)" "$(wc -l <<<"$sources")"
	ok "$1: the module" "${compiler[@]}" "${flags[@]}" -shared -o "$at/module.so" "$at"/opensm/*.o \
		-Wl,--version-script="$top_srcdir/opensm/plugin.map" "$top_builddir/libheddle.a" "${libraries[@]}"
	ok "$1: the host" "${compiler[@]}" "${flags[@]}" -DHAVE_CONFIG_H -D_GNU_SOURCE -Wall -Wextra -Werror \
		-include "$at/config.h" -I"$at" -I"$top_srcdir" -isystem "$1" -rdynamic -o "$at/host_5" \
		"$top_srcdir/tests/opensm/host_5.c" "$top_builddir/libheddle.a" "${libraries[@]}"
}

configure() {
	mkdir -p "$at"
	grep -vE 'osm|ac_cv_env' "$top_builddir/config.cache" >"$at/config.cache" 2>/dev/null
	(cd "$at" && "$top_srcdir/configure" -q -C --with-opensm-headers="$1" CC="${compiler[*]}" CFLAGS="$(make_variable CFLAGS)") \
		>"$at/configure.log" 2>&1 || {
		tap_explain <"$at/configure.log"
		return 1
	}
}

# in_host NAME ENGINE OPTIONS FABRIC...: what the last sweep made
in_host() {
	local name=$1
	shift
	"$at/host_5" "$at/module.so" "$@" >"$at/$name.out" 2>"$at/$name.err"
	host_status=$?
	grep -E '^(lft|mask)' "$at/$name.out" | sort >"$at/$name.got"
}

# agrees NAME SNAPSHOT: tables, and sets where this release asks for them
agrees() {
	"$top_srcdir/tests/opensm/masks_of.py" "$2" | grep -E "^(lft${has_masks:+|mask})" | sort >"$at/$1.wanted"
	is "$1: routed" "$host_status $(grep -c '^lft' "$at/$1.wanted" | sed 's/^[1-9].*/entries/')" "0 entries"
	same "$1: tables and sets" "$at/$1.got" "$at/$1.wanted"
	like "$1: proved" "$(cat "$at/$1.err")" 'checked in .*: sound'
}

# routes NAME SPEC ENGINE [KEY=VALUE]: whole, then in one host without links, without more, and whole again
routes() {
	local name=$1 spec=$2 engine=$3 own=${3#heddle-} options=${4-} offline=()
	[ -n "$options" ] && offline=(-O "$options")
	local whole=$scratch/$name less=$scratch/$name-less least=$scratch/$name-least
	if [ ! -e "$least" ]; then
		heddle route "$spec" -e "$own" "${offline[@]}" -o "$whole" >"$scratch/$name.log" 2>&1
		heddle topo "$whole/fabric.net" --fail-links 1 --seed 7 -o "$less.net" >/dev/null
		heddle topo "$less.net" --fail-links 2 --seed 8 -o "$least.net" >/dev/null
		heddle route "$less.net" -e "$own" "${offline[@]}" --previous "$whole" -o "$less" >>"$scratch/$name.log" 2>&1
		heddle route "$least.net" -e "$own" "${offline[@]}" --previous "$less" -o "$least" >>"$scratch/$name.log" 2>&1
	fi
	in_host "$name" "$engine" "$options" "$whole/fabric.net"
	agrees "$name" "$whole"
	if [ ! -e "$least" ]; then
		in_host "$name-refused" "$engine" "$options" "$whole/fabric.net" "$less.net"
		is "$name: refused without links, as offline" "$host_status $(grep -c 'refuses: ar[^:]*: port sets' "$at/$name-refused.err")" "1 1"
		in_host "$name-again" "$engine" "$options" "$whole/fabric.net" "$less.net" "$whole/fabric.net"
		agrees "$name-again" "$whole"
		return
	fi
	in_host "$name-less" "$engine" "$options" "$whole/fabric.net" "$less.net"
	agrees "$name-less" "$less"
	in_host "$name-least" "$engine" "$options" "$whole/fabric.net" "$less.net" "$least.net"
	agrees "$name-least" "$least"
}

for headers in $HEDDLE_OPENSM_5_HEADERS; do
	n=$((n + 1))
	at=$scratch/build-$n
	build "$headers"
	has_masks=$(grep -s '^#define HAVE_STRUCT_OSM_ROUTING_ENGINE_GET_AR_MASK 1' "$at/config.h")
	routes dragonfly dragonfly:a=4,p=2,h=2 dla
	routes trunks dragonfly:a=4,p=2,h=2,g=5 dla ar=owners
	routes valley dragonfly:a=4,p=2,h=2 heddle-updn ar=yes
	routes tree tree:k=4,n=3 dmodc ar=yes
	routes plus dragonflyplus:leaves=3,g=4 dfplus ar=minimal
	routes hyperx hyperx:4x4,p=2 hdor ar=negative-first
	in_host names updn "" tree:k=2,n=2
	like "names of OpenSM's own engines are left to it" "$host_status $(cat "$at/names.err")" '^2 .*the plug-in has no such engine'
	[ -n "$has_masks" ] || continue
	is "sets of several ports are among them" "$(for name in trunks valley tree plus hyperx; do
		grep -cE '^mask( 0x[0-9a-f]+){2} 0 0 [0-9]+ [0-9]+' "$at/$name.got"
	done | grep -vc '^0')" 5
	is "one private LFT: the host asks for four" "$(grep -h ^required "$at"/*.out | sort -u)" "required 1 1"
done
not_ok "a directory without headers" 1 "$top_srcdir/configure" -q --with-opensm-headers="$scratch"
finish
