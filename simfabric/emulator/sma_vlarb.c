// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * VLArbitrationTable (14.2.5.9): 32 entries of the low (blocks 1, 2) or high priority table (3, 4)
 * of a port. The modifier has the block in bits 16-31 and, on switches, the port in bits 0-15.
 */
#include <stdlib.h>

#include "fabric/link_rate.h"
#include "simfabric/emulator/private.h"
#include "simfabric/emulator/sma.h"

#define BLOCK        32
#define FIRST_WEIGHT 4 /* in units of 64 bytes */

struct entry {
	uint8_t vl, weight;
};

/* Port p has its entries at p * stride: the low priority table, then the high one. */
struct hd_vlarb_state {
	size_t stride;
	struct entry *entries;
};

bool hd_vlarb_new(struct hd_emulator *emulator)
{
	const struct hd_emulator_class *switches = &emulator->options.switches;
	const struct hd_emulator_class *adapters = &emulator->options.adapters;
	unsigned of_switches = switches->vlarb_low + switches->vlarb_high;
	unsigned of_adapters = adapters->vlarb_low + adapters->vlarb_high;
	struct hd_vlarb_state *state = calloc(1, sizeof(*state));

	emulator->vlarb = state;
	if (!state)
		return false;
	state->stride = of_switches > of_adapters ? of_switches : of_adapters;
	state->entries =
		calloc(emulator->fabric->n_ports * state->stride + 1, sizeof(*state->entries));
	return state->entries != NULL;
}

/* As OpenSM and ibsim have them by default: VL 0 in the high priority table, others in the low. */
void hd_vlarb_reset(struct hd_emulator *emulator, uint32_t port)
{
	const struct hd_emulator_class *class =
		hd_class_of(emulator, emulator->fabric->ports[port].node);
	struct entry *entry = emulator->vlarb->entries + port * emulator->vlarb->stride;
	unsigned vls = hd_vlcap_vls(emulator->ports[port].vl_cap);

	for (unsigned i = 0; i < class->vlarb_low; i++)
		*entry++ =
			(struct entry){ i < vls ? (uint8_t)i : 0, i && i < vls ? FIRST_WEIGHT : 0 };
	for (unsigned i = 0; i < class->vlarb_high; i++)
		*entry++ = (struct entry){ i < vls ? (uint8_t)i : 0, i ? 0 : FIRST_WEIGHT };
}

void hd_vlarb_free(struct hd_emulator *emulator)
{
	if (emulator->vlarb)
		free(emulator->vlarb->entries);
	free(emulator->vlarb);
}

void hd_emulator_vlarb(const struct hd_emulator *emulator, uint32_t port, struct hd_vlarb *vlarb)
{
	const struct entry *entry = emulator->vlarb->entries + port * emulator->vlarb->stride;

	*vlarb = (struct hd_vlarb){
		.n_low = (uint8_t)hd_vlarb_capacity(emulator, port, false),
		.n_high = (uint8_t)hd_vlarb_capacity(emulator, port, true),
		.high_limit = emulator->ports[port].vl_high_limit,
	};
	for (unsigned i = 0; i < vlarb->n_low; i++, entry++)
		vlarb->low[i] = (struct hd_vlarb_entry){ entry->vl, entry->weight };
	for (unsigned i = 0; i < vlarb->n_high; i++, entry++)
		vlarb->high[i] = (struct hd_vlarb_entry){ entry->vl, entry->weight };
}

/* The entries that the modifier names, @n of them within the capacity; NULL: there are none. */
static struct entry *find_block(const struct hd_smp *smp, unsigned *n)
{
	const struct hd_emulator *emulator = smp->emulator;
	const struct hd_emulator_class *class = hd_class_of(emulator, smp->node);
	unsigned block = smp->modifier >> 16, number = smp->modifier & 0xFFFF;
	unsigned first = (block - 1) % 2 * BLOCK;
	bool high = block > 2;
	uint32_t port = smp->port;
	unsigned capacity;

	if (hd_is_switch(emulator->fabric, smp->node))
		port = hd_smp_port(smp, number);
	if (port == HD_NONE || !block || block > 4)
		return NULL;
	capacity = hd_vlarb_capacity(emulator, port, high);
	if (first >= capacity)
		return NULL;
	*n = capacity - first < BLOCK ? capacity - first : BLOCK;
	return emulator->vlarb->entries + port * emulator->vlarb->stride +
	       (high ? class->vlarb_low : 0) + first;
}

unsigned hd_sma_get_vlarb(struct hd_smp *smp)
{
	unsigned n;
	const struct entry *entries = find_block(smp, &n);

	if (!entries)
		return HD_STATUS_BAD_FIELD;
	for (unsigned i = 0; i < n; i++) {
		smp->data[2 * i] = entries[i].vl;
		smp->data[2 * i + 1] = entries[i].weight;
	}
	return HD_STATUS_OK;
}

unsigned hd_sma_set_vlarb(struct hd_smp *smp)
{
	unsigned n;
	struct entry *entries = find_block(smp, &n);

	if (!entries)
		return HD_STATUS_BAD_FIELD;
	for (unsigned i = 0; i < n; i++)
		entries[i] = (struct entry){ smp->data[2 * i] & 15, smp->data[2 * i + 1] };
	memset(smp->data, 0, HD_SMP_DATA_SIZE);
	return hd_sma_get_vlarb(smp);
}
