#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# libibumad's functions, one by one: umad_api says what it finds.
: "${top_builddir:=.}"
exec timeout 120 "$top_builddir/simfabric/simfabric" --wrapper own mesh:2x2 -- \
	"$top_builddir/tests/simfabric/umad_api"
