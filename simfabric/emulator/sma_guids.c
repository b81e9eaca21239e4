// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * GUIDInfo (14.2.5.5): 8 GUIDs of an end port; the modifier is the block. The first GUID is the
 * port's own and cannot be written.
 */
#include <stdlib.h>

#include "simfabric/emulator/private.h"
#include "simfabric/emulator/sma.h"

#define BLOCK 8

struct hd_guid_state {
	uint64_t **tables; /* by port, of its capacity; NULL: only the first GUID */
};

bool hd_guids_new(struct hd_emulator *emulator)
{
	emulator->guids = calloc(1, sizeof(*emulator->guids));
	if (!emulator->guids)
		return false;
	emulator->guids->tables =
		calloc(emulator->fabric->n_ports + (size_t)1, sizeof(*emulator->guids->tables));
	return emulator->guids->tables != NULL;
}

void hd_guids_reset(struct hd_emulator *emulator, uint32_t port)
{
	free(emulator->guids->tables[port]);
	emulator->guids->tables[port] = NULL;
}

void hd_guids_free(struct hd_emulator *emulator)
{
	if (!emulator->guids)
		return;
	for (uint32_t p = 0; emulator->guids->tables && p < emulator->fabric->n_ports; p++)
		hd_guids_reset(emulator, p);
	free(emulator->guids->tables);
	free(emulator->guids);
}

uint8_t hd_guids_capacity(const struct hd_emulator *emulator, uint32_t port)
{
	unsigned given = hd_class_of(emulator, emulator->fabric->ports[port].node)->guids;

	return given ? (uint8_t)given : 1;
}

/* Where the block begins and how many GUIDs it has; false: there is no such block. */
static bool find_block(const struct hd_smp *smp, unsigned *first, unsigned *n)
{
	unsigned capacity = hd_guids_capacity(smp->emulator, smp->port);

	if (smp->modifier >= (capacity + BLOCK - 1) / BLOCK)
		return false;
	*first = smp->modifier * BLOCK;
	*n = capacity - *first < BLOCK ? capacity - *first : BLOCK;
	return true;
}

unsigned hd_sma_get_guids(struct hd_smp *smp)
{
	const uint64_t *table = smp->emulator->guids->tables[smp->port];
	unsigned first, n;

	if (!find_block(smp, &first, &n))
		return HD_STATUS_BAD_FIELD;
	memset(smp->data, 0, HD_SMP_DATA_SIZE);
	for (unsigned i = 0; table && i < n; i++)
		hd_put64(smp->data + 8 * i, table[first + i]);
	if (!first)
		hd_put64(smp->data, smp->emulator->fabric->ports[smp->port].guid);
	return HD_STATUS_OK;
}

unsigned hd_sma_set_guids(struct hd_smp *smp)
{
	uint64_t **table = &smp->emulator->guids->tables[smp->port];
	unsigned first, n;

	if (!find_block(smp, &first, &n))
		return HD_STATUS_BAD_FIELD;
	if (!*table) {
		*table = calloc(hd_guids_capacity(smp->emulator, smp->port), sizeof(**table));
		if (!*table)
			return HD_STATUS_BUSY;
	}
	for (unsigned i = 0; i < n; i++)
		(*table)[first + i] = hd_get64(smp->data + 8 * i);
	return hd_sma_get_guids(smp);
}
