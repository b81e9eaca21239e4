#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# 50 failures and returns on ibsim, whose states are polled: tests/opensm/polled.sh, longer.
#
#	experiments/changes/ibsim.sh BUILD [CHANGES [ENGINES]]
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
cd "$build"
top_srcdir=$source top_builddir=$build PATH=$build:$build/simfabric:$PATH \
	HD_CHANGES=${2:-50} HD_POLL_ENGINES=${3:-dla} exec bash "$source/tests/opensm/polled.sh"
