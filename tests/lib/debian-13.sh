#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Builds what is committed in a chroot of Debian 13, and passes the tests of ./test --quick there.
#
#	tests/lib/debian-13.sh [DIRECTORY] [MAKE-GOAL...]
#
# Needs root, debootstrap and a mirror; half an hour and 3 GB in DIRECTORY (default: a temporary one,
# which is removed; a directory that is there already is used again). Goals: default all quick-check.
# What Debian 13 does not have of packages.txt (clang 14) serves other builds of ./test alone.
set -eu
cd "$(dirname "$0")/../.."
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
root=${1-}
shift $(($# ? 1 : 0))
goals=${*:-all quick-check}

if [ -z "$root" ]; then
	root=$(mktemp -d)
	trash=$root
fi
unmount() {
	umount "$root/dev/shm" "$root/dev/pts" "$root/proc" 2>/dev/null || true
	[ -z "${trash-}" ] || rm -rf --one-file-system "$trash"
}
trap unmount EXIT
[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase trixie "$root" "$mirror"
mkdir -p "$root/dev/shm" "$root/dev/pts"
mount -t proc proc "$root/proc"
mount -t devpts devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
rm -rf "$root/heddle"
mkdir "$root/heddle"
git archive HEAD | tar -x -C "$root/heddle"
chroot "$root" env DEBIAN_FRONTEND=noninteractive bash -eu -c '
	cd /heddle
	apt-get update -qq
	for package in $(sed "s/#.*//" packages.txt); do
		! apt-cache show "$package" >/dev/null 2>&1 || set -- "$@" "$package"
	done
	apt-get install -qq -y --no-install-recommends "$@" >/dev/null
	./autogen.sh
	mkdir build
	cd build
	../configure
' bash
# shellcheck disable=SC2086 # goals
chroot "$root" make -C /heddle/build -j"$(nproc)" $goals
