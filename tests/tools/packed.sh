#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Packed snapshots: heddle convert, heddle route --plain, files that are damaged.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

dumps="opensm-lfts.dump opensm-sl2vl.dump path-sl.dump opensm-vlarb.dump"

heddle route $dragonfly -e dla -q xordet:4 -o plain >/dev/null
if heddle convert plain packed 2>&1 | grep -q 'built without zstd'; then
	says "a build that cannot pack" "built without zstd" heddle convert plain packed
	ok "writes nothing" test ! -e packed
	finish
	exit
fi

# there and back
ok "convert" heddle convert plain again
for file in $dumps; do
	ok "$file is packed" test -s packed/$file.zst -a ! -e packed/$file
done
for file in fabric.net snapshot.json; do
	same "$file stays" plain/$file packed/$file
done
same "the same proof" <(heddle check packed) <(heddle check plain)
ok "no difference" heddle diff plain packed
ok "convert --opensm" heddle convert packed back --opensm
for file in $dumps fabric.net snapshot.json; do
	same "$file comes back" plain/$file back/$file
done
is "and nothing else" "$(ls back)" "$(ls plain)"
cp -r plain place
ok "in its place" heddle convert place
is "packed, and nothing else" "$(ls place)" "$(ls packed)"
ok "and back" heddle convert place --opensm
ok "the same files" diff -r plain place
ok "a snapshot that is read may be replaced" heddle route place -e dla -o place
rm -rf alone && cp -r plain alone && rm alone/fabric.net
says "without a fabric" 'fabric.net: not there' heddle convert alone
ok "with one" heddle convert alone whole --fabric plain/fabric.net
ok "it is written" heddle diff plain whole

# service classes, several LIDs, multicast, port sets
printf '[class storage] share = 30%%\n[class rest] share = 70%%  default = yes\n' >classes
heddle route $dragonfly -e dla --classes classes --lmc 1 -o classed >/dev/null
heddle convert classed classed.packed >/dev/null
ok "classes: packed" test -s classed.packed/path-sl-storage.dump.zst -a -s classed.packed/classes.ini
heddle convert classed.packed classed.back --opensm >/dev/null
ok "classes: the same files" diff -r classed classed.back

# what is not whole is told, and nothing is written
halve() { # FILE: half of it is left
	cp "packed/$1" whole.zst
	head -c $(($(wc -c <whole.zst) / 2)) whole.zst >"packed/$1"
}
for file in opensm-lfts.dump opensm-sl2vl.dump path-sl.dump opensm-vlarb.dump; do
	halve $file.zst
	says "half of $file" "packed/$file.zst: cut short: the end of what zstd packed is missing" heddle check packed
	says "half of $file, to convert" "packed/$file.zst: cut short" heddle convert packed new
	ok "half of $file: nothing is written" test ! -e new
	: >packed/$file.zst
	cp whole.zst packed/$file.zst
	middle=$(($(wc -c <whole.zst) / 2))
	printf '\xff\x00\xff\x00\xff\x00\xff\x00' | dd of=packed/$file.zst bs=1 seek=$middle conv=notrunc status=none
	says "$file, damaged" "packed/$file.zst(:[0-9]+)?: " heddle check packed
	cat whole.zst whole.zst >packed/$file.zst
	says "$file twice in one file" "packed/$file.zst:[0-9]+: .*(second|once more|twice)" heddle check packed
	cp whole.zst packed/$file.zst
done
if command -v zstd >/dev/null; then
	# in long lines, as a reader takes longer for a line than for a byte
	blank=$(printf '%4000s' '')
	for file in opensm-lfts.dump opensm-sl2vl.dump path-sl.dump; do
		cp packed/$file.zst whole.zst
		zstd -dqc whole.zst >text
		{
			head -n 20 text | zstd -qc
			tail -n +21 text | zstd -qc
		} >packed/$file.zst
		same "$file in two parts, as zstd reads them" <(heddle check packed) <(heddle check plain)
		{
			cat text
			yes "$blank" | head -c 300M
		} | zstd -qc >packed/$file.zst
		says "$file that does not end" "packed/$file.zst: packed by zstd, and holds more than 256 MiB" heddle check packed
		if [ -z "${sanitizers-}" ] && command -v /usr/bin/time >/dev/null; then
			/usr/bin/time -f %M -o peak heddle check packed >/dev/null 2>&1
			ok "in $(tail -n 1 peak) KB" test "$(tail -n 1 peak)" -lt 60000
		fi
		cp whole.zst packed/$file.zst
	done
fi

# only long dumps are packed by themselves
large=dragonfly:a=11,p=5,h=5
heddle route $large -e dla -o large >/dev/null
is "3,080 hosts: LFTs are packed" "$(ls large)" \
	"$(printf '%s\n' fabric.net opensm-lfts.dump.zst opensm-sl2vl.dump opensm-vlarb.dump path-sl.dump snapshot.json)"
ok "they are sound" heddle check large
ok "route --plain" heddle route $large -e dla --plain -o large.plain
is "all is plain" "$(ls large.plain)" "$(ls plain)"
ok "and the same" heddle diff large large.plain
heddle convert large --opensm >/dev/null
same "as heddle convert --opensm has it" large.plain/opensm-lfts.dump large/opensm-lfts.dump

says "no snapshot" "no SNAPSHOT given" heddle convert
says "three snapshots" "one NEW, not also 'c'" heddle convert a b c
says "no such snapshot" 'nowhere: not a snapshot' heddle convert nowhere
mkdir other && touch other/file
says "a directory of something else" "other: not replaced" heddle convert plain other

finish
