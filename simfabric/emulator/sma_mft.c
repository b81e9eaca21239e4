// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * MulticastForwardingTable (14.2.5.12): for 32 multicast LIDs, the bits of 16 ports. The modifier
 * has the block in bits 0-8 and the 16 ports' position in bits 28-31.
 */
#include <stdlib.h>

#include "simfabric/emulator/sma.h"

#define BLOCK          32
#define POSITION_PORTS 16

struct place {
	unsigned position, positions;
	uint32_t mlid; /* from 0 */
};

static bool find_place(const struct hd_smp *smp, struct place *place)
{
	const struct hd_emulator *emulator = smp->emulator;

	place->positions = emulator->fabric->nodes[smp->node].n_ports / POSITION_PORTS + 1u;
	place->position = smp->modifier >> 28;
	place->mlid = (smp->modifier & 0x1FF) * BLOCK;
	return !(smp->modifier & 0x0FFFFE00) && place->position < place->positions &&
	       place->mlid < emulator->options.multicast_fdb_cap;
}

unsigned hd_sma_get_multicast_table(struct hd_smp *smp)
{
	const struct hd_emulator_switch *sw = &smp->emulator->switches[smp->node];
	struct place place;

	if (!find_place(smp, &place))
		return HD_STATUS_BAD_FIELD;
	if (place.mlid < sw->mft_size) {
		const uint16_t *masks = sw->mft + place.position * (size_t)sw->mft_size;

		for (unsigned i = 0; i < BLOCK; i++)
			hd_put16(smp->data + 2 * i, masks[place.mlid + i]);
	}
	return HD_STATUS_OK;
}

static bool grow(struct hd_emulator_switch *sw, const struct place *place)
{
	uint32_t size = place->mlid + BLOCK;
	uint16_t *mft = calloc(place->positions * (size_t)size, sizeof(*mft));

	if (!mft)
		return false;
	for (unsigned position = 0; sw->mft && position < place->positions; position++)
		memcpy(mft + position * (size_t)size, sw->mft + position * (size_t)sw->mft_size,
		       sw->mft_size * sizeof(*mft));
	free(sw->mft);
	sw->mft = mft;
	sw->mft_size = size;
	return true;
}

static bool is_empty(const uint8_t *data)
{
	for (unsigned i = 0; i < HD_SMP_DATA_SIZE; i++)
		if (data[i])
			return false;
	return true;
}

unsigned hd_sma_set_multicast_table(struct hd_smp *smp)
{
	struct hd_emulator_switch *sw = &smp->emulator->switches[smp->node];
	struct place place;
	uint16_t *masks;

	if (!find_place(smp, &place))
		return HD_STATUS_BAD_FIELD;
	if (place.mlid >= sw->mft_size) {
		if (is_empty(smp->data))
			return HD_STATUS_OK;
		if (!grow(sw, &place))
			return HD_STATUS_BUSY;
	}
	masks = sw->mft + place.position * (size_t)sw->mft_size + place.mlid;
	for (unsigned i = 0; i < BLOCK; i++)
		masks[i] = hd_get16(smp->data + 2 * i);
	return HD_STATUS_OK;
}
