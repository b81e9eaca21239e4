#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# libheddle as it is installed: the header alone, the example, what the library exports, its ABI.
# shellcheck source=tests/lib/tap.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

if [ -n "${sanitizers-}" ]; then
	skip "what is installed" "programs would need the sanitizers, too"
	finish
	exit
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
root=$scratch/root

prefix=$(sed -n 's/^prefix=//p' "$top_builddir/api/heddle.pc")
libdir=$root$(PKG_CONFIG_LIBDIR=$top_builddir/api pkg-config --variable=libdir heddle)
ok "make install DESTDIR=" make -C "$top_builddir" install DESTDIR="$root"
# else other tests find programs that are being linked
is "nothing is built anew" "$(grep -E '^  (CC|CCLD|AR|GEN) ' "$scratch/.out")" ""
ok "the library is there by both names" test -f "$libdir/libheddle.so" -a -f "$libdir/libheddle.so.0"
is "the link names the file beside it" "$(readlink "$libdir/libheddle.so")" libheddle.so.0
like "its soname" "$(readelf -dW "$libdir/libheddle.so.0")" 'Library soname: \[libheddle\.so\.0\]'

# by pkg-config, as a package build has it
export PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$libdir/pkgconfig
is "heddle.pc has the version" "$(pkg-config --modversion heddle)" "$(heddle --version | awk '{ print $NF; exit }')"
header=$root$prefix/include/heddle/heddle.h
for language in "cc -std=c99 -x c" "cc -std=c11 -x c" "g++ -std=c++11 -x c++"; do
	read -r compiler flags <<<"$language"
	if command -v "$compiler" >/dev/null; then
		# shellcheck disable=SC2086
		ok "the header alone: $language" "$compiler" $flags -pedantic -Wall -Wextra -Werror -fsyntax-only "$header"
	else
		skip "the header alone: $language" "no $compiler"
	fi
done
# shellcheck disable=SC2046
ok "the example builds" cc -std=c99 -pedantic -Wall -Wextra -Werror "$top_srcdir/docs/examples/route.c" \
	$(pkg-config --cflags --libs heddle) -o "$scratch/route"
export LD_LIBRARY_PATH=$libdir
run=$("$scratch/route" dragonfly:a=4,p=2,h=2 dla 2>&1)
like "the example routes" "$run" '^verdict +sound: 1 SL, 2 VLs'
like "and prints the busiest link and a path" "$run" 'busiest link +68 flows leave .*path +H-00000 G0S0 G8S3 H-00071$'
not_ok "exit 1: unsound" 1 "$scratch/route" torus:4x4 minhop
not_ok "exit 2: no such file" 2 "$scratch/route" "$scratch/nowhere"

# what it exports and takes
nm -D --defined-only "$libdir/libheddle.so.0" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$scratch/symbols"
sed 's,/\*.*\*/,,' "$header" | grep -o '\bheddle_[a-z_]*(' | tr -d '(' | sort -u >"$scratch/declared"
same "exports what the header declares" "$scratch/symbols" "$scratch/declared"
echo "# $(wc -l <"$scratch/symbols") symbols"
nm -D --undefined-only "$libdir/libheddle.so.0" | awk '{ sub(/@.*/, "", $2); print $2 }' >"$scratch/taken"
is "prints nothing, ends no program, catches no signal" \
	"$(grep -xE '_?exit|_Exit|abort|signal|sigaction|printf|__printf_chk|puts|putchar|perror|stderr|srand|rand|setlocale' \
		"$scratch/taken")" ""

while read -r function; do
	grep -q "Fn $function\b" "$top_srcdir/man/libheddle.3" || echo "$function"
done <"$scratch/declared" >"$scratch/missing"
is "libheddle(3) has each function" "$(cat "$scratch/missing")" ""
ok "libheddle(3): lint" sh -c 'command -v mandoc >/dev/null || exit 0; test -z "$(mandoc -Tlint -W warning "$1" 2>&1)"' \
	- "$top_srcdir/man/libheddle.3"

# the ABI, as it is committed; after a change that may be: see docs/library.md
if command -v abidiff >/dev/null; then
	if readelf -SW "$libdir/libheddle.so.0" | grep -q '\.debug_info'; then
		ok "the ABI is that of api/libheddle.abi" abidiff --no-architecture --headers-dir2 "$root$prefix/include/heddle" --drop-private-types \
			"$top_srcdir/api/libheddle.abi" "$libdir/libheddle.so.0"
	else
		skip "the ABI is that of api/libheddle.abi" "built without debugging information (-g)"
	fi
else
	skip "the ABI is that of api/libheddle.abi" "no abidiff (Debian: abigail-tools)"
fi

unset LD_LIBRARY_PATH
ok "make uninstall DESTDIR=" make -C "$top_builddir" uninstall DESTDIR="$root"
is "leaves no file" "$(find "$root" ! -type d)" ""

finish
