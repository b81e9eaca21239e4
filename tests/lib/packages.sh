# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Installs what packages.txt lists and this machine lacks. Sourced by ./test and ./demo.
# shellcheck shell=bash

# install_packages LIST-FILE
install_packages() {
	local wanted missing=() package sudo='' policy='' status

	wanted=$(sed 's/#.*//' "$1") || return 1
	for package in $wanted; do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
			missing+=("$package")
	done
	[ ${#missing[@]} = 0 ] && return 0
	if [ "$(id -u)" != 0 ]; then
		sudo=sudo
		if ! command -v sudo >/dev/null; then
			echo "these Debian packages are missing, and only root can install them:" \
				"${missing[*]}" >&2
			return 1
		fi
	fi
	echo "installing: ${missing[*]}" >&2
	# prometheus and slurmctld bring services, which the tests do not need: dpkg starts none
	if [ ! -e /usr/sbin/policy-rc.d ]; then
		policy=/usr/sbin/policy-rc.d
		printf '#!/bin/sh\nexit 101\n' | $sudo tee "$policy" >/dev/null && $sudo chmod 755 "$policy"
	fi
	$sudo apt-get update -qq >&2 &&
		$sudo env DEBIAN_FRONTEND=noninteractive \
			apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
	status=$?
	[ -z "$policy" ] || $sudo rm "$policy"
	return "$status"
}
