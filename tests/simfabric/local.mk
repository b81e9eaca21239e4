# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# OpenSM and infiniband-diags on simfabric, side by side with ibsim, and under faults.

simfabric_tests = \
	tests/simfabric/agent.sh \
	tests/simfabric/agent-fabrics.sh \
	tests/simfabric/class-records.sh tests/simfabric/class-shares.sh tests/simfabric/classes.sh \
	tests/simfabric/differential-diags.sh \
	tests/simfabric/differential-engines.sh \
	tests/simfabric/faults.sh \
	tests/simfabric/flaps.sh \
	tests/simfabric/handover.sh \
	tests/simfabric/history.sh \
	tests/simfabric/judged.sh \
	tests/simfabric/lanes-stay.sh \
	tests/simfabric/repeated-sets.sh \
	tests/simfabric/sets.sh \
	tests/simfabric/new-links.sh \
	tests/simfabric/status.sh \
	tests/simfabric/traffic.sh \
	tests/simfabric/transition.sh \
	tests/simfabric/changes.sh \
	tests/simfabric/vlarb.sh
EXTRA_DIST += tests/simfabric/smp.pl tests/simfabric/classes-lib.sh tests/simfabric/lib.sh
dist_check_SCRIPTS += $(simfabric_tests)

if WITH_OPENSM
if HAVE_IBNETDISC
TESTS += $(simfabric_tests)
endif
endif
