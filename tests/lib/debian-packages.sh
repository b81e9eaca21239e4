#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Debian packages of this tree: debian-packages.sh build|lint|try DIRECTORY
#
#	build   builds the packages in DIRECTORY, which is made anew, from what git has, or from the tarball
#	lint    lintian finds nothing in them
#	try     installs them in a copy of this system, where debian/tests/demo then runs: OpenSM with the plug-in on an
#	        emulated fabric. Exits 77 where the copy cannot be made (root and overlayfs).
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
directory=$(realpath -m "${2:?"debian-packages.sh build|lint|try DIRECTORY"}")

build() {
	rm -rf "$directory"
	mkdir -p "$directory/heddle" && cd "$source" || return
	if git rev-parse --git-dir >/dev/null 2>&1; then
		git ls-files -co --exclude-standard -z | xargs -0 ls -d 2>/dev/null | tar -c -T - | tar -x -C "$directory/heddle"
	else
		tar -c --exclude='./build*' . | tar -x -C "$directory/heddle"
	fi
	cd "$directory/heddle" && DEB_BUILD_OPTIONS="noautodbgsym parallel=$(nproc)" dpkg-buildpackage -b -us -uc
}

# The project has no public mail address yet: lintian warns about that.
lint() {
	lintian --allow-root --fail-on error,warning --suppress-tags \
		bogus-mail-host,bogus-mail-host-in-debian-changelog,root-in-contact,initial-upload-closes-no-bugs \
		"$directory"/heddle_*.changes
}

# Its mounts are private: they disappear when it ends.
in_copy() {
	local copy
	copy=$directory/copy
	mkdir -p "$copy" && mount -t tmpfs tmpfs "$copy" && mkdir "$copy/upper" "$copy/work" "$copy/root" &&
		mount -t overlay overlay -o "lowerdir=/,upperdir=$copy/upper,workdir=$copy/work" "$copy/root" || return 77
	for each in /dev /proc /dev/shm; do
		mount --rbind "$each" "$copy/root$each" || return 77
	done
	mkdir "$copy/root/packages" && cp "$directory"/*.deb "$copy/root/packages" && cp -r "$source/debian/tests" "$copy/root/packages"
	chroot "$copy/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh -ec '
		dpkg --force-unsafe-io -i /packages/*.deb
		cd /tmp
		sh /packages/tests/demo
		python3 -c "import heddle; print(heddle.__file__)" | grep -qx /usr/lib/python3/dist-packages/heddle/__init__.py
		dpkg -r heddle heddle-doc heddle-opensm simfabric python3-heddle libheddle-dev libheddle0
		for file in /usr/bin/heddle /usr/lib/*/libosmheddle.so; do [ ! -e "$file" ] || exit 1; done'
}

try() {
	[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || return 77
	unshare -m --propagation private "$0" in_copy "$directory"
}

case $1 in
build | lint | try | in_copy) "$1" ;;
*) sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0" ;;
esac
