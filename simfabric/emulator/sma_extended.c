// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Attributes beside those of sma_ar.c that Mellanox's switches have, as public headers lay them
 * out: ExtendedNodeInfo, which says whether SLtoVLMappingTables go by SL or by VL,
 * ExtendedSwitchInfo, and HierarchyInfo of ports (annex A15), which a subnet manager may set.
 */
#include <stdlib.h>

#include "simfabric/emulator/private.h"
#include "simfabric/emulator/sma.h"
#include "simfabric/emulator/sma_ar.h"

/* ExtendedNodeInfo: bytes, and bits in them. */
#define NODE_SL2VL_ACTIVE 2
#define NODE_SL2VL_CAP    3
#define HAS_VL2VL         0x01
#define SL2VL_MASK        0x03
#define SL2VL_BY_SL       0 /* 2 and 3 mix both, which is a capability of its own: not here */
#define SL2VL_BY_VL       1

/* ExtendedSwitchInfo. Upgrades in service do not happen here: their two bits stay 0. */
#define SWITCH_TURBO      3
#define TURBO_ENABLE      0x07
#define HAS_TURBO         0x08
#define SWITCH_THRESHOLDS 4
#define HAS_THRESHOLDS    0x0F
#define THRESHOLD_MASK    0x03FF

/* Where its thresholds are; in the order of struct hd_switch_ar. */
static const uint8_t thresholds_at[HD_SWITCH_TURBO_THRESHOLDS] = { 6, 8, 10, 14 };

/* HierarchyInfo */
#define TEMPLATE            0
#define MAX_SUPPORTED_INDEX 8
#define MAX_ACTIVE_INDEX    9
#define ACTIVE_LEVELS       10 /* upper 4 bits */
#define LEVELS              12

unsigned hd_sma_get_extended_node_info(struct hd_smp *smp)
{
	const struct hd_switch_ar *ar = hd_switch_ar_find(smp->emulator, smp->node);

	if (smp->modifier)
		return HD_STATUS_BAD_FIELD;
	if (!ar)
		return HD_STATUS_BUSY;
	memset(smp->data, 0, HD_SMP_DATA_SIZE);
	smp->data[NODE_SL2VL_ACTIVE] = ar->by_vl ? SL2VL_BY_VL : SL2VL_BY_SL;
	smp->data[NODE_SL2VL_CAP] = HAS_VL2VL;
	return HD_STATUS_OK;
}

unsigned hd_sma_set_extended_node_info(struct hd_smp *smp)
{
	struct hd_switch_ar *ar = hd_switch_ar_find(smp->emulator, smp->node);
	const unsigned active = smp->data[NODE_SL2VL_ACTIVE] & SL2VL_MASK;

	if (smp->modifier || active > SL2VL_BY_VL)
		return HD_STATUS_BAD_FIELD;
	if (!ar)
		return HD_STATUS_BUSY;
	ar->by_vl = active == SL2VL_BY_VL;
	return hd_sma_get_extended_node_info(smp);
}

unsigned hd_sma_get_extended_switch_info(struct hd_smp *smp)
{
	const struct hd_switch_ar *ar = hd_switch_ar_find(smp->emulator, smp->node);

	if (smp->modifier)
		return HD_STATUS_BAD_FIELD;
	if (!ar)
		return HD_STATUS_BUSY;
	memset(smp->data, 0, HD_SMP_DATA_SIZE);
	smp->data[SWITCH_TURBO] = HAS_TURBO | ar->turbo;
	smp->data[SWITCH_THRESHOLDS] = HAS_THRESHOLDS;
	for (unsigned i = 0; i < HD_SWITCH_TURBO_THRESHOLDS; i++)
		hd_put16(smp->data + thresholds_at[i], ar->turbo_thresholds[i]);
	return HD_STATUS_OK;
}

