# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Programs with the own umad library.
dist_check_SCRIPTS += tests/simfabric/umad.sh
if WITH_OPENSM
if HAVE_UMAD
TESTS += tests/simfabric/umad.sh
endif
endif
