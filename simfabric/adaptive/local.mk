# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = \
	simfabric/adaptive/complexity.c \
	simfabric/adaptive/complexity.h \
	simfabric/adaptive/flex.c \
	simfabric/adaptive/flex.h \
	simfabric/adaptive/flows.c \
	simfabric/adaptive/flows.h \
	simfabric/adaptive/groups.c \
	simfabric/adaptive/groups.h \
	simfabric/adaptive/proof.c \
	simfabric/adaptive/proof.h \
	simfabric/adaptive/proof_cycle.c \
	simfabric/adaptive/proof_cycle.h \
	simfabric/adaptive/proof_tables.c \
	simfabric/adaptive/proof_tables.h \
	simfabric/adaptive/proof_text.c \
	simfabric/adaptive/registry.c \
	simfabric/adaptive/routing.h \
	simfabric/adaptive/routing_ar.c \
	simfabric/adaptive/routing_dal.c \
	simfabric/adaptive/routing_minimal.c \
	simfabric/adaptive/routing_olm.c \
	simfabric/adaptive/routing_par.c \
	simfabric/adaptive/routing_pb.c \
	simfabric/adaptive/routing_trunk.c \
	simfabric/adaptive/routing_ugal.c \
	simfabric/adaptive/routing_valiant.c \
	simfabric/adaptive/select_highest.c \
	simfabric/adaptive/select_jsq.c \
	simfabric/adaptive/select_lowest.c \
	simfabric/adaptive/select_random.c \
	simfabric/adaptive/selection.h \
	simfabric/adaptive/shape.c \
	simfabric/adaptive/shape.h \
	simfabric/adaptive/source.c \
	simfabric/adaptive/source.h \
	simfabric/adaptive/supersequence.c \
	simfabric/adaptive/supersequence.h \
	simfabric/adaptive/trigger.c \
	simfabric/adaptive/trigger.h \
	simfabric/adaptive/trigger_contention.c \
	simfabric/adaptive/trigger_credits.c \
	simfabric/adaptive/trigger_ectn.c \
	simfabric/adaptive/trigger_filtered.c \
	simfabric/adaptive/trigger_hybrid.c \
	simfabric/adaptive/trigger_probability.c \
	simfabric/adaptive/vcs.c \
	simfabric/adaptive/vcs.h \
	simfabric/adaptive/vcs_flexvc.c \
	simfabric/adaptive/vcs_groups.c \
	simfabric/adaptive/vcs_hop.c \
	simfabric/adaptive/vcs_tables.c \
	simfabric/adaptive/ways.c \
	simfabric/adaptive/ways.h
EXTRA_DIST += docs/adaptive.md