unsigned hd_sma_set_extended_switch_info(struct hd_smp *smp)
{
	struct hd_switch_ar *ar = hd_switch_ar_find(smp->emulator, smp->node);

	if (smp->modifier)
		return HD_STATUS_BAD_FIELD;
	if (!ar)
		return HD_STATUS_BUSY;
	ar->turbo = smp->data[SWITCH_TURBO] & TURBO_ENABLE;
	for (unsigned i = 0; i < HD_SWITCH_TURBO_THRESHOLDS; i++)
		ar->turbo_thresholds[i] = hd_get16(smp->data + thresholds_at[i]) & THRESHOLD_MASK;
	return hd_sma_get_extended_switch_info(smp);
}

/*
 * The hierarchy that the modifier names: bits 0 to 7 the port, bits 8 to 15 the index. False: no
 * port of the switch, no such index, or other bits.
 */
static bool name(const struct hd_smp *smp, unsigned *port, unsigned *index)
{
	*port = smp->modifier & 0xFF;
	*index = smp->modifier >> 8 & 0xFF;
	return !(smp->modifier >> 16) && *index < HD_SWITCH_HIERARCHIES &&
	       *port <= smp->emulator->fabric->nodes[smp->node].n_ports;
}

static const struct hd_switch_hierarchy *find(const struct hd_switch_ar *ar, unsigned port,
					      unsigned index)
{
	return ar->hierarchies ? &ar->hierarchies[port * HD_SWITCH_HIERARCHIES + index] : NULL;
}

unsigned hd_sma_get_hierarchy_info(struct hd_smp *smp)
{
	const struct hd_switch_ar *ar = hd_switch_ar_find(smp->emulator, smp->node);
	const struct hd_switch_hierarchy *hierarchy;
	unsigned port, index;

	if (!name(smp, &port, &index))
		return HD_STATUS_BAD_FIELD;
	if (!ar)
		return HD_STATUS_BUSY;
	memset(smp->data, 0, HD_SMP_DATA_SIZE);
	smp->data[MAX_SUPPORTED_INDEX] = HD_SWITCH_HIERARCHIES - 1;
	for (unsigned i = 0; i < HD_SWITCH_HIERARCHIES; i++) {
		hierarchy = find(ar, port, i);
		if (hierarchy && hierarchy->n_levels)
			smp->data[MAX_ACTIVE_INDEX] = (uint8_t)i;
	}
	hierarchy = find(ar, port, index);
	if (!hierarchy)
		return HD_STATUS_OK;
	hd_put64(smp->data + TEMPLATE, hierarchy->template);
	smp->data[ACTIVE_LEVELS] = (uint8_t)(hierarchy->n_levels << 4);
	for (unsigned i = 0; i < hierarchy->n_levels; i++)
		hd_put32(smp->data + LEVELS + 4 * i, hierarchy->levels[i]);
	return HD_STATUS_OK;
}

unsigned hd_sma_set_hierarchy_info(struct hd_smp *smp)
{
	struct hd_switch_ar *ar = hd_switch_ar_find(smp->emulator, smp->node);
	const unsigned n_ports = smp->emulator->fabric->nodes[smp->node].n_ports;
	struct hd_switch_hierarchy hierarchy = { 0 };
	unsigned port, index;

	if (!name(smp, &port, &index))
		return HD_STATUS_BAD_FIELD;
	hierarchy.n_levels = smp->data[ACTIVE_LEVELS] >> 4;
	if (hierarchy.n_levels > HD_SWITCH_LEVELS)
		return HD_STATUS_BAD_FIELD;
	if (ar && !ar->hierarchies)
		ar->hierarchies = calloc((n_ports + (size_t)1) * HD_SWITCH_HIERARCHIES,
					 sizeof(*ar->hierarchies));
	if (!ar || !ar->hierarchies)
		return HD_STATUS_BUSY;
	/* one without levels is none */
	if (hierarchy.n_levels)
		hierarchy.template = hd_get64(smp->data + TEMPLATE);
	for (unsigned i = 0; i < hierarchy.n_levels; i++)
		hierarchy.levels[i] = hd_get32(smp->data + LEVELS + 4 * i);
	ar->hierarchies[port * HD_SWITCH_HIERARCHIES + index] = hierarchy;
	return hd_sma_get_hierarchy_info(smp);
}
